//! The crash image, or arena: a file that contains the rings of a process, so that recorded events
//! outlive the process. The format is described in `docs/formats/arena.md`.
//!
//! | offset | size | contents |
//! |---|---|---|
//! | 0 | 4096 | header page: [`Header`], then the words of [`at`], then the path of the trace file |
//! | 4096 | 4096 | two commit banks of 2048 bytes each: how much of each ring is in the trace file |
//! | 8192 | 131072 | clock table: [`clock::PIECES`] pieces of [`clock::PIECE_BYTES`] bytes |
//! | 139264 | [`Header::metadata_capacity`] | metadata: the first bytes of the trace file, its header and mapping records |
//! | after the metadata | 4096 for each slot | slot pages: positions and counts |
//! | after the slots | [`Header::ring_bytes`] for each slot | rings |
//!
//! All integers are in the machine's byte order. All parts start at multiples of [`PAGE_BYTES`].
//! Words that change while the process runs are aligned, and each is written with a single store.
//!
//! **Ring positions.** The ring is mapped twice in a row, starting at address [`slot::BASE`]. The
//! recording thread stores the position of the next record as an address in this memory. The offset
//! in the ring is this address minus the base, modulo the size of the ring. The reader's position
//! counts all bytes since the slot was created. Its offset in the ring is this count modulo the
//! size of the ring. A ring is never filled to its last word, so equal offsets mean that it is
//! empty.
//!
//! **Stamps.** The stamp of a record in a ring is in the unit of [`Header::stamps`]: nanoseconds,
//! or ticks of the processor's counter. The clock table converts ticks to nanoseconds
//! ([`ticks`](crate::ticks)).
//!
//! **Commits.** The writer thread appends to the trace file and then overwrites the older bank,
//! using the next sequence number. If the process is killed between the two steps, the file is
//! longer than `file_bytes` in the newest bank. The bytes after `file_bytes` are then still in the
//! rings. If a process has several arenas, the smallest of their newest sequence numbers is valid.
//! An arena without a commit has no bytes in the file.
//!
//! **Trace files.** When the trace continues in another file, a commit with the number of that file
//! says so. The header page has room for two paths, one for files with even numbers and one for
//! files with odd numbers. The writer thread replaces a path only when both banks refer to the
//! other one.

mod image;

use crate::{ByteOrder, order};

pub use image::{Bank, ClockTable, PageWords, SlotWords, Start};

/// The first bytes of the file.
pub const MAGIC: [u8; 16] = *b"ringtrace arena\0";

/// The version of the layout.
pub const VERSION: u32 = 1;

/// The alignment of all parts, in bytes.
pub const PAGE_BYTES: usize = 4096;

/// The maximum number of slots in an arena.
pub const MAX_SLOTS: usize = 64;

/// The maximum number of arenas of a process.
pub const MAX_SEGMENTS: usize = 64;

/// The number of pages in a flight recorder's ring.
pub const RING_PAGES: usize = 16;

/// The maximum size of the trace file's path, in bytes. While the trace continues in another file,
/// this is the maximum size of both paths together.
pub const MAX_PATH_BYTES: usize = at::MONITOR - at::PATH;

/// The maximum size of a monitor socket's path, in bytes. The system's limit is 107.
pub const MAX_MONITOR_BYTES: usize = 128;

const BYTE_ORDER_MARK: u32 = 0x0102_0304;

