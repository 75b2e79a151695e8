//! Who works in the demo's café and who comes there: accounts made when they first come, signed in as their phones would be.

use std::collections::BTreeMap;

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;

use super::script::Script;
use super::story::Dice;
use base::auth::Use;
use base::auth::{Credential, Identity};
use base::auth::{PasswordHash, Role};
use base::error::Result;
use base::error::internal;
use base::inputs::{DisplayName, Email};
use base::world::World;
use play::players::{self, NewAccount, PlayerRow};
use play::sessions::{self, Device};
use play::staff;

/// Of guests, how many in a hundred have been there before, with the same phone.
const COME_AGAIN: usize = 35;

/// Somebody with an account.
#[derive(Clone)]
pub(super) struct Person {
    pub row: PlayerRow,
    pub player: Identity,
    /// How often in a hundred moves they do what is sensible.
    pub skill: usize,
    signed_in: Timestamp,
}

/// Everybody that the story has met. People are known by their place here.
pub(super) struct Cast {
    everybody: Vec<Person>,
    pub staff: Vec<usize>,
    /// By their number in the script.
    regulars: BTreeMap<usize, usize>,
    guests: Vec<usize>,
    /// Everybody has the same password.
    hash: PasswordHash,
}

impl Cast {
    pub(super) fn new(hash: PasswordHash) -> Self {
        Self { everybody: Vec::new(), staff: Vec::new(), regulars: BTreeMap::new(), guests: Vec::new(), hash }
    }

    pub(super) fn person(&self, who: usize) -> Result<&Person> {
        self.everybody.get(who).ok_or_else(|| internal(anyhow::anyhow!("nobody of the demo has the number {who}")))
    }

    pub(super) fn count(&self) -> usize {
        self.everybody.len()
    }

    /// The account of the script's regular of this number, if they have been there.
    pub(super) fn regular(&self, number: usize) -> Option<usize> {
        self.regulars.get(&number).copied()
    }

    pub(super) fn guests(&self) -> &[usize] {
        &self.guests
    }

    /// Everybody who works there starts.
    pub(super) async fn hire(&mut self, conn: &mut AsyncPgConnection, world: &World, script: &Script) -> Result<()> {
        for colleague in &script.staff {
            let (email, name) = (email(&colleague.email)?, name(&colleague.name)?);
            let row = staff::add(
                conn,
                world,
                colleague.role,
                NewAccount { email: &email, name: &name, password: &self.hash },
            )
            .await?;
            let hired = self.enter(conn, world, row, script.devices.first()).await?;
            self.staff.push(hired);
        }
        Ok(())
    }

    /// Tonight's shift signs in, each at a device of their own.
    pub(super) async fn begin_shift(
        &mut self,
        conn: &mut AsyncPgConnection,
        world: &World,
        script: &Script,
    ) -> Result<()> {
        for (who, device) in self.staff.clone().into_iter().zip(script.devices.iter().cycle()) {
            self.sign_in_again(conn, world, who, Some(device)).await?;
        }
        Ok(())
    }

    /// One of those at work with this role at least.
    pub(super) fn at_work(&self, dice: &mut Dice, role: Role) -> Result<Identity> {
        let may: Vec<usize> = self.staff.iter().copied().filter(|it| self.everybody[*it].row.role >= role).collect();
        // The owner looks in, the others do the work.
        let weights: Vec<usize> =
            may.iter().map(|it| if self.everybody[*it].row.role == Role::Owner { 1 } else { 6 }).collect();
        let who = may.get(dice.weighed(&weights)).copied().unwrap_or(0);
        Ok(self.person(who)?.player)
    }

