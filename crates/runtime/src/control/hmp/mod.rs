//! HMP, for people: a line of words in, lines out.

mod help;
mod render;
mod status;
mod words;

pub(super) use help::help;
pub(super) use render::render;

use super::command::{Argument, Call, Command, Datum, Effect, Hmp, Kind, Values};
use words::{Line, harmless};

/// What a line may have, wherever it comes from: what is answered grows with it.
pub(super) const MAX_LINE_BYTES: usize = 4096;

/// What a line asks for.
#[derive(Debug)]
pub(super) enum Asked {
    /// Nothing: it is empty.
    Nothing,
    /// This, which is to be run.
    Call(Call),
    /// Nothing that can be done: this is to be said.
    Wrong(String),
}

impl Asked {
    /// What is to be said of a line of more than [`MAX_LINE_BYTES`].
    pub(super) fn too_long() -> Asked {
        Asked::Wrong(format!("the line is longer than {MAX_LINE_BYTES} bytes\n"))
    }
}

/// What a line asks for.
pub(super) fn parse(line: &[u8]) -> Asked {
    if line.len() > MAX_LINE_BYTES {
        return Asked::too_long();
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return Asked::Wrong("the line is no valid UTF-8\n".to_owned());
    };
    let mut line = Line::new(text);
    let Some(first) = line.word() else { return Asked::Nothing };
    // `info` alone is a command, with a word behind it that word is one.
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
        return Asked::Wrong(format!("unknown command: '{}'\n", harmless(&name)));
    };
    match (arguments(hmp, line), command.effect) {
        (Ok(values), Effect::Run(run)) => Asked::Call(Call::new(command, run, values)),
        // What the dialogue does itself has no name here.
        (Ok(_), Effect::Line | Effect::Negotiate) => Asked::Nothing,
        (Err(wrong), _) => Asked::Wrong(format!("{wrong}\nTry \"help {}\" for more information\n", hmp.name)),
    }
}

/// The arguments of a command, one after the other as the table has them: the first that is wrong is complained of.
fn arguments(hmp: &Hmp, mut line: Line<'_>) -> Result<Values, String> {
    let mut values = Values::default();
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

fn value(hmp: &Hmp, argument: &Argument, line: &mut Line<'_>) -> Result<Datum, String> {
    match argument.kind {
        Kind::Text | Kind::Texts | Kind::File => {
            let expected = if argument.kind == Kind::File { "filename" } else { "string" };
            let missing = format!("{}: {expected} expected", hmp.name);
            match line.quoted() {
                Some(Ok(word)) => Ok(Datum::Text(word)),
                Some(Err(wrong)) => Err(format!("{wrong}\n{missing}")),
                None => Err(missing),
            }
        }
        Kind::Rest => Ok(Datum::Text(line.rest().to_owned())),
        Kind::Flag => match line.word() {
            Some("on") => Ok(Datum::Flag(true)),
            Some("off") => Ok(Datum::Flag(false)),
            _ => Err("Expected 'on' or 'off'".to_owned()),
        },
        Kind::Integer => line.integer().map(|()| Datum::Integer),
    }
}
