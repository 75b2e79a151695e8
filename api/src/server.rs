//! The server: everything that runs for as long as it serves, and where it listens.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use jiff::SignedDuration;
use tokio::net::TcpSocket;

use crate::audit_head::{self, Note};
use crate::backup::archive::{self, Archive};
use crate::backup::{self, schedule, unfinished};
use crate::cluster::{self, Cluster};
use crate::database::{access, migrate, replica};
use crate::descriptors;
use crate::error::in_words;
use crate::person::Person;
use crate::secret::Secrets;
use crate::tls;
use base::audit::chain::NotedHead;
use base::auth::{Passwords, RevokedSessions, Role};
use base::db::Db;
use base::live::Live;
use base::settings::Cafe;
use base::stop::{Hangup, Stop};
use base::world::World;
use cafe::lab;
use cafe::operations::Heartbeat;
use cafe::operations::backups::{JobKind, store};
use cafe::projections;
use cafe::webhooks;
use competitions::tournaments;
use play::logs::packing;
use play::matches::{self, Autopilot, Mover, Patience};
use play::players;
use play::staff::second_factor;
use play::stats;
use web::{App, Listeners, serve, telemetry};
use web_base::config::{Config, Tls};
use web_base::limits::{Capacity, Limits};

const BACKLOG: u32 = 1024;
/// For whatever is no request: the autopilot, sweeps, set-up.
const BACKGROUND_CONNECTIONS: usize = 4;
/// For moves that are written together.
const CONNECTIONS_OF_MOVES: usize = 1;
/// How long a stop waits for the last note of the audit log.
const LAST_NOTE: Duration = Duration::from_secs(2);

/// `houserules serve`: until it is asked to stop.
pub(crate) fn run(config: Config) -> anyhow::Result<()> {
    let stop = Stop::listen(if config.tls.is_some() { Hangup::Reload } else { Hangup::Stop })?;
    let capacity =
        Capacity::of(descriptors::raise()?, config.pool_size + BACKGROUND_CONNECTIONS + CONNECTIONS_OF_MOVES);
    let world = World::real();
    let secrets = Secrets::find_or_make(&config, &world)?;
    let (tokens, seal) = (secrets.tokens(), secrets.seal());
    backup::encryption::expect_program(&config.backups.recipients)?;
    let certificate = tls::prepare(&config, &world)?;
    // Declared before all that uses it, so that it is stopped after them.
    let cluster = match config.database_url {
        Some(_) => None,
        None => Some(Cluster::start(&config.data, config.backups.archive.is_some(), &stop)?),
    };
    let access = access(&config, cluster.as_ref())?;
    let db = Db::open(access.server().clone(), BACKGROUND_CONNECTIONS)?;
    db.expect_sessions()?;
    unfinished::refuse(access.server())?;
    migrate(&db, &access)?;
    let db = match replica(&config)? {
        Some(replica) => db.with_replica(replica, stop.clone())?,
        None => db,
    };
    let passwords = Passwords::new(config.workers.max(2));
    actix_web::rt::System::new().block_on(async {
        let setup_token = prepare_owner(&db, &world, &passwords, &config).await?;
        if secrets.has_previous() {
            let second_factor::Resealed { moved, lost } =
                second_factor::reseal(&mut *db.conn().await?, &world, &seal).await?;
            tracing::info!(moved, lost, "sealed second factors with the current secret");
            let moved = webhooks::reseal(&mut *db.conn().await?, &world, &seal).await?;
            tracing::info!(moved, "sealed the secrets of webhooks with the current secret");
        }
        let revoked = RevokedSessions::start(&db, world, stop.clone()).await?;
        if stop.is_requested() {
            return Ok(());
        }
        let listener = listen(config.bind).with_context(|| format!("cannot listen on {}", config.bind))?;
        let ops = listen_for_operations(&config, listener.local_addr()?)?;
        let redirect = config
            .redirect_http
            .map(|address| listen(address).with_context(|| format!("cannot listen on {address} to redirect to https")));
        let redirect = redirect.transpose()?;
        let metrics = telemetry::recorder()?;
        if let Some(certificate) = &certificate {
            certificate.keep_current(world, stop.clone())?;
        }
        if config.tls == Some(Tls::Local) {
            actix_web::rt::spawn(tls::keep_renewing(config.clone(), world, stop.clone()));
        }
        telemetry::tell_secret(secrets.changed_at(), secrets.has_previous());
        let limits = Arc::new(Limits::new(&config, capacity));
        let live = Live::start(&db, matches::NEWS_OF, stop.clone());
        // No clock runs for as long as nobody could move.
        matches::keep_time(&mut *db.conn().await?, &live).await?;
        let hours = |hours: u32| SignedDuration::from_hours(i64::from(hours));
        let patience = Patience { waiting: hours(config.waiting_hours), running: hours(config.running_hours) };
        let mover = Mover::new(&db, world, live.clone());
        let autopilot = Autopilot::start(db.clone(), mover.clone(), stop.clone(), patience);
        let heartbeat = Heartbeat::start(&db, world, &live, stop.clone()).await?;
        let cafe = Cafe::start(&db, stop.clone()).await?;
        let (note, noted) = (Note::new(&config.data, secrets.audit_keys()), NotedHead::default());
        let noting =
            audit_head::Keeper { db: db.clone(), world, note, noted: noted.clone(), stop: stop.clone() }.start();
        projections::start(db.clone(), cafe.clone(), config.time_zone.clone(), stop.clone());
        tournaments::keep_ingesting(db.clone(), world, live.clone(), stop.clone());
        packing::start(db.clone(), world, stop.clone());
        lab::start(db.clone(), world, config.lab_ahead, stop.clone());
        stats::start(db.clone(), world, cafe.clone(), config.time_zone.clone(), stop.clone());
        let (key, known, plan) = (secrets.backup_key(), secrets.backup_keys(), config.backups.clone());
        let scratch = std::path::absolute(&config.data)?.join("backup-test");
        let archive = archive_of(&config, cluster.as_ref(), &secrets, world)?;
        if let Some(archive) = archive.clone() {
            let spool = cluster::spool(&config.data);
            if !spool.is_dir() {
                begin_archiving(&config, &db, world).await?;
            }
            archive::Keeper { archive, spool, db: db.clone(), stop: stop.clone() }.start();
        }
        schedule::Keeper { db: db.clone(), world, key, known, plan, archive, scratch, stop: stop.clone() }.start();
        let address = config.public_url.clone().unwrap_or(reachable(config.scheme(), listener.local_addr()?));
        let config = Arc::new(config);
        let app = App {
            config,
            world,
            db,
            tokens,
            revoked,
            seal,
            passwords,
            limits,
            metrics,
            live,
            mover,
            autopilot,
            heartbeat,
            cafe,
            certificate,
            noted,
            stop,
        };
        let stop = app.stop.clone();
        println!("House Rules is ready at {address}");
        println!("Health and metrics are at {}", reachable("http", ops.local_addr()?));
        if let Some(redirect) = &redirect {
            println!("Browsers are sent on to https from {}", reachable("http", redirect.local_addr()?));
        }
        if let Some(token) = setup_token {
            println!("Set up the café, once, at {address}/admin/setup?token={token}");
        }
        serve(Listeners { public: listener, ops, redirect }, app).await?;
        if stop.is_requested() && tokio::time::timeout(LAST_NOTE, noting).await.is_err() {
            tracing::warn!("noting the head of the audit log took too long");
        }
        Ok(())
    })
}

