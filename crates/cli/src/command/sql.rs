//! `ringtrace sql`: runs the program `ringtrace-sql`, which is built separately.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process;

use clap::Args;

use super::{Command, parse_arguments};
use crate::binaries::executable;
use crate::exit::{CliError, Exit};

pub const COMMAND: Command = Command {
    name: "sql",
    about: "Run SQL queries on traces",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP),
    run: |matches, _| run(&parse_arguments(matches)?),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace sql trace-4711 'select event, count(*) from events group by 1'
  ringtrace sql trace-4711 --ready latency
  ringtrace sql s3://bucket/fleet 'select count(*) from events'
  ringtrace sql trace-4711

The command runs the program `ringtrace-sql`, which must be in the folder of
this tool or in PATH. `ringtrace-sql --help` lists its options.";

/// The program that runs the queries.
const PROGRAM: &str = "ringtrace-sql";

#[derive(Args, Debug)]
struct Arguments {
    /// Traces, the query, and options. Without a query, a shell starts
    #[arg(
        value_name = "TRACE|OPTION|QUERY",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let program = program()?;
    Err(CliError::system(program.display(), &start(&program, &arguments.arguments)))
}

/// Returns the path of the program, in the folder of this tool or in PATH.
#[expect(clippy::disallowed_methods, reason = "the program is installed beside this one")]
pub(super) fn program() -> Result<PathBuf, CliError> {
    let beside = std::env::current_exe().ok().map(|this| this.with_file_name(PROGRAM));
    let found = beside.filter(|path| path.is_file()).or_else(|| executable(PROGRAM.as_ref()));
    found.ok_or_else(|| {
        CliError::usage(format!("the program `{PROGRAM}` is not installed"))
            .exit(Exit::System)
            .help("build it with `cargo install --path crates/query`, in the source code of ringtrace")
    })
}

/// Replaces this process by the program. Returns only if that fails.
fn start(program: &Path, arguments: &[OsString]) -> io::Error {
    process::Command::new(program).args(arguments).exec()
}
