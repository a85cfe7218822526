//! The program, the protocol and the commands themselves; and the end.

use super::{Answer, Arguments, CommandError};
use crate::control::command::Program;
use crate::control::hmp;

/// Whose protocol is spoken: QEMU's of this version, in the order in which it names it: micro, minor, major.
pub(in crate::control) const PROTOCOL: [(&str, u64); 3] = [("micro", 2), ("minor", 2), ("major", 10)];

/// Who speaks it.
pub(in crate::control) fn package() -> &'static str {
    concat!("ringtrace ", env!("CARGO_PKG_VERSION"))
}

/// `query-version`
pub(super) fn version(_: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    Ok(Answer::Version)
}

/// `query-name`
pub(super) fn name(_: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    Ok(Answer::Name(program.name.clone()))
}

/// `query-commands`
pub(super) fn commands(_: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    Ok(Answer::Commands)
}

/// `help`
pub(super) fn help(values: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    hmp::help(values.text("command").unwrap_or_default()).map(Answer::Text)
}

/// `info` alone
pub(super) fn info(_: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    hmp::help("info").map(Answer::Text)
}

/// `quit`
pub(super) fn quit(_: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    if program.may_quit {
        return Ok(Answer::Quit);
    }
    Err(CommandError::new(
        "this program does not allow its clients to end it; to leave the monitor, close the connection",
    ))
}
