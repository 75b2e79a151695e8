//! Encryption of backups by `age` (<https://age-encryption.org>). The server knows whom a backup is for; to open it takes an
//! identity, which no server has.

use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, ensure};

use super::spawn;

/// Fails if backups for these recipients could not be taken.
pub(crate) fn expect_program(recipients: &[String]) -> anyhow::Result<()> {
    const MISSING: &str = "backups are to be encrypted, and age is not installed (on Debian: apt-get install age)";
    if recipients.is_empty() {
        return Ok(());
    }
    let version = Command::new("age").arg("--version").output().context(MISSING)?;
    ensure!(version.status.success(), MISSING);
    Ok(())
}

/// Encrypts what comes from there for each of these recipients.
pub(super) fn encrypt(recipients: &[String], input: ChildStdout) -> anyhow::Result<Child> {
    let mut command = Command::new("age");
    command.arg("--encrypt");
    for recipient in recipients {
        command.args(["--recipient", recipient]);
    }
    spawn(command.stdin(input).stdout(Stdio::piped()))
}

/// Decrypts what is written to it with an identity of this file.
pub(super) fn decrypt(identity: &Path) -> anyhow::Result<Child> {
    let mut command = Command::new("age");
    spawn(command.args(["--decrypt", "--identity"]).arg(identity).stdin(Stdio::piped()).stdout(Stdio::piped()))
}
