//! Access and page tokens: JWTs, signed with HS256 and nothing else. Each names its key, so that the secret can be replaced.

use std::sync::LazyLock;

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error as JwtError, ErrorKind};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::auth::Role;
use crate::auth::seal::keyed;
use crate::error::{Result, internal, unauthorized};
use crate::ids::{PlayerId, SessionId};

pub const ACCESS_SECONDS: i64 = 15 * 60;
/// Shorter secrets can be guessed from one token.
pub const SECRET_MIN: usize = 32;

/// Issues tokens with the key of the current secret, and reads those of the previous one, too.
#[derive(Clone)]
pub struct Tokens {
    current: Key,
    previous: Option<Key>,
}

#[derive(Clone)]
struct Key {
    /// In the header of each token. It tells keys apart and says nothing else of them.
    id: String,
    sign: EncodingKey,
    verify: DecodingKey,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    pub sub: PlayerId,
    pub sid: SessionId,
    pub role: Role,
    #[serde(rename = "use")]
    pub used_as: Use,
    pub iat: i64,
    pub exp: i64,
}

/// What a token is good for: the one never works as the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// In an `Authorization` header.
    Access,
    /// In a browser's cookie. Lives longer, and its session is looked up at each use.
    Page,
    /// In the form that asks for a code, once the password was right.
    Ticket,
    /// In a browser's cookie: the account signed in there before. It lets nobody in.
    Device,
}

impl Use {
    /// A browser behind the counter is shared by a shift; a guest's phone is their own.
    pub fn lifetime(self, role: Role) -> SignedDuration {
        match (self, role) {
            (Self::Access, _) => SignedDuration::from_secs(ACCESS_SECONDS),
            (Self::Ticket, _) => SignedDuration::from_mins(5),
            (Self::Device, _) => SignedDuration::from_hours(365 * 24),
            (Self::Page, Role::Player) => SignedDuration::from_hours(24 * 30),
            (Self::Page, Role::Staff | Role::Manager | Role::Owner) => SignedDuration::from_hours(14),
        }
    }
}

impl Tokens {
    pub fn new(secret: &[u8]) -> Self {
        // Fails when it is in place already, which is as good.
        let _ = PROVIDER.install_default();
        Self { current: Key::new(secret), previous: None }
    }

    /// Reads tokens of this secret as well.
    #[must_use]
    pub fn with_previous(self, secret: Option<&[u8]>) -> Self {
        Self { previous: secret.map(Key::new), ..self }
    }

    pub fn issue(&self, sub: PlayerId, sid: SessionId, role: Role, used_as: Use, now: Timestamp) -> Result<String> {
        let iat = now.as_second();
        let claims = Claims { sub, sid, role, used_as, iat, exp: iat + used_as.lifetime(role).as_secs() };
        self.sign(&claims)
    }

    /// The token of these claims. It replaces one that the previous secret signed.
    pub fn sign(&self, claims: &Claims) -> Result<String> {
        let header = Header { kid: Some(self.current.id.clone()), ..Header::new(Algorithm::HS256) };
        jsonwebtoken::encode(&header, claims, &self.current.sign).map_err(internal)
    }

    pub fn read(&self, token: &str, used_as: Use, now: Timestamp) -> Result<Claims> {
        let claims = self.verify(token).ok_or_else(|| unauthorized("invalid_token"))?;
        if claims.used_as != used_as {
            return Err(unauthorized("invalid_token"));
        }
        if claims.exp <= now.as_second() {
            return Err(unauthorized("token_expired"));
        }
        Ok(claims)
    }

    /// By the key that the token names. One that names none was issued before keys had names: any of ours may have signed it.
    fn verify(&self, token: &str) -> Option<Claims> {
        let named = jsonwebtoken::decode_header(token).ok()?.kid;
        let keys = std::iter::once(&self.current).chain(&self.previous);
        let mut keys = keys.filter(|key| named.as_ref().is_none_or(|named| *named == key.id));
        keys.find_map(|key| jsonwebtoken::decode(token, &key.verify, &VALIDATION).ok()).map(|decoded| decoded.claims)
    }
}

impl Key {
    fn new(secret: &[u8]) -> Self {
        let digest = keyed(secret).chain_update(b"house-rules/token/key-id/1").finalize().into_bytes();
        Self {
            id: BASE64URL_NOPAD.encode(&digest[..9]),
            sign: EncodingKey::from_secret(secret),
            verify: DecodingKey::from_secret(secret),
        }
    }
}

static VALIDATION: LazyLock<Validation> = LazyLock::new(|| {
    let mut validation = Validation::new(Algorithm::HS256);
    // Compared by `read` with the service's own clock.
    validation.validate_exp = false;
    validation
});

/// The crate's own providers bring RSA with an open advisory, or C code; an HMAC is all that is wanted.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| Ok(Box::new(hs256(algorithm, key.as_bytes()).map(Hs256)?)),
    verifier_factory: |algorithm, key| Ok(Box::new(hs256(algorithm, key.try_get_as_bytes()?).map(Hs256)?)),
    key_utils: KeyUtils::new_unimplemented(),
};

struct Hs256(Hmac<Sha256>);

fn hs256(algorithm: &Algorithm, secret: &[u8]) -> Result<Hmac<Sha256>, JwtError> {
    if *algorithm != Algorithm::HS256 {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Hmac::new_from_slice(secret).map_err(|_| ErrorKind::InvalidKeyFormat.into())
}

impl signature::Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Ok(self.0.clone().chain_update(message).finalize().into_bytes().to_vec())
    }
}

