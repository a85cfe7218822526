//! Follows a program through its monitor, from one trace file to the next, until the program ends.
//!
//! A thread polls the monitor and signals when a trace file is finished and which file is next.
//! Meanwhile, the file is read like any growing trace.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use ringtrace_tracefile::FollowFlags;
use ringtrace_tracefile::folder::number_of;
use serde_json::Value;

use crate::exit::{CliError, Exit};
use crate::monitor::{Client, MonitorError, MonitorErrorKind, socket_path};
use crate::terminal::Terminal;
use crate::trace_status::{RecordingState, TraceStatus};

const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The time that the writer thread needs to write everything recorded so far, unless the disk is
/// slow.
const DRAIN_TIME: Duration = Duration::from_millis(300);

/// How long a program may take to finish its trace after its monitor has closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct FollowedProgram {
    next: Receiver<TraceFile>,
    stop: Arc<AtomicBool>,
    /// The time at which following started, on the clock of the program's traces.
    pub since_ns: u64,
    /// The process id, or 0 if the monitor does not report it.
    pid: u32,
}

/// A trace file, or the files in the folder of a rotated trace from this file on.
#[derive(Debug, Clone)]
pub struct TraceFile {
    pub path: PathBuf,
    pub until: FollowFlags,
    pid: u32,
}

/// State of the thread that polls the monitor.
struct MonitorWatch {
    client: Client,
    stop: Arc<AtomicBool>,
    files: Sender<TraceFile>,
    current: Option<TraceFile>,
    reported: Option<RecordingState>,
    file_error: Option<String>,
    terminal: Terminal,
}

impl FollowedProgram {
    /// Follows the program whose monitor listens at `socket`, until `stop` is set.
    pub fn follow(
        socket: &Path,
        stop: &Arc<AtomicBool>,
        terminal: &Terminal,
    ) -> Result<FollowedProgram, CliError> {
        let mut client = Client::connect(&socket_path(socket.as_os_str())).map_err(CliError::from)?;
        let recording = TraceStatus::query(&mut client).map_err(CliError::from)?;
        if recording.policy == "overwrite" {
            let who = match recording.pid {
                0 => "the program".to_owned(),
                pid => format!("process {pid}"),
            };
            return Err(CliError::input(format!(
                "{who} is a flight recorder: it writes its trace when it ends"
            ))
            .help(format!(
                "`ringtrace ctl {0} trace-snapshot FILE` writes the events that are in its memory now",
                socket.display()
            )));
        }
        let (files, next) = channel();
        let (since_ns, pid) = (recording.time_ns, recording.pid);
        let mut watch = MonitorWatch {
            client,
            stop: Arc::clone(stop),
            files,
            current: None,
            reported: None,
            file_error: None,
            terminal: terminal.clone(),
        };
        watch.update(recording);
        let thread = thread::Builder::new().name("monitor".to_owned()).spawn(move || watch.run());
        thread.map_err(|error| CliError::system("a thread", &error))?;
        Ok(FollowedProgram { next, stop: Arc::clone(stop), since_ns, pid })
    }

    /// Waits for the next trace file. Returns `None` if there will be none.
    pub fn next_file(&self) -> Option<TraceFile> {
        loop {
            match self.next.recv_timeout(POLL_INTERVAL) {
                Ok(file) => return Some(file),
                Err(RecvTimeoutError::Timeout) if !self.stop.load(Ordering::Relaxed) => {}
                Err(_) => return None,
            }
        }
    }

    /// Returns the process id if the process is known to have ended.
    pub fn has_ended(&self) -> Option<u32> {
        Some(self.pid).filter(|&pid| pid > 0 && !is_alive(pid))
    }
}

impl TraceFile {
    /// Returns the number of the file, if it is in the folder of a rotated trace.
    pub fn number(&self) -> Option<u64> {
        number_of(&self.path)
    }

    /// Returns whether reading this file includes the one at `path`: it is the same file, or a later one
    /// in the same folder of a rotated trace.
    fn includes(&self, path: &Path) -> bool {
        let are_rotated = || self.number().is_some() && number_of(path).is_some();
        self.path == path || self.path.parent() == path.parent() && are_rotated()
    }

    /// Returns the path under which this process sees `path` in the root folder of the program.
    fn seen_by_it(&self, path: &Path) -> Option<PathBuf> {
        let inside = path.strip_prefix("/").ok().filter(|_| self.pid > 0)?;
        Some(Path::new("/proc").join(self.pid.to_string()).join("root").join(inside))
    }

