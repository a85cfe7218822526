//! Selects a program that is tracing: the one with a given process id, or the only one.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ringtrace_display::shell;
use ringtrace_report::wording::{command_line, visible_text};
use ringtrace_tracefile::folder;
use ringtrace_tracefile::recover::Process;

use crate::arenas;
use crate::exit::{CliError, Exit};
use crate::monitor::{is_socket, listening_sockets, socket_path};

/// The maximum number of programs that an error lists.
const SHOWN_PROGRAMS: usize = 10;

const HOW_TO_GET_A_MONITOR: &str = "start it with --monitor unix:PATH, or with RINGTRACE_MONITOR=unix:PATH in its environment, if it supports that";

/// The target of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The socket of a program's monitor.
    Monitor(PathBuf),
    /// A trace, or a path that does not exist.
    Trace(PathBuf),
}

/// Returns the target that `word` refers to: a socket, a process id, or a trace. If `word` is
/// `None`, returns the only program that is tracing. `command` is the name of the command, for
/// messages.
pub fn find(word: Option<&OsStr>, command: &str) -> Result<Target, CliError> {
    let Some(word) = word else { return only_program(command) };
    if is_socket(word) {
        return Ok(Target::Monitor(socket_path(word)));
    }
    match word.to_str().and_then(|word| word.parse::<u32>().ok()) {
        Some(pid) if !Path::new(word).exists() => of_process(pid, command),
        _ if Path::new(word).is_dir() => of_folder(Path::new(word), command),
        _ => Ok(Target::Trace(socket_path(word))),
    }
}

/// Returns the monitor of the running program that writes its trace to `folder`.
fn of_folder(folder: &Path, command: &str) -> Result<Target, CliError> {
    let writer = arenas::writer_in(folder).filter(Process::is_alive);
    if let Some(socket) = writer.as_ref().and_then(Process::monitor) {
        return Ok(Target::Monitor(socket.to_owned()));
    }
    let shown = visible_text(folder.as_os_str().as_bytes());
    let failure = |help: &str| {
        let message =
            format!("{shown} is a folder, and no program with a monitor was found that writes to it");
        Err(CliError::input(message).exit(Exit::System).help(help))
    };
    match folder::list(folder).ok().and_then(|mut files| files.pop()) {
        Some(newest) if command == "top" => {
            let newest = newest.path.display().to_string();
            failure(&format!("to watch its newest file, run `ringtrace top {}`", shell::quote(&newest)))
        }
        _ => failure(HOW_TO_GET_A_MONITOR),
    }
}

fn of_process(pid: u32, command: &str) -> Result<Target, CliError> {
    let processes = arenas::own_processes();
    match processes.iter().find(|process| process.pid() == pid && process.is_alive()) {
        Some(process) => Ok(target(process, command)?),
        None if processes.iter().any(|process| process.pid() == pid) => {
            Err(CliError::input(format!("process {pid} was killed"))
                .exit(Exit::System)
                .help(format!("to recover its events, run `ringtrace recover {pid}`")))
        }
        None => of_process_without_arena(pid, command),
    }
}

/// Returns the monitor of a process that is not recording, or that records in another folder.
fn of_process_without_arena(pid: u32, command: &str) -> Result<Target, CliError> {
    let folders = arenas::default_folders_text();
    let sockets = listening_sockets(pid).map_err(|_| arenas::no_arena(pid, &folders).exit(Exit::System))?;
    match sockets.as_slice() {
        [] => Err(CliError::input(format!("process {pid} has no arena in {folders}, and no monitor"))
            .exit(Exit::System)
            .help(HOW_TO_GET_A_MONITOR)),
        [one] => Ok(Target::Monitor(one.clone())),
        several => {
            let paths: Vec<String> =
                several.iter().map(|path| visible_text(path.as_os_str().as_bytes())).collect();
            let message = format!(
                "process {pid} is not recording, and has {} sockets: specify its monitor\n  {}",
                several.len(),
                paths.join("\n  "),
            );
            let help = format!("`ringtrace {command} {}`", paths[0]);
            Err(CliError::lines(Exit::Usage, message).help(help))
        }
    }
}

fn only_program(command: &str) -> Result<Target, CliError> {
    let mut processes = arenas::own_processes();
    processes.retain(Process::is_alive);
    // `top` also watches the traces of programs without a monitor.
    if command != "top" && processes.iter().any(|process| process.monitor().is_some()) {
        processes.retain(|process| process.monitor().is_some());
    }
    match processes.as_slice() {
        [] => Err(CliError::input("no program of this user is tracing")
            .exit(Exit::System)
            .help(format!("specify a socket or a process: `ringtrace {command} SOCKET`; start a program with --trace and --monitor, or with `ringtrace record`"))),
        [one] => target(one, command),
        several => {
            let shown = several.iter().take(SHOWN_PROGRAMS);
            let mut list: Vec<String> = shown.map(|one| format!("\n  {} {}", one.pid(), name(one))).collect();
            if several.len() > SHOWN_PROGRAMS {
                list.push(format!("\n  ({} more)", several.len() - SHOWN_PROGRAMS));
            }
            Err(CliError::lines(
                Exit::Usage,
                format!("{} programs are tracing: specify one by its process id{}", several.len(), list.concat()),
            )
            .help(format!("`ringtrace {command} {}`; `ringtrace list` lists them", several[0].pid())))
        }
    }
}

/// Returns the monitor of a running process, or else its trace.
fn target(process: &Process, command: &str) -> Result<Target, CliError> {
    if let Some(socket) = process.monitor() {
        return Ok(Target::Monitor(socket.to_owned()));
    }
    let pid = process.pid();
    match process.trace_path().filter(|path| path.is_file()) {
        Some(path) if command == "top" => Ok(Target::Trace(path.to_owned())),
        _ => Err(CliError::input(format!("process {pid} ({}) has no monitor", name(process)))
            .exit(Exit::System)
            .help(HOW_TO_GET_A_MONITOR)),
    }
}

/// Returns the command line of a process.
fn name(process: &Process) -> String {
    process
        .command()
        .map_or_else(|| "unknown program".to_owned(), |words| visible_text(command_line(words).as_bytes()))
}
