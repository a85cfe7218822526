//! Commands about the program, the protocol and the commands themselves, and `quit`.

use super::{Answer, Arguments, CommandError};
use crate::control::command::Program;
use crate::control::hmp;

/// The version of QEMU whose protocol the monitor speaks, with its components in QEMU's order.
pub(in crate::control) const PROTOCOL: [(&str, u64); 3] = [("micro", 2), ("minor", 2), ("major", 10)];

pub(in crate::control) fn package() -> &'static str {
    concat!("ringtrace ", env!("CARGO_PKG_VERSION"))
}

pub(super) fn version(_: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    Ok(Answer::Version)
}

pub(super) fn name(_: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    Ok(Answer::Name(program.name.clone()))
}

pub(super) fn commands(_: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    Ok(Answer::Commands)
}

pub(super) fn help(values: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    hmp::help(values.text("command").unwrap_or_default()).map(Answer::Text)
}

/// Runs `info` without a subcommand.
pub(super) fn info(_: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    hmp::help("info").map(Answer::Text)
}

pub(super) fn quit(_: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    if program.may_quit {
        return Ok(Answer::Quit);
    }
    Err(CommandError::new(
        "this program does not allow clients to end the program; to leave the monitor, close the connection",
    ))
}
