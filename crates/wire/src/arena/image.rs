//! Decoding of the parts of a crash image. A caller reads only the parts that it needs.
//!
//! The contents can be inconsistent: the process may have been killed between any two stores, or
//! may still be running, or the file may have a valid header and arbitrary contents. Decoding
//! therefore never fails, and invalid contents are decoded as empty.

use std::ops::Range;

use super::{
    FullPolicy, Header, MAX_MONITOR_BYTES, MAX_PATH_BYTES, MAX_SLOTS, PAGE_BYTES, RING_PAGES, StampUnit, at,
    bank, clock, half_word, readable_page_bytes, slot, word,
};
use crate::ticks::{Piece, Rate, piece_at};

/// The variable contents of the header page, after the [`Header`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The number of metadata bytes that have been written.
    pub metadata_bytes: usize,
    /// The number of records that were dropped because their thread had no slot.
    pub unattached: u64,
    /// The paths of the trace files with even and with odd numbers; empty if unknown.
    pub paths: [Vec<u8>; 2],
    /// The number of enabled events, as the writer thread last saw it.
    pub events_on: u32,
    /// Whether the process has ended tracing, but could not write its last events.
    pub is_unwritten: bool,
    /// Whether a thread's ring is in private memory, as the writer thread last saw it.
    pub has_private_rings: bool,
    /// The path of the monitor's socket; empty if there is none.
    pub monitor: Vec<u8>,
}

impl Start {
    /// Decodes the header page.
    pub fn decode(header: &Header, page: &[u8]) -> Start {
        let path_bytes = |at| (half_word(page, at) as usize).min(MAX_PATH_BYTES);
        let (even_bytes, odd_bytes) = (path_bytes(at::PATH_BYTES), path_bytes(at::ODD_PATH_BYTES));
        let bytes = |range: Range<usize>| page.get(range).unwrap_or_default().to_vec();
        let monitor_bytes = (half_word(page, at::MONITOR_BYTES) as usize).min(MAX_MONITOR_BYTES);
        Start {
            metadata_bytes: word(page, at::METADATA_BYTES).min(header.metadata_capacity) as usize,
            unattached: word(page, at::UNATTACHED),
            paths: [bytes(at::PATH..at::PATH + even_bytes), bytes(at::MONITOR - odd_bytes..at::MONITOR)],
            events_on: half_word(page, at::EVENTS_ON),
            is_unwritten: half_word(page, at::UNWRITTEN) == 1,
            has_private_rings: half_word(page, at::PRIVATE) == 1,
            monitor: bytes(at::MONITOR..at::MONITOR + monitor_bytes),
        }
    }
}

/// A commit of the writer thread, which records how much of each ring is in the trace file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bank {
    /// The number of the commit; 0 if the bank is empty.
    pub sequence: u64,
    /// The number of valid bytes in the trace file.
    pub file_bytes: u64,
    /// The number of the trace file, from 0.
    pub file: u64,
    /// The monotonic time of the trace file's first anchor; 0 if it is the anchor in the metadata.
    pub anchor_ns: u64,
    /// Three counts for each slot: ring bytes in the file, dropped records that the file reports,
    /// and refused records among these.
    pub slots: Vec<[u64; 3]>,
}

impl Bank {
    /// The file offsets of the page that contains both banks.
    pub const PAGE: Range<usize> = PAGE_BYTES..2 * PAGE_BYTES;

    /// Decodes both banks from their page.
    pub fn decode(page: &[u8]) -> [Bank; 2] {
        bank::AT.map(|at| {
            let at = at - PAGE_BYTES;
            let slot = |index: usize| {
                let at = at + bank::SLOTS + index * bank::SLOT_BYTES;
                [word(page, at), word(page, at + 8), word(page, at + 16)]
            };
            Bank {
                sequence: word(page, at + bank::SEQUENCE),
                file_bytes: word(page, at + bank::FILE_BYTES),
                file: word(page, at + bank::FILE),
                anchor_ns: word(page, at + bank::ANCHOR_NS),
                slots: (0..MAX_SLOTS).map(slot).collect(),
            }
        })
    }
}