/// Offsets in the header page.
pub mod at {
    pub(super) const VERSION: usize = 16;
    pub(super) const BYTE_ORDER: usize = 20;
    pub(super) const PID: usize = 24;
    pub(super) const POLICY: usize = 28;
    pub(super) const SEGMENT: usize = 32;
    pub(super) const SLOTS: usize = 36;
    pub(super) const RING_BYTES: usize = 40;
    pub(super) const METADATA_CAPACITY: usize = 48;
    pub(super) const STARTED_NS: usize = 56;
    pub(super) const STAMPS: usize = 88;
    /// u64, atomic: the number of metadata bytes that have been written.
    pub const METADATA_BYTES: usize = 64;
    /// u64, atomic: the number of records that were dropped because their thread had no slot.
    pub const UNATTACHED: usize = 72;
    /// u32, atomic: the size of the path of trace files with even numbers.
    pub const PATH_BYTES: usize = 80;
    /// u32, atomic: the number of enabled events, as the writer thread last saw it.
    pub const EVENTS_ON: usize = 84;
    /// u32, atomic: the size of the monitor socket's path.
    pub const MONITOR_BYTES: usize = 92;
    /// u32, atomic: the size of the path of trace files with odd numbers.
    pub const ODD_PATH_BYTES: usize = 96;
    /// u32, atomic: 1 if the process has ended tracing, but could not write its last events.
    pub const UNWRITTEN: usize = 100;
    /// u32, atomic: 1 if a thread's ring is in private memory, as the writer thread last saw it. The ring's
    /// events are lost if the process is killed.
    pub const PRIVATE: usize = 104;
    /// [`PATH_BYTES`] bytes: the path of the trace file, if its number is even. The path of a file
    /// with an odd number has [`ODD_PATH_BYTES`] bytes, and ends at [`MONITOR`].
    pub const PATH: usize = 128;
    /// [`MONITOR_BYTES`] bytes: the path of the monitor's socket.
    pub const MONITOR: usize = super::PAGE_BYTES - super::MAX_MONITOR_BYTES;
}

/// Offsets in a commit bank.
pub mod bank {
    /// The offsets of the two banks in the file.
    pub const AT: [usize; 2] = [super::PAGE_BYTES, super::PAGE_BYTES + super::PAGE_BYTES / 2];
    /// u64, atomic: the number of the commit; 0 while it is being written. The higher number is
    /// valid.
    pub const SEQUENCE: usize = 0;
    /// u64: the number of valid bytes in the trace file.
    pub const FILE_BYTES: usize = 8;
    /// Three u64 for each slot: ring bytes in the file, dropped records that the file reports, and
    /// refused records among these.
    pub const SLOTS: usize = 16;
    /// The size of a slot's entry in a bank.
    pub const SLOT_BYTES: usize = 24;
    /// u64: the number of the trace file, from 0.
    pub const FILE: usize = SLOTS + super::MAX_SLOTS * SLOT_BYTES;
    /// u64: the monotonic time of the trace file's first anchor, in nanoseconds; 0 if it is the
    /// anchor in the arena's metadata.
    pub const ANCHOR_NS: usize = FILE + 8;
}

/// Offsets in a slot's page.
pub mod slot {
    /// u64, atomic, written by the thread: the address at which the last complete record ends, or
    /// 0.
    pub const PUBLISHED: usize = 0;
    /// u64, atomic: the number of dropped records, including refused ones.
    pub const DROPPED: usize = 8;
    /// u64, atomic: the number of records overwritten before they were read.
    pub const OVERWRITTEN: usize = 16;
    /// u64, atomic: the number of records refused because the thread was inside a probe.
    pub const REFUSED: usize = 24;
    /// u64, atomic: the number of truncated strings.
    pub const CUT: usize = 32;
    /// u64, atomic, written by the writer thread: the number of ring bytes released so far.
    pub const CONSUMED: usize = 64;
    /// u32, atomic: the number of releases while the thread waited. The thread sleeps on this word.
    pub const ROOM: usize = 72;
    /// u32, atomic: nonzero while the thread waits for a release.
    pub const WAITING: usize = 76;
    /// u32, atomic: 0 if the slot is free, 1 if it is used, 2 if its thread has left.
    pub const STATE: usize = 128;
    /// u32: the thread's id.
    pub const TID: usize = 132;
    /// u32, atomic: the number of threads that have owned the slot.
    pub const OWNER_NUMBER: usize = 136;
    /// u64: the address of the ring.
    pub const BASE: usize = 160;
    /// u64: in a flight recorder, the number of records that earlier threads recorded in the slot.
    pub const BEFORE: usize = 168;
    /// u64: the value of [`DROPPED`] when the thread attached.
    pub const DROPPED_BEFORE: usize = 176;
    /// u64: the value of [`REFUSED`] when the thread attached.
    pub const REFUSED_BEFORE: usize = 184;
    /// 16 bytes: the thread's name, terminated by NUL.
    pub const NAME: usize = 144;
    /// The size of the name field.
    pub const NAME_BYTES: usize = 16;
    /// [`PAGE_ENTRY_BYTES`] bytes for each page of a flight recorder's ring: the `PAGE_` offsets.
    pub const PAGES: usize = 256;
    /// The size of a page's entry.
    pub const PAGE_ENTRY_BYTES: usize = 64;
    /// u64, atomic: the sequence number of the page's contents, from 1; 0 if the page is empty. The
    /// number modulo [`RING_PAGES`](super::RING_PAGES) is the index of the page.
    pub const PAGE_NUMBER: usize = 0;
    /// u64, atomic: the number of bytes that contain records. It is 0 while the page is being
    /// written; the records then end at [`PUBLISHED`].
    pub const PAGE_BYTES: usize = 8;
    /// u64, atomic: the number of records in the page, once it is complete.
    pub const PAGE_RECORDS: usize = 16;
    /// u32, atomic: 0 if the page is unclaimed, else [`READER`] or [`ENTERED`].
    pub const PAGE_CLAIM: usize = 24;
    /// The value of [`PAGE_CLAIM`] while a reader copies the page. The thread skips the page.
    pub const READER: u32 = 1;
    /// The value of [`PAGE_CLAIM`] while the thread is about to write the page. The page is empty.
    pub const ENTERED: u32 = 2;
    /// u32, atomic: the id of the thread that wrote the page. Each thread starts a new page.
    pub const PAGE_TID: usize = 28;
    /// u64, atomic: the number of records in the slot that precede the records in the page.
    pub const PAGE_BEFORE: usize = 32;

