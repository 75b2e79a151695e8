//! Signs backups, so that a restore takes only what this house made.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::seal::keyed;

#[derive(Clone)]
pub struct BackupKey(Hmac<Sha256>);

impl BackupKey {
    /// A key of its own: what signs tokens signs nothing else.
    pub fn new(secret: &[u8]) -> Self {
        Self(keyed(&keyed(secret).chain_update(b"house-rules/backup/sign/1").finalize().into_bytes()))
    }

    pub fn sign(&self, label: &[u8]) -> [u8; 32] {
        self.0.clone().chain_update(label).finalize().into_bytes().into()
    }

    /// Whether one of these keys signed the label.
    pub fn any_signed(keys: &[Self], label: &[u8], signature: &[u8]) -> bool {
        keys.iter().any(|key| key.0.clone().chain_update(label).verify_slice(signature).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_of_one_label_and_one_secret() {
        let (ours, theirs) = (BackupKey::new(b"our secret"), BackupKey::new(b"their secret"));
        let signature = ours.sign(b"label");
        assert!(BackupKey::any_signed(&[theirs.clone(), ours.clone()], b"label", &signature));
        assert!(!BackupKey::any_signed(std::slice::from_ref(&theirs), b"label", &signature));
        assert!(!BackupKey::any_signed(std::slice::from_ref(&ours), b"labels", &signature));
        assert!(!BackupKey::any_signed(&[ours], b"label", &signature[..31]));
        assert!(!BackupKey::any_signed(&[], b"label", &signature));
    }
}
