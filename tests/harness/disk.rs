//! A small disk that a test can fill.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::run;
use crate::workplace::workplace;

const BLOCKS: [usize; 2] = [1 << 20, 1 << 12];

/// A file system of its own, in memory; unmounted with it.
pub struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Of so many megabytes.
    ///
    /// # Errors
    /// When this user or this machine may not mount one: what it said.
    pub fn mount(megabytes: u32) -> Result<Self, String> {
        let folder = workplace().folder("disk");
        let options = format!("size={megabytes}m,mode=755");
        let mut mount = Command::new("mount");
        let ran = run(mount.args(["-t", "tmpfs", "-o", &options, "house-rules-tests"]).arg(&folder));
        match ran.status {
            Some(0) => Ok(Disk { folder }),
            _ => Err(ran.complained.trim().to_owned()),
        }
    }

    /// Where it is mounted.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Leaves no room on it.
    pub fn fill(&self) {
        let mut ballast = File::create(self.ballast()).expect("it is ours");
        for size in BLOCKS {
            let full = loop {
                if let Err(err) = ballast.write_all(&vec![0; size]) {
                    break err;
                }
            };
            assert_eq!(full.kind(), ErrorKind::StorageFull, "{full}");
        }
    }

    /// Gives the room back.
    pub fn relieve(&self) {
        fs::remove_file(self.ballast()).expect("it was filled");
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("ballast")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Whatever still runs there keeps it until it ends.
        run(Command::new("umount").arg("-l").arg(&self.folder));
    }
}
