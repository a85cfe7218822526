//! The subcommands. To add one, add a file here and an entry in [`COMMANDS`].

mod check;
mod compact_dataset;
mod completions;
mod convert;
mod ctl;
mod demo;
mod diff;
mod explain;
mod export;
mod fmt;
mod info;
mod ingest;
mod kvmtrace;
mod list;
mod man;
mod open;
mod print;
mod probes;
mod record;
mod recover;
mod report;
mod sql;
mod stap;
mod stat;
mod top;

use clap::{ArgMatches, FromArgMatches};

use crate::exit::{CliError, Exit};
use crate::program_name::PROGRAM_NAMES;
use crate::terminal::{ColourChoice, Terminal, wrap};

/// One subcommand.
pub struct Command {
    pub name: &'static str,
    pub about: &'static str,
    /// Adds the options and the help text to an empty clap command.
    pub configure: fn(clap::Command) -> clap::Command,
    pub run: fn(&ArgMatches, &Terminal) -> Result<Exit, CliError>,
}

/// Converts clap's matches to the argument struct that [`Command::configure`] declared.
fn parse_arguments<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, CliError> {
    A::from_arg_matches(matches).map_err(|error| CliError::usage(error.to_string()))
}

/// All commands, in the order of `--help`.
pub const COMMANDS: &[Command] = &[
    demo::COMMAND,
    record::COMMAND,
    list::COMMAND,
    ctl::COMMAND,
    top::COMMAND,
    print::COMMAND,
    info::COMMAND,
    stat::COMMAND,
    sql::COMMAND,
    report::COMMAND,
    diff::COMMAND,
    convert::COMMAND,
    export::COMMAND,
    ingest::COMMAND,
    compact_dataset::COMMAND,
    open::COMMAND,
    recover::COMMAND,
    kvmtrace::COMMAND,
    probes::COMMAND,
    stap::COMMAND,
    check::COMMAND,
    fmt::COMMAND,
    explain::COMMAND,
    completions::COMMAND,
    man::COMMAND,
];

/// The groups of commands in `--help`: a heading, and the names of commands. Other commands are in
/// the last group.
const GROUPS: &[(&str, &[&str])] = &[
    ("Record and control", &["demo", "record", "list", "ctl", "top", "recover"]),
    ("Read traces", &["print", "info", "stat", "sql", "report", "diff"]),
    ("Convert traces", &["export", "ingest", "compact-dataset", "open", "convert", "kvmtrace"]),
    ("Programs and declarations", &["probes", "stap", "check", "fmt", "explain"]),
];

/// The last group.
const OTHER_GROUP: &str = "Other commands";

/// The columns of `--help`.
const HELP_COLUMNS: usize = 80;

/// Builds the whole command line. Help, manual pages and completions are derived from it.
pub fn tool() -> clap::Command {
    let tool = clap::Command::new("ringtrace")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Record, read, measure and export traces of native programs")
        .after_help(after_help())
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
            grouped_commands()
        ))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(
            clap::Arg::new("color")
                .long("color")
                .alias("colour")
                .value_name("WHEN")
                .value_parser(clap::value_parser!(ColourChoice))
                .hide_possible_values(true)
                .global(true)
                .help("Use colours: auto, always or never [default: auto]"),
        );
    COMMANDS.iter().fold(tool, |tool, command| {
        // Set `about` last: flattened argument structs of other crates set their own.
        tool.subcommand((command.configure)(clap::Command::new(command.name)).about(command.about))
    })
}

/// Returns the list of commands by group, with a heading for each.
fn grouped_commands() -> String {
    let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let others: Vec<&str> =
        COMMANDS.iter().map(|command| command.name).filter(|name| !grouped.contains(name)).collect();
    let width = COMMANDS.iter().map(|command| command.name.len()).max().unwrap_or(0);
    let indent = " ".repeat(width + 4);
    let mut text = String::new();
    for (heading, names) in GROUPS.iter().copied().chain([(OTHER_GROUP, others.as_slice())]) {
        text.push_str(&format!("{heading}:\n"));
        for command in names.iter().filter_map(|name| COMMANDS.iter().find(|command| command.name == *name)) {
            let configured = (command.configure)(clap::Command::new(command.name));
            let aliases: Vec<String> =
                configured.get_visible_aliases().map(|alias| format!("[alias: {alias}]")).collect();
            let words = command.about.split(' ').chain(aliases.iter().map(String::as_str));
            let about = wrap(words, HELP_COLUMNS - indent.len(), &indent);
            text.push_str(&format!("  {:<width$}  {about}\n", command.name));
        }
        text.push('\n');
    }
    text
}

fn after_help() -> String {
    let names: Vec<&str> = PROGRAM_NAMES.iter().map(|program| program.name).collect();
    let statuses: Vec<String> =
        Exit::ALL.iter().map(|exit| format!("  {}  {}", exit.status(), exit.meaning())).collect();
    format!(
        "`ringtrace COMMAND --help` shows the options and examples of a command.\n\n\
         Exit status:\n{}\n\n\
         When run under the name {}, the tool replaces the program of that name.",
        statuses.join("\n"),
        names.join(" or ")
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use super::*;

    /// The help of a separate program, which has its own test.
    const OF_TRACETOOL: &str = "tracetool.txt";

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/help")
    }

    /// Returns the text that `--help` prints on a terminal of 80 columns.
    fn help(arguments: &[&str]) -> String {
        let refused = tool().term_width(80).try_get_matches_from(arguments).unwrap_err();
        refused.to_string()
    }

    /// Compares every help text with a file, so that a diff shows changes of wording.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "tests may read the environment")]
    fn help_texts_match_the_accepted_files() {
        let mut texts = BTreeMap::from([("ringtrace.txt".to_owned(), help(&["ringtrace", "--help"]))]);
        texts.extend(
            COMMANDS.iter().map(|command| {
                (format!("{}.txt", command.name), help(&["ringtrace", command.name, "--help"]))
            }),
        );
        if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
            let names = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
            let old = names.filter(|entry| entry.file_name() != OF_TRACETOOL);
            old.for_each(|entry| std::fs::remove_file(entry.path()).unwrap());
            texts.iter().for_each(|(name, text)| std::fs::write(folder().join(name), text).unwrap());
            return;
        }
        let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
        let files = files.filter(|entry| entry.file_name() != OF_TRACETOOL);
        let accepted: BTreeMap<String, String> = files
            .map(|file| {
                (file.file_name().into_string().unwrap(), std::fs::read_to_string(file.path()).unwrap())
            })
            .collect();
        for name in texts.keys().chain(accepted.keys()) {
            let (now, before) = (texts.get(name), accepted.get(name));
            assert_eq!(now, before, "testdata/help/{name}: RINGTRACE_ACCEPT=1 accepts");
        }
    }

    /// Checks that no line is too long for a terminal and that all options have help.
    #[test]
    fn help_texts_fit_and_all_options_have_help() {
        for command in tool().get_subcommands() {
            let text = help(&["ringtrace", command.get_name(), "--help"]);
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{}: too long: {line}", command.get_name());
            }
            // Indented lines at the end are examples to copy, so a terminal must not break them.
            let end = command.get_after_long_help().or(command.get_after_help());
            let end = end.map(ToString::to_string).unwrap_or_default();
            for line in end.lines().filter(|line| line.starts_with(' ')) {
                assert!(line.chars().count() <= 80, "{}: too long: {line}", command.get_name());
            }
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{}: {}", command.get_name(), argument.get_id());
            }
        }
    }

    #[test]
    fn clap_accepts_the_command_line() {
        tool().debug_assert();
    }
}
