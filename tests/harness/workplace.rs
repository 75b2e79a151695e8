//! The folder that a run of the tests works in, and the guard that clears it away however the run ends.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const PREFIX: &str = "house-rules-tests-";

/// A shell outlives the run by a moment: once its standard input closes, because the run is over or was killed, it ends every
/// process that the run left behind, each the leader of its group, and removes the folder. `$1` is the folder.
const GUARD: &str = r#"
cat >/dev/null
cd "$1" || exit 0
for file in pids/*; do [ -e "$file" ] && kill -KILL "-${file#pids/}"; done 2>/dev/null
find . -name postmaster.pid 2>/dev/null | while read -r file; do
    pid=$(head -n 1 "$file")
    kill -QUIT "$pid" 2>/dev/null
    tries=0
    while kill -0 "$pid" 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
    kill -KILL "$pid" 2>/dev/null
done
while read -r _ at _; do case $at in "$1"/*) umount -l "$at" ;; esac; done </proc/mounts
cd /
rm -rf "$1"
"#;

/// The folder of this run.
pub struct Workplace {
    root: PathBuf,
    count: AtomicU32,
}

/// The folder of this run, made at first use.
pub fn workplace() -> &'static Workplace {
    static WORKPLACE: OnceLock<Workplace> = OnceLock::new();
    WORKPLACE.get_or_init(Workplace::new)
}

impl Workplace {
    #[expect(clippy::zombie_processes, reason = "the guard outlives this process")]
    fn new() -> Self {
        let parent = std::env::temp_dir();
        sweep(&parent);
        let root = parent.join(format!("{PREFIX}{}", std::process::id()));
        for folder in ["pids", "logs", "data"] {
            fs::create_dir_all(root.join(folder)).expect("the temporary folder can be written to");
        }
        open_to_all(&root);
        open_to_all(&root.join("data"));
        let mut guard = guard(&root);
        // The pipe closes with this process, so it must not be closed before.
        std::mem::forget(guard.stdin.take());
        Workplace { root, count: AtomicU32::new(0) }
    }

    /// Its path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A name that nothing else in this run has.
    pub fn unique(&self, what: &str) -> String {
        format!("{what}{}", self.count.fetch_add(1, Ordering::Relaxed))
    }

    /// An empty folder that nothing else uses, which any user may look into.
    pub fn folder(&self, what: &str) -> PathBuf {
        let path = self.root.join("data").join(self.unique(what));
        fs::create_dir(&path).expect("the folder of this run can be written to");
        open_to_all(&path);
        path
    }

    /// The path of a log file.
    pub fn log(&self, what: &str) -> PathBuf {
        self.root.join("logs").join(self.unique(what))
    }

    /// Has the guard end this process, should the run be killed.
    pub fn remember(&self, pid: u32) {
        fs::write(self.pid_file(pid), "").expect("the folder of this run can be written to");
    }

    /// The process is gone.
    pub fn forget(&self, pid: u32) {
        // It may be forgotten twice: when it was killed, and when its owner goes.
        fs::remove_file(self.pid_file(pid)).ok();
    }

    fn pid_file(&self, pid: u32) -> PathBuf {
        self.root.join("pids").join(pid.to_string())
    }
}

fn guard(root: &Path) -> std::process::Child {
    Command::new("sh")
        .args(["-c", GUARD, "guard"])
        .arg(root)
        // In a group of its own, so that Ctrl-C ends the run and not the clearing away.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("there is a shell")
}

/// Clears away what runs left behind whose guard was killed as well.
fn sweep(parent: &Path) {
    let entries = fs::read_dir(parent).expect("the temporary folder can be read");
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(pid) = name.strip_prefix(PREFIX) else { continue };
        if !Path::new("/proc").join(pid).exists() {
            let mut guard = guard(&path);
            drop(guard.stdin.take());
            guard.wait().expect("a shell ends");
        }
    }
}

fn open_to_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}
