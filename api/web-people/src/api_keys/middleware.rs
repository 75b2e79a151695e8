//! Lets requests with a key in, as far as keys reach.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage};

use super::reach;
use base::auth::{Credential, Identity};
use base::db::Db;
use base::error::forbidden;
use base::world::World;
use cafe::api_keys::{self, Secret};
use web_base::error::{ApiResult, answer_to};
use web_base::extract::{ActingKey, bearer_token, data};

/// Finds out who acts where the request brings a key. Wraps all that asks who does.
pub async fn admit<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if let Some(secret) = bearer_token(request.request()).and_then(Secret::parse) {
        match identify(&request, &secret).await {
            Ok(identity) => _ = request.extensions_mut().insert(ActingKey(identity)),
            Err(err) => {
                let answer = answer_to(request.request(), &err);
                return Ok(request.into_response(answer));
            }
        }
    }
    Ok(next.call(request).await?.map_into_boxed_body())
}

async fn identify(request: &ServiceRequest, secret: &Secret) -> ApiResult<Identity> {
    let world = data::<World>(request.request())?;
    let mut conn = data::<Db>(request.request())?.conn().await?;
    let identity = api_keys::identify(&mut conn, world, secret).await?;
    expect_in_reach(request, &identity)?;
    Ok(identity)
}

/// What no route takes is refused by the router.
fn expect_in_reach(request: &ServiceRequest, identity: &Identity) -> ApiResult<()> {
    let Some(pattern) = request.match_pattern() else { return Ok(()) };
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let method = if is_read { "GET" } else { request.method().as_str() };
    if !reach::holds(method, &pattern) {
        return Err(forbidden("not_for_keys").into());
    }
    let is_of_sandbox = is_read || pattern.starts_with(reach::OF_SANDBOX);
    if identity.credential == Credential::SandboxKey && !is_of_sandbox {
        return Err(forbidden("sandbox_only").into());
    }
    Ok(())
}
