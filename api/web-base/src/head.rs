//! HEAD: every address that takes a GET takes it too, and answers with the same head and no body.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::Error;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::web::Bytes;

/// Has routes answer as to a GET, and leaves the body away. Wraps all routes.
pub async fn answer_without_body<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_head = *request.method() == Method::HEAD;
    if is_head {
        request.head_mut().method = Method::GET;
    }
    let response = next.call(request).await?;
    Ok(match is_head {
        true => response.map_body(|_, body| BoxBody::new(LeftAway(body.size()))),
        false => response.map_into_boxed_body(),
    })
}

/// How long the body would be that is left away.
struct LeftAway(BodySize);

impl MessageBody for LeftAway {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(None)
    }
}
