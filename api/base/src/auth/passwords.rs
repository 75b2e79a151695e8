//! Passwords as argon2id hashes, made and checked away from the threads that answer requests.

use std::sync::{Arc, LazyLock};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking as block;

use super::ChosenPassword;
use crate::error::{Result, internal};
use crate::inputs::Password;
use crate::world::World;

/// Each hash takes 19 MiB and a core for some 20 ms: a few at a time, the others wait their turn.
#[derive(Clone)]
pub struct Passwords(Arc<Semaphore>);

impl Passwords {
    pub fn new(at_once: usize) -> Self {
        Self(Arc::new(Semaphore::new(at_once)))
    }

    pub async fn hash(&self, world: &World, password: ChosenPassword) -> Result<PasswordHash> {
        let (password, salt) = (password.into_inner(), world.bytes::<16>());
        let _turn = self.0.acquire().await.map_err(internal)?;
        let hash = block(move || hash(&password, &salt)).await.map_err(internal)?;
        hash.map(PasswordHash).map_err(|err| internal(anyhow::anyhow!("argon2: {err}")))
    }

    /// Whether the password fits. Takes as long when there is no such account, so that nobody learns which there are.
    pub async fn fits(&self, password: Password, stored: Option<String>) -> Result<bool> {
        let _turn = self.0.acquire().await.map_err(internal)?;
        block(move || {
            let known = stored.is_some();
            fits(&password, stored.as_ref().unwrap_or(&DUMMY)) && known
        })
        .await
        .map_err(internal)
    }
}

/// Of a password that was checked for form and hashed here; nothing else makes one.
pub struct PasswordHash(String);

impl PasswordHash {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

static DUMMY: LazyLock<String> = LazyLock::new(|| {
    Argon2::default().hash_password_with_salt(b"nobody's", &[0; 16]).map(|hash| hash.to_string()).unwrap_or_default()
});

fn hash(password: &Password, salt: &[u8]) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password_with_salt(password.reveal(), salt)?.to_string())
}

fn fits(password: &Password, stored: &str) -> bool {
    let parsed = argon2::password_hash::phc::PasswordHash::new(stored);
    parsed.is_ok_and(|parsed| Argon2::default().verify_password(password.reveal(), &parsed).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_same_password_fits() {
        let passwords = Passwords::new(1);
        let password = |text| Password::parse(text).unwrap();
        let stored = passwords
            .hash(&World::real(), ChosenPassword::of_operator(password("correct horse")).unwrap())
            .await
            .unwrap();
        assert!(stored.0.starts_with("$argon2id$"));
        assert!(passwords.fits(password("correct horse"), Some(stored.0.clone())).await.unwrap());
        assert!(!passwords.fits(password("battery staple"), Some(stored.0)).await.unwrap());
        assert!(!passwords.fits(password("nobody's"), None).await.unwrap());
    }
}
