//! The café's logo as a file. Its address holds its hash, so browsers never ask for it again.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use base::db::Db;
use base::settings::logo;

use web_base::error::ApiResult;
use web_base::extract::Path;

#[get("/cafe/logo/{hash}")]
pub async fn show_logo(db: Data<Db>, Path(hash): Path<String>) -> ApiResult<HttpResponse> {
    let (kind, content) = logo::find(&mut *db.conn().await?, &hash).await?;
    Ok(HttpResponse::Ok()
        .content_type(kind)
        .insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .insert_header((CONTENT_DISPOSITION, "inline"))
        .body(content))
}
