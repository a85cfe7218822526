//! `ringtrace recover`: writes traces of events that are still in memory. Either a killed program
//! left the events behind, or the trace is a snapshot of a running program.

pub mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use ringtrace_tracefile::recover::{ArenaFile, Process};

use super::{Command, parse_arguments};
use crate::arenas::{self, Found};
use crate::exit::{CliError, Exit};
use crate::output::{Overwrite, check_binary, is_compressed, is_same_file, print, unused_name};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "recover",
    about: "Write traces of the events left in memory by killed programs",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP).visible_alias("snapshot"),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace list
  ringtrace recover
  ringtrace recover 4711 -o crash.trace --remove
  ringtrace snapshot 4711
  ringtrace recover /dev/shm/ringtrace-1000/4711-0.arena -o now.trace

A traced program keeps its latest events in files called arenas, which outlive it. If the program was killed, \
recover writes the events of its trace file and of its arenas to a new trace. Without -o, the trace of process 4711 is \
trace-4711.recovered.
A running program is skipped unless you specify it. In that case, the trace is a snapshot, trace-4711.snapshot, and the \
program continues.
Exit status 3, with --strict: events were lost.";

#[derive(Args, Debug)]
struct Arguments {
    /// Arenas, folders of arenas, or process ids [default: the folders where this user's programs keep arenas]
    #[arg(value_name = "ARENA|DIR|PID")]
    arenas: Vec<PathBuf>,

    /// The trace to write, for a single process, compressed if it ends with `.zst`; `-` is standard output
    #[arg(short, long, value_name = "TRACE", conflicts_with = "list")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: Overwrite,

    /// List the processes as `ringtrace list --long` does, and write nothing
    #[arg(long)]
    list: bool,

    /// Remove the arenas of killed programs after writing their traces, and arenas without a header
    #[arg(long, conflicts_with = "list")]
    remove: bool,

    /// Exit with status 3 if events were lost
    #[arg(long)]
    strict: bool,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let locations = arenas::locations(&arguments.arenas)?;
    let found = arenas::find(&locations, terminal)?;
    report::check_pids(&found, &locations)?;
    let Found { processes, abandoned, mut exit } = found;
    if arguments.list {
        print(report::list(&processes, &abandoned, &locations))?;
        return Ok(exit);
    }
    if arguments.remove {
        for file in &abandoned {
            file.remove().map_err(|error| CliError::system(file.path().display(), &error))?;
        }
        if let Some(text) = report::removed(&abandoned) {
            terminal.note(&text);
        }
    }
    let is_named = |process: &Process| locations.iter().any(|location| location.names(process));
    let (wanted, alive): (Vec<&Process>, Vec<&Process>) =
        processes.iter().partition(|process| !process.is_alive() || is_named(process));
    if wanted.is_empty() && exit == Exit::Done && (abandoned.is_empty() || !arguments.remove) {
        terminal.note(&report::nothing(&alive, &locations));
        return Ok(exit);
    }
    if let (Some(_), [_, _, ..]) = (&arguments.output, wanted.as_slice()) {
        let pids: Vec<String> = wanted.iter().map(|process| process.pid().to_string()).collect();
        let message =
            format!("-o can be used for only one trace, but there are {}: {}", wanted.len(), pids.join(", "));
        return Err(CliError::usage(message).help("specify the id of the process to recover"));
    }
    // Recover the other processes even if one cannot be recovered, or if nobody reads the summaries.
    for process in wanted {
        exit = exit.worse(recover_one(process, arguments, terminal).unwrap_or_else(|failure| {
            terminal.report(&failure);
            failure.exit
        }));
    }
    Ok(exit)
}

/// Writes the trace of a process, and prints a summary.
fn recover_one(process: &Process, arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let out = match &arguments.output {
        Some(out) => out.clone(),
        None => free_name(process),
    };
    check_binary(&out)?;
    check_not_own(process, &out)?;
    let (recovered, is_whole) =
        arenas::recover(process, &out, arguments.overwrite, is_compressed(&out)?, terminal)?;
    let text = report::recovered(process, &recovered, &out);
    let printed = if out.as_os_str() == "-" {
        terminal.quote(&text);
        Ok(())
    } else {
        print(&text)
    };
    if arguments.remove && !process.is_alive() {
        for segment in process.segments() {
            segment.remove().map_err(|error| CliError::system(segment.path().display(), &error))?;
        }
    }
    let is_lossless = is_whole && recovered.lost.is_empty() && recovered.file_lost == 0;
    match printed {
        // It is not a failure if the reader of the summary closed the pipe.
        Err(failure) if failure.exit != Exit::Done => Err(failure),
        _ if arguments.strict && !is_lossless => Ok(Exit::Lost),
        _ => Ok(Exit::Done),
    }
}

/// Checks that `out` is neither the trace file nor an arena of `process`. A running process would
/// continue to write to the replaced file, and a later recovery of a killed process would
/// count the events in `out` as events of its trace file.
fn check_not_own(process: &Process, out: &Path) -> Result<(), CliError> {
    let Ok(found) = std::fs::metadata(out) else { return Ok(()) };
    let arenas = process.segments().iter().map(ArenaFile::path);
    if process.trace_path().into_iter().chain(arenas).any(|own| is_same_file(own, &found)) {
        let message =
            format!("{} belongs to process {}, which is being recovered", out.display(), process.pid());
        return Err(CliError::usage(message).help("choose another output"));
    }
    Ok(())
}

/// Returns an unused name in the current folder.
fn free_name(process: &Process) -> PathBuf {
    let how = if process.is_alive() { "snapshot" } else { "recovered" };
    unused_name(format!("trace-{}.{how}", process.pid()).into())
}