    /// Returns the thread name in a name field: the bytes before the first NUL.
    pub fn name_of(bytes: &[u8]) -> &[u8] {
        bytes.split(|&byte| byte == 0).next().unwrap_or_default()
    }
}

/// Offsets in the clock table, whose pieces convert ticks to nanoseconds.
pub mod clock {
    /// The offset of the table in the file.
    pub const AT: usize = 2 * super::PAGE_BYTES;
    /// The number of pieces. A new piece replaces the oldest.
    pub const PIECES: usize = 4096;
    /// The size of a piece: four words.
    pub const PIECE_BYTES: usize = 32;
    /// u64: the sequence number of the piece, from 1; 0 if the entry is empty. The number modulo
    /// [`PIECES`] is the index of the entry.
    pub const NUMBER: usize = 0;
    /// u64: the first tick.
    pub const FIRST_TICKS: usize = 8;
    /// u64: the time at the first tick, in nanoseconds.
    pub const FIRST_NS: usize = 16;
    /// u64: the [`Rate`](crate::ticks::Rate).
    pub const RATE: usize = 24;
}

/// The unit of the stamps of records in rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StampUnit {
    /// Nanoseconds.
    Ns,
    /// Ticks, which the clock table converts to nanoseconds.
    Ticks,
}

/// The action when a ring is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FullPolicy {
    /// Drop the new record.
    Discard,
    /// Make the thread wait for space.
    Block,
    /// Overwrite the oldest records (flight recorder).
    Overwrite,
}

/// The fields of the header page that do not change while the process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The process id.
    pub pid: u32,
    /// The action when a ring is full.
    pub full: FullPolicy,
    /// The index of the arena: 0 for the first arena of a process, 1 for the second. It is less than
    /// [`MAX_SEGMENTS`].
    pub segment: u32,
    /// The number of slots, at most [`MAX_SLOTS`].
    pub slots: u32,
    /// The size of each ring in bytes: a power of two.
    pub ring_bytes: u64,
    /// The number of bytes for metadata: a multiple of [`PAGE_BYTES`].
    pub metadata_capacity: u64,
    /// The start of tracing, in nanoseconds since 1970.
    pub started_ns: u64,
    /// The unit of the stamps of records.
    pub stamps: StampUnit,
}

/// The reason why bytes are not an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderError {
    /// The bytes do not start with [`MAGIC`], or are fewer than [`PAGE_BYTES`].
    Magic,
    /// The version is not [`VERSION`].
    Version(u32),
    /// The byte order is not this machine's.
    ByteOrder,
    /// A field has an invalid value.
    Sizes,
}

