//! A `houserules` process.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::cluster::unprivileged;
use crate::programs::{Ran, program};
use crate::wait::block_until;
use crate::workplace::workplace;

/// How to start one.
#[derive(Clone, Debug)]
pub struct Launch {
    environment: Vec<(String, String)>,
    arguments: Vec<String>,
    folder: PathBuf,
    program: PathBuf,
    as_ordinary_user: bool,
    /// How many file descriptors it may have at first, and at most.
    descriptors: Option<(u32, u32)>,
}

/// One that runs. Ended with its owner; until then it must not have panicked nor logged an error.
pub struct Server {
    child: Child,
    url: String,
    said: PathBuf,
    complained: PathBuf,
    forgiven: bool,
}

impl Launch {
    /// With nothing in the environment, in an empty folder, on any free port.
    pub fn new() -> Self {
        let folder = workplace().folder("serve");
        Launch {
            environment: Vec::new(),
            arguments: Vec::new(),
            folder,
            program: program("houserules"),
            as_ordinary_user: false,
            descriptors: None,
        }
        .set("HOUSERULES_BIND", "127.0.0.1:0")
    }

    /// With this environment variable.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Without this environment variable.
    #[must_use]
    pub fn unset(mut self, name: &str) -> Self {
        self.environment.retain(|(known, _)| known != name);
        self
    }

    /// With this argument after `serve`.
    #[must_use]
    pub fn with(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// As somebody without privileges, if the tests run as root; the folder is then theirs. They run a copy of the program,
    /// since nobody but root may look into root's home, where the repository may lie.
    #[must_use]
    pub fn as_ordinary_user(mut self) -> Self {
        if let Some((uid, gid)) = unprivileged() {
            let copy = workplace().folder("program").join("houserules");
            fs::copy(&self.program, &copy).expect("the folder of this run can be written to");
            std::os::unix::fs::chown(&self.folder, Some(uid), Some(gid)).expect("root may give its folders away");
            self.program = copy;
            self.as_ordinary_user = true;
        }
        self
    }

    /// With so few file descriptors, and leave to ask for more up to the second number.
    #[must_use]
    pub fn with_descriptors(mut self, soft: u32, hard: u32) -> Self {
        self.descriptors = Some((soft, hard));
        self
    }

    /// The folder that it starts in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts it and waits until it says its address.
    ///
    /// # Panics
    /// When it ends instead.
    #[track_caller]
    pub fn start(&self) -> Server {
        self.try_start().unwrap_or_else(|ran| panic!("the server does not start: {ran:#?}"))
    }

    /// Starts it and waits until it says its address, or what it said when it ended instead.
    ///
    /// # Errors
    /// When it ends instead.
    pub fn try_start(&self) -> Result<Server, Ran> {
        let (said, complained) = (workplace().log("said"), workplace().log("complained"));
        let file = |path| File::create(path).expect("the folder of this run can be written to");
        let mut command = match self.descriptors {
            None => Command::new(&self.program),
            // The shell can set limits, and then becomes the server.
            Some((soft, hard)) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("ulimit -Sn {soft} && ulimit -Hn {hard} && exec \"$0\" \"$@\"")]);
                shell.arg(&self.program);
                shell
            }
        };
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.arg("serve").args(&self.arguments).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(file(&said)).stderr(file(&complained)).process_group(0);
        if let Some((uid, gid)) = unprivileged().filter(|_| self.as_ordinary_user) {
            command.uid(uid).gid(gid);
        }
        let mut child = command.spawn().expect("our own program starts");
        workplace().remember(child.id());
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let url = block_until("the server's address", || match address(&read(&said)) {
            Some(url) => Some(Ok(url)),
            None => {
                let ended = child.try_wait().expect("it is our child")?;
                Some(Err(Ran { status: ended.code(), said: read(&said), complained: read(&complained) }))
            }
        });
        match url {
            Ok(url) => Ok(Server { child, url, said, complained, forgiven: false }),
            Err(ran) => {
                workplace().forget(child.id());
                Err(ran)
            }
        }
    }
}

impl Default for Launch {
    fn default() -> Self {
        Launch::new()
    }
}

fn address(said: &str) -> Option<String> {
    // A line that is still being written may lack the end of the port.
    let whole = &said[..said.rfind('\n')?];
    let (_, url) = whole.split_once("House Rules is ready at ")?;
    Some(url.split([' ', '\n', '/']).take(3).collect::<Vec<_>>().join("/"))
}

impl Server {
    /// Its address, without a path.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it printed so far.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.said).unwrap_or_default()
    }

    /// What it logged so far.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.complained).unwrap_or_default()
    }

    /// Errors in its log are part of the test, such as those about a database that was killed. Panics never are.
    pub fn forgive_errors(&mut self) {
        self.forgiven = true;
    }

    /// SIGKILL: no time to say goodbye.
    pub fn kill(&mut self) {
        self.child.kill().expect("it is our child");
        self.wait();
    }

    /// SIGTERM, and waits until it has ended.
    pub fn stop(&mut self) -> ExitStatus {
        end("TERM", self.pid());
        self.wait()
    }

    /// Waits until it has ended.
    pub fn wait(&mut self) -> ExitStatus {
        let status = block_until("the end of the server", || self.child.try_wait().expect("it is our child"));
        workplace().forget(self.child.id());
        status
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let ended = self.child.try_wait().expect("it is our child").is_some();
        if !ended {
            self.kill();
        }
        let log = self.log();
        if std::thread::panicking() {
            let tail: Vec<_> = log.lines().rev().take(30).collect();
            eprintln!("-- the end of the log of {}:", self.url);
            tail.iter().rev().for_each(|line| eprintln!("{line}"));
            return;
        }
        let bad = |line: &&str| line.contains("panicked at") || (!self.forgiven && line.contains("ERROR"));
        let bad: Vec<_> = log.lines().filter(bad).collect();
        assert!(bad.is_empty(), "the server's log has errors:\n{}", bad.join("\n"));
    }
}

/// Sends a signal to a process. The shell knows how to; a machine with little on it may have no such program.
pub fn end(signal: &str, pid: u32) {
    Command::new("sh").args(["-c", &format!("kill -{signal} {pid}")]).status().expect("there is a shell");
}
