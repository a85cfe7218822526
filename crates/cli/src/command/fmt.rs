//! `ringtrace fmt`: formats the spacing of declarations files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::output::print;
use clap::Args;
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::spacing::{difference, normalise};
use ringtrace_events::{Severity, SourceFile};

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::reading::read_declarations;
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "fmt",
    about: "Format declarations files",
    configure: |command| {
        Arguments::augment_args(command.after_help(
            "Only spacing changes: comments and the meaning of declarations stay the same. A file with errors is not changed.",
        ))
    },
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

#[derive(Args)]
struct Arguments {
    /// Declarations files; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write nothing; show the changes that would be made, and exit with status 1 if there are any
    #[arg(long)]
    check: bool,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let mut exit = Exit::Done;
    for path in &arguments.files {
        match format(path, arguments.check, terminal) {
            Ok(ended) => exit = if exit == Exit::Done { ended } else { exit },
            // Report a bad file, and format the others. If the output is closed, stop.
            Err(failure) if failure.message.is_empty() => return Err(failure),
            Err(failure) => {
                terminal.report(&failure);
                exit = failure.exit;
            }
        }
    }
    Ok(exit)
}

fn format(path: &Path, check: bool, terminal: &Terminal) -> Result<Exit, CliError> {
    let source = read_declarations(path)?;
    refuse_errors(&source, terminal)?;
    if check {
        let difference = difference(source.name(), source.text());
        print(&difference)?;
        return Ok(if difference.is_empty() { Exit::Done } else { Exit::Input });
    }
    let text = normalise(source.text());
    if path.as_os_str() == "-" {
        print(&text)?;
    } else if text != source.text() {
        replace(path, &text).map_err(|error| CliError::system(path.display(), &error))?;
    }
    Ok(Exit::Done)
}

/// Fails if the file has errors. The formatter could misread a faulty line and change more than its
/// spacing.
fn refuse_errors(source: &SourceFile, terminal: &Terminal) -> Result<(), CliError> {
    let parsed = parse(vec![source.clone()], Dialect::Read);
    let fatal = |found: &ringtrace_events::Diagnostic| {
        found.severity == Severity::Error || source.not_utf8().is_some()
    };
    let found: Vec<_> = parsed.diagnostics.into_iter().filter(fatal).collect();
    if found.is_empty() {
        return Ok(());
    }
    terminal.quote(&render(
        &found,
        &parsed.declarations.sources,
        MessageFormat::Human { colour: terminal.colour_err },
    ));
    Err(CliError::input(format!("{}: not formatted, because it has errors", source.name())))
}

/// Replaces the file atomically: another process reads either the old file or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // If the path is a symbolic link, replace its target.
    let path = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".ringtrace-fmt-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(path.metadata()?.permissions())?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