impl Header {
    /// Encodes the first 128 bytes of the header page.
    pub fn encode(&self) -> [u8; 128] {
        let mut page = [0; 128];
        let mut put = |at: usize, bytes: &[u8]| page[at..at + bytes.len()].copy_from_slice(bytes);
        let full = match self.full {
            FullPolicy::Discard => 0u32,
            FullPolicy::Block => 1,
            FullPolicy::Overwrite => 2,
        };
        put(0, &MAGIC);
        put(at::VERSION, &VERSION.to_ne_bytes());
        put(at::BYTE_ORDER, &BYTE_ORDER_MARK.to_ne_bytes());
        put(at::PID, &self.pid.to_ne_bytes());
        put(at::POLICY, &full.to_ne_bytes());
        put(at::SEGMENT, &self.segment.to_ne_bytes());
        put(at::SLOTS, &self.slots.to_ne_bytes());
        put(at::RING_BYTES, &self.ring_bytes.to_ne_bytes());
        put(at::METADATA_CAPACITY, &self.metadata_capacity.to_ne_bytes());
        put(at::STARTED_NS, &self.started_ns.to_ne_bytes());
        put(at::STAMPS, &u32::from(self.stamps == StampUnit::Ticks).to_ne_bytes());
        page
    }

    /// Decodes the header of an arena file that starts with `bytes`.
    ///
    /// # Errors
    /// Returns an error if `bytes` is shorter than [`PAGE_BYTES`], or is not the header of an arena
    /// in this version and byte order.
    pub fn decode(bytes: &[u8]) -> Result<Header, HeaderError> {
        if bytes.len() < PAGE_BYTES || bytes[..MAGIC.len()] != MAGIC {
            return Err(HeaderError::Magic);
        }
        let u32_at = |at: usize| half_word(bytes, at);
        if u32_at(at::BYTE_ORDER) != BYTE_ORDER_MARK {
            return Err(HeaderError::ByteOrder);
        }
        if u32_at(at::VERSION) != VERSION {
            return Err(HeaderError::Version(u32_at(at::VERSION)));
        }
        let header = Header {
            pid: u32_at(at::PID),
            full: match u32_at(at::POLICY) {
                0 => FullPolicy::Discard,
                1 => FullPolicy::Block,
                2 => FullPolicy::Overwrite,
                _ => return Err(HeaderError::Sizes),
            },
            segment: u32_at(at::SEGMENT),
            slots: u32_at(at::SLOTS),
            ring_bytes: word(bytes, at::RING_BYTES),
            metadata_capacity: word(bytes, at::METADATA_CAPACITY),
            started_ns: word(bytes, at::STARTED_NS),
            stamps: match u32_at(at::STAMPS) {
                0 => StampUnit::Ns,
                1 => StampUnit::Ticks,
                _ => return Err(HeaderError::Sizes),
            },
        };
        let sane = header.slots as usize <= MAX_SLOTS
            && (header.segment as usize) < MAX_SEGMENTS
            && header.ring_bytes.is_power_of_two()
            && (PAGE_BYTES as u64..=1 << 31).contains(&header.ring_bytes)
            && header.metadata_capacity.is_multiple_of(PAGE_BYTES as u64)
            && header.metadata_capacity <= 1 << 32;
        if sane { Ok(header) } else { Err(HeaderError::Sizes) }
    }

    /// Returns the offset of the metadata in the file.
    pub fn metadata_at(&self) -> usize {
        clock::AT + clock::PIECES * clock::PIECE_BYTES
    }

    /// Returns the file offset of the page of slot `slot`.
    pub fn slot_at(&self, slot: usize) -> usize {
        self.metadata_at() + self.metadata_capacity as usize + slot * PAGE_BYTES
    }

    /// Returns the file offset of the ring of slot `slot`.
    pub fn ring_at(&self, slot: usize) -> usize {
        self.slot_at(self.slots as usize) + slot * self.ring_bytes as usize
    }

    /// Returns the size of the file in bytes.
    pub fn file_bytes(&self) -> usize {
        self.ring_at(self.slots as usize)
    }

    /// Returns the size of one page in a flight recorder's ring, in bytes.
    pub fn ring_page_bytes(&self) -> u32 {
        (self.ring_bytes / RING_PAGES as u64) as u32
    }
}

/// Returns the process id in the file name of an arena, `PID-N.arena`.
pub fn pid_of_name(name: &[u8]) -> Option<u32> {
    let (pid, number) = std::str::from_utf8(name.strip_suffix(b".arena")?).ok()?.split_once('-')?;
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(pid) && is_number(number)).then(|| pid.parse().ok())?
}

/// Returns whether a file that starts with `start` has no header yet: it is empty or zeroed, or
/// ends within the header page. `start` is the header page, or the whole file if that is shorter.
///
/// A program that is killed while it creates an arena can leave such a file. A program that ends
/// without permission to remove its arena leaves an empty file.
pub fn is_unwritten(start: &[u8]) -> bool {
    let magic = &start[..start.len().min(MAGIC.len())];
    magic.iter().all(|&byte| byte == 0) || start.len() < PAGE_BYTES && MAGIC.starts_with(magic)
}

