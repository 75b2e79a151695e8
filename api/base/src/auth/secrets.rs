//! Secrets in links and tokens: how they are written, and their hashes, which are all that is kept of them.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

pub fn hash(secret: &[u8]) -> [u8; 32] {
    Sha256::digest(secret).into()
}

pub fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}
