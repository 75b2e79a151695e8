//! Signs what the house keeps outside the database, so that it takes back only what it made itself.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::seal::keyed;

/// A key of its own for each purpose: what signs tokens signs nothing else.
#[derive(Clone)]
pub struct SigningKey(Hmac<Sha256>);

impl SigningKey {
    pub fn of_backups(secret: &[u8]) -> Self {
        Self::derive(secret, b"house-rules/backup/sign/1")
    }

    /// For the newest line of the audit log.
    pub fn of_audit_heads(secret: &[u8]) -> Self {
        Self::derive(secret, b"house-rules/audit/head/1")
    }

    fn derive(secret: &[u8], purpose: &[u8]) -> Self {
        Self(keyed(&keyed(secret).chain_update(purpose).finalize().into_bytes()))
    }

    pub fn sign(&self, content: &[u8]) -> [u8; 32] {
        self.0.clone().chain_update(content).finalize().into_bytes().into()
    }

    /// Whether one of these keys signed it.
    pub fn any_signed(keys: &[Self], content: &[u8], signature: &[u8]) -> bool {
        keys.iter().any(|key| key.0.clone().chain_update(content).verify_slice(signature).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_of_one_content_one_secret_and_one_purpose() {
        let (ours, theirs) = (SigningKey::of_backups(b"our secret"), SigningKey::of_backups(b"their secret"));
        let signature = ours.sign(b"label");
        assert!(SigningKey::any_signed(&[theirs.clone(), ours.clone()], b"label", &signature));
        assert!(!SigningKey::any_signed(std::slice::from_ref(&theirs), b"label", &signature));
        assert!(!SigningKey::any_signed(&[SigningKey::of_audit_heads(b"our secret")], b"label", &signature));
        assert!(!SigningKey::any_signed(std::slice::from_ref(&ours), b"labels", &signature));
        assert!(!SigningKey::any_signed(&[ours], b"label", &signature[..31]));
        assert!(!SigningKey::any_signed(&[], b"label", &signature));
    }
}
