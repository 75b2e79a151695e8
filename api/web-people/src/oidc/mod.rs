//! Sign-in by OpenID Connect: any provider that the settings name, by the authorization code flow with PKCE, state and nonce.

pub mod guest;
pub mod provider;
mod token;
