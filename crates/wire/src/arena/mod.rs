//! The crash image: a file that holds the rings of a process, so that what was recorded outlives it.
//!
//! | offset | what |
//! |---|---|
//! | 0 | header page: [`Header`], then the words of [`at`], then the path of the trace file |
//! | 4096 | two commit banks of 2 KiB each: what of each ring is in the trace file |
//! | 8192 | the clock table: [`clock::PIECES`] pieces |
//! | 139264 | metadata: the first bytes of the trace file, i.e. its header and mapping records |
//! | behind the metadata | a page for each slot: places and counts |
//! | behind the slots | a ring for each slot |
//!
//! Everything is in the byte order of the machine. All parts begin at pages. Words that change while the process runs
//! are aligned and are written whole.
//!
//! **Places.** Where a ring's next record goes is told as the thread has it: as an address in its memory, in which the ring is mapped
//! twice in a row from [`slot::BASE`] on. The address less the base, modulo the ring's size, is the place in the ring. How far a
//! ring has been read is a number of bytes since the slot was made; modulo the ring's size, it is the place.
//! A ring is never full to its last word, so equal places mean that it is empty.
//!
//! **StampUnit.** A record in a ring has, where a file has nanoseconds, what [`Header::stamps`] says: nanoseconds, or ticks of
//! the processor's counter, that the pieces of the clock table turn to nanoseconds ([`ticks`](crate::ticks)).
//!
//! **Commits.** The writer thread appends to the trace file, then writes the other bank with a sequence number one higher.
//! A process that is killed between the two leaves a file that is longer than the bank says: what is behind
//! `file_bytes` is still in the rings. Of several arenas of a process, the smallest sequence number counts; one that has none yet
//! has nothing in the file.

mod image;

pub use image::{Bank, ClockTable, PageWords, SlotWords, Start};

/// What the file begins with.
pub const MAGIC: [u8; 16] = *b"ringtrace arena\0";

/// The layout that this file describes.
pub const VERSION: u32 = 1;

/// All parts begin at multiples of this.
pub const PAGE_BYTES: usize = 4096;

/// The most slots that one arena has.
pub const MAX_SLOTS: usize = 64;

/// The pages that a flight recorder's ring is divided into.
pub const RING_PAGES: usize = 16;

/// The longest path of a trace file that is kept.
pub const MAX_PATH_BYTES: usize = PAGE_BYTES - at::PATH;

const BYTE_ORDER_MARK: u32 = 0x0102_0304;

/// Where words stand in the header page.
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
    /// u64, atomic: how many bytes of the metadata are written.
    pub const METADATA_BYTES: usize = 64;
    /// u64, atomic: records dropped because their thread had no slot.
    pub const UNATTACHED: usize = 72;
    /// u32, atomic: how many bytes the path of the trace file has.
    pub const PATH_BYTES: usize = 80;
    /// The path of the trace file.
    pub const PATH: usize = 128;
}

/// Where words stand in a bank.
pub mod bank {
    /// The banks' places in the file.
    pub const AT: [usize; 2] = [super::PAGE_BYTES, super::PAGE_BYTES + super::PAGE_BYTES / 2];
    /// u64, atomic: the sequence number of the commit; the bank with the higher one counts.
    pub const SEQUENCE: usize = 0;
    /// u64: how many bytes of the trace file are whole.
    pub const FILE_BYTES: usize = 8;
    /// For each slot: u64 bytes of the ring that are in the file, u64 dropped records that the file tells of, u64 refused ones among
    /// them.
    pub const SLOTS: usize = 16;
    /// What a slot takes.
    pub const SLOT_BYTES: usize = 24;
}

