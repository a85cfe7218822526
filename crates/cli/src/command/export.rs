//! `ringtrace export`: exports traces to formats of other tools.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ringtrace_export::{EXPORTERS, ExportTarget, Format, OutputKind};

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::export_job::{ExportJob, ExportOutput};
use crate::output::{Folder, Output, Overwrite};
use crate::pair_arguments::PairArguments;
use crate::reading::ReadArguments;
use crate::terminal::Terminal;
use crate::values::{parse_in, thread_count};

pub const COMMAND: Command = Command {
    name: "export",
    about: "Export traces to other tools: viewers, profilers, databases",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace export -e trace-events-all trace-4711 -o trace.pftrace
  ringtrace export --to ctf -e trace-events-all trace-4711 -o trace-ctf
  ringtrace export --event 'virtio_*' --until 2 trace-4711 -o start.parquet
  ringtrace export --pair lock:unlock:mutex,tid trace-4711 -o locks.pftrace
  ringtrace export --to csv trace-4711 -o - | head";

#[derive(Args, Debug)]
struct Arguments {
    /// Format to write [default: by the extension of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Output")]
    to: Option<&'static Format>,

    /// File or folder to write; `-` is standard output, for formats that can be streamed
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    overwrite: Overwrite,

    /// Write the names of functions in stacks, from the program's files
    #[arg(long, help_heading = "Output")]
    symbols: bool,

    /// Maximum number of threads that read and format records [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Output", value_parser = |text: &str| parse_in(text, &(1..=256_u16)))]
    threads: Option<u16>,

    #[command(flatten)]
    pairs: PairArguments,

    #[command(flatten)]
    read: ReadArguments,
}

/// Returns the parser of `--to`. Help, completions and error messages take the list of formats from
/// it.
fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    let words = EXPORTERS.iter().map(|format| {
        let endings = format.endings.join(", ");
        PossibleValue::new(format.name).help(format!("{} ({endings})", format.about))
    });
    PossibleValuesParser::new(words).try_map(|word| ringtrace_export::format(&word).ok_or("unknown format"))
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let out = arguments.output.as_path();
    let format = match arguments.to {
        Some(format) => format,
        None => format_by_ending(out)?,
    };
    arguments.pairs.check_output(out)?;
    arguments.read.check_output(out, arguments.overwrite)?;
    let is_stdout = out.as_os_str() == "-";
    if is_stdout {
        check_stream(format)?;
    }
    if arguments.symbols && !format.has_stacks {
        let with_stacks = EXPORTERS.iter().filter(|format| format.has_stacks);
        let names: Vec<&str> = with_stacks.map(|format| format.name).collect();
        return Err(CliError::usage(format!("--symbols: {} contains no stacks", format.name))
            .help(format!("these formats contain stacks: {}", names.join(", "))));
    }
    let job = ExportJob {
        read: &arguments.read,
        pairs: &arguments.pairs,
        format,
        symbols: arguments.symbols,
        threads: thread_count(arguments.threads),
    };
    match format.output {
        OutputKind::Folder => {
            let folder = Folder::create(out, arguments.overwrite)?;
            let target = ExportTarget::Folder(folder.path().to_owned());
            let name = &out.display().to_string();
            let exit = job.export(ExportOutput { target, name, is_stdout: false }, terminal)?;
            folder.keep()?;
            Ok(exit)
        }
        OutputKind::Text | OutputKind::Stream => {
            let output = Output::create(out, arguments.overwrite)?;
            let (target, name) = (ExportTarget::File(output.file()?), output.name());
            let exit = job.export(ExportOutput { target, name, is_stdout }, terminal)?;
            output.keep()?;
            Ok(exit)
        }
    }
}

fn format_by_ending(out: &Path) -> Result<&'static Format, CliError> {
    let name = out.file_name().unwrap_or(out.as_os_str()).to_string_lossy();
    if let Some(format) = ringtrace_export::format_by_ending(&name) {
        return Ok(format);
    }
    let message = match out.as_os_str() == "-" {
        true => "cannot determine the format of standard output".to_owned(),
        false => format!("cannot determine the format from `{}`", out.display()),
    };
    let known: Vec<String> = EXPORTERS
        .iter()
        .map(|format| format!("\n    {:<10}  {}", format.name, format.endings.join(", ")))
        .collect();
    Err(CliError::usage(message)
        .help(format!("use one of these file name extensions, or --to FORMAT:{}", known.concat())))
}

fn check_stream(format: &Format) -> Result<(), CliError> {
    let refused = match format.output {
        OutputKind::Text => return Ok(()),
        OutputKind::Stream if !io::stdout().is_terminal() => return Ok(()),
        OutputKind::Stream => format!("cannot write {} to a terminal: it is binary", format.name),
        OutputKind::Folder => format!("cannot write {} to standard output: it is a folder", format.name),
    };
    let what = if format.output == OutputKind::Folder { "folder" } else { "file" };
    Err(CliError::usage(refused).help(format!("name a {what} with --output")))
}
