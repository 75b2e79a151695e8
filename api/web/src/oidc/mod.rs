//! Sign-in by OpenID Connect: any provider that the settings name, by the authorization code flow with PKCE, state and nonce.

pub(crate) mod guest;
pub(crate) mod provider;
mod token;
