//! Who the server is to the database: its owner, or a role that may do no more than the server must.

use anyhow::Context;
use tokio_postgres::Config;

use super::Address;

/// What happened stays as it was: rows come to these and never change.
const APPEND_ONLY: [&str; 6] = ["audit_log", "copy_locations", "match_archives", "match_log", "match_terms", "tariffs"];
/// The database itself writes these: its migrations, and the trigger that chains the audit log.
const READ_ONLY: [&str; 2] = ["__diesel_schema_migrations", "audit_chain"];
/// What the server has the owner do: these run with the owner's rights.
const AS_OWNER: [&str; 3] = ["match_log_make_partitions", "match_log_drop_partition", "match_log_forget_packed"];
/// And these nobody else runs. A restored backup says nothing of rights.
const OWNERS_OWN: [&str; 2] = ["match_log_protect", "match_log_add_partition"];

/// The addresses of one database.
#[derive(Clone)]
pub struct Access {
    server: Address,
    owner: Option<Address>,
}

impl Access {
    /// The role of `owner` brings the database up to date and grants that of `server` what it needs. Without it, that of `server`
    /// does all.
    pub fn new(server: Address, owner: Option<Address>) -> Self {
        Self { server, owner }
    }

    /// For requests, and for all that runs beside them. It may lead to a pooler.
    pub fn server(&self) -> &Address {
        &self.server
    }

    /// For what changes the schema, and for commands of the operator: never by a pooler.
    pub fn owner(&self) -> &Address {
        self.owner.as_ref().unwrap_or(self.server.direct())
    }

    /// What the owner has to say so that the server can do its work, where they are two.
    pub(super) fn grants(&self) -> anyhow::Result<Option<String>> {
        let Some(owner) = &self.owner else { return Ok(None) };
        let (owner, server) = (user(&owner.parts("").0)?, user(&self.server.parts("").0)?);
        Ok((owner != server).then(|| grants(&server)))
    }
}

fn user(config: &Config) -> anyhow::Result<String> {
    config.get_user().map(str::to_owned).context("the database's address names no user")
}

/// From nothing, so that nothing remains of what was granted before.
fn grants(role: &str) -> String {
    let role = format!("\"{}\"", role.replace('"', "\"\""));
    let (append_only, read_only) = (APPEND_ONLY.join(", "), READ_ONLY.join(", "));
    let (as_owner, owners_own) = (AS_OWNER.join(", "), OWNERS_OWN.join(", "));
    format!(
        "BEGIN; \
         REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}; \
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}; \
         REVOKE UPDATE, DELETE ON {append_only} FROM {role}; \
         REVOKE INSERT, UPDATE, DELETE ON {read_only} FROM {role}; \
         GRANT SELECT, USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}; \
         REVOKE EXECUTE ON FUNCTION {as_owner}, {owners_own} FROM PUBLIC, {role}; \
         GRANT EXECUTE ON FUNCTION {as_owner} TO {role}; \
         DO $$ DECLARE partition regclass; BEGIN \
             FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'match_log'::regclass LOOP \
                 EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %s FROM %s', partition, $role${role}$role$); \
             END LOOP; \
         END $$; \
         COMMIT"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(server: &str, owner: Option<&str>) -> Access {
        let parse = |url: &str| Address::parse(url).unwrap();
        Access::new(parse(server), owner.map(parse))
    }

    #[test]
    fn grants_are_given_where_the_owner_is_another() {
        let (server, owner) = ("postgres://play\"er@localhost/house", "postgres://owner@localhost/house");
        let said = access(server, Some(owner)).grants().unwrap().unwrap();
        assert!(said.contains("FROM \"play\"\"er\";"), "{said}");
        assert!(access(server, None).grants().unwrap().is_none());
        assert!(access(owner, Some(owner)).grants().unwrap().is_none());
        assert!(access("postgres://localhost/house", Some(owner)).grants().is_err());
    }

    #[test]
    fn only_requests_go_by_a_pooler() {
        let parse = |url: &str| Address::parse(url).unwrap();
        let pooled = parse("postgres://app@localhost:6432/house").before(parse("postgres://app@localhost/house"));
        let access = Access::new(pooled, None);
        let port = |address: &Address| address.parts("-c lock_timeout=1").0.get_ports().first().copied();
        let settings = |address: &Address| address.parts("-c lock_timeout=1").0.get_options().map(str::to_owned);
        assert_eq!((port(access.server()), settings(access.server())), (Some(6432), None));
        for direct in [access.owner(), access.server().direct()] {
            assert_ne!(port(direct), Some(6432));
            assert_eq!(settings(direct).as_deref(), Some("-c lock_timeout=1"));
        }
    }
}
