//! ID tokens: JWTs that a provider signed, with RS256 or ES256 and nothing else. `jsonwebtoken` has one set of algorithms for the whole
//! process, and there it is HS256 alone (`base::auth`), so that no algorithm is taken for another.

use data_encoding::BASE64URL_NOPAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;
use serde_json::{Map, Value};

/// So far may the provider's clock be off, in seconds.
const LEEWAY: i64 = 60;

/// A public key of a provider.
pub(super) struct Key {
    id: Option<String>,
    kind: Kind,
}

enum Kind {
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
    /// On P-256, uncompressed.
    Ec(Vec<u8>),
}

/// What must stand in a token.
pub(super) struct Expected<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub nonce: &'a str,
    /// Whether a token without one is refused.
    pub demands_nonce: bool,
    /// In seconds since 1970.
    pub now: i64,
}

/// What a token says that was verified.
#[derive(Debug)]
pub(super) struct Claims(Map<String, Value>);

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that a reader must understand. There are none that we do.
    crit: Option<Value>,
}

impl Key {
    /// None if it is of another kind, or not for signatures.
    pub(super) fn read(jwk: &Value) -> Option<Self> {
        if jwk["use"].as_str().is_some_and(|used| used != "sig") {
            return None;
        }
        let bytes = |name: &str| BASE64URL_NOPAD.decode(jwk[name].as_str()?.as_bytes()).ok();
        let kind = match (jwk["kty"].as_str()?, jwk["crv"].as_str()) {
            ("RSA", _) => Kind::Rsa { n: bytes("n")?, e: bytes("e")? },
            ("EC", Some("P-256")) => Kind::Ec([vec![4], bytes("x")?, bytes("y")?].concat()),
            _ => return None,
        };
        Some(Self { id: jwk["kid"].as_str().map(str::to_owned), kind })
    }

    fn has_signed(&self, algorithm: &str, signed: &[u8], signature: &[u8]) -> bool {
        match (&self.kind, algorithm) {
            (Kind::Rsa { n, e }, "RS256") => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature).is_ok()
            }
            (Kind::Ec(point), "ES256") => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(signed, signature).is_ok()
            }
            _ => false,
        }
    }
}

impl Claims {
    /// Who it is, as the provider counts people.
    pub(super) fn subject(&self) -> anyhow::Result<&str> {
        let subject = self.0.get("sub").and_then(Value::as_str).filter(|it| (1..=255).contains(&it.chars().count()));
        subject.ok_or_else(|| anyhow::anyhow!("the token names nobody"))
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().filter(|text| !text.trim().is_empty())
    }

    fn number(&self, name: &str) -> Option<i64> {
        let number = self.0.get(name)?;
        number.as_i64().or_else(|| Some(number.as_f64()? as i64))
    }

    fn is_of(&self, expected: &Expected<'_>) -> bool {
        match self.0.get("nonce") {
            Some(nonce) => nonce == expected.nonce,
            None => !expected.demands_nonce,
        }
    }

    /// Whether it is for this client, and if for others too, was made for this one.
    fn is_for(&self, client: &str) -> bool {
        match self.0.get("aud") {
            Some(Value::String(one)) => one == client,
            Some(Value::Array(many)) => {
                many.iter().any(|it| it == client) && (many.len() == 1 || self.text("azp") == Some(client))
            }
            _ => false,
        }
    }
}

