//! While nobody runs the café, every page leads to where it is set up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{ACCEPT, LOCATION};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpResponse};

use base::db::Db;
use play::players;

/// Whether the café has an owner. Once it has, it always has.
#[derive(Clone, Default)]
pub struct Owned(Arc<AtomicBool>);

const SET_UP: &str = "/admin/setup";

pub async fn lead_to_set_up<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if is_page(&request) && !is_owned(&request).await {
        let answer = HttpResponse::SeeOther().insert_header((LOCATION, SET_UP)).finish();
        return Ok(request.into_response(answer));
    }
    Ok(next.call(request).await?.map_into_boxed_body())
}

/// Whether a browser asks for a page other than the one that it would be led to.
fn is_page(request: &ServiceRequest) -> bool {
    let accept = request.headers().get(ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let path = request.path();
    request.method() == Method::GET && accept.contains("text/html") && path != SET_UP && !path.starts_with("/api/")
}

/// Where the database does not say, nobody is led away.
async fn is_owned(request: &ServiceRequest) -> bool {
    let (Some(owned), Some(db)) = (request.app_data::<Data<Owned>>(), request.app_data::<Data<Db>>()) else {
        return true;
    };
    if owned.0.load(Ordering::Relaxed) {
        return true;
    }
    let found = async { players::has_owner(&mut *db.conn().await?).await };
    let is_owned = found.await.unwrap_or(true);
    if is_owned {
        owned.0.store(true, Ordering::Relaxed);
    }
    is_owned
}
