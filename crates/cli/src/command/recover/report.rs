//! Text about processes and recovered traces.

use std::path::Path;

use jiff::Timestamp;
use ringtrace_display::{Table, shell};
use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::recover::{ArenaFile, Process, ProcessState, Recovered, Unfinished};
use ringtrace_wire::arena::FullPolicy;

use crate::arenas::{self, ArenaLocation, Found};
use crate::exit::CliError;
use crate::quantity::{bytes, count, counted};
use crate::terminal::Terminal;
use ringtrace_report::wording::{command_line, visible_text};

/// Describes all processes, running ones first, and the arenas that no process will complete.
pub fn list(processes: &[Process], abandoned: &[Unfinished], locations: &[ArenaLocation]) -> String {
    let blocks = running_first(processes).map(|process| listed(process, processes)).collect();
    with_abandoned(blocks, abandoned, locations)
}

/// Describes all processes in the same order, with a line for each, and the arenas that no process
/// will complete.
pub fn short_list(
    processes: &[Process],
    abandoned: &[Unfinished],
    locations: &[ArenaLocation],
    terminal: &Terminal,
) -> String {
    let all = || running_first(processes);
    let mut blocks = Vec::new();
    if !processes.is_empty() {
        let alive = |process: &Process, text: String| if process.is_alive() { text } else { "-".to_owned() };
        let in_memory = |process: &Process| match process.unwritten_bytes() {
            Ok(unwritten) if !process.is_alive() => bytes(unwritten),
            _ => "-".to_owned(),
        };
        let mut table = Table::new("COMMAND");
        table.column("PID", 0, all().map(|process| process.pid().to_string()));
        if all().any(|process| other_user(process).is_some()) {
            let user = |process| other_user(process).map_or("-".to_owned(), |uid| uid.to_string());
            table.column("USER", 2, all().map(user));
        }
        let state = |process: &Process| match process.state() {
            ProcessState::Running => "running",
            ProcessState::Unwritten => "ended",
            ProcessState::Killed => "killed",
        };
        table.column("STATE", 0, all().map(|process| state(process).to_owned()));
        table.column("STARTED", 4, all().map(|process| started(process).unwrap_or_else(|| "-".to_owned())));
        table.column("POLICY", 3, all().map(|process| policy(process).to_owned()));
        table.column("EVENTS ON", 1, all().map(|process| alive(process, count(process.events_on().into()))));
        table.column("IN MEMORY", 1, all().map(in_memory));
        let command = |process: &Process| process.command().map_or("-".to_owned(), command_line);
        table.names(all().map(command));
        let mut text = String::new();
        terminal.table(&table, &mut text);
        blocks.push(text);
        let left = all().filter(|process| !process.is_alive()).count() as u64;
        let mut notes = String::new();
        if left > 0 {
            let left = counted(left, "program left events in memory", "programs left events in memory");
            notes = format!("{left}: `ringtrace recover` writes them to a trace. ");
        }
        notes += "--long shows details.";
        blocks.push(terminal.fold(&notes));
    }
    with_abandoned(blocks, abandoned, locations)
}

/// Returns the running processes, then the others.
fn running_first(processes: &[Process]) -> impl Iterator<Item = &Process> {
    let state = |alive| processes.iter().filter(move |process| process.is_alive() == alive);
    state(true).chain(state(false))
}

/// Joins `blocks`, and describes the arenas that no process will complete. If there are
/// neither, the result states this.
fn with_abandoned(mut blocks: Vec<String>, abandoned: &[Unfinished], locations: &[ArenaLocation]) -> String {
    let memory: u64 = abandoned.iter().map(Unfinished::bytes).sum();
    // Empty arenas use no memory. Programs that ended normally can leave them behind.
    let count = abandoned.iter().filter(|file| file.bytes() > 0).count();
    if memory > 0 {
        let files = counted(count as u64, "arena without a header uses", "arenas without a header use");
        let memory = bytes(memory);
        blocks.push(format!(
            "{files} {memory} of memory: a program was killed while it started.\n\
             `ringtrace recover --remove` removes such arenas.\n"
        ));
    }
    if blocks.is_empty() {
        let folders = folders(locations);
        return format!("no program is tracing to {folders}, and none has left events there\n");
    }
    blocks.join("\n")
}

/// Describes one of `processes`: the state of a running process, or what a killed one left behind.
fn listed(process: &Process, processes: &[Process]) -> String {
    let mut text = describe(process);
    let mut line = |name: &str, value: &str| push_line(name, value, &mut text);
    if process.is_alive() {
        line("Events on", &count(process.events_on().into()));
        if let Some(socket) = process.monitor() {
            line("Monitor", &visible_text(socket.as_os_str().as_encoded_bytes()));
        }
    } else {
        // An arena that cannot be read is reported by `recover`.
        if let Ok(unwritten) = process.unwritten_bytes() {
            line("In memory", &format!("{} of events", bytes(unwritten)));
        }
        line("To recover", &format!("ringtrace recover {}", to_recover(process, processes)));
    }
    text
}

/// Returns the arguments with which `recover` finds the process.
fn to_recover(process: &Process, processes: &[Process]) -> String {
    let is_unique = processes.iter().filter(|other| other.pid() == process.pid()).count() == 1;
    let segments = process.segments().iter().map(ArenaFile::path);
    if is_unique && segments.clone().all(arenas::is_in_default_folder) {
        return process.pid().to_string();
    }
    let paths: Vec<String> = segments.map(|path| visible_text(path.as_os_str().as_encoded_bytes())).collect();
    shell::join(paths.iter().map(String::as_str))
}