/// What the token says, if a key of the provider signed it and it is what was asked for.
pub(super) fn verify(token: &str, keys: &[Key], expected: &Expected<'_>) -> anyhow::Result<Claims> {
    let (signed, signature) = token.rsplit_once('.').ok_or_else(|| anyhow::anyhow!("the token is no JWT"))?;
    let (header, claims) = signed.split_once('.').ok_or_else(|| anyhow::anyhow!("the token is no JWT"))?;
    let decoded = |part: &str| BASE64URL_NOPAD.decode(part.as_bytes());
    let Header { alg, kid, crit } = serde_json::from_slice(&decoded(header)?)?;
    anyhow::ensure!(crit.is_none(), "the token has extensions");
    let signature = decoded(signature)?;
    let fits = |key: &&Key| kid.is_none() || key.id.is_none() || key.id == kid;
    let is_signed = keys.iter().filter(fits).any(|key| key.has_signed(&alg, signed.as_bytes(), &signature));
    anyhow::ensure!(is_signed, "no key of the provider signed the token (alg {alg}, kid {kid:?})");
    let claims = Claims(serde_json::from_slice(&decoded(claims)?)?);
    anyhow::ensure!(claims.text("iss") == Some(expected.issuer), "the token is of another issuer");
    anyhow::ensure!(claims.is_for(expected.client_id), "the token is for another client");
    anyhow::ensure!(claims.is_of(expected), "the token is of another sign-in");
    let is_good = |at: i64| at > expected.now - LEEWAY;
    anyhow::ensure!(claims.number("exp").is_some_and(is_good), "the token has expired");
    let was_made = |at: i64| at < expected.now + LEEWAY;
    anyhow::ensure!(claims.number("iat").is_none_or(was_made), "the token is from the future");
    Ok(claims)
}

#[cfg(test)]
mod tests {
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
    use serde_json::json;

    use super::*;

    struct Provider(EcdsaKeyPair);

    impl Provider {
        fn new() -> Self {
            let random = SystemRandom::new();
            let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
            let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
            Self(pair.unwrap())
        }

        fn key(&self, id: &str) -> Key {
            let point = self.0.public_key().as_ref();
            let encode = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
            let (x, y) = (encode(&point[1..33]), encode(&point[33..]));
            Key::read(&json!({ "kty": "EC", "crv": "P-256", "kid": id, "x": x, "y": y })).unwrap()
        }

        fn sign(&self, header: &Value, claims: &Value) -> String {
            let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
            let signed = format!("{}.{}", encode(header), encode(claims));
            let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
            format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
        }
    }

    const EXPECTED: Expected<'_> =
        Expected { issuer: "https://id.example.org", client_id: "us", nonce: "n", demands_nonce: true, now: 1_000_000 };

    fn claims(change: Value) -> Value {
        let mut claims = json!({
            "iss": "https://id.example.org", "aud": "us", "sub": "42", "nonce": "n", "exp": 1_000_300, "iat": 999_990,
        });
        claims.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        claims
    }

    #[test]
    fn a_token_must_be_signed_by_the_provider_and_made_for_this_sign_in() {
        let (provider, other) = (Provider::new(), Provider::new());
        let (header, keys) = (json!({ "alg": "ES256", "kid": "a" }), [provider.key("a")]);
        let check = |token: &str| verify(token, &keys, &EXPECTED).map(|claims| claims.subject().unwrap().to_owned());
        assert_eq!(check(&provider.sign(&header, &claims(json!({})))).unwrap(), "42");
        assert!(check(&provider.sign(&header, &claims(json!({ "aud": ["us", "them"], "azp": "us" })))).is_ok());
        for wrong in [
            json!({ "iss": "https://evil.example.org" }),
            json!({ "aud": "them" }),
            json!({ "aud": ["us", "them"] }),
            json!({ "nonce": "m" }),
            json!({ "exp": 999_900 }),
            json!({ "iat": 1_000_900 }),
        ] {
            assert!(check(&provider.sign(&header, &claims(wrong.clone()))).is_err(), "{wrong}");
        }
        assert!(check(&other.sign(&header, &claims(json!({})))).is_err());
        assert!(check(&provider.sign(&json!({ "alg": "ES256", "kid": "b" }), &claims(json!({})))).is_err());
        assert!(check(&provider.sign(&json!({ "alg": "ES256", "crit": ["b64"] }), &claims(json!({})))).is_err());
        let unsigned = provider.sign(&json!({ "alg": "none", "kid": "a" }), &claims(json!({})));
        assert!(check(&unsigned).is_err());
        assert!(check(unsigned.rsplit_once('.').unwrap().0).is_err() && check("").is_err());
    }

