//! Detection of a file's format when it is opened.

use std::io;

use memchr::memmem;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockHeader, Kind, MAGIC, MAX_EXPANDED_BYTES};
use ringtrace_wire::simpletrace::header::{Detected, HEADER_BYTES, detect};
use ringtrace_wire::simpletrace::{Header, Version};

use crate::block::{BlockDefect, BlockError};
use crate::error::{Error, TRUNCATED};
use crate::input::Input;
use crate::read::sniff::{FileKind, SNIFF_BYTES, sniff};

/// Detects the format from as few bytes as possible, because a pipe may deliver only one record a
/// day.
fn sniff_input(input: &mut Input) -> io::Result<FileKind> {
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

/// Finds a compact trace whose start is damaged or missing: returns an input of its v4 trace if `input` starts with
/// nothing known, but contains a whole block of records. Returns other inputs unchanged.
pub(crate) fn find_blocks(mut input: Input) -> io::Result<Input> {
    if input.is_growing() || input.compact_bytes().is_some() || sniff_input(&mut input)? != FileKind::Unknown
    {
        return Ok(input);
    }
    input.grow(MAX_EXPANDED_BYTES)?;
    let has_block = memmem::find_iter(input.window(), &MAGIC).any(|at| {
        let block = input.window().get(at..).unwrap_or_default();
        let header = BlockHeader::parse(block).ok().filter(|header| header.kind == Kind::Records);
        header.is_some_and(|header| header.body(block).is_some_and(|body| header.is_intact(body)))
    });
    Ok(if has_block { input.into_blocks() } else { input })
}

/// Detects the format of `input`. With `skips_damage`, skips damaged blocks at its start, and also returns their
/// errors. If the header of the trace was in one of them, the returned one has no bytes.
pub(crate) fn sniff_after_damage(
    input: &mut Input,
    skips_damage: bool,
) -> io::Result<(FileKind, Vec<io::Error>)> {
    let mut damage = Vec::new();
    loop {
        match sniff_input(input) {
            Err(error) if skips_damage && is_damage(&error) => damage.push(error),
            // There is nothing else.
            Err(error) => return Err(damage.into_iter().next().unwrap_or(error)),
            Ok(FileKind::Empty) if !damage.is_empty() => return Err(damage.remove(0)),
            Ok(kind @ FileKind::Trace(_)) => return Ok((kind, damage)),
            Ok(kind) if damage.is_empty() => return Ok((kind, damage)),
            Ok(_) => return Ok((FileKind::Trace(LOST_HEADER), damage)),
        }
    }
}

/// The header of a compact trace whose first block is missing.
const LOST_HEADER: Header = Header {
    version: Version::V4,
    order: ByteOrder::Little,
    size: 0,
    pid: None,
    timestamp_ns: None,
    version_field: 4,
};

/// Returns whether the input can be read after this error.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    BlockError::of(error).is_some_and(|error| error.defect == BlockDefect::Damaged)
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
            error(format!("{TRUNCATED}: its header needs {need} bytes, the file has {have}"))
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
