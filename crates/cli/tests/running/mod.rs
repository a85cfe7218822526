//! Runs the tool and the example programs in temporary folders, with a clean environment and a time
//! limit.

#![allow(dead_code, reason = "each test program uses some functions")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

pub const TOOL: &str = env!("CARGO_BIN_EXE_ringtrace");

/// Returns the path of an example program, which is built in the same folder as the tool.
pub fn example(name: &str) -> PathBuf {
    let path = Path::new(TOOL).with_file_name(name);
    assert!(path.exists(), "{} is missing: cargo build --workspace --bins", path.display());
    path
}

/// A temporary folder in which the tool records.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        // The tool's temporary files go here. The folder must be empty at the end.
        fs::create_dir(folder.path().join("tmp")).unwrap();
        Place(folder)
    }

    /// Creates a folder with these files.
    pub fn of(files: &[(&str, impl AsRef<[u8]>)]) -> Place {
        let place = Place::new();
        for (name, bytes) in files {
            fs::write(place.path(name), bytes).unwrap();
        }
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn command(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words).current_dir(self.0.path()).env("TMPDIR", self.path("tmp"));
        command.env("RINGTRACE_DIR", self.path("arenas")).env_remove("RINGTRACE").env("LC_ALL", "C.UTF-8");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the tool. Returns its standard output, its messages and its exit status.
    pub fn run(&self, words: &[&str]) -> (String, String, i32) {
        let (out, said, status) = Run::of(&mut self.command(Path::new(TOOL), words)).end();
        (out, said, status.code().unwrap())
    }

    /// Returns the standard output of a command that succeeds without any message.
    pub fn output(&self, words: &[&str]) -> String {
        let (out, said, code) = self.run(words);
        assert_eq!((said.as_str(), code), ("", 0), "{words:?}");
        out
    }

    /// Runs `ringtrace record` with `words`, and with default actions for signals: shells start
    /// background jobs with some signals ignored.
    pub fn record(&self, words: &[&str]) -> Run {
        let words = [&["--default-signal", TOOL, "record"], words].concat();
        Run::of(&mut self.command(Path::new("env"), &words))
    }

    /// Returns the output of `ringtrace info --json` for a trace.
    pub fn info(&self, trace: &str) -> Value {
        let output = self.command(Path::new(TOOL), &["info", "--json", trace]).output().unwrap();
        assert!(output.status.success(), "{trace}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Returns the file names in a folder.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Checks that no temporary files and no arenas remain.
    pub fn expect_nothing_left(&self) {
        assert_eq!((self.names("arenas"), self.names("tmp")), (vec![], vec![]));
    }
}

/// A running tool.
pub struct Run {
    pub tool: Child,
    pub said: BufReader<ChildStdout>,
    /// Stops the watchdog, which kills processes that hang or that a failed test has left running.
    has_ended: Sender<()>,
}

/// The maximum duration of a run.
const LONG: Duration = Duration::from_secs(120);

impl Run {
    pub fn of(command: &mut Command) -> Run {
        let mut tool = command.spawn().unwrap();
        let said = BufReader::new(tool.stdout.take().unwrap());
        let (sender, at_work) = channel::<()>();
        let pid = tool.id();
        std::thread::spawn(move || {
            // The run hangs, or its test has failed. The tool's process has not been reaped, so its
            // id is still valid.
            if at_work.recv_timeout(LONG).is_err() {
                let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
                let children = children.unwrap_or_default();
                let pids = children.split_whitespace().map(|child| child.parse().unwrap());
                for pid in pids.chain([pid as i32]) {
                    let _ = kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL);
                }
            }
        });
        Run { tool, said, has_ended: sender }
    }

    /// Returns the next line on standard output.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        line
    }

    pub fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.tool), signal).unwrap();
    }

    /// Returns the process id of the program that the tool started.
    pub fn program(&self) -> Pid {
        let pid = self.tool.id();
        let path = format!("/proc/{pid}/task/{pid}/children");
        let children = wait_for("the program to be started", || {
            fs::read_to_string(&path).ok().filter(|children| !children.trim().is_empty())
        });
        Pid::from_raw(children.trim().parse().unwrap()).unwrap()
    }

    /// Waits until the tool ends. Returns the rest of standard output, standard error, and the exit
    /// status.
    pub fn end(mut self) -> (String, String, ExitStatus) {
        let mut out = String::new();
        std::io::Read::read_to_string(&mut self.said, &mut out).unwrap();
        let output = self.tool.wait_with_output().unwrap();
        let _ = self.has_ended.send(());
        (out, String::from_utf8(output.stderr).unwrap(), output.status)
    }
}

/// Polls `look` until it finds something.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "timed out waiting for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a file has this many bytes, which shows that a traced program is running.
pub fn wait_for_bytes(path: &Path, bytes: u64) {
    wait_for(&format!("{bytes} bytes in {}", path.display()), || {
        fs::metadata(path).ok().filter(|found| found.len() >= bytes)
    });
}

pub fn engine() -> String {
    example("engine").to_str().unwrap().to_owned()
}
