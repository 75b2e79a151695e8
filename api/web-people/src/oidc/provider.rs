//! What providers are asked, and what they answer.

use data_encoding::{BASE64, BASE64URL_NOPAD};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, RequestBuilder, Response, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::token::{Expected, Key, verify};
use base::inputs::DisplayName;
use base::world::World;
use cafe::identities::Elsewhere;
use web_base::config::OidcProvider;
use web_base::outgoing::Outgoing;

/// No answer of a provider is longer.
const LONGEST: usize = 256 * 1024;
const NAME_LENGTH: usize = 40;

/// What a provider says of itself at `/.well-known/openid-configuration`.
#[derive(Debug, Deserialize)]
struct Discovery {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
    #[serde(default)]
    code_challenge_methods_supported: Vec<String>,
}

#[derive(Deserialize)]
struct Keys {
    keys: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Answered {
    id_token: String,
}

/// What is kept of a sign-in while somebody is at the provider.
pub(super) struct Secrets<'a> {
    pub state: &'a str,
    pub nonce: &'a str,
    pub verifier: &'a str,
}

/// Where the browser goes, so that its user signs in there and comes back to this address.
pub(super) async fn authorization_url(
    outgoing: &Outgoing,
    provider: &OidcProvider,
    secrets: &Secrets<'_>,
    back: &str,
) -> anyhow::Result<String> {
    let discovery = discover(outgoing, provider).await?;
    let mut url: Url = discovery.authorization_endpoint.parse()?;
    anyhow::ensure!(["https", "http"].contains(&url.scheme()), "{url} is no address of the web");
    let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(secrets.verifier));
    url.query_pairs_mut().extend_pairs([
        ("response_type", "code"),
        ("client_id", provider.client_id.as_str()),
        ("redirect_uri", back),
        ("scope", provider.scopes.as_str()),
        ("state", secrets.state),
        ("nonce", secrets.nonce),
        ("code_challenge", challenge.as_str()),
        ("code_challenge_method", "S256"),
    ]);
    Ok(url.into())
}

/// Who it was that came back with this code.
pub(super) async fn redeem(
    outgoing: &Outgoing,
    world: &World,
    provider: &OidcProvider,
    (code, secrets): (&str, &Secrets<'_>),
    back: &str,
) -> anyhow::Result<Elsewhere> {
    let discovery = discover(outgoing, provider).await?;
    let by_form = discovery.token_endpoint_auth_methods_supported.iter().any(|it| it == "client_secret_post");
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", back),
        ("client_id", provider.client_id.as_str()),
        ("code_verifier", secrets.verifier),
    ];
    if by_form {
        fields.push(("client_secret", provider.client_secret.reveal()));
    }
    let body = serde_urlencoded::to_string(&fields)?;
    let answered: Answered = ask(outgoing, &discovery.token_endpoint, |client, url| {
        let request = client.post(url).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body);
        if by_form { request } else { request.header(AUTHORIZATION, basic(provider)) }
    })
    .await?;
    let keys: Keys = ask(outgoing, &discovery.jwks_uri, |client, url| client.get(url)).await?;
    let keys: Vec<Key> = keys.keys.iter().filter_map(Key::read).collect();
    let expected = Expected {
        issuer: &discovery.issuer,
        client_id: &provider.client_id,
        nonce: secrets.nonce,
        demands_nonce: provider.nonce,
        now: world.now().as_second(),
    };
    let claims = verify(&answered.id_token, &keys, &expected)?;
    let name = ["name", "nickname", "preferred_username"].into_iter().find_map(|it| claims.text(it));
    let name = name.map(|name| name.chars().take(NAME_LENGTH).collect::<String>());
    Ok(Elsewhere {
        issuer: provider.issuer().to_owned(),
        subject: claims.subject()?.to_owned(),
        name: name.and_then(|name| DisplayName::parse(&name).ok()),
    })
}

async fn discover(outgoing: &Outgoing, provider: &OidcProvider) -> anyhow::Result<Discovery> {
    let url = format!("{}/.well-known/openid-configuration", provider.issuer());
    let discovery: Discovery = ask(outgoing, &url, |client, url| client.get(url)).await?;
    // Or a provider could speak for another.
    anyhow::ensure!(provider.is_issuer(&discovery.issuer), "{url} is of the issuer {}", discovery.issuer);
    // One of the two must tie a code to the browser that asked for it.
    let has_challenges = discovery.code_challenge_methods_supported.iter().any(|it| it == "S256");
    anyhow::ensure!(provider.nonce || has_challenges, "{url} promises no PKCE, so that nonces are needed");
    Ok(discovery)
}

async fn ask<T: DeserializeOwned>(
    outgoing: &Outgoing,
    url: &str,
    request: impl FnOnce(&Client, Url) -> RequestBuilder,
) -> anyhow::Result<T> {
    let sent = outgoing.send(url, |client, url| request(client, url).header(ACCEPT, "application/json"));
    let answer = sent.await.map_err(|why| anyhow::anyhow!("{url}: {}", why.code()))?;
    anyhow::ensure!(answer.status().is_success(), "{url} answered {}", answer.status());
    Ok(serde_json::from_slice(&bounded(answer).await?)?)
}

async fn bounded(mut answer: Response) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        anyhow::ensure!(bytes.len() + chunk.len() <= LONGEST, "the answer is too long");
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn basic(provider: &OidcProvider) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(&provider.client_id), encoded(provider.client_secret.reveal()));
    format!("Basic {}", BASE64.encode(pair.as_bytes()))
}
