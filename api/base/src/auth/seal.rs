//! Stored requests and answers, which nobody can read with the database alone: it takes the service's secret.

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::world::World;

const NONCE: usize = 24;

pub type Digest = [u8; 32];

/// The keys of the current secret. What the previous one sealed is opened with `each` or `previous`.
#[derive(Clone)]
pub struct Seal {
    digests: Hmac<Sha256>,
    cipher: XChaCha20Poly1305,
    previous: Option<Box<Self>>,
}

impl Seal {
    pub fn new(secret: &[u8]) -> Self {
        // Keys of their own, so that neither is the one that signs tokens.
        let derive = |purpose: &[u8]| keyed(secret).chain_update(purpose).finalize().into_bytes();
        Self {
            digests: keyed(&derive(b"house-rules/idempotency/digest/1")),
            cipher: XChaCha20Poly1305::new(&derive(b"house-rules/idempotency/seal/1")),
            previous: None,
        }
    }

    /// Knows the keys of this secret as well.
    #[must_use]
    pub fn with_previous(self, secret: Option<&[u8]>) -> Self {
        Self { previous: secret.map(|secret| Box::new(Self::new(secret))), ..self }
    }

    /// That of the previous secret, while it is known.
    pub fn previous(&self) -> Option<&Self> {
        self.previous.as_deref()
    }

    /// That of the current secret first. A digest and what is sealed for it belong to one of them.
    pub fn each(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.previous())
    }

    /// The same for the same parts only, and for nobody else to compute: a plain hash of a password could be guessed.
    pub fn digest(&self, parts: &[&[u8]]) -> Digest {
        let add =
            |mac: Hmac<Sha256>, part: &&[u8]| mac.chain_update((part.len() as u64).to_be_bytes()).chain_update(part);
        parts.iter().fold(self.digests.clone(), add).finalize().into_bytes().into()
    }

    /// Seals an answer, for this request only.
    pub fn close(&self, world: &World, id: &Digest, answer: &[u8]) -> Option<Vec<u8>> {
        let nonce = world.bytes::<NONCE>();
        let sealed = self.cipher.encrypt(&nonce.into(), Payload { msg: answer, aad: id }).ok()?;
        Some([nonce.as_slice(), &sealed].concat())
    }

    /// None if it was sealed with another secret, or for another request.
    pub fn open(&self, id: &Digest, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        self.cipher.decrypt(&(*nonce).into(), Payload { msg: sealed, aad: id }).ok()
    }
}

pub fn keyed(key: &[u8]) -> Hmac<Sha256> {
    match <Hmac<Sha256> as KeyInit>::new_from_slice(key) {
        Ok(mac) => mac,
        Err(err) => unreachable!("a key of an HMAC may have any length: {err}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"a secret of thirty-two characters";

    #[test]
    fn what_is_sealed_opens_for_its_request_and_with_its_secret_only() {
        let (seal, world) = (Seal::new(SECRET), World::real());
        let (one, two) = ([1; 32], [2; 32]);
        let sealed = seal.close(&world, &one, b"a token").unwrap();
        assert!(!sealed.windows(7).any(|part| part == b"a token"));
        assert_eq!(Seal::new(SECRET).open(&one, &sealed).as_deref(), Some(b"a token".as_slice()));
        assert_eq!(seal.open(&two, &sealed), None);
        assert_eq!(Seal::new(b"another secret").open(&one, &sealed), None);
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(seal.open(&one, &changed), None, "byte {place}");
        }
        assert_eq!(seal.open(&one, b"short"), None);
    }

    #[test]
    fn what_is_sealed_now_needs_the_current_secret_only() {
        let world = World::real();
        let (before, after) = (Seal::new(SECRET), Seal::new(b"the next secret"));
        let during = after.clone().with_previous(Some(SECRET));
        let id = |seal: &Seal| seal.digest(&[b"a place"]);
        let old = before.close(&world, &id(&before), b"old").unwrap();
        assert_eq!(during.open(&id(&during), &old), None);
        assert_eq!(during.each().find_map(|seal| seal.open(&id(seal), &old)).as_deref(), Some(b"old".as_slice()));
        assert!(after.each().all(|seal| seal.open(&id(seal), &old).is_none()));
        let new = during.close(&world, &id(&during), b"new").unwrap();
        assert_eq!(after.open(&id(&after), &new).as_deref(), Some(b"new".as_slice()));
        assert_eq!(before.open(&id(&before), &new), None);
    }

    #[test]
    fn a_digest_tells_where_one_part_ends() {
        let seal = Seal::new(SECRET);
        assert_eq!(seal.digest(&[b"ab", b"c"]), seal.digest(&[b"ab", b"c"]));
        assert_ne!(seal.digest(&[b"ab", b"c"]), seal.digest(&[b"a", b"bc"]));
        assert_ne!(seal.digest(&[b"ab"]), Seal::new(b"another secret").digest(&[b"ab"]));
    }
}
