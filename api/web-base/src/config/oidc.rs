//! Providers of OpenID Connect, by which players sign in.

use std::str::FromStr;

use actix_web::http::Uri;
use anyhow::Context;
use serde::Deserialize;

use super::Redacted;
use base::settings::sheets::is_loopback;

/// Somebody by whose word players sign in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OidcProvider {
    /// In addresses.
    pub id: String,
    /// On the button.
    pub name: String,
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Redacted,
    #[serde(default = "usual_scopes")]
    pub scopes: String,
    /// Whether its ID tokens hold the nonce that it was sent. The standard says so; some say it only of PKCE.
    #[serde(default = "usual_nonce")]
    pub nonce: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct OidcProviders(Vec<OidcProvider>);

fn usual_scopes() -> String {
    "openid profile".to_owned()
}

fn usual_nonce() -> bool {
    true
}

impl FromStr for OidcProviders {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().is_empty() { Ok(Self::default()) } else { serde_json::from_str(text) }
    }
}

impl OidcProvider {
    /// Its name among providers, without a slash at the end.
    pub fn issuer(&self) -> &str {
        self.issuer.trim_end_matches('/')
    }

    /// Whether this is its name.
    pub fn is_issuer(&self, name: &str) -> bool {
        name.trim_end_matches('/') == self.issuer()
    }
}

impl OidcProviders {
    pub(super) fn checked(self) -> anyhow::Result<Vec<OidcProvider>> {
        for (at, it) in self.0.iter().enumerate() {
            let id = &it.id;
            let is_word = (1..=30).contains(&id.len())
                && id.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-');
            anyhow::ensure!(is_word, "oidc: {id:?} is no id; one looks like kakao");
            anyhow::ensure!(self.0[..at].iter().all(|other| other.id != *id), "oidc: {id} is there twice");
            let issuer: Uri = it.issuer.parse().with_context(|| format!("oidc: the issuer of {id} is no address"))?;
            let is_safe = match issuer.scheme_str() {
                Some("https") => true,
                Some("http") => issuer.host().is_some_and(is_loopback),
                _ => false,
            };
            anyhow::ensure!(is_safe, "oidc: the issuer of {id} must begin with https://");
            anyhow::ensure!(
                it.scopes.split(' ').any(|scope| scope == "openid"),
                "oidc: the scopes of {id} must hold openid"
            );
        }
        Ok(self.0)
    }
}
