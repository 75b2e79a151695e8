//! `migrations/`, `api/base/src/schema.rs`, and databases that are not of this program's making.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::Command;

use harness::{Database, Ran, TestApp, program, repository, run, workplace};
use postgres::Client;

/// What `diesel print-schema` prints of a migrated database, so that nobody needs the diesel command line to check it.
#[test]
fn schema_rs_is_what_diesel_prints() {
    let printed = Database::new().with(print_schema);
    let patch = fs::read_to_string(repository().join("api/base/src/schema.patch")).expect("diesel.toml names it");
    let expected = apply(&patch, &printed);
    let found = fs::read_to_string(repository().join("api/base/src/schema.rs")).expect("it is there");
    let (mut expected, mut found) = (expected.lines(), found.lines());
    for number in 1.. {
        let (expected, found) = (expected.next(), found.next());
        assert_eq!(found, expected, "api/base/src/schema.rs:{number}");
        if found.is_none() {
            return;
        }
    }
}

fn print_schema(client: &mut Client) -> String {
    let mut tables: BTreeMap<String, (Vec<String>, String)> = BTreeMap::new();
    let keys = "SELECT conrelid::regclass::text, array_agg(attname::text ORDER BY at)
                FROM pg_constraint, unnest(conkey) WITH ORDINALITY AS key (attnum, at)
                JOIN pg_attribute USING (attnum)
                WHERE attrelid = conrelid AND NOT (SELECT relispartition FROM pg_class WHERE oid = conrelid) AND contype = 'p' AND connamespace = 'public'::regnamespace
                    AND conrelid <> '__diesel_schema_migrations'::regclass
                GROUP BY 1";
    for row in client.query(keys, &[]).expect("the catalogue says") {
        tables.insert(row.get(0), (row.get(1), String::new()));
    }
    let columns = "SELECT table_name::text, column_name::text, udt_name::text, is_nullable = 'YES'
                   FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
                   WHERE table_schema = 'public' AND table_name <> '__diesel_schema_migrations' AND table_type = 'BASE TABLE'
                       AND NOT table_name LIKE 'match\\_log\\_%'
                   ORDER BY table_name, ordinal_position";
    for row in client.query(columns, &[]).expect("the catalogue says") {
        let (table, column, name, nullable) = (row.get(0), row.get(1), row.get(2), row.get(3));
        let (_, text) = tables.get_mut::<String>(&table).unwrap_or_else(|| panic!("{table} has no primary key"));
        write_column(text, column, name, nullable);
    }
    let mut schema = "// @generated automatically by Diesel CLI.\n\n".to_owned();
    for (table, (key, columns)) in &tables {
        let key = key.join(", ");
        writeln!(schema, "diesel::table! {{\n    {table} ({key}) {{\n{columns}    }}\n}}\n").expect("memory is enough");
    }
    // One key of one column from one table to another: diesel cannot choose between several.
    let joins = "SELECT conrelid::regclass::text, confrelid::regclass::text, min(attname::text)
                 FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
                 WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conrelid <> confrelid
                 GROUP BY conrelid, confrelid HAVING count(*) = 1 AND min(cardinality(conkey)) = 1
                 ORDER BY conrelid::regclass::text COLLATE \"C\", confrelid::regclass::text COLLATE \"C\"";
    for row in client.query(joins, &[]).expect("the catalogue says") {
        let (from, to, column): (&str, &str, &str) = (row.get(0), row.get(1), row.get(2));
        writeln!(schema, "diesel::joinable!({from} -> {to} ({column}));").expect("memory is enough");
    }
    schema
}

fn write_column(text: &mut String, column: &str, name: &str, nullable: bool) {
    // An array's type has an underscore before its elements' name; diesel takes any element for one that may be NULL.
    let mut written = match name.strip_prefix('_') {
        Some(element) => format!("Array<Nullable<{}>>", capitalized(element)),
        None => capitalized(name),
    };
    if nullable {
        written = format!("Nullable<{written}>");
    }
    let mut field = column.to_owned();
    if ["move", "type", "match", "ref", "use"].contains(&column) {
        writeln!(text, "        #[sql_name = \"{column}\"]").expect("memory is enough");
        field.push('_');
    }
    writeln!(text, "        {field} -> {written},").expect("memory is enough");
}

fn capitalized(name: &str) -> String {
    name[..1].to_ascii_uppercase() + &name[1..]
}

/// Each hunk of a unified diff, where it fits: exactly once.
fn apply(patch: &str, text: &str) -> String {
    let mut text = text.to_owned();
    for hunk in patch.split("\n@@").skip(1) {
        let side = |left_out: char| -> String {
            let lines = hunk.lines().skip(1).filter(|line| !line.starts_with(left_out));
            lines.map(|line| format!("{}\n", &line[1..])).collect()
        };
        let (before, after) = (side('+'), side('-'));
        assert_eq!(text.matches(&before).count(), 1, "api/base/src/schema.patch does not apply:\n{before}");
        text = text.replace(&before, &after);
    }
    text
}

