//! `ringtrace recover`: what killed programs left behind, and what living ones have in their rings now, as traces.

mod places;
pub mod report;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches};
use ringtrace_tracefile::recover::{ArenaError, ArenaFile, Process, Recovered, gather};

use self::places::Place;
use super::Command;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "recover",
    about: "Write what killed programs left in memory as traces",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP).visible_alias("snapshot"),
    run: |matches, terminal| {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))?;
        run(&arguments, terminal)
    },
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace recover --list
  ringtrace recover
  ringtrace recover 4711 -o crash.trace --remove
  ringtrace snapshot 4711
  ringtrace recover /dev/shm/ringtrace-1000/4711-0.arena -o now.trace

A program that traces keeps its events in memory that outlives it, in files that are called arenas. When it is killed, \
they stay; its trace is what it wrote of its trace file, and what they hold. Without -o the trace of process 4711 is \
trace-4711.recovered.
A program that still runs is left alone, unless it is named: then the trace is a snapshot, trace-4711.snapshot, and it \
goes on as before.
Exit status 3 with --strict says that events were lost.";

#[derive(Args, Debug)]
struct Arguments {
    /// Arenas, folders of them, or process ids [default: where programs of this user keep their arenas]
    #[arg(value_name = "ARENA|DIR|PID")]
    places: Vec<PathBuf>,

    /// Write the trace of the only process there is to this file; `-` is standard output
    #[arg(short, long, value_name = "TRACE", conflicts_with = "list")]
    output: Option<PathBuf>,

    /// Only say what is there
    #[arg(long)]
    list: bool,

    /// Remove the arenas of killed programs when their traces are written
    #[arg(long, conflicts_with = "list")]
    remove: bool,

    /// Exit with status 3 if events were lost
    #[arg(long)]
    strict: bool,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let places = places::find(&arguments.places)?;
    let (processes, mut exit) = processes(&places, terminal)?;
    if arguments.list {
        print(&report::list(&processes, &places))?;
        return Ok(exit);
    }
    let is_named = |process: &Process| places.iter().any(|place| place.names(process));
    let (wanted, alive): (Vec<&Process>, Vec<&Process>) =
        processes.iter().partition(|process| !process.is_alive() || is_named(process));
    if wanted.is_empty() && exit == Exit::Done {
        terminal.note(&report::nothing(&alive, &places));
        return Ok(exit);
    }
    if let (Some(_), [_, _, ..]) = (&arguments.output, wanted.as_slice()) {
        let pids: Vec<String> = wanted.iter().map(|process| process.pid().to_string()).collect();
        let message = format!("-o takes one trace, and there are {}: {}", wanted.len(), pids.join(", "));
        return Err(Failure::usage(message).help("give the one process id to recover"));
    }
    for process in wanted {
        exit = worse(exit, recover(process, arguments, terminal)?);
    }
    Ok(exit)
}

/// The processes of the arenas at `places`. What is no arena is told of; it is an error where it was named itself.
fn processes(places: &[Place], terminal: &Terminal) -> Result<(Vec<Process>, Exit), Failure> {
    let (mut arenas, mut exit) = (Vec::new(), Exit::Done);
    for place in places {
        for path in place.arenas()? {
            match ArenaFile::open(&path) {
                Ok(arena) if place.wants(&arena) => arenas.push(arena),
                Ok(_) => {}
                // Processes end while one looks.
                Err(ArenaError::System(error))
                    if error.kind() == io::ErrorKind::NotFound && !place.is_file() => {}
                Err(refused) => {
                    let message = format!("{}: {refused}", path.display());
                    if let (true, ArenaError::System(error)) = (place.is_file(), &refused) {
                        return Err(Failure::system(path.display(), error));
                    }
                    terminal.warn(&message, None);
                    exit = if place.is_file() { Exit::Input } else { exit };
                }
            }
        }
    }
    let processes = gather(arenas).map_err(|error| Failure::system("an arena", &error))?;
    Ok((processes, exit))
}

/// The processes that have arenas where programs of this user keep them, as far as they can be read.
pub fn find_arenas() -> Vec<Process> {
    let places = places::find(&[]).unwrap_or_default();
    let paths = places.iter().filter_map(|place| place.arenas().ok()).flatten();
    gather(paths.filter_map(|path| ArenaFile::open(&path).ok()).collect()).unwrap_or_default()
}

/// Writes the trace of a process, and says what it came to.
fn recover(process: &Process, arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let out = match &arguments.output {
        Some(out) => out.clone(),
        None => free_name(process),
    };
    if out.as_os_str() == "-" && io::IsTerminal::is_terminal(&io::stdout()) {
        return Err(Failure::usage("a trace is binary: it is not written to a terminal")
            .help("name a file, or `| ringtrace print -` to read it"));
    }
    let (recovered, is_whole) = write_trace(process, &out, terminal)?;
    let text = report::recovered(process, &recovered, &out);
    if out.as_os_str() == "-" {
        terminal.quote(&text);
    } else {
        print(&text)?;
    }
    if arguments.remove && !process.is_alive() {
        for segment in process.segments() {
            segment.remove().map_err(|error| Failure::system(segment.path().display(), &error))?;
        }
    }
    let is_lossless = is_whole && recovered.lost.is_empty() && recovered.file_lost == 0;
    Ok(if arguments.strict && !is_lossless { Exit::Lost } else { Exit::Done })
}

/// Writes all that there is of `process` to `out`, which is whole or not there, and tells of what is odd. Says whether nothing was.
///
/// # Errors
/// When the arenas cannot be read, or the trace cannot be written.
pub fn write_trace(process: &Process, out: &Path, terminal: &Terminal) -> Result<(Recovered, bool), Failure> {
    let mut output = Output::create(out)?;
    let mut refused = None;
    let recovered = process.recover(|bytes| {
        output.write(bytes).map_err(|failure| {
            refused = Some(failure);
            io::Error::from(io::ErrorKind::Other)
        })
    });
    if let Some(refused) = refused {
        return Err(refused);
    }
    let recovered =
        recovered.map_err(|error| Failure::system(format!("process {}", process.pid()), &error))?;
    output.keep()?;
    let is_whole = report::warn(process, &recovered, terminal);
    Ok((recovered, is_whole))
}

/// A name in the current folder that nothing has.
fn free_name(process: &Process) -> PathBuf {
    let how = if process.is_alive() { "snapshot" } else { "recovered" };
    let name = format!("trace-{}.{how}", process.pid());
    let numbered = (2..).map(|number| PathBuf::from(format!("{name}-{number}")));
    let mut names = std::iter::once(PathBuf::from(&name)).chain(numbered);
    let is_free = |name: &PathBuf| std::fs::symlink_metadata(Path::new(name)).is_err();
    names.find(is_free).unwrap_or_else(|| PathBuf::from(name))
}

fn print(text: &str) -> Result<(), Failure> {
    io::stdout().lock().write_all(text.as_bytes()).map_err(|error| Failure::system("standard output", &error))
}

fn worse(a: Exit, b: Exit) -> Exit {
    [Exit::Input, Exit::Lost].into_iter().find(|&exit| a == exit || b == exit).unwrap_or(a)
}
