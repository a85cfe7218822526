//! The program, the protocol and the commands themselves; and the end.

use super::{Answer, Failure, Values};
use crate::monitor::dialogue::Program;
use crate::monitor::hmp;

/// Whose protocol is spoken: QEMU's of this version, in the order in which it names it: micro, minor, major.
pub(in crate::monitor) const PROTOCOL: [(&str, u64); 3] = [("micro", 2), ("minor", 2), ("major", 10)];

/// Who speaks it.
pub(in crate::monitor) fn package() -> &'static str {
    concat!("ringtrace ", env!("CARGO_PKG_VERSION"))
}

/// `query-version`
pub(super) fn version(_: &Values, _: &Program) -> Result<Answer, Failure> {
    Ok(Answer::Version)
}

/// `query-name`
pub(super) fn name(_: &Values, program: &Program) -> Result<Answer, Failure> {
    Ok(Answer::Name(program.name.clone()))
}

/// `query-commands`
pub(super) fn commands(_: &Values, _: &Program) -> Result<Answer, Failure> {
    Ok(Answer::Commands)
}

/// `help`
pub(super) fn help(values: &Values, _: &Program) -> Result<Answer, Failure> {
    hmp::help(values.text("command").unwrap_or_default()).map(Answer::Text)
}

/// `info` alone
pub(super) fn info(_: &Values, _: &Program) -> Result<Answer, Failure> {
    hmp::help("info").map(Answer::Text)
}

/// `quit`
pub(super) fn quit(_: &Values, program: &Program) -> Result<Answer, Failure> {
    if program.may_quit {
        return Ok(Answer::Quit);
    }
    Err(Failure::new(
        "this program does not allow its clients to end it; to leave the monitor, close the connection",
    ))
}
