//! `ringtrace record`: runs a program with tracing enabled, and prints a summary.

mod child;
mod compress;
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
use crate::output::is_compressed;
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "record",
    about: "Run a program with tracing enabled, and print a summary",
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
  ringtrace record -o x.trace.zst -- copier A B
  ringtrace record --trace help -- copier

The program and its children receive the options in the environment variable RINGTRACE, after the options that it already \
contains. Programs that link ringtrace need nothing else. Each process writes its own trace: the first process writes FILE, \
and any other process writes FILE.PID. If a program is killed, the events in its memory are added to its trace.
The exit status is the same as the program's, or 1 if the program succeeds but creates no trace. If a signal ends the program, ringtrace ends with the same signal. 127: the \
program does not exist; 126: it cannot be run.";

#[derive(Args, Debug)]
struct Arguments {
    /// What to trace, and how, as in the program's own --trace: PATTERN, policy=block, buffer=4M ..; `help` lists
    /// the program's events; for several, repeat the option [default: *]
    #[arg(short, long, value_name = "OPTION", allow_hyphen_values = true)]
    trace: Vec<OsString>,

    /// The trace file to write; an existing file is renamed to FILE.old, or FILE.old-2 and so on; if the name ends with `.zst`, traces are
    /// compressed when the program has ended [default: trace-PID]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Report only errors, and show no progress
    #[arg(short, long)]
    quiet: bool,

    /// The program and its arguments
    #[arg(value_name = "PROGRAM", trailing_var_arg = true, required = true)]
    command: Vec<OsString>,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let [program, words @ ..] = arguments.command.as_slice() else {
        return Err(CliError::usage("the program to run is missing"));
    };
    if let Some(output) = &arguments.output {
        is_compressed(output)?;
    }
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
    let mut found = traces.collect();
    killed::add_unannounced(&mut found);
    let name = find::short_name(program);
    if found.is_empty() {
        traces.restore_old();
        if let Some(error) = find::not_traced(program, &options, ended, terminal) {
            if ended == ProgramExit::Exited(0) {
                return Err(error);
            }
            // The exit status reports the program's failure, which is more important.
            terminal.report(&error);
        }
    } else {
        let recover = |trace| killed::recover_killed(trace, terminal);
        let outcomes: Vec<_> = found.iter().map(recover).collect();
        compress::compress(&found, &outcomes, terminal);
        let end = summary::RunResult { name: &name, ended, took, outcomes: &outcomes, aside: traces.aside() };
        summary::print(&found, &end, &options, arguments.quiet, terminal);
    }
    drop(traces);
    Ok(match ended {
        ProgramExit::Exited(status) => Exit::Program(status),
        ProgramExit::Killed(signal) => {
            child::die_from(signal);
            // This process survived the signal.
            Exit::Program(128_u8.saturating_add(u8::try_from(signal).unwrap_or(0)))
        }
    })
}