/// The state of one page in a flight recorder's ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageWords {
    /// The sequence number of the page's contents, from 1; 0 if the page is empty.
    pub number: u64,
    /// The number of bytes that contain records; 0 while the thread writes the page.
    pub bytes: u64,
    /// The thread that wrote the page.
    pub tid: u32,
    /// The number of records in the slot that precede the records in this page.
    pub before: u64,
    /// Whether the thread was about to write the page. The page then contains neither the old
    /// records nor the new ones.
    pub is_entered: bool,
}

/// The state of a slot, from its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotWords {
    /// The offset in the ring at which the last complete record ends; `None` if there was no
    /// record.
    pub published: Option<u64>,
    /// The number of ring bytes that the writer thread has released.
    pub consumed: u64,
    /// The number of dropped records, including refused ones.
    pub dropped: u64,
    /// The number of refused records.
    pub refused: u64,
    /// In a flight recorder, the number of recorded, dropped and refused records of earlier
    /// threads.
    pub before: [u64; 3],
    /// The id of the thread.
    pub tid: u32,
    /// The number of threads that have owned the slot; 0 if it was never used.
    pub owner_number: u32,
    /// The name of the thread.
    pub name: Vec<u8>,
    /// The pages of the ring; meaningful only in a flight recorder.
    pub pages: Vec<PageWords>,
}

impl SlotWords {
    /// Decodes a slot's page.
    pub fn decode(page: &[u8]) -> SlotWords {
        let name = page.get(slot::NAME..slot::NAME + slot::NAME_BYTES).unwrap_or_default();
        let published = word(page, slot::PUBLISHED);
        let ring_page = |index: usize| {
            let at = slot::PAGES + index * slot::PAGE_ENTRY_BYTES;
            PageWords {
                number: word(page, at + slot::PAGE_NUMBER),
                bytes: word(page, at + slot::PAGE_BYTES),
                before: word(page, at + slot::PAGE_BEFORE),
                tid: half_word(page, at + slot::PAGE_TID),
                is_entered: half_word(page, at + slot::PAGE_CLAIM) == slot::ENTERED,
            }
        };
        SlotWords {
            published: (published != 0).then(|| published.wrapping_sub(word(page, slot::BASE))),
            consumed: word(page, slot::CONSUMED),
            dropped: word(page, slot::DROPPED),
            refused: word(page, slot::REFUSED),
            before: [slot::BEFORE, slot::DROPPED_BEFORE, slot::REFUSED_BEFORE].map(|at| word(page, at)),
            tid: half_word(page, slot::TID),
            owner_number: half_word(page, slot::OWNER_NUMBER),
            name: slot::name_of(name).to_vec(),
            pages: (0..RING_PAGES).map(ring_page).collect(),
        }
    }

    /// Returns the number of bytes from `position` to the end of the last complete record.
    /// `position` counts bytes since the slot was created. Does not apply to a flight recorder.
    pub fn readable_bytes(&self, header: &Header, position: u64) -> usize {
        let readable = self.published.map(|published| published.wrapping_sub(position));
        readable.map_or(0, |bytes| (bytes & (header.ring_bytes - 1)) as usize)
    }

    /// Returns the state of page `index` in a flight recorder's ring, and the number of its bytes
    /// that contain records. Returns `None` if the page contains no records.
    pub fn ring_page(&self, header: &Header, index: usize) -> Option<(PageWords, usize)> {
        let words = *self.pages.get(index)?;
        let is_here = words.number % RING_PAGES as u64 == index as u64;
        let page_bytes = header.ring_page_bytes() as usize;
        let bytes = readable_page_bytes(words.number, words.bytes, self.published?, page_bytes);
        let holds = header.full == FullPolicy::Overwrite && is_here && !words.is_entered && bytes > 0;
        holds.then_some((words, bytes))
    }
}

/// The conversion of stamps to times.
#[derive(Debug, Clone, Default)]
pub struct ClockTable {
    /// The pieces, newest first. Empty if stamps are nanoseconds.
    pieces: Vec<Piece>,
}

impl ClockTable {
    /// The file offsets of the table.
    pub const RANGE: Range<usize> = clock::AT..clock::AT + clock::PIECES * clock::PIECE_BYTES;

    /// Decodes the table.
    pub fn decode(header: &Header, table: &[u8]) -> ClockTable {
        if header.stamps == StampUnit::Ns {
            return ClockTable::default();
        }
        ClockTable { pieces: decode_table(table) }
    }

