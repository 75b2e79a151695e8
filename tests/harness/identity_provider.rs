//! A provider of OpenID Connect as strict as those of the world: codes work once, for who asked, with the proof that PKCE asks for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::SystemTime;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::service::{Reply, Request, Service};

const CLIENT: &str = "house-rules";
const SECRET: &str = "a secret of the client & the provider";

/// How a client proves to be itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// `client_secret_basic`
    Header,
    /// `client_secret_post`
    Form,
}

/// One that knows one person, who consents to everything.
pub struct IdentityProvider {
    service: Service,
    mind: Arc<Mutex<Mind>>,
}

struct Mind {
    proof: Proof,
    /// What it says of who sits before the browser, and whatever else differs from a good token; null is left out.
    claims: Value,
    key: EcdsaKeyPair,
    /// What it signs with: the key that it shows, or another one.
    forged: Option<EcdsaKeyPair>,
    /// Codes that were not redeemed, with what was asked.
    codes: HashMap<String, HashMap<String, String>>,
}

impl IdentityProvider {
    /// One that wants this proof of its clients.
    pub async fn start(proof: Proof) -> Self {
        let (key, codes, claims) = (new_key(), HashMap::new(), json!({ "sub": "1" }));
        let mind = Arc::new(Mutex::new(Mind { proof, claims, key, forged: None, codes }));
        let shared = mind.clone();
        let service = Service::start(move |request| shared.lock().expect("nobody panicked").answer(request)).await;
        IdentityProvider { service, mind }
    }

    /// As the settings of a server have it under this id; `change` says what is different.
    pub fn settings(&self, id: &str, change: Value) -> Value {
        let mut settings =
            json!({ "id": id, "name": id, "issuer": self.issuer(), "client_id": CLIENT, "client_secret": SECRET });
        put(&mut settings, &change);
        settings
    }

    /// Its name.
    pub fn issuer(&self) -> &str {
        self.service.url()
    }

    /// What its tokens say from now on beside what they must: who it is, or what is wrong. Null leaves a claim out.
    pub fn says(&self, claims: Value) {
        self.mind().claims = claims;
    }

    /// From now on it signs with a key that it does not show.
    pub fn forge(&self) {
        self.mind().forged = Some(new_key());
    }

    /// From now on nobody answers there.
    pub async fn stop(&mut self) {
        self.service.stop().await;
    }

    /// Its user is led there, and consents: where they are sent back to.
    ///
    /// # Panics
    /// When the provider refuses what the client asks.
    pub async fn consent(&self, url: &str) -> String {
        assert!(url.starts_with(self.issuer()), "{url}");
        let browser = Client::builder().redirect(Policy::none()).no_proxy().build().expect("a client needs nothing");
        let answer = browser.get(url).send().await.expect("it answers");
        assert_eq!(answer.status().as_u16(), 302, "{url}");
        answer.headers()["location"].to_str().expect("it is an address").to_owned()
    }

    fn mind(&self) -> MutexGuard<'_, Mind> {
        self.mind.lock().expect("nobody panicked")
    }
}

