//! The server is neither the superuser nor the owner of its database: it can't change what happened, nor the schema.

use std::path::Path;
use std::process::Command;

use harness::{Database, Launch, Ran, TestApp, program, run};
use postgres::error::SqlState;
use postgres::{Client, NoTls};

/// Tables to which rows come, and in which they stay as they are.
const APPEND_ONLY: [&str; 6] = ["audit_log", "copy_locations", "match_archives", "match_log", "match_terms", "tariffs"];
const READ_ONLY: [&str; 2] = ["__diesel_schema_migrations", "audit_chain"];

fn connect(url: &str) -> Client {
    Client::connect(url, NoTls).expect("the database is there")
}

fn refused(client: &mut Client, statement: &str) {
    let done = client.batch_execute(statement);
    let code = done.as_ref().err().and_then(|err| err.code().cloned());
    assert_eq!(code, Some(SqlState::INSUFFICIENT_PRIVILEGE), "{statement}: {done:?}");
}

#[test]
fn the_server_may_use_each_table_and_change_nothing_that_happened() {
    let database = Database::new();
    let mut server = connect(&database.url());
    let rights = "SELECT tablename::text, array_to_string(ARRAY(
                      SELECT it FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES'])
                          WITH ORDINALITY AS rights(it, n)
                      WHERE has_table_privilege(format('%I.%I', schemaname, tablename), it) ORDER BY n), ' ')
                  FROM pg_tables WHERE schemaname = 'public'";
    let rows = server.query(rights, &[]).expect("the catalogue says");
    assert!(rows.len() > 50, "{}", rows.len());
    for row in rows {
        let (table, rights): (String, String) = (row.get(0), row.get(1));
        let expected = match table.as_str() {
            it if READ_ONLY.contains(&it) || it.starts_with("match_log_") => "SELECT",
            it if APPEND_ONLY.contains(&it) => "SELECT INSERT",
            _ => "SELECT INSERT UPDATE DELETE",
        };
        assert_eq!(rights, expected, "{table}");
    }
}

#[test]
fn the_database_refuses_the_server_what_it_need_not_do() {
    let database = Database::new();
    let mut server = connect(&database.url());
    for table in APPEND_ONLY.iter().chain(&READ_ONLY) {
        refused(&mut server, &format!("DELETE FROM {table}"));
        refused(&mut server, &format!("TRUNCATE {table} CASCADE"));
        refused(&mut server, &format!("ALTER TABLE {table} DISABLE TRIGGER ALL"));
        refused(&mut server, &format!("DROP TABLE {table} CASCADE"));
    }
    for statement in [
        "UPDATE audit_log SET actor = NULL",
        "UPDATE match_log SET version = 1",
        "DELETE FROM match_log_default",
        "INSERT INTO match_log_default SELECT * FROM match_log",
        "TRUNCATE match_log_default",
        "DROP TABLE match_log_default",
        "ALTER TABLE match_log DETACH PARTITION match_log_default",
        "CREATE TABLE mine PARTITION OF match_log DEFAULT",
        "SELECT match_log_add_partition(now())",
        "SELECT match_log_protect('match_log_default')",
        "UPDATE match_terms SET match_id = match_id",
        "UPDATE copy_locations SET at = at",
        "UPDATE audit_chain SET n = n",
        "INSERT INTO audit_chain (n, line, previous, hash) VALUES (1, 1, sha256(''), sha256(''))",
        "CREATE TABLE mine ()",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE OR REPLACE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "SET session_replication_role = replica",
        "SET ROLE app",
        "CREATE ROLE mine",
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "COPY players TO '/tmp/players'",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT * FROM pg_authid",
    ] {
        refused(&mut server, statement);
    }
}

#[tokio::test]
async fn what_staff_do_is_chained_by_the_database_itself() {
    let app = TestApp::start();
    let owner = app.owner().await;
    owner.post("/tables", serde_json::json!({ "name": "7", "seats": 4 })).await.is(201);
    assert_eq!(owner.get("/audit/check").await.is(200)["whole"], true);
    let links = "SELECT count(*) FROM audit_chain";
    let count: i64 = app.database().with(|client| client.query_one(links, &[]).expect("it counts").get(0));
    assert!(count > 0);
}

fn migrate(server: &str, owner: Option<&str>) -> Ran {
    let mut command = Command::new(program("houserules"));
    command.arg("migrate").env("DATABASE_URL", server).env_remove("DATABASE_OWNER_URL");
    run(command.envs(owner.map(|owner| ("DATABASE_OWNER_URL", owner))))
}

#[test]
fn the_owner_brings_up_to_date_what_the_server_may_not() {
    let (database, another) = (Database::new(), Database::new());
    let (server, owner) = (database.url(), database.owner_url());
    database.with(|client| client.batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")).expect("it may");
    let refused = migrate(&server, None);
    assert!(refused.status == Some(1) && refused.complained.contains("DATABASE_OWNER_URL"), "{refused:?}");
    let astray = migrate(&server, Some(&another.owner_url()));
    assert!(astray.status == Some(1) && astray.complained.contains("two databases"), "{astray:?}");
    database.with(|client| client.batch_execute("GRANT USAGE ON SCHEMA public TO PUBLIC")).expect("it may");
    migrate(&server, Some(&owner)).well();
    // From now on it needs nobody else.
    migrate(&server, None).well();
    drop(Launch::new().set("DATABASE_URL", &server).set("HOUSERULES_POOL_SIZE", "4").start());
    let alone = run(Command::new(program("houserules")).arg("migrate").env("DATABASE_OWNER_URL", &owner));
    assert!(alone.status == Some(1) && alone.complained.contains("DATABASE_URL"), "{alone:?}");
}

/// The superuser's line into the private PostgreSQL of this data directory.
fn inside(data: &Path) -> Client {
    let socket = data.join("postgres/socket").display().to_string().replace('/', "%2F");
    connect(&format!("postgres://houserules@{socket}/houserules"))
}

/// Who owns what is in it, and who works in it besides the superuser.
fn owners_and_users(data: &Path) -> (Vec<String>, Vec<String>) {
    let mut client = inside(data);
    let mut names = |query: &str| -> Vec<String> {
        client.query(query, &[]).expect("the catalogue says").iter().map(|row| row.get(0)).collect()
    };
    let owners = names(
        "SELECT DISTINCT pg_get_userbyid(owner)::text FROM (
             SELECT relowner AS owner FROM pg_class WHERE relnamespace = 'public'::regnamespace
             UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = 'public'::regnamespace
             UNION ALL SELECT datdba FROM pg_database WHERE datname = current_database()) AS owned",
    );
    let users = names(
        "SELECT DISTINCT usename::text FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    (owners, users)
}

#[test]
fn a_private_database_has_an_owner_and_the_server_is_another() {
    let launch = Launch::new().set("HOUSERULES_RATE_LIMITS", "off").set("HOUSERULES_POOL_SIZE", "4");
    let mut server = launch.start();
    let data = launch.folder().join("data");
    let expected = (vec!["houserules_owner".to_owned()], vec!["houserules_server".to_owned()]);
    assert_eq!(owners_and_users(&data), expected);
    assert!(server.stop().success());
    // As it was when the superuser did it all.
    let server = launch.start();
    let former = "REASSIGN OWNED BY houserules_owner TO houserules; DROP OWNED BY houserules_owner, houserules_server";
    inside(&data).batch_execute(former).expect("the superuser may");
    drop(server);
    let _server = launch.start();
    assert_eq!(owners_and_users(&data), expected);
}
