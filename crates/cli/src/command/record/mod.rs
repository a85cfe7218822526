//! `ringtrace record`: starts a program with tracing on, and says what came of it.

mod child;
mod find;
mod killed;
mod options;
mod quiet;
mod status_line;
mod summary;
mod traces;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use self::child::{Child, ProgramExit};
use self::options::RecordOptions;
use self::status_line::StatusLine;
use self::traces::RunTraces;
use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "record",
    about: "Start a program with tracing on, and say what it recorded",
    configure: |command| {
        Arguments::augment_args(command)
            .override_usage("ringtrace record [OPTIONS] [--] PROGRAM [ARG]...")
            .after_help(AFTER_HELP)
    },
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace record -- copier SOURCE TARGET
  ringtrace record --trace 'blk_*' --trace policy=block -o x.trace -- copier A B
  ringtrace record --trace help -- copier

The program, and what it starts, finds the options in the variable RINGTRACE, behind those that are there already; \
that suffices for programs that link ringtrace. Each process has a trace of its own: FILE is that of the first one, \
FILE.PID that of any other. What a killed program has in memory is put into its trace.
The exit status is the program's. One that a signal ends is followed by the same signal. 127 says that the program is \
not there, 126 that it cannot be run.";

#[derive(Args, Debug)]
struct Arguments {
    /// What is traced and how, as the program's own --trace takes it: PATTERN, policy=block, buffer=4M ..; `help` lists
    /// the program's events; repeat for more [default: *]
    #[arg(short, long, value_name = "OPTION", allow_hyphen_values = true)]
    trace: Vec<OsString>,

    /// Where the trace goes; a file that is there becomes FILE.old [default: trace-PID]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Say only what went wrong, and show no progress
    #[arg(short, long)]
    quiet: bool,

    /// The program and its arguments
    #[arg(value_name = "PROGRAM", trailing_var_arg = true, required = true)]
    command: Vec<OsString>,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let [program, words @ ..] = arguments.command.as_slice() else {
        return Err(CliError::usage("there is no program to start"));
    };
    let options = RecordOptions::gather(&arguments.trace, arguments.output.as_deref())?;
    if options.asks_for_list() {
        return find::list_events(program, terminal);
    }
    let traces = RunTraces::prepare(&options)?;
    let started = Instant::now();
    let mut child = match Child::start(program, words, &traces.variables()?) {
        Ok(child) => child,
        Err(failure) => {
            traces.restore_old();
            return Err(failure);
        }
    };
    let status_line = if arguments.quiet { None } else { StatusLine::start(&traces, terminal) };
    let ended = child.wait(status_line.as_ref());
    drop(status_line);
    let ended = ended.map_err(|error| CliError::system(program.display(), &error))?;
    let took = started.elapsed();
    let found = traces.collect();
    let name = find::short_name(program);
    if found.is_empty() {
        traces.restore_old();
        find::warn_not_traced(program, &options, ended, terminal);
    } else {
        let outcomes = killed::recover_killed(&found, terminal);
        let end = summary::RunResult { name: &name, ended, took, outcomes: &outcomes, aside: traces.aside() };
        summary::print(&found, &end, &options, arguments.quiet, terminal);
    }
    drop(traces);
    Ok(conclude(ended))
}

/// Ends as the program did.
fn conclude(ended: ProgramExit) -> Exit {
    match ended {
        ProgramExit::Exited(status) => Exit::Program(status),
        ProgramExit::Killed(signal) => {
            child::die_from(signal);
            // The signal may be one that this process does not die of.
            Exit::Program(128_u8.saturating_add(u8::try_from(signal).unwrap_or(0)))
        }
    }
}
