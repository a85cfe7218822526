//! Detection of a file's format when it is opened.

use std::io;

use ringtrace_wire::simpletrace::Header;
use ringtrace_wire::simpletrace::header::{Detected, HEADER_BYTES, detect};

use crate::block::{BlockDefect, BlockError};
use crate::error::Error;
use crate::input::Input;
use crate::read::sniff::{FileKind, SNIFF_BYTES, sniff};
use crate::read::state::Tally;

/// Detects the format from as few bytes as possible, because a pipe may deliver only one record a
/// day.
pub(crate) fn sniff_input(input: &mut Input) -> io::Result<FileKind> {
    let mut enough = 1;
    while input.grow(enough)? {
        match detect(input.window()) {
            Detected::Header(header) => return Ok(FileKind::Trace(header)),
            Detected::NeedMore(need) => enough = need,
            Detected::Other | Detected::UnknownVersion { .. } => {
                if enough == SNIFF_BYTES {
                    break;
                }
                enough = if enough == 1 { HEADER_BYTES } else { SNIFF_BYTES };
            }
        }
    }
    input.grow(SNIFF_BYTES)?;
    Ok(sniff(input.window()))
}

/// Detects the format of `input` like [`sniff_input`]. With `skips_damage`, skips damaged blocks at its start.
pub(super) fn sniff_after_damage(
    input: &mut Input,
    tally: &mut Tally,
    skips_damage: bool,
) -> Result<FileKind, Error> {
    let mut damage = None;
    loop {
        let error = match sniff_input(input) {
            Ok(FileKind::Empty) if let Some(damage) = damage => return Err(damage),
            Ok(kind) => return Ok(kind),
            Err(error) => error,
        };
        let reported = Error::io(&*tally.file, &error);
        if BlockError::of(&error).is_none_or(|error| error.defect != BlockDefect::Damaged) {
            return Err(damage.unwrap_or(reported));
        }
        tally.tolerate_defect(&error, skips_damage)?;
        damage.get_or_insert(reported);
    }
}

pub(crate) fn expect_header(file: &str, kind: &FileKind) -> Result<Header, Error> {
    let error = |message: String| Error::new(file, message);
    Err(match kind {
        FileKind::Trace(header) => return Ok(*header),
        FileKind::Empty => {
            error("the file is empty; if the program was killed, try `ringtrace recover`".into())
                .help("check that tracing was enabled; a running program may not have written anything yet")
        }
        FileKind::CutHeader { have, need } => {
            error(format!("the file is truncated: its header needs {need} bytes, the file has {have}"))
        }
        FileKind::UnknownVersion(version, expected, order) => {
            error(format!("unknown simpletrace version {version}; expected {expected} ({order})"))
                .at(None, 16)
        }
        FileKind::Kvmtrace(_) => error("this is a kvmtrace stream, not a simpletrace file".into())
            .help("read it with `ringtrace kvmtrace`"),
        FileKind::Headerless(version, order) => error(format!(
            "the file has no header, but seems to contain simpletrace {version} records, {order}"
        ))
        .help("read it with --no-header; event ids are then positions in the declarations"),
        FileKind::Compressed(compression) => {
            error(format!("this is a {} file within a compressed file, not a trace", compression.name()))
                .help("decompress it once")
        }
        FileKind::Compact => error("this is a compact trace within a compact trace, not a trace".into())
            .help("restore the inner trace with `ringtrace convert`"),
        FileKind::Other(what, advice) => error(format!("this is {what}, not a trace")).help(*advice),
        FileKind::Unknown => error("not a trace: it does not start with the header of a trace".into())
            .at(None, 0)
            .help("pass the binary trace; --no-header reads records without a header"),
    })
}
