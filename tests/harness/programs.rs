//! The programs that the tests run: ours, and the machine's.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the repository")
}

/// One of our binaries, built beside this test.
///
/// # Panics
/// When it has not been built.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    // target/debug/deps/it-0123456789abcdef → target/debug/houserules
    let path = test.ancestors().nth(2).unwrap_or(&test).join(name);
    assert!(path.exists(), "{} is missing: build it first with `cargo build --workspace --bins`", path.display());
    path
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
