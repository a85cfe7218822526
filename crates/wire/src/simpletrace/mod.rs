//! simpletrace files: QEMU's binary traces, in every version since 2010, and the 2011 proposal.
//!
//! A file is a header followed by records, without an index. [`Layout::step`] decodes the record at
//! the start of a window of bytes, or returns how many bytes it needs. It keeps no state between
//! calls. So the same code reads a mapped file, a pipe and a growing file, and a fuzzer can feed it
//! single bytes. `docs/formats/simpletrace.md` describes the format.
//!
//! | version | written by | header | event ids | pid | strings |
//! |---|---|---|---|---|---|
//! | v0 | QEMU 0.14 to 1.1 | 64 bytes | position | no | no |
//! | RFC of 2011 | no release | 32 bytes | position | in the header | yes |
//! | v2 | QEMU 1.2 to 2.0 | 24 bytes | position among the events that are not `disable`d | no | yes |
//! | v3 | QEMU 2.1 to 2.7 | 24 bytes | position | yes | yes |
//! | v4 | QEMU 2.8 and later, ringtrace | 24 bytes | mapping records | yes | yes |

pub mod context;
pub mod encode;
pub mod header;
pub mod metadata;
pub mod rfc2011;
pub mod v0;
pub mod v2;
pub mod v4;

use std::fmt;

use crate::{ByteOrder, Order};

pub use header::{Header, detect};

/// The event id of a dropped record, whose payload is one u64: the number of lost events.
pub const DROPPED_ID: u64 = 0xffff_ffff_ffff_fffe;

/// The first word of a v0 to v4 header, at offset 0, in place of an event id.
pub const HEADER_ID: u64 = 0xffff_ffff_ffff_ffff;

/// The maximum size of a record in bytes. No writer exceeds it: 10 strings of 512 bytes are 5 KiB.
/// Readers treat a longer record as damage and skip it, so they never need to keep more of a record
/// in memory.
pub const MAX_RECORD_BYTES: usize = 1 << 20;

/// A version of the file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// 64-byte records of six integers.
    V0,
    /// Records of variable length, with strings.
    V2,
    /// v2 with a pid, and with ids for `disable`d events.
    V3,
    /// v3 with record types and event names.
    V4,
    /// The proposal of November 2011, which no release implements.
    Rfc2011,
}

/// The origin of the event ids in records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// The position in the declarations.
    Position {
        /// Whether `disable`d events have a position.
        count_disabled: bool,
    },
    /// Mapping records in the file.
    Mapping,
}

/// The properties of a version. [`VERSIONS`] lists all versions.
#[derive(Debug, Clone, Copy)]
pub struct VersionInfo {
    /// The version.
    pub version: Version,
    /// The name of the version in options.
    pub name: &'static str,
    /// The programs that write it.
    pub written_by: &'static str,
    /// The origin of event ids, unless the user overrides it.
    pub numbering: Numbering,
    /// Whether a file contains a process id.
    pub has_pid: bool,
    /// Whether arguments can be strings.
    pub has_strings: bool,
}

const V3: VersionInfo = VersionInfo {
    version: Version::V3,
    name: "v3",
    written_by: "QEMU 2.1 to 2.7",
    numbering: Numbering::Position { count_disabled: true },
    has_pid: true,
    has_strings: true,
};

/// All versions, oldest first.
pub const VERSIONS: &[VersionInfo] = &[
    VersionInfo {
        version: Version::V0,
        name: "v0",
        written_by: "QEMU 0.14 to 1.1",
        has_pid: false,
        has_strings: false,
        ..V3
    },
    VersionInfo { version: Version::Rfc2011, name: "rfc2011", written_by: "a proposal of 2011", ..V3 },
    VersionInfo {
        version: Version::V2,
        name: "v2",
        written_by: "QEMU 1.2 to 2.0",
        numbering: Numbering::Position { count_disabled: false },
        has_pid: false,
        ..V3
    },
    V3,
    VersionInfo {
        version: Version::V4,
        name: "v4",
        written_by: "QEMU 2.8 and later",
        numbering: Numbering::Mapping,
        ..V3
    },
];

