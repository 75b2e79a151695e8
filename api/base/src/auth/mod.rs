//! The ground floor: who acts (identity, role), what that allows (permission), and how it is proved (passwords, tokens,
//! revocation, seal). Knows no other room of the café.

pub mod chosen;
pub mod context;
pub mod passwords;
pub mod permission;
pub mod revocation;
pub mod seal;
pub mod secrets;
pub mod signing_key;
pub mod store;
pub mod tokens;

use crate::error::{Result, forbidden};
use crate::ids::{PlayerId, SessionId};
pub use chosen::{Chooser, ChosenPassword};
pub use context::{Actor, StaffContext, StaffMember, find_staff, holds};
pub use passwords::{PasswordHash, Passwords};
pub use permission::{AnyStaff, Grant, Permission, can};
pub use revocation::RevokedSessions;
pub use seal::keyed;
pub use seal::{Digest, Seal};
pub use signing_key::SigningKey;
pub use store::has_second_factor;
pub use tokens::{ACCESS_SECONDS, Claims, SECRET_MIN, Tokens, Use};

/// Who acts: an account that is signed in, by one of its sessions.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    pub id: PlayerId,
    pub session: SessionId,
    /// As the token says, or fresh from the database where a use case asked for it.
    pub role: Role,
    pub credential: Credential,
}

/// By what an account proves who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// Somebody has signed in.
    Session,
    /// A service elsewhere has a key.
    Key,
    /// The same, to try something out: it changes only what such keys made.
    SandboxKey,
}

impl From<Claims> for Identity {
    fn from(claims: Claims) -> Self {
        Self { id: claims.sub, session: claims.sid, role: claims.role, credential: Credential::Session }
    }
}

impl Identity {
    /// Refuses services: only people may do it.
    pub fn expect_person(&self) -> Result<()> {
        match self.credential {
            Credential::Session => Ok(()),
            Credential::Key | Credential::SandboxKey => Err(forbidden("not_for_keys")),
        }
    }

    /// Refuses to change something with a sandbox key that none made.
    pub fn expect_in_reach(&self, is_sandbox: bool) -> Result<()> {
        match self.credential {
            Credential::SandboxKey if !is_sandbox => Err(forbidden("sandbox_only")),
            Credential::Session | Credential::Key | Credential::SandboxKey => Ok(()),
        }
    }
}

crate::text_enum! {
    /// What an account may do here; each may do all that the ones before it may.
    pub enum Role {
        Player = "player",
        Staff = "staff",
        Manager = "manager",
        Owner = "owner",
    }
}

impl Role {
    /// Of its name in the catalogues.
    pub fn key(self) -> &'static str {
        match self {
            Self::Player => "role-player",
            Self::Staff => "role-staff",
            Self::Manager => "role-manager",
            Self::Owner => "role-owner",
        }
    }
}
