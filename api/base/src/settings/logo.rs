//! The café's logo: a small picture of a kind that holds no program. SVG is refused: it may hold scripts.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use imagesize::{ImageType, blob_size, image_type};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Cafe, store};
use crate::audit::{self, Entry};
use crate::auth::{Actor, StaffContext, can};
use crate::error::{Result, not_found, unprocessable};
use crate::ids::{hex, unhex};

const BYTES_MAX: usize = 500_000;
const PIXELS_MAX: usize = 2000;

pub struct Logo {
    pub kind: &'static str,
    pub content: Vec<u8>,
    pub hash: [u8; 32],
}

impl Logo {
    /// What it is is told by its content, whatever its sender says.
    fn parse(content: Vec<u8>) -> Result<Self> {
        let kind = match image_type(&content) {
            Ok(ImageType::Png) => "image/png",
            Ok(ImageType::Jpeg) => "image/jpeg",
            Ok(ImageType::Webp) => "image/webp",
            _ => return Err(unprocessable("logo_kind")),
        };
        let fits = blob_size(&content)
            .is_ok_and(|size| (1..=PIXELS_MAX).contains(&size.width) && (1..=PIXELS_MAX).contains(&size.height));
        if !fits || content.len() > BYTES_MAX {
            return Err(unprocessable("logo_size"));
        }
        Ok(Self { kind, hash: Sha256::digest(&content).into(), content })
    }
}

pub fn address(hash: &[u8]) -> String {
    format!("/cafe/logo/{}", hex(hash))
}

/// Puts this picture in place of the logo; nothing takes it away.
pub async fn change(
    cx: &mut StaffContext<'_, can::ChangeSettings>,
    cafe: &Cafe,
    content: Option<Vec<u8>>,
) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let logo = content.map(Logo::parse).transpose()?;
    conn.transaction(async |conn| -> Result<()> {
        match &logo {
            Some(logo) => store::put_logo(conn, logo).await?,
            None => store::delete_logo(conn).await?,
        };
        let details = json!({ "sha256": logo.as_ref().map(|logo| hex(&logo.hash)) });
        let entry = Entry { actor: Some(staff.id), action: "cafe.logo", subject: "house", subject_id: None, details };
        Ok(audit::record(conn, world, entry).await?)
    })
    .await?;
    cafe.read(conn).await
}

/// The kind and the bytes of the logo with this hash, if it is the café's.
pub async fn find(conn: &mut AsyncPgConnection, hash: &str) -> Result<(String, Vec<u8>)> {
    let missing = || not_found("not_found");
    let hash = unhex(hash).ok_or_else(missing)?;
    store::find_logo(conn, &hash).await?.ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        png.extend(width.to_be_bytes());
        png.extend(height.to_be_bytes());
        png.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
        png
    }

    #[test]
    fn only_small_pictures_without_programs_are_taken() {
        let refused = |content: Vec<u8>| Logo::parse(content).err().map(|err| err.code().to_owned());
        assert_eq!(refused(png(64, 64)), None);
        assert_eq!(refused(png(2001, 64)).as_deref(), Some("logo_size"));
        assert_eq!(refused(png(0, 64)).as_deref(), Some("logo_size"));
        for other in
            [&b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"[..], b"GIF89a\x01\0\x01\0", b"", b"<html>", b"\x89PNG"]
        {
            assert!(refused(other.to_vec()).is_some(), "{other:?}");
        }
        let mut large = png(64, 64);
        large.resize(BYTES_MAX + 1, 0);
        assert_eq!(refused(large).as_deref(), Some("logo_size"));
    }
}
