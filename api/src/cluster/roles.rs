//! The roles of the private PostgreSQL. Its superuser makes them and gives the database to its owner; the server never works as
//! either of them.

use std::path::Path;

use super::{DATABASE, SUPERUSER, url};

/// Brings the schema up to date.
pub(super) const OWNER: &str = "houserules_owner";
/// Answers requests: it may use what is there, as far as it was granted.
pub(super) const SERVER: &str = "houserules_server";

/// Makes the roles, and has the owner own what the superuser made in times before. Any number of processes may do so at once.
pub(super) fn prepare(socket_dir: &Path) -> anyhow::Result<()> {
    let mut client = postgres::Client::connect(&url(socket_dir, SUPERUSER, DATABASE), postgres::NoTls)?;
    Ok(client.batch_execute(&statements())?)
}

fn statements() -> String {
    format!(
        "DO $$
         DECLARE statement text;
         BEGIN
             PERFORM pg_advisory_xact_lock(hashtext('{OWNER}'));
             IF to_regrole('{OWNER}') IS NULL THEN CREATE ROLE {OWNER} LOGIN; END IF;
             IF to_regrole('{SERVER}') IS NULL THEN CREATE ROLE {SERVER} LOGIN; END IF;
             REVOKE CREATE ON SCHEMA public FROM PUBLIC;
             GRANT CREATE ON SCHEMA public TO {OWNER};
             FOR statement IN
                 SELECT format('ALTER DATABASE %I OWNER TO {OWNER}', datname) FROM pg_database
                 WHERE datname = current_database() AND datdba = '{SUPERUSER}'::regrole
                 UNION ALL
                 SELECT format('ALTER TABLE %s OWNER TO {OWNER}', c.oid::regclass) FROM pg_class c
                 WHERE relnamespace = 'public'::regnamespace AND relowner = '{SUPERUSER}'::regrole
                     AND (relkind IN ('r', 'p', 'v', 'm') OR relkind = 'S' AND NOT EXISTS (
                         SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i')))
                 UNION ALL
                 SELECT format('ALTER ROUTINE %s OWNER TO {OWNER}', oid::regprocedure) FROM pg_proc
                 WHERE pronamespace = 'public'::regnamespace AND proowner = '{SUPERUSER}'::regrole
                 UNION ALL
                 SELECT format('ALTER TYPE %s OWNER TO {OWNER}', oid::regtype) FROM pg_type
                 WHERE typnamespace = 'public'::regnamespace AND typowner = '{SUPERUSER}'::regrole AND typtype IN ('e', 'd')
             LOOP
                 EXECUTE statement;
             END LOOP;
         END $$"
    )
}
