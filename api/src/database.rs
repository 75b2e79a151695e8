//! The database that the settings name: the private PostgreSQL, or one elsewhere.

use anyhow::Context;

use crate::backup::unfinished;
use crate::cluster::Cluster;
use base::db::{Access, Address, Db};
use base::stop::Stop;
use base::world::World;
use play::library;
use web_base::config::Config;

/// What a short command does with the database, which is brought up to date first. Refuses one whose restore did not finish.
pub(crate) fn with_database<T>(config: &Config, act: impl FnOnce(Db) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let cluster = private_cluster(config)?;
    let access = access(config, cluster.as_ref())?;
    unfinished::refuse(access.owner())?;
    let db = Db::open(access.owner().clone(), 2)?;
    migrate(&db, &access)?;
    act(db)
}

pub(crate) fn private_cluster(config: &Config) -> anyhow::Result<Option<Cluster>> {
    match config.database_url {
        Some(_) => Ok(None),
        None => Cluster::start_or_join(&config.data, &Stop::never()).map(Some),
    }
}

pub(crate) fn access(config: &Config, cluster: Option<&Cluster>) -> anyhow::Result<Access> {
    if let Some(cluster) = cluster {
        return cluster.access();
    }
    let server = address(config)?.context("there is no database")?;
    let owner = config.database_owner_url.as_ref().map(|url| Address::parse(url.reveal())).transpose()?;
    Ok(Access::new(server, owner))
}

/// The address of the server's role; none of the private PostgreSQL.
pub(crate) fn address(config: &Config) -> anyhow::Result<Option<Address>> {
    let Some(url) = &config.database_url else { return Ok(None) };
    let address = Address::parse(url.reveal())?;
    match &config.direct_url {
        Some(direct) => Ok(Some(address.before(Address::parse(direct.reveal()).context("HOUSERULES_DIRECT_URL")?))),
        None => Ok(Some(address)),
    }
}

/// The address of the read replica, where there is one.
pub(crate) fn replica(config: &Config) -> anyhow::Result<Option<Address>> {
    let url = config.read_url.as_ref();
    url.map(|url| Address::parse(url.reveal())).transpose().context("HOUSERULES_READ_URL")
}

pub(crate) fn migrate(db: &Db, access: &Access) -> anyhow::Result<()> {
    for version in db.migrate(access).context("the database cannot be brought up to date")? {
        tracing::info!(version, "applied migration");
    }
    for game in db.runtime().block_on(stock(db)).context("entering games into the library failed")? {
        tracing::info!(game, "entered game into the library");
    }
    Ok(())
}

async fn stock(db: &Db) -> base::error::Result<Vec<&'static str>> {
    library::stock(&mut *db.conn().await?, &World::real()).await
}