/// Returns a note about removed arenas without a header, if there were any.
pub fn removed(abandoned: &[Unfinished]) -> Option<String> {
    let files = counted(abandoned.len() as u64, "arena", "arenas");
    let memory = bytes(abandoned.iter().map(Unfinished::bytes).sum());
    (!abandoned.is_empty()).then(|| format!("removed {files} without a header, with {memory} of memory"))
}

/// Fails if the user requested a process id for which nothing was found.
pub fn check_pids(found: &Found, locations: &[ArenaLocation]) -> Result<(), CliError> {
    let missing = locations.iter().find_map(|location| location.missing_pid(found));
    let Some(pid) = missing else { return Ok(()) };
    Err(arenas::no_arena(pid, &folders(locations)))
}

/// Lists the folders of `locations` for use in a sentence.
pub fn folders(locations: &[ArenaLocation]) -> String {
    let mut folders: Vec<String> =
        locations.iter().map(|location| location.path().display().to_string()).collect();
    folders.sort();
    folders.dedup();
    folders.join(" and ")
}

/// Returns the note that is printed if no trace is written.
pub fn nothing(alive: &[&Process], locations: &[ArenaLocation]) -> String {
    let folders = folders(locations);
    match alive {
        [] => match folder_below(locations) {
            Some(below) => format!(
                "no program left any events directly in {folders}; name a folder in it, such as {below}"
            ),
            None => format!("no program left any events in {folders}"),
        },
        [one] => {
            let pid = one.pid();
            format!(
                "no killed program left events in {folders}; process {pid} is running: to take a snapshot, specify its id"
            )
        }
        some => format!(
            "no killed program left events in {folders}; {} processes are running: to take a snapshot, specify the id of one of them",
            count(some.len() as u64)
        ),
    }
}

/// If the user named a single folder, such as `/dev/shm`, returns a folder of arenas inside it.
fn folder_below(locations: &[ArenaLocation]) -> Option<String> {
    let [ArenaLocation::Folder(folder)] = locations else { return None };
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let paths = entries.filter(|entry| {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        is_folder && entry.file_name().to_string_lossy().starts_with("ringtrace")
    });
    let mut paths: Vec<String> = paths.map(|entry| entry.path().display().to_string()).collect();
    paths.sort();
    paths.into_iter().next()
}

/// Describes the result of a recovery.
pub fn recovered(process: &Process, recovered: &Recovered, out: &Path) -> String {
    let mut text = describe(process);
    let mut line = |name: &str, value: &str| push_line(name, value, &mut text);
    let rings = counted(recovered.ring_records, "event", "events");
    let threads = counted(recovered.ring_threads as u64, "thread", "threads");
    line("From file", &counted(recovered.file_records, "event", "events"));
    line("From memory", &format!("{rings} of {threads}"));
    line("Lost", &lost(recovered));
    let how = if process.is_alive() { "Snapshot" } else { "Recovered" };
    let is_stdout = out.as_os_str() == "-";
    line(
        how,
        &if is_stdout {
            "to standard output".to_owned()
        } else {
            visible_text(out.as_os_str().as_encoded_bytes())
        },
    );
    text
}

fn lost(recovered: &Recovered) -> String {
    let mut parts = Vec::new();
    if recovered.file_lost > 0 {
        parts.push(format!("{} according to the file", count(recovered.file_lost)));
    }
    for (cause, number) in &recovered.lost {
        let word = match cause {
            Cause::Overwritten => "overwritten",
            Cause::Dropped => "dropped since",
            Cause::Refused => "refused since",
        };
        parts.push(format!("{} {word}", count(*number)));
    }
    parts.extend(recovered.missing().into_iter().map(str::to_owned));
    if parts.is_empty() { "no events".to_owned() } else { parts.join(", ") }
}

fn describe(process: &Process) -> String {
    let state = match process.state() {
        ProcessState::Running => "is running",
        ProcessState::Unwritten => "has ended tracing, but could not write its last events",
        ProcessState::Killed => "was killed",
    };
    let mut text = format!("process {} {state}\n", process.pid());
    let mut line = |name: &str, value: &str| push_line(name, value, &mut text);
    if let Some(command) = process.command() {
        line("Command", &command_line(command));
    }
    if let Some(started) = started(process) {
        line("Started", &started);
    }
    line("Policy", policy(process));
    let path = process.trace_path().map(|path| visible_text(path.as_os_str().as_encoded_bytes()));
    line("Trace file", path.as_deref().unwrap_or("unknown"));
    if let Some(uid) = other_user(process) {
        line("User", &uid.to_string());
    }
    for segment in process.segments() {
        // Most of the space reserved for declarations uses no memory, so do not count it.
        let header = segment.header();
        let size = bytes((header.file_bytes() as u64).saturating_sub(header.metadata_capacity));
        let path = visible_text(segment.path().as_os_str().as_encoded_bytes());
        line("Arena", &format!("{path}, {size}"));
    }
    text
}

fn started(process: &Process) -> Option<String> {
    let started = Timestamp::from_nanosecond(i128::from(process.started_ns())).ok()?;
    Some(started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

fn policy(process: &Process) -> &'static str {
    match process.full() {
        FullPolicy::Discard => "discard",
        FullPolicy::Block => "block",
        FullPolicy::Overwrite => "overwrite",
    }
}

/// Returns the owner of the arenas, if it is not this user.
fn other_user(process: &Process) -> Option<u32> {
    let owner = process.segments().first().map(ArenaFile::owner);
    owner.filter(|&uid| uid != rustix::process::geteuid().as_raw())
}

fn push_line(name: &str, value: &str, text: &mut String) {
    text.push_str(&format!("  {name:<11} {value}\n"));
}