impl Version {
    /// Returns the properties of the version.
    pub fn info(self) -> &'static VersionInfo {
        // Every variant is listed; a test checks it.
        VERSIONS.iter().find(|info| info.version == self).unwrap_or(&VERSIONS[0])
    }

    /// Returns whether payloads are encoded as in version `other`, given the same byte order.
    pub fn has_payload_of(self, other: Version) -> bool {
        let packed = |version| matches!(version, Version::V2 | Version::V3 | Version::V4);
        self == other || (packed(self) && packed(other))
    }

    /// Returns the version with the name `name`.
    pub fn from_name(name: &str) -> Option<Version> {
        VERSIONS.iter().find(|info| info.name == name).map(|info| info.version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

/// The encoding of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentKind {
    /// An integer. `signed` matters only in the 2011 RFC, where it can be shorter than 8 bytes.
    Integer {
        /// Whether an integer of fewer than 8 bytes is sign-extended.
        signed: bool,
    },
    /// A string.
    Str,
}

/// A decoded event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// The record type: as stored in v4 (normally 1), always 1 in other versions.
    pub record_type: u64,
    /// The event id, or [`DROPPED_ID`].
    pub id: u64,
    /// The time in nanoseconds, from the writer's clock (CLOCK_MONOTONIC in QEMU).
    pub timestamp_ns: u64,
    /// The process id; 0 if the version has none.
    pub pid: u32,
    /// The length field as written, which counts the bytes from the event id on; 0 if the version
    /// has none.
    pub length: u32,
    /// The bytes of the arguments.
    pub payload: &'a [u8],
    /// The size of the record in bytes, record type included.
    pub size: usize,
}

/// A mapping record of v4, which assigns a name to an event id for the records that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mapping<'a> {
    /// The event id.
    pub id: u64,
    /// The event's name. Its bytes are unchecked.
    pub name: &'a [u8],
    /// The size of the record in bytes.
    pub size: usize,
}

/// The result of decoding at an offset of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// An event, or a dropped record.
    Record(Record<'a>),
    /// The name of an event.
    Mapping(Mapping<'a>),
    /// A truncated record. At least this many bytes are necessary, which is more than the window
    /// contains.
    NeedMore(usize),
    /// Bytes that violate the format.
    Fault(Fault),
}

/// The result of decoding the end of a file that ends within a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail<'a> {
    /// The available part of a truncated record or mapping.
    Cut(Step<'a>),
    /// Bytes that are not a record. The original reader treats them as the end of the file.
    Ignored {
        /// The number of bytes.
        have: usize,
        /// The minimum size of a record.
        need: usize,
    },
    /// A violation of the format.
    Fault(Fault),
}

/// A violation of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The offset of the invalid bytes, from the start of the record.
    pub at: usize,
    /// The kind of the violation.
    pub kind: FaultKind,
}

/// Kinds of format violations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The length field is less than the size of the record's header.
    Length {
        /// The length field as written.
        length: u32,
        /// The minimum length.
        minimum: u32,
    },
    /// The file ends within the fixed part of a record.
    CutHeader {
        /// The name of the part.
        part: &'static str,
        /// The number of bytes found.
        have: usize,
        /// The number of bytes expected.
        need: usize,
    },
    /// The magic number of an RFC 2011 record is wrong.
    Magic {
        /// The word found in place of the magic number.
        found: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FaultKind::Length { length, minimum } => {
                write!(
                    f,
                    "record length {length} ({length:#x}) is less than the record header ({minimum} bytes)"
                )
            }
            FaultKind::CutHeader { part, have, need } => {
                write!(f, "the file is truncated: a {part} needs {need} bytes, but only {have} remain")
            }
            FaultKind::Magic { found } => {
                write!(f, "expected the record magic {:#x}, found {found:#x}", rfc2011::RECORD_MAGIC)
            }
        }
    }
}

/// The rule by which a decoder finds the end of a record.
pub trait Framing {
    /// Returns the declared arguments of event `id`, or `None` for an unknown id. Readers before
    /// QEMU 6.1 end a record after its declared arguments.
    fn kinds(&self, id: u64) -> Option<&[ArgumentKind]>;

    /// Whether the record's length field determines the end instead.
    const BY_LENGTH: bool;
}

/// Framing by the records' length fields.
#[derive(Debug, Clone, Copy)]
pub struct ByLength;

impl Framing for ByLength {
    fn kinds(&self, _id: u64) -> Option<&[ArgumentKind]> {
        None
    }
    const BY_LENGTH: bool = true;
}

/// The arguments of a dropped record.
pub const DROPPED_KINDS: &[ArgumentKind] = &[ArgumentKind::Integer { signed: false }];

/// A recorded string, which may be truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrBytes<'a> {
    /// The bytes that are present.
    pub bytes: &'a [u8],
    /// The length as written, which exceeds the length of `bytes` if the string is truncated.
    pub length: u64,
}

