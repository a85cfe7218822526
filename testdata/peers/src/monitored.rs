//! A program of ours that has a monitor, for others to talk with: started and ended by a test, and looked at from outside.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long anything here may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running program. It is killed when this is dropped.
#[derive(Debug)]
pub struct Monitored {
    process: Child,
    socket: PathBuf,
    said: PathBuf,
}

/// What a process has of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// How many open descriptors.
    pub descriptors: usize,
    /// How many of them are sockets: the monitor's own, and one for each client.
    pub sockets: usize,
    /// How many threads.
    pub threads: usize,
    /// Memory that it has in RAM and shares with nobody, files and tmpfs aside.
    pub anonymous_bytes: u64,
    /// All memory that it has in RAM; of what it shares, its part.
    pub proportional_bytes: u64,
}

/// What a process came to.
#[derive(Debug)]
pub struct ProgramResult {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it said on standard output and standard error.
    pub said: String,
}

impl Monitored {
    /// Starts `command` in `folder`, with the option `--monitor`: it listens there at `socket`, in `mode`. Returns when it does.
    pub fn start(mut command: Command, folder: &Path, mode: &str) -> Monitored {
        let (socket, said) = (folder.join("socket"), folder.join("said"));
        command.current_dir(folder).arg("--monitor").arg(format!("unix:{},mode={mode}", socket.display()));
        let output = fs::File::create(&said).unwrap();
        command.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
        // What the test's own environment says of tracing is not for it.
        command.env_remove("RINGTRACE").env_remove("RINGTRACE_MONITOR");
        let process = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut program = Monitored { process, socket, said };
        wait_until("the program listens", || {
            assert!(program.is_running(), "it ended: {}", program.said());
            UnixStream::connect(&program.socket).is_ok()
        });
        program
    }

    /// Where it listens.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Whether it has not ended.
    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// What it has said so far.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.said).unwrap()).into_owned()
    }

    /// What it has of the system now.
    pub fn usage(&self) -> Usage {
        let at = |name: &str| PathBuf::from(format!("/proc/{}/{name}", self.id()));
        let count = |name: &str| fs::read_dir(at(name)).unwrap().count();
        let memory = fs::read_to_string(at("smaps_rollup")).unwrap();
        let bytes = |word: &str| {
            let line = memory.lines().find(|line| line.starts_with(word)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
        };
        let descriptors = fs::read_dir(at("fd")).unwrap().flatten();
        // One that is closed meanwhile leads nowhere.
        let descriptors: Vec<PathBuf> =
            descriptors.filter_map(|entry| fs::read_link(entry.path()).ok()).collect();
        let sockets = descriptors.iter().filter(|path| path.to_string_lossy().starts_with("socket:"));
        Usage {
            sockets: sockets.count(),
            descriptors: descriptors.len(),
            threads: count("task"),
            anonymous_bytes: bytes("Anonymous:"),
            proportional_bytes: bytes("Pss:"),
        }
    }

    /// What it has of the system when all its clients are gone: waits for that.
    pub fn usage_without_clients(&self) -> Usage {
        let mut usage = self.usage();
        wait_until("its clients are gone", || {
            usage = self.usage();
            usage.sockets == 1
        });
        usage
    }

    /// Tells it to end, as a service is told.
    pub fn terminate(&self) {
        let _ = Command::new("kill").arg(self.id().to_string()).status();
    }

    /// Tells it to end, and waits for that.
    pub fn end(self) -> ProgramResult {
        self.terminate();
        self.wait()
    }

    /// Waits for its end.
    pub fn wait(mut self) -> ProgramResult {
        wait_until("the program ends", || !self.is_running());
        ProgramResult { status: self.process.wait().unwrap(), said: self.said() }
    }
}

impl Drop for Monitored {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits for what a test cannot go on without; `what` says what that is.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < TIMEOUT, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
