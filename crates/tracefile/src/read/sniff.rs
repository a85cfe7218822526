//! What a file is, by its content.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::header::{Detected, detect};
use ringtrace_wire::simpletrace::{
    ByLength, DROPPED_ID, Header, Layout, LayoutVisitor, Mapping, Record, Step, Tail, Version, with_layout,
};

use crate::read::resync::is_name;

/// How many bytes [`sniff`] wants to see, if the file has them.
pub const SNIFF_BYTES: usize = 4096;

/// The first word of a kvmtrace stream, in the byte order of the stream.
const KVMTRACE_MAGIC: u32 = 0x1234_5678;

/// What a file seems to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileKind {
    /// A trace with a header.
    Trace(Header),
    /// Records without a header before them (SystemTap's flight recorder writes such).
    Headerless(Version, ByteOrder),
    /// A kvmtrace stream.
    Kvmtrace(ByteOrder),
    /// A simpletrace header of a version that does not exist, and what would be one.
    UnknownVersion(u64, &'static str, ByteOrder),
    /// A header whose end is missing.
    CutHeader {
        /// Bytes that are there.
        have: usize,
        /// Bytes that belong there.
        need: usize,
    },
    /// No bytes at all.
    Empty,
    /// A known kind of file that is no trace: its name, and what to do.
    Other(&'static str, &'static str),
    /// Nothing we know.
    Unknown,
}

/// Files that people give by mistake: magic bytes, where, name, advice.
const OTHER_FORMATS: &[(&[u8], usize, &str, &str)] = &[
    (b"\x1f\x8b", 0, "a gzip file", "unpack it on the way: zcat FILE | ringtrace print -"),
    (b"\x28\xb5\x2f\xfd", 0, "a zstd file", "unpack it on the way: zstdcat FILE | ringtrace print -"),
    (b"\xfd7zXZ\0", 0, "an xz file", "unpack it on the way: xzcat FILE | ringtrace print -"),
    (b"BZh", 0, "a bzip2 file", "unpack it on the way: bzcat FILE | ringtrace print -"),
    (b"PK\x03\x04", 0, "a zip file", "unpack it first"),
    (b"ustar", 257, "a tar archive", "unpack it first"),
    (b"\x7fELF", 0, "an ELF program or library", "give the trace that it wrote"),
    (b"PERFILE2", 0, "a perf.data file", "read it with perf"),
    (b"\x17\x08\x44tracing", 0, "a trace-cmd file", "read it with trace-cmd report"),
    (b"\xc1\x1f\xfc\xc1", 0, "a CTF stream (LTTng)", "read its folder with babeltrace2"),
    (b"\xc1\xfc\x1f\xc1", 0, "a CTF stream (LTTng)", "read its folder with babeltrace2"),
    (b"/* CTF", 0, "CTF metadata (LTTng)", "read its folder with babeltrace2"),
    (b"QFI\xfb", 0, "a qcow2 disk image", "give the trace, not the image"),
    (b"\xd4\xc3\xb2\xa1", 0, "a pcap file", "read it with tcpdump or wireshark"),
    (b"\x0a\x0d\x0d\x0a", 0, "a pcapng file", "read it with wireshark"),
    (b"{", 0, "a JSON text", "give the binary trace"),
    (b"<", 0, "an XML or HTML text", "give the binary trace"),
];

/// Tells what a file that begins with `start` is.
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

/// The versions that records without a header can be of, the likeliest first.
pub const HEADERLESS: &[Version] = &[Version::V4, Version::V3, Version::V2];

/// The one of `versions`, and of `orders`, in which most of `start` reads as plausible records from its first byte on; of
/// equals the first. `None` when there is not one record.
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

/// Counts the bytes of the records, from the first on, that look as a program would write them.
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
                // It may go on behind what is seen.
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

/// No writer's records are longer.
const PLAUSIBLE_BYTES: u32 = 8192;

/// Ids that go by position are below this: no build has so many events.
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
    let printable =
        head.iter().all(|byte| (0x20..0x7f).contains(byte) || matches!(byte, b'\n' | b'\t' | b'\r'));
    if !printable {
        return None;
    }
    let first_lines = String::from_utf8_lossy(head);
    let declares = first_lines.lines().any(|line| {
        let name_end = line.find('(').unwrap_or(0);
        name_end > 0 && line[..name_end].chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ' ')
    });
    Some(if declares {
        ("a declarations file", "give it with --events, and the binary trace as TRACE")
    } else {
        ("a text", "give the binary trace")
    })
}

#[cfg(test)]
mod tests {
    use ringtrace_wire::simpletrace::encode::{Encoder, Value};

    use super::*;

    const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

    /// What SystemTap leaves in its buffer: records by position, no header.
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
    fn records_without_a_header_are_known_wherever_they_end() {
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