    /// Of a key that OpenSSL made, and the claims of `claims` that OpenSSL signed with it.
    const RSA_MODULUS: &str = "kxT4Ep3G086hGzSv4XPNyKG1Wi1M1NbL1OH9R7ZvVyhFuTrO5snOLGf1A-mQlVVwEPOnoDnQyyg1y3tJYpATFc9yoECACE5TQb5N\
        zOkACnslgXjNBuPSKIzIFabEV_Sn_2YReyNQ4f8WSWiHno0LNDP_rFOE3GQm0J10Q-sEiq5j72LiAHpsEvpC4jT3SZik-YuG-JYq\
        O5J7fmLcsYkrRotVG5fNQI2Njzqa4mv5a_O_Gc4m1Kwnf--mpV04pCjso1kqjfzCFsgxDUPqwwUf5hdJ-LVe56RFo-h4ocbRQFJ0\
        C4myNWn0bY4YJMJ4_KHnCAEycPTddwniJnSYPb2uqw";
    const SIGNED_WITH_RSA: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6InIifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnIiwiYXVkIjoidXMiLCJzdWIiO\
        iI0MiIsIm5vbmNlIjoibiIsImV4cCI6MTAwMDMwMH0.idz0b5dCkmr8DQ4B4PCkxaK6ilGajzjdf1P8PD6NvaYHiFVdO4rsMQYV7\
        6LE93lyl1ADF1A0G-GGkLJYcs0FHnyecRbREsm0dr8hJbPE9k8CDZkTBk-Qmodc1-Gtxh0yv8Y36NYnUny2TmzkmmbAYqJD5Jm1I\
        KFuLaM7fppTAD5i7rBxSgIMuGSytwkowWRUkKXj2KvYiqzt-alDfMjmeYOFSMatLVJ40drSCkknXAw7zZJJI3x1aF3ZY8xoSZOHW\
        pGTnLhN9SOIATCKnsZxKDvW_DtQ1SMBGQUusp2pQjlO-NMJwaYhfIj1mXfGJg6tvofOkACQvKNcUEEu3iB1oA";

    #[test]
    fn most_providers_sign_with_rsa() {
        let key = |kind: &str| json!({ "kty": kind, "kid": "r", "n": RSA_MODULUS, "e": "AQAB" });
        let keys = [Key::read(&key("RSA")).unwrap()];
        assert_eq!(verify(SIGNED_WITH_RSA, &keys, &EXPECTED).unwrap().subject().unwrap(), "42");
        let changed = SIGNED_WITH_RSA.replacen("eyJpc3Mi", "eyJpc3Ni", 1);
        assert!(verify(&changed, &keys, &EXPECTED).is_err());
    }

    #[test]
    fn a_provider_may_leave_the_nonce_out_but_not_change_it() {
        let (provider, header) = (Provider::new(), json!({ "alg": "ES256" }));
        let keys = [provider.key("a")];
        let lenient = Expected { demands_nonce: false, ..EXPECTED };
        let mut without = claims(json!({}));
        without.as_object_mut().unwrap().remove("nonce");
        assert!(verify(&provider.sign(&header, &without), &keys, &lenient).is_ok());
        assert!(verify(&provider.sign(&header, &without), &keys, &EXPECTED).is_err());
        for wrong in [json!("m"), json!(""), json!(null), json!(1)] {
            let token = provider.sign(&header, &claims(json!({ "nonce": wrong })));
            assert!(verify(&token, &keys, &lenient).is_err(), "{wrong}");
        }
    }

    #[test]
    fn keys_of_other_kinds_are_passed_over() {
        for other in [json!({ "kty": "oct", "k": "AA" }), json!({ "kty": "RSA", "use": "enc", "n": "AA", "e": "AQAB" })]
        {
            assert!(Key::read(&other).is_none(), "{other}");
        }
    }
}
