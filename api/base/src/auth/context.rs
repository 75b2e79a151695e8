//! Proof that somebody who works here may do a thing, with all that the use case needs to do it.
//!
//! Use cases of staff take a `StaffContext<can::…>`, and only somebody who has that permission now gets one: a page and the API
//! cannot disagree, and a handler that forgets to ask does not compile.

use std::marker::PhantomData;

use diesel_async::AsyncPgConnection;
use jiff::SignedDuration;

use super::permission::{Grant, Permission};
use super::{Identity, Role, store};
use crate::db::{Conn, Db};
use crate::error::{Error, Result, forbidden, unauthorized};
use crate::live::Live;
use crate::world::World;

/// How old the note of a session's last use may be.
pub const SEEN_WITHIN: SignedDuration = SignedDuration::from_mins(5);

/// Somebody who works here, as the database knows them at this moment.
#[derive(Clone, Debug)]
pub struct StaffMember {
    identity: Identity,
    pub name: String,
    /// They could do more with a second factor, which the café requires and they do not have.
    pub lacks_factor: bool,
}

/// Who acts, when, and who is told: what a use case passes down.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    pub world: &'a World,
    pub live: &'a Live,
    pub staff: &'a Identity,
}

/// Where a context has its connection from.
#[expect(clippy::large_enum_variant, reason = "one for each request, never moved about")]
enum Connection<'c> {
    /// Taken when it is first needed.
    Pooled { db: Db, conn: Option<Conn> },
    /// Of somebody who does more in the same transaction.
    Borrowed(&'c mut AsyncPgConnection),
}

/// A member of staff who has the permission `P`.
pub struct StaffContext<'c, P> {
    connection: Connection<'c>,
    pub world: World,
    pub live: Live,
    pub staff: Identity,
    permission: PhantomData<P>,
}

impl StaffMember {
    pub fn identity(&self) -> Identity {
        self.identity
    }

    pub fn role(&self) -> Role {
        self.identity.role
    }

    /// For tools at the console, whose user holds the database anyway.
    pub fn at_console(identity: Identity, name: String) -> Self {
        Self { identity, name, lacks_factor: false }
    }
}

impl<P: Grant> StaffContext<'static, P> {
    /// Refuses those who do not have the permission.
    pub fn new(db: &Db, world: World, live: &Live, member: &StaffMember) -> Result<Self> {
        let connection = Connection::Pooled { db: db.clone(), conn: None };
        StaffContext::with(connection, world, live, member)
    }
}

impl<'c, P: Grant> StaffContext<'c, P> {
    /// The same within a transaction of the caller.
    pub fn borrowing(conn: &'c mut AsyncPgConnection, world: World, live: &Live, member: &StaffMember) -> Result<Self> {
        Self::with(Connection::Borrowed(conn), world, live, member)
    }

    fn with(connection: Connection<'c>, world: World, live: &Live, member: &StaffMember) -> Result<Self> {
        expect_grant::<P>(&member.identity)?;
        Ok(Self { connection, world, live: live.clone(), staff: member.identity, permission: PhantomData })
    }

    /// The same person with another permission, if they have it.
    pub fn require<Q: Grant>(self) -> Result<StaffContext<'c, Q>> {
        expect_grant::<Q>(&self.staff)?;
        let Self { connection, world, live, staff, .. } = self;
        Ok(StaffContext { connection, world, live, staff, permission: PhantomData })
    }

    pub fn may(&self, permission: Permission) -> bool {
        self.staff.role.may(permission)
    }

    /// A connection, which is kept until the context goes. It is taken only now: a request whose body arrives slowly holds none.
    pub async fn conn(&mut self) -> Result<&mut AsyncPgConnection> {
        Ok(self.parts().await?.0)
    }

    /// Work that only reads and may see a moment ago: see [`Db::read`].
    pub async fn read<T, E: From<Error>>(
        &mut self,
        work: impl AsyncFn(&mut AsyncPgConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        self.read_if(|_| true, work).await
    }

    /// See [`Db::read_if`].
    pub async fn read_if<T, E: From<Error>>(
        &mut self,
        is_final: impl Fn(&T) -> bool,
        work: impl AsyncFn(&mut AsyncPgConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        if let Connection::Pooled { db, .. } = &self.connection
            && let Some(done) = db.read_from_replica(&is_final, &work).await
        {
            return Ok(done);
        }
        work(self.conn().await?).await
    }

    /// What a use case works with.
    pub async fn parts(&mut self) -> Result<(&mut AsyncPgConnection, Actor<'_>)> {
        let Self { connection, world, live, staff, .. } = self;
        let actor = Actor { world, live, staff };
        match connection {
            Connection::Borrowed(conn) => Ok((conn, actor)),
            Connection::Pooled { db, conn } => {
                if conn.is_none() {
                    *conn = Some(db.conn().await?);
                }
                let conn = conn.as_mut().ok_or_else(crate::error::unavailable)?;
                Ok((conn, actor))
            }
        }
    }
}

fn expect_grant<P: Grant>(identity: &Identity) -> Result<()> {
    if identity.role >= P::LEAST { Ok(()) } else { Err(forbidden("forbidden")) }
}

/// Whether this caller has the permission now, for what players and staff may both do. The database is asked, since a token may
/// be older than a role, unless the token already says that they do not work here.
pub async fn holds(conn: &mut AsyncPgConnection, caller: &Identity, permission: Permission) -> Result<bool> {
    if caller.role < Role::Staff {
        return Ok(false);
    }
    let found = store::find_member(conn, *caller).await?;
    let (role, _) = found.ok_or_else(|| unauthorized("session_ended"))?.role_without_factor();
    Ok(role.may(permission))
}

/// Who this is at this moment, in one query.
pub async fn find_staff(conn: &mut AsyncPgConnection, world: &World, identity: Identity) -> Result<StaffMember> {
    let found = store::find_member(conn, identity).await?;
    let member = found.ok_or_else(|| unauthorized("session_ended"))?;
    if member.role < Role::Staff {
        return Err(forbidden("forbidden"));
    }
    // A browser never refreshes: that its session is still used is noted now and then.
    if world.now().duration_since(member.seen_at) > SEEN_WITHIN {
        store::set_seen(conn, identity.session, world.now()).await?;
    }
    let (role, lacks_factor) = member.role_without_factor();
    Ok(StaffMember { identity: Identity { role, ..identity }, name: member.name, lacks_factor })
}

impl store::Member {
    /// Where the café requires a second factor of managers and owners, they are staff without one. Also whether that is so here.
    fn role_without_factor(&self) -> (Role, bool) {
        let lacks_factor = self.role >= Role::Manager && self.factor_required == Some(true) && !self.has_factor;
        let role = if lacks_factor { Role::Staff } else { self.role };
        (role, lacks_factor)
    }
}
