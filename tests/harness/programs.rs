//! The programs that the tests run: ours, and the machine's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// The root of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the repository")
}

/// One of our binaries, built beside this test.
///
/// # Panics
/// When it has not been built, or from other sources than those that are here now.
pub fn program(name: &str) -> PathBuf {
    static FRESH: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let test = std::env::current_exe().expect("a test knows where it is");
    // target/debug/deps/it-0123456789abcdef → target/debug/houserules
    let path = test.ancestors().nth(2).unwrap_or(&test).join(name);
    let build = "build it with `cargo build --workspace --bins`, or run tests with `make test-one T=…`, which does";
    assert!(path.exists(), "{} is missing: {build}", path.display());
    let mut fresh = FRESH.lock().unwrap_or_else(PoisonError::into_inner);
    if !fresh.contains(&path) {
        if let Some(newer) = newer_source(&path) {
            panic!("{} is older than {}: {build}", path.display(), newer.display());
        }
        fresh.insert(path.clone());
    }
    path
}

/// A source that was changed or removed since the program was built from it. Cargo lists them beside it.
fn newer_source(program: &Path) -> Option<PathBuf> {
    let built = fs::metadata(program).and_then(|it| it.modified()).expect("files have a time here");
    let list = fs::read_to_string(program.with_extension("d")).expect("cargo says what it built from");
    let (_, sources) = list.split_once(": ").unwrap_or_default();
    // A space within a path is written `\ `.
    let sources = sources.trim_end().replace("\\ ", "\0");
    let mut sources = sources.split(' ').filter(|it| !it.is_empty()).map(|it| PathBuf::from(it.replace('\0', " ")));
    sources.find(|source| last_change(source).is_none_or(|change| change > built))
}

/// Of this file, or of the last one to change within this folder.
fn last_change(path: &Path) -> Option<SystemTime> {
    let found = fs::metadata(path).ok()?;
    let within = fs::read_dir(path).into_iter().flatten().flatten().filter_map(|entry| last_change(&entry.path()));
    within.chain(found.modified().ok()).max()
}

/// Where `scripts/need` installs this for the tests, under `target/`.
///
/// # Panics
/// When it has not been installed.
pub fn installed(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let folder = test.ancestors().nth(3).unwrap_or(&test).join(name);
    assert!(folder.exists(), "{} is missing: `scripts/need {name}` installs it", folder.display());
    folder
}

/// A program that `scripts/need` builds under `target/` where this machine has none, or none that is new enough.
///
/// # Panics
/// When there is none.
pub(crate) fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let ours = test.ancestors().nth(3).unwrap_or(&test).join(name).join(name);
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Daemons are not on everybody's path.
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    let mut places = std::iter::once(ours).chain(folders.map(|folder| folder.join(name)));
    places.find(|it| it.is_file()).unwrap_or_else(|| panic!("{name} is missing: `scripts/need {name}` installs it"))
}

/// Python 3, running this script of the repository.
pub fn python(script: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(repository().join(script));
    command
}

/// How a command ended and what it said.
#[derive(Debug)]
pub struct Ran {
    /// Its exit status; none if a signal ended it.
    pub status: Option<i32>,
    /// What it printed.
    pub said: String,
    /// What it complained about.
    pub complained: String,
}

impl Ran {
    /// What it printed, if all went well.
    ///
    /// # Panics
    /// When it failed.
    #[track_caller]
    pub fn well(self) -> String {
        assert_eq!(self.status, Some(0), "{self:#?}");
        self.said
    }
}

/// Runs the command to its end.
///
/// # Panics
/// When there is no such program.
#[track_caller]
pub fn run(command: &mut Command) -> Ran {
    let output = command.output();
    let Output { status, stdout, stderr } =
        output.unwrap_or_else(|err| panic!("{} does not start: {err}", command.get_program().display()));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { status: status.code(), said: text(stdout), complained: text(stderr) }
}
