//! Detection of a file's format from its contents.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::MAGIC;
use ringtrace_wire::simpletrace::header::{Detected, detect};
use ringtrace_wire::simpletrace::{
    ByLength, DROPPED_ID, Header, Layout, LayoutVisitor, Mapping, Record, Step, Tail, Version, with_layout,
};

use crate::compressed::Compression;
use crate::error::Error;
use crate::read::options::Options;
use crate::read::resync::is_name;

/// The number of bytes that [`sniff`] examines.
pub const SNIFF_BYTES: usize = 4096;

/// The first word of a kvmtrace stream, in the byte order of the stream.
const KVMTRACE_MAGIC: u32 = 0x1234_5678;

/// The detected format of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileKind {
    /// A trace with a header.
    Trace(Header),
    /// Records without a header, as SystemTap's flight recorder writes them.
    Headerless(Version, ByteOrder),
    /// A kvmtrace stream.
    Kvmtrace(ByteOrder),
    /// A compressed file. [`Reader`](crate::Reader) decompresses it.
    Compressed(Compression),
    /// A compact trace. [`Reader`](crate::Reader) restores the v4 trace.
    Compact,
    /// An unknown simpletrace version: the version, a list of the known ones, and the byte order.
    UnknownVersion(u64, &'static str, ByteOrder),
    /// A truncated header.
    CutHeader {
        /// The size of the file.
        have: usize,
        /// The size of the header.
        need: usize,
    },
    /// An empty file.
    Empty,
    /// Another known format, as its name and a hint.
    Other(&'static str, &'static str),
    /// An unknown format.
    Unknown,
}

/// Formats that users pass by mistake. Each has magic bytes, their offset, a name and a hint.
const OTHER_FORMATS: &[(&[u8], usize, &str, &str)] = &[
    (b"BZh", 0, "a bzip2 file", "decompress it: bzcat FILE | ringtrace print -"),
    (b"PK\x03\x04", 0, "a zip file", "unpack it first"),
    (b"ustar", 257, "a tar archive", "unpack it first"),
    (b"\x7fELF", 0, "an ELF program or library", "pass the trace that it wrote"),
    (b"PERFILE2", 0, "a perf.data file", "read it with perf"),
    (b"\x17\x08\x44tracing", 0, "a trace-cmd file", "read it with trace-cmd report"),
    (b"\xc1\x1f\xfc\xc1", 0, "a CTF stream (LTTng)", "read its folder with babeltrace2"),
    (b"\xc1\xfc\x1f\xc1", 0, "a CTF stream (LTTng)", "read its folder with babeltrace2"),
    (b"/* CTF", 0, "CTF metadata (LTTng)", "read its folder with babeltrace2"),
    (b"QFI\xfb", 0, "a qcow2 disk image", "pass the trace, not the image"),
    (b"\xd4\xc3\xb2\xa1", 0, "a pcap file", "read it with tcpdump or wireshark"),
    (b"\x0a\x0d\x0d\x0a", 0, "a pcapng file", "read it with wireshark"),
    (b"{", 0, "a JSON file", "pass the binary trace"),
    (b"<", 0, "an XML or HTML file", "pass the binary trace"),
];

/// Detects the format of a file that starts with `start`.
pub fn sniff(start: &[u8]) -> FileKind {
    match detect(start) {
        Detected::Header(header) => return FileKind::Trace(header),
        Detected::UnknownVersion { version, expected, order } => {
            return FileKind::UnknownVersion(version, expected, order);
        }
        Detected::NeedMore(need) => return FileKind::CutHeader { have: start.len(), need },
        Detected::Other => {}
    }
    if start.is_empty() {
        return FileKind::Empty;
    }
    for order in [ByteOrder::Little, ByteOrder::Big] {
        if start.starts_with(&order.put_u32(KVMTRACE_MAGIC)) {
            return FileKind::Kvmtrace(order);
        }
    }
    if let Some(compression) = Compression::detect(start) {
        return FileKind::Compressed(compression);
    }
    if start.starts_with(&MAGIC) {
        return FileKind::Compact;
    }
    for (magic, at, name, advice) in OTHER_FORMATS {
        if start.get(*at..).is_some_and(|rest| rest.starts_with(magic)) {
            return FileKind::Other(name, advice);
        }
    }
    if let Some((version, order)) = headerless(start, HEADERLESS, &[ByteOrder::Little, ByteOrder::Big]) {
        return FileKind::Headerless(version, order);
    }
    text(start).map_or(FileKind::Unknown, |(name, advice)| FileKind::Other(name, advice))
}

/// The versions that records without a header can have, the most likely first.
pub const HEADERLESS: &[Version] = &[Version::V4, Version::V3, Version::V2];

/// Returns the version and byte order in which most of `start`, from its first byte on, decodes as
/// plausible records. In case of a tie, returns the first. Returns `None` if there is no plausible
/// record.
pub fn headerless(start: &[u8], versions: &[Version], orders: &[ByteOrder]) -> Option<(Version, ByteOrder)> {
    let mut best = None;
    let mut best_bytes = 0;
    for &version in versions {
        for &order in orders {
            let bytes = with_layout(version, order, Plausible(start));
            if bytes > best_bytes {
                (best, best_bytes) = (Some((version, order)), bytes);
            }
        }
    }
    best
}

/// A visitor that returns the size of the plausible records at the start of its bytes.
struct Plausible<'a>(&'a [u8]);

