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

use crate::ids::{PlayerId, SessionId};
pub use chosen::{Chooser, ChosenPassword};
pub use context::{Actor, StaffContext, StaffMember, find_staff, holds};
pub use passwords::{PasswordHash, Passwords};
pub use permission::{AnyStaff, Grant, Permission, can};
pub use revocation::RevokedSessions;
pub(crate) use seal::keyed;
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
}

impl From<Claims> for Identity {
    fn from(claims: Claims) -> Self {
        Self { id: claims.sub, session: claims.sid, role: claims.role }
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