/// Where words stand in a slot's page.
pub mod slot {
    /// u64, atomic, written by the thread: the address behind the last whole record; 0 before the first.
    pub const PUBLISHED: usize = 0;
    /// u64, atomic: records dropped, refused ones included.
    pub const DROPPED: usize = 8;
    /// u64, atomic: records overwritten before they were read.
    pub const OVERWRITTEN: usize = 16;
    /// u64, atomic: records refused because the thread was inside a probe.
    pub const REFUSED: usize = 24;
    /// u64, atomic: strings that were cut.
    pub const CUT: usize = 32;
    /// u64, atomic, written by the writer thread: how many bytes of the ring may be used again.
    pub const CONSUMED: usize = 64;
    /// u32, atomic: counts the times that the writer thread made room while somebody waited.
    pub const ROOM: usize = 72;
    /// u32, atomic: not 0 while the thread waits for room.
    pub const WAITING: usize = 76;
    /// u32, atomic: 0 free, 1 used, 2 its thread has left.
    pub const STATE: usize = 128;
    /// u32: the thread's id.
    pub const TID: usize = 132;
    /// u32, atomic: how many threads have had the slot.
    pub const TENANT: usize = 136;
    /// u64: the address of the ring.
    pub const BASE: usize = 160;
    /// u64: how many records the slot had before those of its thread, if it is a flight recorder's.
    pub const BEFORE: usize = 168;
    /// u64: how many of [`DROPPED`] were so before its thread came.
    pub const DROPPED_BEFORE: usize = 176;
    /// u64: how many of [`REFUSED`] were so before its thread came.
    pub const REFUSED_BEFORE: usize = 184;
    /// 16 bytes: the thread's name, ended by NUL.
    pub const NAME: usize = 144;
    /// The size of a name.
    pub const NAME_BYTES: usize = 16;
    /// For each page of a flight recorder's ring: five words.
    pub const PAGES: usize = 256;
    /// What a page takes.
    pub const PAGE_ENTRY_BYTES: usize = 64;
    /// Of a page: u64, atomic: the number of its contents, from 1 on, which is its place in the ring modulo [`RING_PAGES`](super::RING_PAGES); 0: none.
    pub const PAGE_NUMBER: usize = 0;
    /// Of a page: u64, atomic: how many bytes of it are records; 0 while it is written, up to the published address.
    pub const PAGE_BYTES: usize = 8;
    /// Of a page: u64, atomic: how many records it has, once it is no longer written.
    pub const PAGE_RECORDS: usize = 16;
    /// Of a page: u32, atomic: who has it, if not 0: [`READER`] or [`ENTERED`].
    pub const PAGE_CLAIM: usize = 24;
    /// In [`PAGE_CLAIM`]: a reader copies it; its thread goes around it.
    pub const READER: u32 = 1;
    /// In [`PAGE_CLAIM`]: its thread is about to write it.
    pub const ENTERED: u32 = 2;
    /// Of a page: u32, atomic: the thread that wrote it. Each thread begins a page of its own.
    pub const PAGE_TID: usize = 28;
    /// Of a page: u64, atomic: how many records the slot had before those of the page.
    pub const PAGE_BEFORE: usize = 32;

    /// The thread's name in these bytes: what is before the first NUL.
    pub fn name_of(bytes: &[u8]) -> &[u8] {
        bytes.split(|&byte| byte == 0).next().unwrap_or_default()
    }
}

/// The pieces by which ticks become nanoseconds.
pub mod clock {
    /// Where they stand.
    pub const AT: usize = 2 * super::PAGE_BYTES;
    /// How many there are at most: the oldest go.
    pub const PIECES: usize = 4096;
    /// What a piece takes: four words.
    pub const PIECE_BYTES: usize = 32;
    /// u64: its number, from 1 on, which is its place modulo [`PIECES`]; 0: none.
    pub const NUMBER: usize = 0;
    /// u64: the first tick.
    pub const FIRST_TICKS: usize = 8;
    /// u64: the time at the first tick, in nanoseconds.
    pub const FIRST_NS: usize = 16;
    /// u64: the [`Rate`](crate::ticks::Rate).
    pub const RATE: usize = 24;
}

/// What records have for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StampUnit {
    /// Nanoseconds.
    Ns,
    /// Ticks, that the clock table turns to nanoseconds.
    Ticks,
}

/// What happens when a ring is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FullPolicy {
    /// New records are dropped.
    Discard,
    /// The thread waits.
    Block,
    /// The oldest records go.
    Overwrite,
}