    /// Returns a path under which this process can open the file. The program may have another root
    /// folder.
    pub fn reachable(&self) -> Result<PathBuf, CliError> {
        if let (Some(_), Some(folder)) = (self.number(), self.path.parent()) {
            // The program names a file when it writes to it, and may remove it soon.
            let is_only_there =
                !folder.is_dir() && self.seen_by_it(folder).is_some_and(|there| there.is_dir());
            return Ok(self.seen_by_it(&self.path).filter(|_| is_only_there).unwrap_or(self.path.clone()));
        }
        let name = self.path.display();
        let refused = match std::fs::metadata(&self.path) {
            Ok(found) if found.is_file() => return Ok(self.path.clone()),
            Ok(_) => {
                return Err(CliError::input(format!(
                    "the program writes its trace to {name}, which is not a file"
                ))
                .help("read the trace at the other end of the pipe or device"));
            }
            Err(error) => error,
        };
        if let Some(there) = self.seen_by_it(&self.path).filter(|there| there.is_file()) {
            return Ok(there);
        }
        let failure = CliError::system(format!("cannot open the trace file {name} of the program"), &refused);
        let help = if self.path.is_absolute() {
            "it may have been moved or removed, or the program runs in a container"
        } else {
            "the path is relative, and the monitor does not report the folder: run this command in the program's folder"
        };
        Err(failure.help(help).exit(Exit::System))
    }
}

impl MonitorWatch {
    fn run(mut self) {
        while !self.stop.load(Ordering::Relaxed) {
            thread::sleep(POLL_INTERVAL);
            match TraceStatus::query(&mut self.client) {
                Ok(recording) => self.update(recording),
                Err(MonitorError { kind, .. }) if !kind.ends() => {
                    if let MonitorErrorKind::Timeout(_) = kind {
                        self.terminal
                            .warn("the program does not answer", Some("it may be stopped; still waiting"));
                    }
                }
                Err(_) => break,
            }
        }
        self.end();
    }

    /// Handles a new status, in which the file, the recording state or the file's error may have
    /// changed.
    fn update(&mut self, recording: TraceStatus) {
        let is_included = |path: &PathBuf| self.current.as_ref().is_some_and(|file| file.includes(path));
        if let Some(path) = recording.file.clone().filter(|path| !is_included(path)) {
            // While recording is off, this can be a file that does not exist yet, or the folder of such a file.
            if recording.state == RecordingState::On || path.exists() && !path.is_dir() {
                self.change_to(TraceFile { path, until: self.until(), pid: recording.pid });
            }
        }
        if self.reported != Some(recording.state) {
            self.report_state(&recording);
            self.reported = Some(recording.state);
        }
        if self.file_error != recording.file_error {
            if let Some(error) = &recording.file_error {
                self.terminal.warn(&format!("cannot write to the trace file: {error}"), None);
            }
            self.file_error = recording.file_error;
        }
    }

    fn until(&self) -> FollowFlags {
        FollowFlags { stop: Arc::clone(&self.stop), ..FollowFlags::default() }
    }

    fn change_to(&mut self, file: TraceFile) {
        if let Some(old) = self.current.replace(file.clone()) {
            // The program finishes the old file while new events go to the new one. The flush
            // command returns after everything pending is written; monitors without this command
            // finish their files at once.
            let _ = self.client.execute("trace-file-flush", Value::Null);
            thread::sleep(DRAIN_TIME);
            old.until.end.store(true, Ordering::Release);
        }
        let who = match file.pid {
            0 => String::new(),
            pid => format!(" of process {pid}"),
        };
        let followed = match (file.number(), file.path.parent()) {
            (Some(_), Some(folder)) => folder,
            _ => &file.path,
        };
        self.terminal.note(&format!("following {}{who}", followed.display()));
        // Sending fails if nobody follows the program any more.
        let _ = self.files.send(file);
    }

    fn report_state(&self, recording: &TraceStatus) {
        let socket = self.client.path().display();
        let how = format!("`ringtrace ctl {socket} trace-file on`");
        match recording.state {
            RecordingState::On if self.reported.is_some() => self.terminal.note("recording is on"),
            RecordingState::On => {}
            RecordingState::Off => self.terminal.note(&format!("recording is off; {how} switches it on")),
            RecordingState::NotStarted => self.terminal.note(&format!(
                "no trace file yet; {how} starts recording the events that `trace-event PATTERN on` enables"
            )),
        }
    }

    /// Waits for the program to end, then lets the reader read the rest of the current file.
    fn end(self) {
        let Some(file) = self.current else { return };
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while (file.pid == 0 || is_alive(file.pid))
            && Instant::now() < deadline
            && !self.stop.load(Ordering::Relaxed)
        {
            thread::sleep(POLL_INTERVAL / 10);
        }
        file.until.end.store(true, Ordering::Release);
    }
}

/// Returns whether process `pid` is running. A zombie has ended.
fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name in parentheses can contain any character.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}
