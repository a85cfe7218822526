//! simpletrace files: QEMU's binary traces, in every version since 2010, and the 2011 proposal.
//!
//! A file is a header, then records without an index. [`Layout::step`] looks at the bytes of one record:
//! it either gives it, or says how many bytes it needs to see. Nothing is kept between steps, so that the same
//! code serves a mapped file, a pipe, a file that grows, and a fuzzer that feeds single bytes.
//!
//! | version | written by | header | numbering of events | pid | strings |
//! |---|---|---|---|---|---|
//! | v0 | QEMU 0.14 to 1.1 | 64 bytes | position | no | no |
//! | RFC of 2011 | nobody | 32 bytes | position | in the header | yes |
//! | v2 | QEMU 1.2 to 2.0 | 24 bytes | position among the active ones | no | yes |
//! | v3 | QEMU 2.1 to 2.7 | 24 bytes | position | yes | yes |
//! | v4 | QEMU 2.8 and later, ringtrace | 24 bytes | mapping records | yes | yes |

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

/// The id that stands for records that were lost; their payload is one u64, how many.
pub const DROPPED_ID: u64 = 0xffff_ffff_ffff_fffe;

/// The first word of a header (v0 to v4), in place of an event id.
pub const HEADER_ID: u64 = 0xffff_ffff_ffff_ffff;

/// No writer makes records longer than this (10 strings of 512 bytes are 5 KiB). Readers need not hold more of
/// one record in memory: what is longer is damage, and is stepped over.
pub const MAX_RECORD_BYTES: usize = 1 << 20;

/// A version of the file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// 64-byte records of six integers.
    V0,
    /// Variable length, strings.
    V2,
    /// v2 with a pid, and all events numbered.
    V3,
    /// v3 with record types and names in the file.
    V4,
    /// The proposal of November 2011, that no program was released with.
    Rfc2011,
}

/// How events get the ids that records carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// Position in the declarations, `disable`d events counted or not.
    Position {
        /// Whether `disable`d events take a number.
        count_disabled: bool,
    },
    /// By mapping records in the file.
    Mapping,
}

/// What is known of a version. [`VERSIONS`] lists all.
#[derive(Debug, Clone, Copy)]
pub struct VersionInfo {
    /// Which.
    pub version: Version,
    /// What options call it.
    pub name: &'static str,
    /// Who wrote it.
    pub written_by: &'static str,
    /// How ids are given, unless the user knows better.
    pub numbering: Numbering,
    /// Whether records carry a pid.
    pub has_pid: bool,
    /// Whether arguments can be strings.
    pub has_strings: bool,
}

/// All versions, oldest first.
pub const VERSIONS: &[VersionInfo] = &[
    VersionInfo {
        version: Version::V0,
        name: "v0",
        written_by: "QEMU 0.14 to 1.1",
        numbering: Numbering::Position { count_disabled: true },
        has_pid: false,
        has_strings: false,
    },
    VersionInfo {
        version: Version::Rfc2011,
        name: "rfc2011",
        written_by: "a proposal of 2011",
        numbering: Numbering::Position { count_disabled: true },
        has_pid: true,
        has_strings: true,
    },
    VersionInfo {
        version: Version::V2,
        name: "v2",
        written_by: "QEMU 1.2 to 2.0",
        numbering: Numbering::Position { count_disabled: false },
        has_pid: false,
        has_strings: true,
    },
    VersionInfo {
        version: Version::V3,
        name: "v3",
        written_by: "QEMU 2.1 to 2.7",
        numbering: Numbering::Position { count_disabled: true },
        has_pid: true,
        has_strings: true,
    },
    VersionInfo {
        version: Version::V4,
        name: "v4",
        written_by: "QEMU 2.8 and later",
        numbering: Numbering::Mapping,
        has_pid: true,
        has_strings: true,
    },
];

impl Version {
    /// What is known of it.
    pub fn info(self) -> &'static VersionInfo {
        // Every variant is listed: a test walks them.
        VERSIONS.iter().find(|info| info.version == self).unwrap_or(&VERSIONS[0])
    }

    /// Whether the values in its records look the same as in those of `other`, given the same byte order.
    pub fn has_payload_of(self, other: Version) -> bool {
        let packed = |version| matches!(version, Version::V2 | Version::V3 | Version::V4);
        self == other || (packed(self) && packed(other))
    }

    /// The version that options call `name`.
    pub fn from_name(name: &str) -> Option<Version> {
        VERSIONS.iter().find(|info| info.name == name).map(|info| info.version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

/// How an argument is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentKind {
    /// One integer; `signed` matters only to the 2011 RFC, whose integers can be narrow.
    Integer {
        /// Whether a narrow one is sign-extended.
        signed: bool,
    },
    /// A string.
    Str,
}

/// One event that happened, as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// v4's record type: 1, unless the file is odd. 1 in other versions.
    pub record_type: u64,
    /// Event id, or [`DROPPED_ID`].
    pub id: u64,
    /// Nanoseconds of the writer's clock (CLOCK_MONOTONIC in QEMU).
    pub timestamp_ns: u64,
    /// Process id, 0 where the version has none.
    pub pid: u32,
    /// The record's own length field as written, 0 where the version has none. Counts from the event id.
    pub length: u32,
    /// The arguments' bytes.
    pub payload: &'a [u8],
    /// How many bytes the step takes, from its start to the next record's.
    pub size: usize,
}