    /// Returns the time of `stamp` in nanoseconds. Times before the oldest piece are extrapolated.
    pub fn time_ns(&self, stamp: u64) -> u64 {
        piece_at(&self.pieces, stamp).map_or(stamp, |piece| piece.ns_at(stamp))
    }
}

/// Returns the pieces in `table`, from the newest to the oldest.
fn decode_table(table: &[u8]) -> Vec<Piece> {
    let mut numbered: Vec<(u64, Piece)> = table
        .chunks_exact(clock::PIECE_BYTES)
        .take(clock::PIECES)
        .map(|bytes| {
            let first_ticks = word(bytes, clock::FIRST_TICKS);
            let first_ns = word(bytes, clock::FIRST_NS);
            let rate = Rate(word(bytes, clock::RATE));
            (word(bytes, clock::NUMBER), Piece { first_ticks, first_ns, rate })
        })
        .filter(|&(number, _)| number != 0)
        .collect();
    numbered.sort_unstable_by_key(|&(number, _)| std::cmp::Reverse(number));
    numbered.into_iter().map(|(_, piece)| piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header(full: FullPolicy) -> Header {
        Header {
            pid: 1,
            full,
            segment: 0,
            slots: 1,
            ring_bytes: 4096,
            metadata_capacity: 4096,
            started_ns: 0,
            stamps: StampUnit::Ticks,
        }
    }

    proptest! {
        #[test]
        fn any_bytes_decode(page in proptest::collection::vec(any::<u8>(), 0..5000), position: u64, stamp: u64) {
            let overwrite = header(FullPolicy::Overwrite);
            let start = Start::decode(&overwrite, &page);
            prop_assert!(start.metadata_bytes <= 4096 && start.paths.iter().all(|path| path.len() <= MAX_PATH_BYTES));
            prop_assert!(start.monitor.len() <= MAX_MONITOR_BYTES);
            let _ = Bank::decode(&page);
            let slot = SlotWords::decode(&page);
            prop_assert!(slot.readable_bytes(&overwrite, position) < 4096);
            for index in 0..RING_PAGES + 1 {
                if let Some((_, bytes)) = slot.ring_page(&overwrite, index) {
                    prop_assert!(bytes <= 256);
                }
            }
            let _ = ClockTable::decode(&overwrite, &page).time_ns(stamp);
        }
    }

    #[test]
    fn stamps_without_a_table_are_nanoseconds() {
        assert_eq!(ClockTable::default().time_ns(77), 77);
    }

    #[test]
    fn a_table_is_ordered_newest_first() {
        let mut table = vec![0; 3 * clock::PIECE_BYTES];
        let rate = Rate::of(1, 2);
        for (place, (number, first_ticks, first_ns)) in [(0, (3_u64, 300_u64, 250_u64)), (2, (2, 100, 150))] {
            let entry = &mut table[place * clock::PIECE_BYTES..];
            entry[clock::NUMBER..][..8].copy_from_slice(&number.to_ne_bytes());
            entry[clock::FIRST_TICKS..][..8].copy_from_slice(&first_ticks.to_ne_bytes());
            entry[clock::FIRST_NS..][..8].copy_from_slice(&first_ns.to_ne_bytes());
            entry[clock::RATE..][..8].copy_from_slice(&rate.0.to_ne_bytes());
        }
        let pieces = decode_table(&table);
        assert_eq!(pieces.iter().map(|piece| piece.first_ns).collect::<Vec<_>>(), [250, 150]);
        let ns_at = |ticks| piece_at(&pieces, ticks).unwrap().ns_at(ticks);
        assert_eq!([ns_at(0), ns_at(100), ns_at(299), ns_at(300), ns_at(310)], [100, 150, 249, 250, 255]);
    }

    #[test]
    fn any_bytes_decode_as_a_table() {
        for piece in decode_table(&[0xff; 100]) {
            assert!(piece.ns_at(u64::MAX) <= piece.ns_at(0));
            let _ = (piece.ns_at(1 << 63), piece.rate.hertz());
        }
        assert_eq!(decode_table(&[]), []);
        assert_eq!(piece_at(&[], 5), None);
    }
}
