//! `ringtrace explain`: explains the codes in messages about declarations and pairs.

use crate::output::print;
use clap::Args;
use ringtrace_events::codes::{CODES, Code};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::{Diagnostic, SourceFile};
use ringtrace_tracefile::pair::{self, PAIR_CODES};

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit, did_you_mean};
use crate::terminal::{Terminal, wrap};

pub const COMMAND: Command = Command {
    name: "explain",
    about: "Explain an error code or lint, or list all of them",
    configure: Arguments::augment_args,
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

#[derive(Args)]
struct Arguments {
    /// Codes or names, such as E0005 or format-count [default: list all]
    #[arg(value_name = "CODE")]
    codes: Vec<String>,
}

/// The maximum width of text: wider lines are hard to read.
const MAX_WIDTH: usize = 100;

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let mut text = String::new();
    for word in &arguments.codes {
        let code = find(word).ok_or_else(|| unknown(word))?;
        if !text.is_empty() {
            text.push('\n');
        }
        explain(code, terminal, &mut text);
    }
    if arguments.codes.is_empty() {
        list(terminal, &mut text);
    }
    print(text)?;
    Ok(Exit::Done)
}

fn all() -> impl Iterator<Item = &'static Code> {
    CODES.iter().chain(PAIR_CODES).copied()
}

fn find(word: &str) -> Option<&'static Code> {
    let is = |known: &str| known.eq_ignore_ascii_case(word);
    all().find(|code| is(code.code) || is(code.name))
}

fn unknown(word: &str) -> CliError {
    let all_codes = "`ringtrace explain` lists all codes";
    let help = did_you_mean(word, all().flat_map(|code| [code.code, code.name]))
        .map_or(all_codes.to_owned(), |question| format!("{question} {all_codes}"));
    CliError::usage(format!("unknown code `{word}`")).help(help)
}

fn list(terminal: &Terminal, out: &mut String) {
    let width = all().map(|code| code.name.len()).max().unwrap_or_default();
    let (errors, lints): (Vec<&Code>, Vec<&Code>) = CODES.iter().partition(|code| !code.is_lint());
    let mut list = |title: &str, codes: &[&Code]| {
        out.push_str(&heading(title, terminal));
        for code in codes {
            let number = if code.is_lint() { "" } else { code.code };
            out.push_str(&format!("  {number:5}  {:width$}  {}\n", code.name, code.title));
        }
    };
    list("Errors of declarations", &errors);
    list("\nLints (`ringtrace check` can --allow or --deny them)", &lints);
    list("\nErrors in descriptions of pairs", PAIR_CODES);
}

/// Returns the diagnostics that the faulty example of `code` produces, with the source of the
/// example.
fn example(code: &Code) -> (Vec<SourceFile>, Vec<Diagnostic>) {
    if PAIR_CODES.iter().any(|pair_code| pair_code.code == code.code) {
        let source = SourceFile::new("example.pairs", code.bad);
        let (_, diagnostics) = pair::parse(&source);
        return (vec![source], diagnostics);
    }
    let parsed = code.example();
    (parsed.declarations.sources, parsed.diagnostics)
}

fn explain(code: &Code, terminal: &Terminal, out: &mut String) {
    let kind = if code.is_lint() { "lint".to_owned() } else { format!("error {}", code.code) };
    out.push_str(&heading(&format!("{kind}: {}", code.name), terminal));
    out.push_str(&format!("{}\n\n", sentence(code.title)));
    for paragraph in code.explanation.split("\n\n") {
        let width = terminal.width.min(MAX_WIDTH);
        out.push_str(&format!("{}\n\n", wrap(paragraph.split_whitespace(), width, "")));
    }
    if !code.bad.is_empty() {
        out.push_str(&heading("Wrong", terminal));
        let (sources, diagnostics) = example(code);
        let found: Vec<_> = diagnostics.into_iter().filter(|found| found.code == code.code).collect();
        if found.is_empty() {
            indent(code.bad, out);
        }
        out.push_str(&render(&found, &sources, MessageFormat::Human { colour: terminal.colour_out }));
    }
    if !code.good.is_empty() {
        out.push_str(&heading("Right", terminal));
        indent(code.good, out);
    }
}

fn heading(text: &str, terminal: &Terminal) -> String {
    terminal.paint("1", text) + "\n"
}

/// Returns `text` with an initial capital and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}

fn indent(text: &str, out: &mut String) {
    for line in text.lines() {
        out.push_str(&format!("    {line}\n"));
    }
}
