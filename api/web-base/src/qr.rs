//! QR codes as pictures.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;

use crate::error::ApiResult;
use base::error::{Result, internal};

/// The same as an answer.
pub fn qr_picture(text: &str) -> ApiResult<HttpResponse> {
    let answer = HttpResponse::Ok()
        .content_type("image/svg+xml; charset=utf-8")
        .insert_header((CACHE_CONTROL, "private, no-cache"))
        .body(qr_svg(text)?);
    Ok(answer)
}

/// The picture of a QR code that holds this text.
pub fn qr_svg(text: &str) -> Result<String> {
    use qrcode::render::svg;
    // A quarter of it may be under a coffee stain and it still reads.
    let code = qrcode::QrCode::with_error_correction_level(text, qrcode::EcLevel::Q).map_err(internal)?;
    let (dark, light) = (svg::Color("#000"), svg::Color("#fff"));
    Ok(code.render().min_dimensions(256, 256).dark_color(dark).light_color(light).build())
}

#[cfg(test)]
mod tests {
    use play::tables::page_url;

    use super::*;

    #[test]
    fn a_code_is_drawn_for_any_address() {
        let svg = qr_svg(&page_url("https://play.example.org", "ABC234")).unwrap();
        assert!(svg.contains("<svg") && svg.ends_with("</svg>"));
    }
}