impl Mind {
    fn answer(&mut self, request: &Request) -> Reply {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/.well-known/openid-configuration") => Reply::json(200, &self.discovery(request)),
            ("GET", "/authorize") => self.authorize(&request.query),
            ("POST", "/token") => self.redeem(request),
            ("GET", "/keys") => Reply::json(200, &json!({ "keys": [self.public_key()] })),
            _ => Reply::empty(404),
        }
    }

    fn discovery(&self, request: &Request) -> Value {
        let issuer = issuer(request);
        let proof = if self.proof == Proof::Form { "client_secret_post" } else { "client_secret_basic" };
        json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/keys"),
            "token_endpoint_auth_methods_supported": [proof],
            "code_challenge_methods_supported": ["S256"],
        })
    }

    fn authorize(&mut self, asked: &HashMap<String, String>) -> Reply {
        let has = |name: &str, value: &str| asked.get(name).is_some_and(|it| it == value);
        let is_open = asked.get("scope").is_some_and(|it| it.split(' ').any(|scope| scope == "openid"));
        let long =
            ["state", "nonce", "code_challenge"].iter().all(|it| asked.get(*it).is_some_and(|it| it.len() >= 43));
        let is_right = has("response_type", "code") && has("client_id", CLIENT) && has("code_challenge_method", "S256");
        let back = asked.get("redirect_uri").and_then(|it| Url::parse(it).ok());
        let Some(mut back) = back.filter(|_| is_open && long && is_right) else { return Reply::empty(400) };
        let code = Uuid::now_v7().to_string();
        back.query_pairs_mut().extend_pairs([
            ("code", code.as_str()),
            ("state", asked["state"].as_str()),
            ("authuser", "0"),
        ]);
        self.codes.insert(code, asked.clone());
        Reply { headers: vec![("location", back.into())], ..Reply::empty(302) }
    }

    fn redeem(&mut self, request: &Request) -> Reply {
        let form = request.form();
        let field = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        if !self.is_proved(request, &form) {
            return Reply::json(401, &json!({ "error": "invalid_client" }));
        }
        let asked = self.codes.remove(field("code")).filter(|asked| {
            let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(field("code_verifier")));
            field("grant_type") == "authorization_code"
                && asked["redirect_uri"] == field("redirect_uri")
                && asked["code_challenge"] == challenge
        });
        match asked {
            None => Reply::json(400, &json!({ "error": "invalid_grant" })),
            Some(asked) => {
                let id_token = self.token(&issuer(request), &asked["nonce"]);
                Reply::json(200, &json!({ "access_token": "a", "token_type": "Bearer", "id_token": id_token }))
            }
        }
    }

    fn is_proved(&self, request: &Request, form: &HashMap<String, String>) -> bool {
        let header = request.headers.get("authorization");
        match self.proof {
            Proof::Form => header.is_none() && form.get("client_secret").is_some_and(|it| it == SECRET),
            Proof::Header => {
                let mut pair = Url::parse("http://localhost/").expect("it is an address");
                // Each half is encoded like a form (RFC 6749, 2.3.1).
                pair.query_pairs_mut().append_pair(CLIENT, SECRET);
                let pair = pair.query().unwrap_or_default().replacen('=', ":", 1);
                !form.contains_key("client_secret")
                    && header.is_some_and(|it| *it == format!("Basic {}", BASE64.encode(pair.as_bytes())))
            }
        }
    }

    fn token(&self, issuer: &str, nonce: &str) -> String {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is later than 1970").as_secs();
        let mut claims = json!({ "iss": issuer, "aud": CLIENT, "nonce": nonce, "iat": now, "exp": now + 300 });
        put(&mut claims, &self.claims);
        let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let signed = format!("{}.{}", encode(&json!({ "alg": "ES256", "kid": "1" })), encode(&claims));
        let key = self.forged.as_ref().unwrap_or(&self.key);
        let signature = key.sign(&SystemRandom::new(), signed.as_bytes()).expect("it can sign");
        format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
    }

    fn public_key(&self) -> Value {
        let point = self.key.public_key().as_ref();
        let [x, y] = [&point[1..33], &point[33..]].map(|it| BASE64URL_NOPAD.encode(it));
        json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "1", "x": x, "y": y })
    }
}

fn new_key() -> EcdsaKeyPair {
    let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("the system has random bytes");
    EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).expect("it is a key")
}

/// The address at which it was asked.
fn issuer(request: &Request) -> String {
    format!("http://{}", request.headers["host"])
}

/// Puts these fields into the object; null takes one out.
fn put(object: &mut Value, fields: &Value) {
    let object = object.as_object_mut().expect("it is an object");
    for (name, value) in fields.as_object().expect("it is an object") {
        match value {
            Value::Null => object.remove(name),
            value => object.insert(name.clone(), value.clone()),
        };
    }
}
