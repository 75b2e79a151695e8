//! `houserules doctor`: the checks of the operations page, whether a server runs or not. It starts, makes and changes nothing.

use anyhow::bail;

use crate::audit_head::Note;
use crate::backup::archive;
use crate::cluster;
use crate::database::address;
use crate::secret::Secrets;
use base::audit::chain::NotedHead;
use base::db::{Address, Db};
use base::error::Error;
use base::text::Lang;
use base::world::World;
use cafe::operations::checks::{self, Archived, Check, Facts, Found, Machine, State};
use web_base::config::Config;

/// Prints a line for each check. Fails if one of them found a problem.
pub(crate) fn run(config: &Config) -> anyhow::Result<()> {
    let world = World::real();
    let setup = config.setup();
    let machine = Machine { archived: archived(config), ..Machine::measure(&setup) };
    let running = || cluster::find_running(&config.data).map(|url| Address::parse(&url)).transpose();
    let database = address(config)?.map_or_else(running, |address| Ok(Some(address)))?;
    let is_database_running = database.is_some();
    let facts = match database {
        Some(address) => ask(&world, address, &noted(config)?)?,
        None => {
            println!("The private PostgreSQL does not run. Start the server to check it as well.");
            None
        }
    };
    let (facts, now) = (facts.as_ref(), world.now());
    let checks = checks::all(&Found { setup: &setup, machine: &machine, is_database_running, facts, now });
    print(&checks);
    match checks.iter().filter(|check| check.state == State::Problem).count() {
        0 => Ok(()),
        problems => bail!("{problems} of {} checks found a problem", checks.len()),
    }
}

/// What a server noted in the data directory. What cannot be read is a problem of its own.
fn noted(config: &Config) -> anyhow::Result<NotedHead> {
    let noted = NotedHead::default();
    if let Some(secrets) = Secrets::find(config)? {
        Note::new(&config.data, secrets.audit_keys()).read()?.into_iter().for_each(|there| noted.set(there.head));
    }
    Ok(noted)
}

/// What the archive of the private PostgreSQL holds, if there are both. The log says why one cannot be read.
fn archived(config: &Config) -> Option<Archived> {
    let plan = config.backups.archive.as_ref().filter(|_| cluster::is_made(&config.data))?;
    archive::look(&plan.dir).unwrap_or_else(|err| {
        tracing::warn!(error = format!("{err:#}"), "reading the archive failed");
        Some(Archived::Lacks(None))
    })
}

/// None if the database does not answer; the log says why.
fn ask(world: &World, address: Address, noted: &NotedHead) -> anyhow::Result<Option<Facts>> {
    let db = Db::open(address, 1)?;
    let asked = async {
        let facts = Facts::read(&mut *db.conn().await?, world, db.address().is_local(), noted).await?;
        Ok::<_, Error>(facts)
    };
    let facts = actix_web::rt::System::new().block_on(asked);
    Ok(facts.inspect_err(|err| tracing::warn!(error = format!("{err:#}"), "asking the database failed")).ok())
}

fn print(checks: &[Check]) {
    let lines = checks.iter().map(|check| {
        let advice = if check.is_bad() { Lang::En.text(&check.advice_key()) } else { String::new() };
        [check.state.to_string(), Lang::En.text(&check.key()), check.value.clone().unwrap_or_default(), advice]
    });
    let lines: Vec<[String; 4]> = lines.collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let [state, name, value] = [0, 1, 2].map(width);
    for line in &lines {
        let line = format!("{:state$}  {:name$}  {:value$}  {}", line[0], line[1], line[2], line[3]);
        println!("{}", line.trim_end());
    }
}