/// Returns the offset, in a flight recorder's ring, of the page whose contents have the sequence
/// number `number`.
pub const fn ring_page_at(number: u64, page_bytes: usize) -> usize {
    (number % RING_PAGES as u64) as usize * page_bytes
}

/// Returns the number of bytes in a flight recorder's ring page that contain records. `number` and
/// `bytes` are words of the page's entry.
///
/// `published` is the published address minus the address of the ring. While the thread writes the
/// page, `bytes` is 0 and the records end at `published`. A reader of a running thread must load
/// `bytes` after `published`, because `published` is in another page after the thread has left this
/// page.
pub fn readable_page_bytes(number: u64, bytes: u64, published: u64, page_bytes: usize) -> usize {
    let bytes = match (number, bytes) {
        (0, _) => 0,
        (_, 0) => published.wrapping_sub(ring_page_at(number, page_bytes) as u64),
        (_, bytes) => bytes,
    };
    // If the address is outside the page, the page contains no records.
    if bytes <= page_bytes as u64 { bytes as usize } else { 0 }
}

/// Returns the u32 at offset `at`, or 0 beyond the end of `bytes`.
pub fn half_word(bytes: &[u8], at: usize) -> u32 {
    order::u32_at(bytes, at, ByteOrder::NATIVE).unwrap_or(0)
}