impl signature::Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        self.0.clone().chain_update(message).verify_slice(signature).map_err(signature::Error::from_source)
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64URL_NOPAD;
    use uuid::Uuid;

    use super::*;

    const SECRET: &[u8] = b"a secret of thirty-two characters";
    const NEXT: &[u8] = b"the next secret of thirty-two chars";

    fn issued(used_as: Use) -> (Tokens, String) {
        let tokens = Tokens::new(SECRET);
        let (sub, sid) = (PlayerId(Uuid::nil()), SessionId(Uuid::max()));
        let token = tokens.issue(sub, sid, Role::Player, used_as, Timestamp::UNIX_EPOCH).unwrap();
        (tokens, token)
    }

    fn refusal(tokens: &Tokens, token: &str, at: i64) -> String {
        let now = Timestamp::from_second(at).unwrap();
        tokens.read(token, Use::Access, now).unwrap_err().code().to_owned()
    }

    #[test]
    fn a_token_is_read_back_until_it_expires() {
        let (tokens, token) = issued(Use::Access);
        let last = Timestamp::from_second(ACCESS_SECONDS - 1).unwrap();
        assert_eq!(tokens.read(&token, Use::Access, last).unwrap().sub, PlayerId(Uuid::nil()));
        assert_eq!(refusal(&tokens, &token, ACCESS_SECONDS), "token_expired");
    }

    #[test]
    fn a_page_token_is_no_access_token() {
        let (tokens, token) = issued(Use::Page);
        assert_eq!(refusal(&tokens, &token, 1), "invalid_token");
    }

    #[test]
    fn another_secret_signs_nothing_here() {
        let (_, token) = issued(Use::Access);
        assert_eq!(refusal(&Tokens::new(b"another secret of thirty-two chars"), &token, 1), "invalid_token");
    }

    fn header_of(token: &str) -> String {
        String::from_utf8(BASE64URL_NOPAD.decode(token.split('.').next().unwrap().as_bytes()).unwrap()).unwrap()
    }

    /// The same token with another header, signed with this secret.
    fn with_header(token: &str, header: &str, secret: &[u8]) -> String {
        let body = format!("{}.{}", BASE64URL_NOPAD.encode(header.as_bytes()), token.split('.').nth(1).unwrap());
        let signature = keyed(secret).chain_update(body.as_bytes()).finalize().into_bytes();
        format!("{body}.{}", BASE64URL_NOPAD.encode(&signature))
    }

    #[test]
    fn tokens_of_the_previous_secret_are_read_until_it_is_forgotten() {
        let (before, token) = issued(Use::Access);
        let (during, after) = (Tokens::new(NEXT).with_previous(Some(SECRET)), Tokens::new(NEXT));
        let now = Timestamp::UNIX_EPOCH;
        let claims = during.read(&token, Use::Access, now).unwrap();
        assert_eq!(refusal(&after, &token, 1), "invalid_token");
        // What is issued now is of the current secret only.
        let next = during.sign(&claims).unwrap();
        assert_eq!(after.read(&next, Use::Access, now).unwrap(), claims);
        assert_eq!(refusal(&before, &next, 1), "invalid_token");
    }

    #[test]
    fn a_token_is_verified_with_the_key_that_it_names_and_no_other() {
        let (before, token) = issued(Use::Access);
        let (during, now) = (Tokens::new(NEXT).with_previous(Some(SECRET)), Timestamp::UNIX_EPOCH);
        let header = header_of(&token);
        assert!(header.contains(&before.current.id), "{header}");
        assert_ne!(before.current.id, during.current.id);
        let other = header.replace(&before.current.id, &during.current.id);
        for unknown in [other, header.replace(&before.current.id, "unknown"), header.replace(&before.current.id, "")] {
            assert_eq!(refusal(&during, &with_header(&token, &unknown, SECRET), 1), "invalid_token", "{unknown}");
        }
        let unnamed = r#"{"typ":"JWT","alg":"HS256"}"#;
        for secret in [SECRET, NEXT] {
            assert!(during.read(&with_header(&token, unnamed, secret), Use::Access, now).is_ok());
        }
        let strange = with_header(&token, unnamed, b"another secret of thirty-two chars");
        assert_eq!(refusal(&during, &strange, 1), "invalid_token");
    }

    #[test]
    fn only_hs256_is_read() {
        let (tokens, token) = issued(Use::Access);
        let claims = token.split('.').nth(1).unwrap();
        let signature = token.split('.').nth(2).unwrap();
        for header in
            [r#"{"alg":"none"}"#, r#"{"alg":"HS512"}"#, r#"{"alg":"RS256"}"#, r#"{"alg":"none","typ":"JWT"}"#, "{}"]
        {
            let header = BASE64URL_NOPAD.encode(header.as_bytes());
            for forged in
                [format!("{header}.{claims}."), format!("{header}.{claims}.{signature}"), format!("{header}.{claims}")]
            {
                assert_eq!(refusal(&tokens, &forged, 1), "invalid_token", "{forged}");
            }
        }
    }

    #[test]
    fn a_changed_claim_breaks_the_signature() {
        let (tokens, token) = issued(Use::Access);
        let parts: Vec<&str> = token.split('.').collect();
        let claims = String::from_utf8(BASE64URL_NOPAD.decode(parts[1].as_bytes()).unwrap()).unwrap();
        let raised = BASE64URL_NOPAD.encode(claims.replace("\"player\"", "\"owner\"").as_bytes());
        assert_eq!(refusal(&tokens, &format!("{}.{raised}.{}", parts[0], parts[2]), 1), "invalid_token");
        for nonsense in ["", ".", "..", "a.b.c", "💥", &"x".repeat(10_000)] {
            assert_eq!(refusal(&tokens, nonsense, 1), "invalid_token");
        }
    }
}