/// What does not change while the process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The process.
    pub pid: u32,
    /// What happens when a ring is full.
    pub full: FullPolicy,
    /// 0 for the first arena of a process, 1 for the second.
    pub segment: u32,
    /// How many slots there are, at most [`MAX_SLOTS`].
    pub slots: u32,
    /// The size of each ring: a power of two.
    pub ring_bytes: u64,
    /// The room for metadata: whole pages.
    pub metadata_capacity: u64,
    /// When it was made, in nanoseconds since 1970.
    pub started_ns: u64,
    /// What records have for a time.
    pub stamps: StampUnit,
}

/// Why bytes are no arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderError {
    /// They do not begin with [`MAGIC`], or there are too few.
    Magic,
    /// Another version than [`VERSION`].
    Version(u32),
    /// Another machine's byte order.
    ByteOrder,
    /// A size that cannot be.
    Sizes,
}

impl Header {
    /// The header page's fixed part.
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

    /// The header of an arena file that begins with `bytes`.
    ///
    /// # Errors
    /// When they are no arena's.
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
            && header.ring_bytes.is_power_of_two()
            && (PAGE_BYTES as u64..=1 << 31).contains(&header.ring_bytes)
            && header.metadata_capacity.is_multiple_of(PAGE_BYTES as u64)
            && header.metadata_capacity <= 1 << 32;
        if sane { Ok(header) } else { Err(HeaderError::Sizes) }
    }

    /// Where the metadata begins.
    pub fn metadata_at(&self) -> usize {
        clock::AT + clock::PIECES * clock::PIECE_BYTES
    }

    /// Where the page of slot `slot` begins.
    pub fn slot_at(&self, slot: usize) -> usize {
        self.metadata_at() + self.metadata_capacity as usize + slot * PAGE_BYTES
    }

    /// Where the ring of slot `slot` begins.
    pub fn ring_at(&self, slot: usize) -> usize {
        self.slot_at(self.slots as usize) + slot * self.ring_bytes as usize
    }

    /// The size of the whole file.
    pub fn file_bytes(&self) -> usize {
        self.ring_at(self.slots as usize)
    }

    /// The size of a page of a flight recorder's ring.
    pub fn ring_page_bytes(&self) -> u32 {
        (self.ring_bytes / RING_PAGES as u64) as u32
    }
}

/// Where the page of a flight recorder's ring stands that has the contents numbered `number`.
pub const fn ring_page_at(number: u64, page_bytes: usize) -> usize {
    (number % RING_PAGES as u64) as usize * page_bytes
}

/// How many bytes of a page of a flight recorder's ring are records, by its words `number` and `bytes`.
///
/// `published` is the published address less that of the ring: while the thread writes to the page, `bytes` is 0 and records
/// end there. Who reads while the thread runs must load `bytes` behind `published`: once the thread has left the
/// page, the published address is another page's.
pub fn readable_page_bytes(number: u64, bytes: u64, published: u64, page_bytes: usize) -> usize {
    let bytes = match (number, bytes) {
        (0, _) => 0,
        (_, 0) => published.wrapping_sub(ring_page_at(number, page_bytes) as u64),
        (_, bytes) => bytes,
    };
    // An address in another page: nothing is in this one.
    if bytes <= page_bytes as u64 { bytes as usize } else { 0 }
}

/// The u32 at `at`; 0 where there are no bytes.
pub fn half_word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    if let Some(found) = bytes.get(at..at + 4) {
        word.copy_from_slice(found);
    }
    u32::from_ne_bytes(word)
}

