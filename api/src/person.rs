//! People who work here, added by the operator.

use anyhow::anyhow;

use base::auth::{ChosenPassword, Passwords, Role};
use base::db::Db;
use base::error::Result;
use base::inputs::{DisplayName, Email, Password};
use base::text::Lang;
use base::world::World;
use play::players::{NewAccount, PlayerRow};
use play::staff;

/// Somebody who is to work here, as the operator gives them.
pub(crate) struct Person {
    email: Email,
    name: DisplayName,
    password: ChosenPassword,
}

impl Person {
    pub(crate) fn parse(email: &str, name: Option<&str>, password: &str) -> anyhow::Result<Self> {
        let refused = |what: &'static str| {
            move |refusal: base::error::FieldError| anyhow!("{what}: {}", refusal.detail(Lang::En))
        };
        let email = Email::parse(email).map_err(refused("the email"))?;
        let name = match name {
            Some(name) => DisplayName::parse(name).map_err(refused("the name"))?,
            None => DisplayName::of(&email),
        };
        let password = Password::parse(password).and_then(ChosenPassword::of_operator);
        Ok(Self { email, name, password: password.map_err(refused("the password"))? })
    }

    pub(crate) async fn add(self, db: &Db, world: &World, passwords: &Passwords, role: Role) -> Result<PlayerRow> {
        let hash = passwords.hash(world, self.password).await?;
        let account = NewAccount { email: &self.email, name: &self.name, password: &hash };
        staff::add(&mut *db.conn().await?, world, role, account).await
    }
}
