//! The form for another password, on the pages of staff and of players.

use serde::Deserialize;

use base::auth::{Identity, Passwords};
use base::db::Db;
use base::error::{Result, forbidden, invalid_fields};
use base::inputs::Password;
use play::sessions::SignInGuard;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordForm {
    current: String,
    new: String,
}

impl PasswordForm {
    /// Every other session ends.
    pub(crate) async fn change(
        self,
        db: &Db,
        guard: SignInGuard<'_>,
        passwords: &Passwords,
        player: &Identity,
    ) -> Result<()> {
        let current = Password::parse(&self.current).map_err(|_| forbidden("wrong_password"))?;
        let new = Password::parse(&self.new).map_err(|wrong| invalid_fields(vec![wrong]))?;
        cafe::accounts::change_password(db, guard, passwords, player, current, new).await
    }
}