/// The record layout of one version and byte order. All functions are intended to be inlined into a
/// loop that is compiled separately for each layout.
pub trait Layout: Copy + Send + Sync + 'static {
    /// The version.
    const VERSION: Version;
    /// The byte order.
    type Order: Order;

    /// Decodes the record at the start of `window`. Reads no more bytes than necessary.
    fn step<'a, F: Framing>(window: &'a [u8], framing: &F) -> Step<'a>;

    /// Decodes the record at the start of `window` if it is ordinary: complete, of the usual type,
    /// with a valid length field, and of at most `max_bytes` bytes. This check is cheap to inline.
    /// If it returns `None`, call [`Layout::step`].
    #[inline(always)]
    fn ordinary(window: &[u8], max_bytes: usize) -> Option<Record<'_>> {
        let _ = (window, max_bytes);
        None
    }

    /// Decodes the record by its length field, with [`Layout::ordinary`] as the fast path.
    #[inline(always)]
    fn step_by_length(window: &[u8], max_ordinary_bytes: usize) -> Step<'_> {
        match Self::ordinary(window, max_ordinary_bytes) {
            Some(record) => Step::Record(record),
            None => Self::step(window, &ByLength),
        }
    }

    /// Decodes `window` at the end of the file, after [`Layout::step`] returned [`Step::NeedMore`].
    fn tail<'a, F: Framing>(window: &'a [u8], framing: &F) -> Tail<'a>;

    /// Removes an integer from the start of a payload. Returns `None` if it is truncated.
    #[inline(always)]
    fn integer(rest: &mut &[u8], signed: bool) -> Option<u64> {
        let _ = signed;
        let (bytes, tail) = rest.split_first_chunk()?;
        *rest = tail;
        Some(<Self::Order as Order>::ORDER.u64(*bytes))
    }

    /// Removes a string from the start of a payload. Returns `None` if its length is truncated.
    #[inline(always)]
    fn string<'a>(rest: &mut &'a [u8]) -> Option<StrBytes<'a>> {
        let (bytes, tail) = rest.split_first_chunk()?;
        let length = <Self::Order as Order>::ORDER.u32(*bytes);
        let there = tail.len().min(length as usize);
        let (bytes, tail) = tail.split_at_checked(there)?;
        *rest = tail;
        Some(StrBytes { bytes, length: u64::from(length) })
    }

    /// Returns the bytes of `payload` after arguments of these `kinds`, or `None` if the payload is
    /// truncated.
    #[inline(always)]
    fn skip_arguments<'a>(payload: &'a [u8], kinds: &[ArgumentKind]) -> Option<&'a [u8]> {
        let mut rest = payload;
        for kind in kinds {
            let is_whole = match kind {
                ArgumentKind::Integer { signed } => Self::integer(&mut rest, *signed).is_some(),
                ArgumentKind::Str => {
                    Self::string(&mut rest).is_some_and(|string| string.bytes.len() as u64 == string.length)
                }
            };
            if !is_whole {
                return None;
            }
        }
        Some(rest)
    }
}

/// A function that is generic over the layout, for use with [`with_layout`].
pub trait LayoutVisitor {
    /// The return type.
    type Output;
    /// Runs the function for layout `L`.
    fn visit<L: Layout>(self) -> Self::Output;
}

/// Calls [`Layout::step`] with [`ByLength`], for a layout known at run time.
pub fn step_by_length(version: Version, order: ByteOrder, window: &[u8]) -> Step<'_> {
    struct ByLengthAt<'w>(&'w [u8]);
    impl<'w> LayoutVisitor for ByLengthAt<'w> {
        type Output = Step<'w>;
        fn visit<L: Layout>(self) -> Step<'w> {
            L::step(self.0, &ByLength)
        }
    }
    with_layout(version, order, ByLengthAt(window))
}

/// Calls `visitor` with the layout of `version` in `order`.
pub fn with_layout<V: LayoutVisitor>(version: Version, order: ByteOrder, visitor: V) -> V::Output {
    use crate::{Big, Little};
    match (version, order) {
        (Version::V0, ByteOrder::Little) => visitor.visit::<v0::V0<Little>>(),
        (Version::V0, ByteOrder::Big) => visitor.visit::<v0::V0<Big>>(),
        (Version::V2, ByteOrder::Little) => visitor.visit::<v2::V2<Little>>(),
        (Version::V2, ByteOrder::Big) => visitor.visit::<v2::V2<Big>>(),
        (Version::V3, ByteOrder::Little) => visitor.visit::<v2::V3<Little>>(),
        (Version::V3, ByteOrder::Big) => visitor.visit::<v2::V3<Big>>(),
        (Version::V4, ByteOrder::Little) => visitor.visit::<v4::V4<Little>>(),
        (Version::V4, ByteOrder::Big) => visitor.visit::<v4::V4<Big>>(),
        (Version::Rfc2011, ByteOrder::Little) => visitor.visit::<rfc2011::Rfc2011<Little>>(),
        (Version::Rfc2011, ByteOrder::Big) => visitor.visit::<rfc2011::Rfc2011<Big>>(),
    }
}
