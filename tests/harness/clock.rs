//! A wall clock that a test moves, for processes that are started with it and all of theirs. Their monotonic clock runs on.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::Command;

use crate::programs::{repository, run};
use crate::server::Launch;
use crate::workplace::workplace;

/// A clock that is as far off as the test says.
pub struct Clock {
    library: PathBuf,
    path: PathBuf,
    file: File,
}

impl Clock {
    /// One that is right.
    ///
    /// # Errors
    /// When the C compiler, by which Rust links, does not make it.
    pub fn new() -> Result<Self, String> {
        let folder = workplace().folder("clock");
        let (library, path) = (folder.join("clock.so"), folder.join("shift"));
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library);
        let ran = run(compiler.arg(repository().join("tests/harness/clock.c")));
        if ran.status != Some(0) {
            return Err(ran.complained);
        }
        // It is never made shorter, since processes have it in their memory.
        fs::write(&path, 0_i64.to_ne_bytes()).expect("the folder of this run can be written to");
        let file = File::options().write(true).open(&path).expect("it is ours");
        Ok(Clock { library, path, file })
    }

    /// Started so, a process and all of its own run by it.
    pub fn wound_into(&self, launch: Launch) -> Launch {
        let text = |path: &PathBuf| path.display().to_string();
        launch.set("LD_PRELOAD", text(&self.library)).set("CLOCK_SHIFT", text(&self.path))
    }

    /// From now on it is so many seconds ahead, or behind.
    pub fn set_off_by(&self, seconds: i64) {
        self.file.write_all_at(&seconds.to_ne_bytes(), 0).expect("the folder of this run can be written to");
    }
}