fn migrate(database: &Database) -> Ran {
    run(Command::new(program("houserules")).arg("migrate").env("DATABASE_URL", database.owner_url()))
}

fn tables(client: &mut Client) -> Vec<String> {
    let names = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1";
    client.query(names, &[]).expect("the catalogue says").iter().map(|row| row.get(0)).collect()
}

#[test]
fn a_database_from_before_the_first_release_is_refused_and_left_as_it_is() {
    let database = Database::new();
    let old = "DROP SCHEMA public CASCADE; CREATE SCHEMA public;
               CREATE TABLE __diesel_schema_migrations (version varchar(50) PRIMARY KEY, run_on timestamp DEFAULT now());
               INSERT INTO __diesel_schema_migrations (version) VALUES ('20261121010000'), ('20261123010501');
               CREATE TABLE players (id uuid PRIMARY KEY)";
    database.with(|client| client.batch_execute(old)).expect("it is sound SQL");
    for arguments in [&["migrate"][..], &["serve"], &["backup", "never.backup"]] {
        let mut command = Command::new(program("houserules"));
        let ran = run(command
            .args(arguments)
            .env("DATABASE_URL", database.owner_url())
            .env("HOUSERULES_SECRET", "s".repeat(64)));
        assert_eq!(ran.status, Some(1), "{arguments:?}: {ran:?}");
        for said in ["before the first release", "houserules backup FILE", "--data", "DATABASE_URL"] {
            assert!(ran.complained.contains(said), "{arguments:?}: {ran:?}");
        }
    }
    assert_eq!(database.with(tables), ["__diesel_schema_migrations", "players"]);
}

#[test]
fn a_database_of_a_newer_program_is_refused() {
    let database = Database::new();
    assert_eq!(migrate(&database).status, Some(0));
    let newer = "INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')";
    database.with(|client| client.batch_execute(newer)).expect("it is sound SQL");
    let ran = migrate(&database);
    assert!(ran.status == Some(1) && ran.complained.contains("newer House Rules"), "{ran:?}");
}

#[test]
fn guests_of_an_account_that_was_deleted_before_lose_their_names() {
    let database = Database::new();
    migrate(&database).well();
    let ids: Vec<_> = (1..=4).map(|nr| format!("00000000-0000-0000-0000-00000000000{nr}")).collect();
    let [gone, its_guest, account, other_guest] = ids.as_slice() else { panic!("there are four") };
    let before = format!(
        "DELETE FROM __diesel_schema_migrations WHERE version = '20261201000165';
         INSERT INTO players (id, display_name, created_at, deleted_at, merged_into) VALUES
             ('{gone}', 'someone', now(), '2026-05-01Z', NULL), ('{its_guest}', '민지', now(), NULL, '{gone}'),
             ('{account}', '지우', now(), NULL, NULL), ('{other_guest}', '서연', now(), NULL, '{account}')"
    );
    database.with(|client| client.batch_execute(&before)).expect("it is sound SQL");
    migrate(&database).well();
    let names = "SELECT display_name, deleted_at = '2026-05-01Z' FROM players ORDER BY id";
    let names = database.with(|client| client.query(names, &[])).expect("it can be read");
    let names: Vec<(String, Option<bool>)> = names.iter().map(|row| (row.get(0), row.get(1))).collect();
    let named = |name: &str| (name.to_owned(), None);
    let gone = ("someone".to_owned(), Some(true));
    assert_eq!(names, [gone.clone(), gone, named("지우"), named("서연")]);
}

#[test]
fn a_backup_of_another_schema_is_refused_before_anything_is_read() {
    let (app, empty) = (TestApp::start(), Database::new());
    empty.with(|client| client.batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")).expect("it may");
    let folder = workplace().folder("backup");
    let file = folder.join("house.backup");
    let houserules = |arguments: &[&str], file: &std::path::Path, url: String| {
        let mut command = Command::new(program("houserules"));
        command.args(arguments).arg(file).arg("--data").arg(folder.join("data"));
        run(command.env("DATABASE_URL", url).env("HOUSERULES_SECRET", app.secret()))
    };
    houserules(&["backup"], &file, app.database().url()).well();
    let whole = fs::read(&file).expect("it is there");
    let mark = b"\"migration\":\"";
    let at = whole.windows(mark.len()).rposition(|window| window == mark).expect("its last line says it") + mark.len();
    for (migration, said) in [(b"20261123010501", "before the first release"), (b"29990101000000", "newer House Rules")]
    {
        let mut other = whole.clone();
        other[at..at + migration.len()].copy_from_slice(migration);
        let path = folder.join("other.backup");
        fs::write(&path, other).expect("it can be written");
        let ran = houserules(&["restore", "--unverified"], &path, empty.owner_url());
        assert!(ran.status == Some(1) && ran.complained.contains(said), "{ran:?}");
        assert!(empty.with(tables).is_empty());
    }
    houserules(&["restore"], &file, empty.owner_url()).well();
}