impl LayoutVisitor for Plausible<'_> {
    type Output = usize;

    fn visit<L: Layout>(self) -> usize {
        let mut rest = self.0;
        while !rest.is_empty() {
            let (step, size) = match L::step(rest, &ByLength) {
                step @ Step::Record(Record { size, .. }) | step @ Step::Mapping(Mapping { size, .. }) => {
                    (step, size)
                }
                // The record may continue after the examined bytes.
                Step::NeedMore(_) => match L::tail(rest, &ByLength) {
                    Tail::Cut(step) => (step, rest.len()),
                    Tail::Ignored { .. } | Tail::Fault(_) => break,
                },
                Step::Fault(_) => break,
            };
            if !is_plausible::<L>(&step) {
                break;
            }
            rest = &rest[size..];
        }
        self.0.len() - rest.len()
    }
}

/// The maximum length of a plausible record. Writers create only shorter records.
const PLAUSIBLE_BYTES: u32 = 8192;

/// The limit for event ids that are positions. No build declares this many events.
const MAX_POSITION: u64 = 1 << 16;

fn is_plausible<L: Layout>(step: &Step<'_>) -> bool {
    match step {
        Step::Record(record) => {
            let is_id = L::VERSION == Version::V4 || record.id < MAX_POSITION || record.id == DROPPED_ID;
            is_id && record.record_type == 1 && record.length < PLAUSIBLE_BYTES
        }
        Step::Mapping(mapping) => is_name(mapping.name),
        Step::NeedMore(_) | Step::Fault(_) => false,
    }
}

fn text(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let head = &start[..start.len().min(512)];
    let first_lines = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The last character may continue after the examined bytes.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    if !first_lines.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\t' | '\r')) {
        return None;
    }
    Some(if first_lines.lines().any(declares) {
        ("a declarations file", "pass this file with --events, and the binary trace as TRACE")
    } else {
        ("a text file", "pass the binary trace")
    })
}

/// Returns whether `line` looks like `PROPERTY.. NAME(ARGUMENTS) "FORMAT"`, rather than a line of
/// source code.
fn declares(line: &str) -> bool {
    let Some((before, rest)) = line.split_once('(') else { return false };
    let mut words = before.split_whitespace().rev();
    let is_name = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let has_name = words.next().is_some_and(is_name);
    let has_only_properties = words.all(|word| ["disable", "tcg", "vcpu"].contains(&word));
    let Some((arguments, format)) = rest.split_once(')') else { return false };
    has_name
        && has_only_properties
        && !arguments.contains('"')
        && (format.trim().is_empty() || format.trim_start().starts_with(['"', 'P']))
}

/// Returns the version and byte order of records without a header at the start of a file.
pub(super) fn headerless_layout(
    file: &str,
    kind: &FileKind,
    start: &[u8],
    options: &Options,
) -> Result<(Version, ByteOrder), Error> {
    if let FileKind::Trace(header) = kind {
        return Err(Error::new(file, format!("the file has a header (simpletrace {})", header.version))
            .at(None, 0)
            .help("omit --no-header"));
    }
    let versions: Vec<Version> = match options.version {
        Some(version) => vec![version],
        None => {
            let of_era = |version: &Version| options.era.is_none_or(|era| era.info().reads.contains(version));
            HEADERLESS.iter().copied().filter(of_era).collect()
        }
    };
    let orders = options.order.map_or(vec![ByteOrder::Little, ByteOrder::Big], |order| vec![order]);
    // If nothing is plausible, try the most likely layout, because its error message is more
    // precise.
    let version = versions.first().copied().unwrap_or(Version::V4);
    let likeliest = (version, options.order.unwrap_or(ByteOrder::NATIVE));
    Ok(headerless(start, &versions, &orders).unwrap_or(likeliest))
}

#[cfg(test)]
mod tests {
    use ringtrace_wire::simpletrace::encode::{Encoder, Value};

    use super::*;

    const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

    /// Encodes records as in SystemTap's buffer: ids are positions, and there is no header.
    fn records(version: Version, order: ByteOrder) -> Vec<u8> {
        let encoder = Encoder { version, order };
        let mut out = Vec::new();
        for n in 0..200 {
            let values = [Value::Integer(u64::MAX - n), Value::Str(&[b'x'; 40][..n as usize % 40])];
            encoder
                .record(n % 7, 1_400_000_000_000_000_000 + n, 4711, &values[..n as usize % 3], &mut out)
                .unwrap();
        }
        out
    }

    #[test]
    fn records_without_a_header_are_detected_wherever_they_end() {
        for version in [Version::V4, Version::V3] {
            for order in ORDERS {
                let bytes = records(version, order);
                for end in [32, 33, 60, 500, SNIFF_BYTES, bytes.len()] {
                    let found = headerless(&bytes[..end], HEADERLESS, &ORDERS);
                    assert_eq!(found, Some((version, order)), "{version} {order} {end}");
                    assert_eq!(sniff(&bytes[..end]), FileKind::Headerless(version, order));
                }
            }
        }
    }

    #[test]
    fn only_requested_layouts_are_found() {
        let bytes = records(Version::V3, ByteOrder::Big);
        assert_eq!(headerless(&bytes, &[Version::V2], &ORDERS), Some((Version::V2, ByteOrder::Big)));
        assert_eq!(headerless(&bytes, &[Version::V4], &ORDERS), None);
        assert_eq!(headerless(&bytes, HEADERLESS, &[ByteOrder::Little]), None);
        assert_eq!(headerless(&[], HEADERLESS, &ORDERS), None);
        assert_eq!(headerless(&[0; 4096], HEADERLESS, &ORDERS), None);
    }
}
