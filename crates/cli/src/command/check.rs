//! `ringtrace check`: reports errors and likely mistakes in declarations files.

use std::collections::HashSet;
use std::io::{self};
use std::path::{Path, PathBuf};

use crate::output::print;
use clap::{ArgMatches, Args, ValueEnum};
use ringtrace_events::Severity;
use ringtrace_events::lint::{Levels, UnknownLint, lint};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, Parsed, parse};

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::reading::read_declarations;
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "check",
    about: "Check declarations files for errors and likely mistakes",
    configure: |command| {
        Arguments::augment_args(command.after_help(
            "All files in one call are checked as parts of the same program. `ringtrace explain` lists the checks.",
        ))
    },
    run: |matches, terminal| run(&parse_arguments(matches)?, &levels(matches)?, terminal),
};

#[derive(Args)]
struct Arguments {
    /// Declarations files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Report this lint as an error; `all` means every lint. If options conflict, the last one applies
    #[arg(long, value_name = "LINT")]
    deny: Vec<String>,
    /// Do not report this lint
    #[arg(long, value_name = "LINT")]
    allow: Vec<String>,
    /// Output format of problems
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: Style,
    /// Reject everything that QEMU rejects, such as a last line without a newline
    #[arg(long)]
    strict: bool,
    /// Accept the types of files written before 2018, and the properties `vcpu` and `tcg`
    #[arg(long, conflicts_with = "extended_types")]
    legacy_types: bool,
    /// Accept `double`, `float` and enumerations, for programs other than QEMU
    #[arg(long)]
    extended_types: bool,
    /// Search the *.c, *.h and *.rs files below this folder for events that are never used
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Style {
    /// The line, with carets under the error
    Human,
    // Not a doc comment: rustdoc would take the brackets for a link.
    #[value(help = "FILE:LINE:COLUMN: error[CODE]: message")]
    Short,
    /// One JSON object per line
    Json,
}

fn run(arguments: &Arguments, levels: &Levels, terminal: &Terminal) -> Result<Exit, CliError> {
    let mut used_words = HashSet::new();
    for folder in &arguments.sources {
        collect_words(folder, &mut used_words)
            .map_err(|(path, error)| CliError::system(path.display(), &error))?;
    }
    let used_words: Option<HashSet<&str>> =
        (!arguments.sources.is_empty()).then(|| used_words.iter().map(String::as_str).collect());

    let mut exit = Exit::Done;
    let mut sources = Vec::new();
    for path in &arguments.files {
        match read_declarations(path) {
            Ok(source) => sources.push(source),
            // Report a bad file, and check the others.
            Err(failure) => {
                terminal.report(&failure);
                exit = failure.exit;
            }
        }
    }
    let Arguments { legacy_types, extended_types, strict, .. } = *arguments;
    let dialect = match extended_types {
        true => Dialect::Extended { strict },
        false => Dialect::Generate { legacy_types, strict },
    };
    let mut parsed = parse(sources, dialect);
    lint(&mut parsed, levels, used_words.as_ref());

    let format = match arguments.message_format {
        Style::Human => MessageFormat::Human { colour: terminal.colour_out },
        Style::Short => MessageFormat::Short,
        Style::Json => MessageFormat::Json,
    };
    let mut text = render(&parsed.diagnostics, &parsed.declarations.sources, format);
    if matches!(arguments.message_format, Style::Human) && !parsed.declarations.sources.is_empty() {
        text.push_str(&summary(&parsed));
    }
    print(text)?;
    let has_error = parsed.diagnostics.iter().any(|found| found.severity == Severity::Error);
    Ok(if exit == Exit::Done && has_error { Exit::Input } else { exit })
}

/// Formats the number of problems, like `2 errors, 1 warning`.
fn summary(parsed: &Parsed) -> String {
    let count = |severity| parsed.diagnostics.iter().filter(|found| found.severity == severity).count();
    let counted = [
        (count(Severity::Error), "error"),
        (count(Severity::Warning), "warning"),
        (parsed.omitted, "more problem"),
    ];
    let parts: Vec<String> = counted
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| plural(number, noun))
        .collect();
    if parts.is_empty() {
        return format!("no problems in {}\n", plural(parsed.declarations.events.len(), "event"));
    }
    let omitted = if parsed.omitted > 0 { " not shown" } else { "" };
    format!("{}{omitted}\n", parts.join(", "))
}

fn plural(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the levels set by `--deny` and `--allow`, applied in the order of the command line.
fn levels(matches: &ArgMatches) -> Result<Levels, CliError> {
    let given = |option: &'static str| {
        let names = matches.get_many::<String>(option).into_iter().flatten();
        matches
            .indices_of(option)
            .into_iter()
            .flatten()
            .zip(names)
            .map(move |(index, name)| (index, option, name))
    };
    let mut options: Vec<_> = given("deny").chain(given("allow")).collect();
    options.sort_unstable();
    let mut levels = Levels::default();
    for (_, option, name) in options {
        let set = if option == "deny" { levels.deny(name) } else { levels.allow(name) };
        set.map_err(|unknown| unknown_lint(option, name, unknown))?;
    }
    Ok(levels)
}

fn unknown_lint(option: &str, name: &str, unknown: UnknownLint) -> CliError {
    if unknown.is_error {
        let help = "only lints can be allowed or denied; `ringtrace explain` lists them";
        return CliError::usage(format!("--{option} {name}: `{name}` is always an error, not a lint"))
            .help(help);
    }
    let question = unknown.suggestion.map(|name| format!("did you mean `{name}`?"));
    CliError::usage(format!("--{option} {name}: unknown lint"))
        .help("`ringtrace explain` lists them")
        .maybe_help(question)
}

/// Collects the words that may name a probe, from the sources at or below `path`. Such a word
/// starts with `trace_`.
fn collect_words(path: &Path, words: &mut HashSet<String>) -> Result<(), (PathBuf, io::Error)> {
    let refused = |error| (path.to_owned(), error);
    if path.is_dir() {
        for entry in std::fs::read_dir(path).map_err(refused)? {
            let entry = entry.map_err(refused)?;
            let kind = entry.file_type().map_err(refused)?;
            // Skip symbolic links, which may form loops, and hidden folders, which contain no
            // sources.
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if kind.is_dir() && !hidden || kind.is_file() && is_source(&entry.path()) {
                collect_words(&entry.path(), words)?;
            }
        }
        return Ok(());
    }
    let bytes = std::fs::read(path).map_err(refused)?;
    let text = String::from_utf8_lossy(&bytes);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for word in text.split(|c| !is_word(c)).filter(|word| word.starts_with("trace_")) {
        if !words.contains(word) {
            words.insert(word.to_owned());
        }
    }
    Ok(())
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c" || extension == "h" || extension == "rs")
}
