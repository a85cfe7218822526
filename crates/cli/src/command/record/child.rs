//! The started program: forwards signals to it, and waits until it ends.
//!
//! The program is in this process's group, as if the shell had started it. The terminal therefore
//! sends its signals, such as SIGINT for Ctrl-C, to both processes. This process ignores those
//! signals and does not forward them. It does forward a signal that another process sent to it
//! alone.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{self, Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, setrlimit};
use signal_hook::consts::{
    SIGALRM, SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithRawSiginfo;
use signal_hook::low_level::emulate_default_handler;

use super::status_line::StatusLine;
use crate::exit::{CliError, Exit};
use crate::signals;

/// The forwarded signals. SIGHUP means that the terminal was closed or the shell ended; SIGTSTP is
/// Ctrl-Z.
const PASSED_ON: [i32; 10] =
    [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP, SIGCONT, SIGWINCH];

#[derive(Debug)]
pub struct Child {
    process: process::Child,
    signals: Receiver<ReceivedSignal>,
}

#[derive(Debug, Clone, Copy)]
struct ReceivedSignal {
    signal: i32,
    /// Whether a process sent the signal, rather than the terminal or the kernel. The terminal and
    /// the kernel also signal the program directly.
    from_process: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramExit {
    Exited(u8),
    Killed(i32),
}

impl Child {
    /// Starts `program` with `variables` added to this process's environment.
    pub fn start(
        program: &OsStr,
        words: &[OsString],
        variables: &[(&str, OsString)],
    ) -> Result<Child, CliError> {
        let signals = listen().map_err(|error| CliError::system("signals", &error))?;
        let mut command = Command::new(program);
        command.args(words).envs(variables.iter().map(|(name, value)| (name, value)));
        match command.spawn() {
            Ok(process) => Ok(Child { process, signals }),
            Err(error) => Err(not_started(program, &error)),
        }
    }

    /// Forwards signals until the program ends.
    pub fn wait(&mut self, status_line: Option<&StatusLine>) -> io::Result<ProgramExit> {
        loop {
            // The program may have ended before signals were caught.
            if let Some(status) = self.process.try_wait()? {
                return Ok(ProgramExit::of(status));
            }
            match self.signals.recv() {
                Ok(ReceivedSignal { signal: SIGCHLD, .. }) => {}
                Ok(received) => self.pass_on(received, status_line),
                Err(_) => return self.process.wait().map(ProgramExit::of),
            }
        }
    }

    /// Forwards a signal. The program has not been reaped yet, so its process id is still valid.
    fn pass_on(&self, received: ReceivedSignal, status_line: Option<&StatusLine>) {
        if received.from_process
            && let Some(signal) = Signal::from_named_raw(received.signal)
        {
            // The program may have ended in the meantime.
            let _ = kill_process(Pid::from_child(&self.process), signal);
        }
        if received.signal == SIGTSTP {
            if let Some(status_line) = status_line {
                status_line.clear();
            }
            let _ = emulate_default_handler(SIGTSTP);
        }
    }
}

impl ProgramExit {
    fn of(status: ExitStatus) -> ProgramExit {
        match (status.code(), status.signal()) {
            (Some(code), _) => ProgramExit::Exited(u8::try_from(code).unwrap_or(u8::MAX)),
            (None, signal) => ProgramExit::Killed(signal.unwrap_or(0)),
        }
    }
}

/// Catches signals in a separate thread. Signals that were ignored at the start stay ignored, in
/// the program too, because `nohup` and a shell's `&` rely on it.
fn listen() -> io::Result<Receiver<ReceivedSignal>> {
    let ignored = signals::ignored();
    let wanted = PASSED_ON.iter().copied().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = SignalsInfo::<WithRawSiginfo>::new(wanted.chain([SIGCHLD]))?;
    let (sender, receiver) = channel();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for info in signals.forever() {
            // By convention, `si_code` is 0 or negative if a process sent the signal.
            let received = ReceivedSignal { signal: info.si_signo, from_process: info.si_code <= 0 };
            if sender.send(received).is_err() {
                break;
            }
        }
    })?;
    Ok(receiver)
}

fn not_started(program: &OsStr, error: &io::Error) -> CliError {
    let name = program.display();
    let is_path = program.as_encoded_bytes().contains(&b'/');
    let (status, failure) = match error.kind() {
        io::ErrorKind::NotFound if is_path && std::path::Path::new(program).exists() => (
            126,
            CliError::input(format!("{name}: its interpreter does not exist")).help("check its first line"),
        ),
        io::ErrorKind::NotFound if is_path => (127, CliError::input(format!("{name}: no such program"))),
        io::ErrorKind::NotFound => {
            let failure = CliError::input(format!("{name}: no such program in PATH"));
            let is_here = std::path::Path::new(program).exists();
            (127, if is_here { failure.help(format!("did you mean ./{name}?")) } else { failure })
        }
        _ => (126, CliError::system(name, error)),
    };
    failure.exit(Exit::Program(status))
}

/// Ends this process by the signal that ended the program, without another core dump.
pub fn die_from(signal: i32) {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    // The call may return without ending this process, for example for a real-time signal. The exit
    // status then reports the signal.
    let _ = emulate_default_handler(signal);
}

pub fn signal_name(signal: i32) -> String {
    match signal_hook::low_level::signal_name(signal) {
        Some(name) => name.to_owned(),
        None => format!("signal {signal}"),
    }
}
