//! Renders answers for people, as lines that end in LF.

use std::fmt::Write;

use super::words::harmless;
use crate::control::command::{Answer, COMMANDS, CommandError, PROTOCOL, package};
use crate::event::EventState;

pub(in crate::control) fn render(outcome: &Result<Answer, CommandError>) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = match outcome {
        Ok(answer) => write_answer(&mut text, answer),
        Err(error) => std::iter::once(&*error.text)
            .chain(error.advice.lines())
            .try_for_each(|line| writeln!(text, "{}", harmless(line))),
    };
    text
}

fn write_answer(text: &mut String, answer: &Answer) -> std::fmt::Result {
    match answer {
        Answer::Nothing | Answer::Quit => Ok(()),
        Answer::States(states) => states.iter().try_for_each(|(name, state)| {
            writeln!(text, "{} : state {}", harmless(name), u8::from(*state == EventState::Enabled))
        }),
        Answer::TraceFile(file, is_on) => {
            let state = if *is_on { "on" } else { "off" };
            writeln!(text, "Trace file \"{}\" {state}.", harmless(&file.to_string_lossy()))
        }
        Answer::Text(lines) => lines.lines().try_for_each(|line| writeln!(text, "{}", harmless(line))),
        Answer::Records(1) => writeln!(text, "1 record"),
        Answer::Records(records) => writeln!(text, "{records} records"),
        Answer::Status(report) => super::status::write(text, report),
        Answer::Version => {
            let [(_, micro), (_, minor), (_, major)] = PROTOCOL;
            writeln!(text, "{major}.{minor}.{micro} ({})", package())
        }
        Answer::Name(None) => Ok(()),
        Answer::Name(Some(name)) => writeln!(text, "{}", harmless(name)),
        Answer::Commands => {
            let names = COMMANDS.iter().filter_map(|command| command.qmp.as_ref());
            names.into_iter().try_for_each(|qmp| writeln!(text, "{}", qmp.name))
        }
    }
}
