//! HMP, the language for people: a client sends a line of words and receives lines.

mod help;
mod render;
mod status;
mod words;

pub(super) use help::help;
pub(super) use render::render;

use super::command::{ArgumentValue, Arguments, Call, Command, Effect, Hmp, Parameter, ParameterKind};
use words::{LineParser, harmless};

/// The maximum length of a line, from any source. It also bounds the size of an answer.
pub(super) const MAX_LINE_BYTES: usize = 4096;

#[derive(Debug)]
pub(super) enum ParsedLine {
    Nothing,
    Call(Call),
    /// The line is invalid. Contains the message to print.
    Wrong(String),
}

impl ParsedLine {
    pub(super) fn too_long() -> ParsedLine {
        ParsedLine::Wrong(format!("the line is longer than {MAX_LINE_BYTES} bytes\n"))
    }
}

pub(super) fn parse(line: &[u8]) -> ParsedLine {
    if line.len() > MAX_LINE_BYTES {
        return ParsedLine::too_long();
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return ParsedLine::Wrong("the line is not valid UTF-8\n".to_owned());
    };
    let mut line = LineParser::new(text);
    let Some(first) = line.word() else { return ParsedLine::Nothing };
    // `info` alone is a command. If another word follows, both together are the command's name.
    let mut rest = line;
    let name = match rest.word().filter(|_| first == "info") {
        Some(second) => {
            line = rest;
            format!("info {second}")
        }
        None => first.to_owned(),
    };
    let found = Command::of_hmp(&name).filter(|(_, hmp)| first != "info" || hmp.name != "help");
    let Some((command, hmp)) = found else {
        return ParsedLine::Wrong(format!("unknown command: '{}'\n", harmless(&name)));
    };
    match (arguments(hmp, line), command.effect) {
        (Ok(values), Effect::Run(run)) => ParsedLine::Call(Call::new(command, run, values)),
        // Commands that the dialogue implements itself have no name in HMP.
        (Ok(_), Effect::Line | Effect::Negotiate) => ParsedLine::Nothing,
        (Err(wrong), _) => {
            ParsedLine::Wrong(format!("{wrong}\nTry \"help {}\" for more information\n", hmp.name))
        }
    }
}

/// Parses the arguments in the table's order. Returns the first error.
fn arguments(hmp: &Hmp, mut line: LineParser<'_>) -> Result<Arguments, String> {
    let mut values = Arguments::default();
    for argument in hmp.arguments {
        if argument.is_optional && line.is_at_end() {
            continue;
        }
        values.add(argument.name, value(hmp, argument, &mut line)?);
    }
    if line.is_at_end() {
        Ok(values)
    } else {
        Err(format!("{}: extraneous characters at the end of line", hmp.name))
    }
}

fn value(hmp: &Hmp, argument: &Parameter, line: &mut LineParser<'_>) -> Result<ArgumentValue, String> {
    match argument.kind {
        ParameterKind::Text | ParameterKind::Texts | ParameterKind::File => {
            let expected = if argument.kind == ParameterKind::File { "filename" } else { "string" };
            let missing = format!("{}: {expected} expected", hmp.name);
            match line.quoted() {
                Some(Ok(word)) => Ok(ArgumentValue::Text(word)),
                Some(Err(wrong)) => Err(format!("{wrong}\n{missing}")),
                None => Err(missing),
            }
        }
        ParameterKind::Rest => Ok(ArgumentValue::Text(line.rest().to_owned())),
        ParameterKind::Flag => match line.word() {
            Some("on") => Ok(ArgumentValue::Flag(true)),
            Some("off") => Ok(ArgumentValue::Flag(false)),
            _ => Err("Expected 'on' or 'off'".to_owned()),
        },
        ParameterKind::Integer => line.integer().map(|()| ArgumentValue::Integer),
    }
}