/// A name for an id, from here on in the file (v4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mapping<'a> {
    /// Event id.
    pub id: u64,
    /// Its name, as bytes: a writer can put anything there.
    pub name: &'a [u8],
    /// How many bytes the step takes.
    pub size: usize,
}

/// What the bytes at a place of the file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// An event, or a count of dropped ones.
    Record(Record<'a>),
    /// A name.
    Mapping(Mapping<'a>),
    /// At least this many bytes must be seen from here, more than there are.
    NeedMore(usize),
    /// Not the format.
    Fault(Fault),
}

/// What is left when a file ends within a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail<'a> {
    /// A record or mapping whose end is missing, with as much as there is.
    Cut(Step<'a>),
    /// The original reader takes it for the end of the file: `have` bytes that are no record.
    Ignored {
        /// How many bytes are left.
        have: usize,
        /// How many a record has at least.
        need: usize,
    },
    /// An error.
    Fault(Fault),
}

/// Something that is not the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Bytes from the start of the step to the wrong ones.
    pub at: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What can be wrong with a step's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The length field is below the size of the header that holds it.
    Length {
        /// As written.
        length: u32,
        /// The least possible.
        minimum: u32,
    },
    /// The file ends within the fixed part of a record.
    CutHeader {
        /// What was being read.
        part: &'static str,
        /// Bytes that are there.
        have: usize,
        /// Bytes that belong there.
        need: usize,
    },
    /// The magic number before an RFC 2011 record is another.
    Magic {
        /// As written.
        found: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FaultKind::Length { length, minimum } => {
                write!(f, "record length {length} ({length:#x}) is less than its own header, {minimum} bytes")
            }
            FaultKind::CutHeader { part, have, need } => {
                write!(f, "the file ends within a {part}: {need} bytes expected, {have} found")
            }
            FaultKind::Magic { found } => {
                write!(f, "expected the record magic {:#x}, found {found:#x}", rfc2011::RECORD_MAGIC)
            }
        }
    }
}

/// What a reader knows of events while it finds the ends of their records.
pub trait Framing {
    /// The arguments of event `id`, when the end of a record is where its declared arguments end (readers before
    /// QEMU 6.1); `None` for an id that is not known.
    fn kinds(&self, id: u64) -> Option<&[ArgumentKind]>;

    /// Whether the record's length field decides instead, and [`Framing::kinds`] is not asked.
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

/// The argument of a dropped record.
pub const DROPPED_KINDS: &[ArgumentKind] = &[ArgumentKind::Integer { signed: false }];

/// A recorded string, with what is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrBytes<'a> {
    /// The bytes that are there.
    pub bytes: &'a [u8],
    /// The length as written: more than `bytes` holds when the record ends before the string.
    pub length: u64,
}

/// Where things stand in the files of one version and byte order. All functions are meant to be inlined into a
/// loop that is compiled for each.
pub trait Layout: Copy + Send + Sync + 'static {
    /// Which version.
    const VERSION: Version;
    /// Which byte order.
    type Order: Order;

    /// What the bytes at the start of `window` are. Never reads beyond what it needs.
    fn step<'a, F: Framing>(window: &'a [u8], framing: &F) -> Step<'a>;

    /// The record at the start of `window` if it is an ordinary one: complete, with its length field right, of the
    /// usual type, and with no more than `max_bytes`. A first look that is cheap to inline; after `None`
    /// [`Layout::step`] tells.
    #[inline(always)]
    fn ordinary(window: &[u8], max_bytes: usize) -> Option<Record<'_>> {
        let _ = (window, max_bytes);
        None
    }

    /// What the bytes at the start of `window` are by their length field, with the first look at ordinary records.
    #[inline(always)]
    fn step_by_length(window: &[u8], max_ordinary_bytes: usize) -> Step<'_> {
        match Self::ordinary(window, max_ordinary_bytes) {
            Some(record) => Step::Record(record),
            None => Self::step(window, &ByLength),
        }
    }

    /// What `window` is when no more bytes come and [`Layout::step`] asked for more.
    fn tail<'a, F: Framing>(window: &'a [u8], framing: &F) -> Tail<'a>;

    /// Takes an integer argument off the front of a payload; `None` when it ends before.
    #[inline(always)]
    fn integer(rest: &mut &[u8], signed: bool) -> Option<u64> {
        let _ = signed;
        let (bytes, tail) = rest.split_first_chunk()?;
        *rest = tail;
        Some(<Self::Order as Order>::ORDER.u64(*bytes))
    }

    /// Takes a string argument off the front of a payload; `None` when its length field is not whole.
    #[inline(always)]
    fn string<'a>(rest: &mut &'a [u8]) -> Option<StrBytes<'a>> {
        let (bytes, tail) = rest.split_first_chunk()?;
        let length = <Self::Order as Order>::ORDER.u32(*bytes);
        let there = tail.len().min(length as usize);
        let (bytes, tail) = tail.split_at_checked(there)?;
        *rest = tail;
        Some(StrBytes { bytes, length: u64::from(length) })
    }

    /// The bytes of `payload` behind arguments of these `kinds`; `None` when one of them is not whole.
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

/// Something to be done with a layout that is known only at run time.
pub trait LayoutVisitor {
    /// What it gives.
    type Output;
    /// Does it.
    fn visit<L: Layout>(self) -> Self::Output;
}

/// [`Layout::step`] by length fields, of a layout known at run time.
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