/// The u64 at `at`; 0 where there are no bytes.
pub fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    if let Some(found) = bytes.get(at..at + 8) {
        word.copy_from_slice(found);
    }
    u64::from_ne_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document's rows, from the numbers that are used.
    #[test]
    fn the_document_says_what_is_here() {
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
        let header = Header {
            pid: 0,
            full: FullPolicy::Discard,
            segment: 0,
            slots: 1,
            ring_bytes: 4096,
            metadata_capacity: 4096,
            started_ns: 0,
            stamps: StampUnit::Ns,
        };
        rows(
            "offset in the file",
            &[
                (0, "the header page"),
                (bank::AT[0], "two commits, 2048 bytes each"),
                (clock::AT, "the clock table: 4096 pieces of 32 bytes"),
                (header.metadata_at(), "metadata"),
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
                (at::SEGMENT, "u32 | number of this arena"),
                (at::SLOTS, &format!("u32 | slots, at most {MAX_SLOTS} ")),
                (at::RING_BYTES, "u64 | bytes of each ring"),
                (at::METADATA_CAPACITY, "u64 | bytes for metadata"),
                (at::STARTED_NS, "u64 | when tracing began"),
                (at::METADATA_BYTES, "u64 | bytes of metadata"),
                (at::UNATTACHED, "u64 | records dropped because"),
                (at::PATH_BYTES, "u32 | bytes of the trace file's path"),
                (at::STAMPS, "u32 | stamps"),
                (at::PATH, "bytes | the trace file's path"),
            ],
        );
        rows(
            "## Commits",
            &[
                (bank::SEQUENCE, "u64 | number"),
                (bank::FILE_BYTES, "u64 | bytes of the trace file"),
                (bank::SLOTS, &format!("{} bytes for each slot", bank::SLOT_BYTES)),
            ],
        );
        rows(
            "## Slots",
            &[
                (slot::PUBLISHED, "u64 | address behind"),
                (slot::DROPPED, "u64 | records dropped"),
                (slot::OVERWRITTEN, "u64 | records overwritten"),
                (slot::REFUSED, "u64 | records refused"),
                (slot::CUT, "u64 | strings cut"),
                (slot::CONSUMED, "u64 | bytes of the ring that may be used again"),
                (slot::STATE, "u32 | 0 free"),
                (slot::TID, "u32 | thread"),
                (slot::TENANT, "u32 | how many threads"),
                (slot::NAME, &format!("{} bytes | the thread's name", slot::NAME_BYTES)),
                (slot::BASE, "u64 | address of the ring"),
                (slot::BEFORE, "u64 | with overwrite: records before"),
                (slot::DROPPED_BEFORE, "u64 | dropped ones before"),
                (slot::REFUSED_BEFORE, "u64 | refused ones before"),
                (slot::PAGES, &format!("{} bytes for each of {RING_PAGES} pages", slot::PAGE_ENTRY_BYTES)),
            ],
        );
        rows(
            "With `overwrite` a ring is",
            &[
                (slot::PAGE_NUMBER, "u64 | number of its contents"),
                (slot::PAGE_BYTES, "u64 | bytes that are records"),
                (slot::PAGE_RECORDS, "u64 | how many records"),
                (
                    slot::PAGE_CLAIM,
                    &format!("u32 | 0 nobody has it; {} a reader; {} its", slot::READER, slot::ENTERED),
                ),
                (slot::PAGE_TID, "u32 | thread that wrote it"),
                (slot::PAGE_BEFORE, "u64 | records before"),
            ],
        );
        rows("## Records", &[(crate::ring::HEADER_BYTES, "payload")]);
        rows(
            "## The clock table",
            &[
                (clock::NUMBER, "u64 | number"),
                (clock::FIRST_TICKS, "u64 | first tick"),
                (clock::FIRST_NS, "u64 | time at"),
                (clock::RATE, "u64 | rate"),
            ],
        );
    }

    #[test]
    fn headers_round_trip() {
        let header = Header {
            pid: 4711,
            full: FullPolicy::Overwrite,
            segment: 3,
            slots: 64,
            ring_bytes: 1 << 20,
            metadata_capacity: 8192,
            started_ns: 77,
            stamps: StampUnit::Ticks,
        };
        let mut page = header.encode().to_vec();
        page.resize(PAGE_BYTES, 0);
        assert_eq!(Header::decode(&page), Ok(header));
        assert_eq!(Header::decode(&page[..PAGE_BYTES - 1]), Err(HeaderError::Magic));
        page[at::RING_BYTES] = 1;
        assert_eq!(Header::decode(&page), Err(HeaderError::Sizes));
    }
}
