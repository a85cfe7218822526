//! Runs a program with a monitor, for tests with clients.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long to wait for any condition.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running program. It is killed when this is dropped.
#[derive(Debug)]
pub struct Monitored {
    process: Child,
    socket: PathBuf,
    output: PathBuf,
}

/// The resources of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Number of open descriptors.
    pub descriptors: usize,
    /// Number of sockets: the monitor's own, and one for each client.
    pub sockets: usize,
    /// Number of threads.
    pub threads: usize,
    /// Anonymous memory in RAM.
    pub anonymous_bytes: u64,
    /// Memory in RAM, with a proportional part of shared memory.
    pub proportional_bytes: u64,
}

/// A program that has ended.
#[derive(Debug)]
pub struct ProgramResult {
    /// The exit status.
    pub status: ExitStatus,
    /// Standard output and standard error.
    pub output: String,
}

impl Monitored {
    /// Starts `command` in `folder`, with a monitor in `mode` at the path `socket`. Returns when
    /// the monitor listens.
    pub fn start(mut command: Command, folder: &Path, mode: &str) -> Monitored {
        let (socket, output) = (folder.join("socket"), folder.join("output"));
        command.current_dir(folder).arg("--monitor").arg(format!("unix:{},mode={mode}", socket.display()));
        let file = fs::File::create(&output).unwrap();
        command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
        // The program must not inherit the test's own tracing options.
        command.env_remove("RINGTRACE").env_remove("RINGTRACE_MONITOR");
        let process = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut program = Monitored { process, socket, output };
        wait_until("the program listens", || {
            assert!(program.is_running(), "the program ended: {}", program.output());
            UnixStream::connect(&program.socket).is_ok()
        });
        program
    }

    /// Returns the path of the monitor's socket.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Returns the process id of the program.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns whether the program is still running.
    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// Returns the program's output so far.
    pub fn output(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.output).unwrap()).into_owned()
    }

    /// Returns the resources that the program currently uses.
    pub fn usage(&self) -> Usage {
        let at = |name: &str| PathBuf::from(format!("/proc/{}/{name}", self.id()));
        let count = |name: &str| fs::read_dir(at(name)).unwrap().count();
        let memory = fs::read_to_string(at("smaps_rollup")).unwrap();
        let bytes = |word: &str| {
            let line = memory.lines().find(|line| line.starts_with(word)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
        };
        let descriptors = fs::read_dir(at("fd")).unwrap().flatten();
        // A descriptor that is closed in the meantime has no link.
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

    /// Waits until all clients have disconnected. Returns the resources that the program uses then.
    pub fn usage_without_clients(&self) -> Usage {
        let mut usage = self.usage();
        wait_until("its clients have disconnected", || {
            usage = self.usage();
            usage.sockets == 1
        });
        usage
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let _ = Command::new("kill").arg(self.id().to_string()).status();
    }

    /// Sends SIGTERM, and waits for the program's end.
    pub fn end(self) -> ProgramResult {
        self.terminate();
        self.wait()
    }

    /// Waits for the program's end.
    pub fn wait(mut self) -> ProgramResult {
        wait_until("the program ends", || !self.is_running());
        ProgramResult { status: self.process.wait().unwrap(), output: self.output() }
    }
}

impl Drop for Monitored {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        // A killed program leaves its arenas.
        let of_process = format!("{}-", self.id());
        let folders = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        let folders = folders.filter(|folder| folder.file_name().to_string_lossy().starts_with("ringtrace-"));
        for arena in folders.flat_map(|folder| fs::read_dir(folder.path())).flatten().flatten() {
            if arena.file_name().to_string_lossy().starts_with(&of_process) {
                let _ = fs::remove_file(arena.path());
            }
        }
    }
}

/// Waits until `is_so` returns true. `what` describes the condition.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < TIMEOUT, "timeout: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