/// Returns the u64 at offset `at`, or 0 beyond the end of `bytes`.
pub fn word(bytes: &[u8], at: usize) -> u64 {
    order::u64_at(bytes, at, ByteOrder::NATIVE).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: Header = Header {
        pid: 4711,
        full: FullPolicy::Overwrite,
        segment: 3,
        slots: 64,
        ring_bytes: 1 << 20,
        metadata_capacity: 8192,
        started_ns: 77,
        stamps: StampUnit::Ticks,
    };

    /// Compares the rows of the document with the constants.
    #[test]
    fn the_document_has_the_offsets_of_the_code() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/arena.md");
        let document = std::fs::read_to_string(path).unwrap();
        let mut rest = document.as_str();
        let mut rows = |section: &str, rows: &[(usize, &str)]| {
            rest = &rest[rest.find(section).unwrap()..];
            for (offset, row) in rows {
                let row = format!("| {offset} | {row}");
                let at = rest.find(&row).unwrap_or_else(|| panic!("{section}: no row {row:?}"));
                rest = &rest[at..];
            }
        };
        rows(
            "offset in the file",
            &[
                (0, "the header page"),
                (bank::AT[0], "two commits, 2048 bytes each"),
                (clock::AT, "the clock table: 4096 pieces of 32 bytes"),
                (HEADER.metadata_at(), "metadata"),
            ],
        );
        assert_eq!((bank::AT[1] - bank::AT[0], clock::PIECES, clock::PIECE_BYTES), (2048, 4096, 32));
        rows(
            "## The header page",
            &[
                (0, "16 bytes | `ringtrace arena`"),
                (at::VERSION, &format!("u32 | version: {VERSION} ")),
                (at::BYTE_ORDER, &format!("u32 | {BYTE_ORDER_MARK:#010x} ")),
                (at::PID, "u32 | process"),
                (at::POLICY, "u32 | when a ring is full"),
                (
                    at::SEGMENT,
                    &format!("u32 | index of this arena within its process, less than {MAX_SEGMENTS} "),
                ),
                (at::SLOTS, &format!("u32 | number of slots, at most {MAX_SLOTS} ")),
                (at::RING_BYTES, "u64 | size of each ring"),
                (at::METADATA_CAPACITY, "u64 | space for metadata"),
                (at::STARTED_NS, "u64 | when tracing began"),
                (at::METADATA_BYTES, "u64 | number of metadata bytes"),
                (at::UNATTACHED, "u64 | records dropped because"),
                (at::PATH_BYTES, "u32 | length of the path of a trace file with an even number"),
                (at::EVENTS_ON, "u32 | number of enabled events"),
                (at::STAMPS, "u32 | stamps"),
                (at::MONITOR_BYTES, "u32 | length of the monitor socket's path"),
                (at::ODD_PATH_BYTES, "u32 | length of the path of a trace file with an odd number"),
                (at::UNWRITTEN, "u32 | 1: the process has ended tracing"),
                (at::PATH, "bytes | the path of a trace file with an even number"),
                (at::MONITOR, "bytes | the path of the monitor's socket"),
            ],
        );
        rows(
            "## Commits",
            &[
                (bank::SEQUENCE, "u64 | number"),
                (bank::FILE_BYTES, "u64 | number of valid bytes in the trace file"),
                (bank::SLOTS, &format!("{} bytes for each slot", bank::SLOT_BYTES)),
                (bank::FILE, "u64 | number of the trace file"),
                (bank::ANCHOR_NS, "u64 | monotonic time of the first anchor"),
            ],
        );
        rows(
            "## Slots",
            &[
                (slot::PUBLISHED, "u64 | address after"),
                (slot::DROPPED, "u64 | records dropped"),
                (slot::OVERWRITTEN, "u64 | records overwritten"),
                (slot::REFUSED, "u64 | records refused"),
                (slot::CUT, "u64 | strings cut"),
                (slot::CONSUMED, "u64 | bytes of the ring that may be used again"),
                (slot::ROOM, "u32 | number of releases while the thread waited"),
                (slot::WAITING, "u32 | 0 the thread does not wait"),
                (slot::STATE, "u32 | 0 free"),
                (slot::TID, "u32 | thread"),
                (slot::OWNER_NUMBER, "u32 | number of threads"),
                (slot::NAME, &format!("{} bytes | the thread's name", slot::NAME_BYTES)),
                (slot::BASE, "u64 | address of the ring"),
                (slot::BEFORE, "u64 | with `overwrite`: records in the slot before"),
                (slot::DROPPED_BEFORE, "u64 | records dropped before"),
                (slot::REFUSED_BEFORE, "u64 | records refused before"),
                (slot::PAGES, &format!("{} bytes for each of {RING_PAGES} pages", slot::PAGE_ENTRY_BYTES)),
            ],
        );
        rows(
            "With `overwrite`, a ring consists of",
            &[
                (slot::PAGE_NUMBER, "u64 | sequence number of the page's contents"),
                (slot::PAGE_BYTES, "u64 | number of bytes that contain records"),
                (slot::PAGE_RECORDS, "u64 | number of records"),
                (
                    slot::PAGE_CLAIM,
                    &format!("u32 | 0 unclaimed; {} a reader; {} its", slot::READER, slot::ENTERED),
                ),
                (slot::PAGE_TID, "u32 | id of the thread that wrote the page"),
                (slot::PAGE_BEFORE, "u64 | records before"),
            ],
        );
        rows("## Records", &[(crate::ring::HEADER_BYTES, "payload")]);
        rows(
            "## The clock table",
            &[
                (clock::NUMBER, "u64 | sequence number"),
                (clock::FIRST_TICKS, "u64 | first tick"),
                (clock::FIRST_NS, "u64 | time at"),
                (clock::RATE, "u64 | rate"),
            ],
        );
    }

    #[test]
    fn names_contain_a_process_id() {
        assert_eq!(pid_of_name(b"4711-0.arena"), Some(4711));
        for other in
            ["4711.arena", "-0.arena", "4711-.arena", "+1-0.arena", "1-0.arena2", "a-0.arena", ".arena"]
        {
            assert_eq!(pid_of_name(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn files_without_a_header_are_recognized() {
        let header = HEADER.encode();
        for unwritten in [&[][..], &[0; 3], &[0; PAGE_BYTES], &header, &header[..7]] {
            assert!(is_unwritten(unwritten), "{} bytes", unwritten.len());
        }
        let whole: Vec<u8> = header.into_iter().chain([0; PAGE_BYTES]).take(PAGE_BYTES).collect();
        assert!(!is_unwritten(&whole));
        assert!(!is_unwritten(b"what is this"));
        assert!(!is_unwritten(b"ringtrace arena and more"));
    }

    #[test]
    fn headers_round_trip() {
        let mut page = HEADER.encode().to_vec();
        page.resize(PAGE_BYTES, 0);
        assert_eq!(Header::decode(&page), Ok(HEADER));
        assert_eq!(Header::decode(&page[..PAGE_BYTES - 1]), Err(HeaderError::Magic));
        page[at::RING_BYTES] = 1;
        assert_eq!(Header::decode(&page), Err(HeaderError::Sizes));
    }
}