/// The archive of this cluster, if the settings ask for one.
fn archive_of(
    config: &Config,
    cluster: Option<&Cluster>,
    secrets: &Secrets,
    world: World,
) -> anyhow::Result<Option<Archive>> {
    let (Some(plan), Some(cluster)) = (&config.backups.archive, cluster) else { return Ok(None) };
    Ok(Some(Archive {
        dir: plan.dir.clone(),
        keep: plan.keep,
        world,
        key: secrets.backup_key(),
        recipients: config.backups.recipients.clone(),
        superuser: cluster.superuser()?,
    }))
}

/// What was written while the spool was closed is in no archive. So the archive begins again with a base backup, which is asked for
/// before the spool opens: a start that is broken off in between asks again.
async fn begin_archiving(config: &Config, db: &Db, world: World) -> anyhow::Result<()> {
    store::ask(&mut *db.conn().await?, JobKind::Base, world.now()).await?;
    cluster::open_spool(&config.data)?;
    tracing::info!("began archiving WAL: a base backup follows");
    Ok(())
}

/// On a database without an owner: makes the one in the settings, or else a one-time set-up token.
async fn prepare_owner(
    db: &Db,
    world: &World,
    passwords: &Passwords,
    config: &Config,
) -> anyhow::Result<Option<String>> {
    if players::has_owner(&mut *db.conn().await?).await? {
        return Ok(None);
    }
    let Some((email, password)) = &config.owner else {
        return Ok(Some(players::create_setup_token(&mut *db.conn().await?, world).await?));
    };
    let person = Person::parse(email, None, password.reveal()).context("the owner in the settings")?;
    match person.add(db, world, passwords, Role::Owner).await {
        Ok(_) => Ok(None),
        // Another process on the same database was quicker.
        Err(err) if err.code() == "email_taken" && players::has_owner(&mut *db.conn().await?).await? => Ok(None),
        Err(err) => Err(in_words(err).context("the owner in the settings")),
    }
}

/// Where the settings say. Without them, a port that depends on the public one, so that several servers on one machine have one
/// each; where it is taken, any other will do: the server says which.
fn listen_for_operations(config: &Config, public: SocketAddr) -> anyhow::Result<TcpListener> {
    const APART: u16 = 1000;
    if let Some(address) = config.ops_bind {
        return listen(address).with_context(|| format!("cannot listen on {address} for operations"));
    }
    let port = if config.bind.port() == 0 { None } else { public.port().checked_add(APART) };
    let usual = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
    listen(usual).or_else(|err| {
        tracing::warn!(address = %usual, error = %err, "listening for operations failed; taking any free port");
        listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).context("cannot listen for operations")
    })
}

/// The standard library's listener would make everybody beyond 128 wait at the door.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)?.into_std()
}

/// An address that a browser on this machine can open.
fn reachable(scheme: &str, mut listening: SocketAddr) -> String {
    if listening.ip().is_unspecified() {
        listening.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    format!("{scheme}://{listening}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::config::Settings;

    #[test]
    fn a_second_server_listens_for_operations_elsewhere() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let usual = taken.local_addr().unwrap().port();
        let public = SocketAddr::from(([127, 0, 0, 1], usual - 1000));
        let config = Config { bind: public, ..Settings::default().resolve().unwrap() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _guard = runtime.enter();
        let listening = listen_for_operations(&config, public).unwrap().local_addr().unwrap();
        assert!(listening.ip().is_loopback() && listening.port() != usual, "{listening}");
        assert!(
            listen_for_operations(&Config { ops_bind: Some(taken.local_addr().unwrap()), ..config }, public).is_err()
        );
    }
}
