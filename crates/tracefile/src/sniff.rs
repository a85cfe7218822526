//! What a file is, by its content.

use ringtrace_wire::simpletrace::header::{Detected, detect};
use ringtrace_wire::simpletrace::{ByLength, Header, Layout, LayoutVisitor, Step, Version, with_layout};
use ringtrace_wire::{ByteOrder, kvmtrace};

/// How many bytes [`sniff`] wants to see, if the file has them.
pub const SNIFF_BYTES: usize = 4096;

/// What a file seems to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A trace with a header.
    Trace(Header),
    /// Records without a header before them (SystemTap's flight recorder writes such).
    Headerless(Version, ByteOrder),
    /// A kvmtrace stream.
    Kvmtrace(ByteOrder),
    /// A simpletrace header of a version that does not exist.
    UnknownVersion(u64, ByteOrder),
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
const OTHERS: &[(&[u8], usize, &str, &str)] = &[
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

/// Tells what a file that begins with `start` is. `whole` says that there is no more of it.
pub fn sniff(start: &[u8], whole: bool) -> Kind {
    match detect(start) {
        Detected::Header(header) => return Kind::Trace(header),
        Detected::UnknownVersion { version, order } => return Kind::UnknownVersion(version, order),
        Detected::NeedMore(need) => return Kind::CutHeader { have: start.len(), need },
        Detected::Other => {}
    }
    if start.is_empty() {
        return Kind::Empty;
    }
    if let kvmtrace::Start::Magic(order) = kvmtrace::start(start) {
        return Kind::Kvmtrace(order);
    }
    for (magic, at, name, advice) in OTHERS {
        if start.get(*at..).is_some_and(|rest| rest.starts_with(magic)) {
            return Kind::Other(name, advice);
        }
    }
    if let Some((version, order)) = headerless(start, whole) {
        return Kind::Headerless(version, order);
    }
    text(start).map_or(Kind::Unknown, |(name, advice)| Kind::Other(name, advice))
}

/// The version and order in which `start` reads as a run of plausible records. What could be v2 could be v3 too, and
/// is taken for that.
pub fn headerless(start: &[u8], whole: bool) -> Option<(Version, ByteOrder)> {
    [Version::V4, Version::V3].into_iter().find_map(|version| {
        [ByteOrder::Little, ByteOrder::Big]
            .into_iter()
            .find(|&order| with_layout(version, order, Plausible { start, whole }))
            .map(|order| (version, order))
    })
}

struct Plausible<'a> {
    start: &'a [u8],
    whole: bool,
}

impl LayoutVisitor for Plausible<'_> {
    type Output = bool;

    fn visit<L: Layout>(self) -> bool {
        let mut rest = self.start;
        let mut seen = 0;
        while seen < 16 && !rest.is_empty() {
            rest = match L::step(rest, &ByLength) {
                Step::Record(record) => {
                    let typed = record.record_type == 1 && record.length < 8192 && record.timestamp_ns != 0;
                    if !typed {
                        return false;
                    }
                    &rest[record.size..]
                }
                Step::Mapping(mapping) => {
                    let name = mapping.name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                    if !name || mapping.name.is_empty() {
                        return false;
                    }
                    &rest[mapping.size..]
                }
                Step::NeedMore(need) => {
                    return seen > 0 && need < 16384 && !(self.whole && need < rest.len());
                }
                Step::Fault(_) => return false,
            };
            seen += 1;
        }
        seen > 0
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
