//! Refusals of staff actions, for the audit log.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use serde_json::json;

use base::auth::{Role, Seal};
use base::db::Db;
use base::world::World;
use play::sessions::sign_in_log::{self, Event};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{claimed, data};

/// Puts each refusal for want of a permission into the audit log. Wraps the routes before their errors are rendered.
pub async fn note_refusals<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let response = next.call(request).await?;
    let cause = response.response().error().and_then(|err| err.as_error::<ApiError>());
    if cause.is_some_and(|err| err.code() == "forbidden")
        && let Err(err) = note(&response).await
    {
        tracing::warn!(code = err.code(), "noting a refusal failed");
    }
    Ok(response)
}

async fn note<B>(response: &ServiceResponse<B>) -> ApiResult<()> {
    let request = response.request();
    let staff = claimed(request).filter(|it| it.role >= Role::Staff).map(|it| it.id);
    let route = request.match_pattern().unwrap_or_default();
    let details = json!({ "method": request.method().as_str(), "route": route });
    let (world, seal) = (data::<World>(request)?, data::<Seal>(request)?);
    let mut conn = data::<Db>(request)?.conn().await?;
    Ok(sign_in_log::tell(&mut conn, world, seal, Event::Refused, staff, details).await?)
}