    /// So many people who come together: friends who are all regulars, or regulars with their guests.
    pub(super) async fn party(
        &mut self,
        conn: &mut AsyncPgConnection,
        world: &World,
        (script, dice): (&Script, &mut Dice),
        size: usize,
    ) -> Result<Vec<usize>> {
        let regulars = if dice.in_hundred(75) { 100 } else { 25 };
        let mut party = Vec::new();
        while party.len() < size {
            let who = match dice.in_hundred(regulars) {
                // The first of the list come most.
                true => {
                    let last = dice.below(script.regulars.len());
                    let number = dice.between(0, last);
                    self.come_regular(conn, world, script, number, dice).await?
                }
                false => self.come_guest(conn, world, script, dice).await?,
            };
            if !party.contains(&who) {
                party.push(who);
            }
        }
        Ok(party)
    }

    pub(super) async fn come_regular(
        &mut self,
        conn: &mut AsyncPgConnection,
        world: &World,
        script: &Script,
        number: usize,
        dice: &mut Dice,
    ) -> Result<usize> {
        let device = dice.pick(&script.devices);
        if let Some(who) = self.regulars.get(&number).copied() {
            self.sign_in_again(conn, world, who, device).await?;
            return Ok(who);
        }
        let called = script.regulars.get(number).map(String::as_str).unwrap_or_default();
        let (email, name) = (email(&format!("player{:02}@demo.example", number + 1))?, name(called)?);
        let row = players::create_registered(
            conn,
            world,
            Role::Player,
            NewAccount { email: &email, name: &name, password: &self.hash },
        )
        .await?;
        let who = self.enter(conn, world, row, device).await?;
        self.everybody[who].skill = dice.between(35, 95);
        self.regulars.insert(number, who);
        Ok(who)
    }

    async fn come_guest(
        &mut self,
        conn: &mut AsyncPgConnection,
        world: &World,
        script: &Script,
        dice: &mut Dice,
    ) -> Result<usize> {
        let device = dice.pick(&script.devices);
        if dice.in_hundred(COME_AGAIN)
            && let Some(who) = dice.pick(&self.guests).copied()
        {
            self.sign_in_again(conn, world, who, device).await?;
            return Ok(who);
        }
        let called = dice.pick(&script.guests).map(String::as_str).unwrap_or_default();
        let row = players::create_guest(conn, world, &name(called)?).await?;
        let who = self.enter(conn, world, row, device).await?;
        self.everybody[who].skill = dice.between(20, 80);
        self.guests.push(who);
        Ok(who)
    }

    /// Who is no longer to come: the account is another's now, or banned.
    pub(super) fn goes(&mut self, who: usize) {
        self.guests.retain(|it| *it != who);
    }

    async fn sign_in_again(
        &mut self,
        conn: &mut AsyncPgConnection,
        world: &World,
        who: usize,
        device: Option<&String>,
    ) -> Result<()> {
        let person = self.person(who)?.clone();
        let life = Use::Page.lifetime(person.row.role);
        if world.now().duration_since(person.signed_in) > life {
            let device = Device::called(device.cloned());
            let session = sessions::insert(conn, world, &person.row, &device, life).await?.session;
            let player = Identity { session, ..person.player };
            self.everybody[who] = Person { player, signed_in: world.now(), ..person };
        }
        Ok(())
    }

    async fn enter(
        &mut self,
        conn: &mut AsyncPgConnection,
        world: &World,
        row: PlayerRow,
        device: Option<&String>,
    ) -> Result<usize> {
        let device = Device::called(device.cloned());
        let session = sessions::insert(conn, world, &row, &device, Use::Page.lifetime(row.role)).await?.session;
        let player = Identity { id: row.id, session, role: row.role, credential: Credential::Session };
        self.everybody.push(Person { row, player, skill: 60, signed_in: world.now() });
        Ok(self.everybody.len() - 1)
    }
}

fn name(text: &str) -> Result<DisplayName> {
    DisplayName::parse(text).map_err(|_| internal(anyhow::anyhow!("{text} is no name")))
}

fn email(text: &str) -> Result<Email> {
    Email::parse(text).map_err(|_| internal(anyhow::anyhow!("{text} is no email")))
}
