//! Pages of records in the format of the kernel's ring buffer, which `trace-cmd` reads.
//!
//! | bytes | page | | bytes | record |
//! |---|---|---|---|---|
//! | 8 | time of its first record | | 4 | lower 5 bits: number of data words, or 0 if the next word is the size; other bits: nanoseconds since the previous record |
//! | 8 | size of the records; flags in bits 30 and 31 | | 4 | size from here on, if there are more than 28 data words |
//! | | records | | | data, padded to whole words |
//! | 8 | number of events lost before the page, if bit 30 is set | | | |
//!
//! If 27 bits are too few for the time difference, a pair of words precedes the record: type 30,
//! and the upper bits.

use std::fs::File;
use std::io::{self, Write};

use crate::shared::out_of_order;

/// Size of a page. Kernels use 4 KiB. With this size, a record can hold ten strings of the maximum
/// length that a program records.
pub(super) const PAGE_BYTES: usize = 16 << 10;

pub(super) const RECORDS_AT: usize = 16;

const MISSED: u64 = 1 << 31;
const MISSED_STORED: u64 = 1 << 30;

/// Readers store the count in an `int`.
const MAX_LOST: u64 = i32::MAX as u64;

const TIME_EXTEND: u32 = 30;
const MAX_WORDS: usize = 28;
const DELTA_BITS: u32 = 27;
const LONG_DELTA_BITS: u32 = DELTA_BITS + 32;

/// Upper limit for the bytes before a record's data, and after the last record of a page.
const OVERHEAD_BYTES: usize = 8 + 8 + 8;

/// Maximum size of a record's data.
pub(super) const MAX_DATA_BYTES: usize = PAGE_BYTES - RECORDS_AT - OVERHEAD_BYTES;

#[derive(Debug)]
pub(super) struct Pages {
    out: File,
    page: Vec<u8>,
    last_ns: u64,
    /// The number of events lost before the page, or 0 if it is unknown. `None` if no events were
    /// lost.
    lost: Option<u64>,
    written: u64,
}

impl Pages {
    pub(super) fn new(out: File) -> Pages {
        Pages { out, page: Vec::with_capacity(PAGE_BYTES), last_ns: 0, lost: None, written: 0 }
    }

    /// Appends a record at `time_ns`. `data` is at most [`MAX_DATA_BYTES`] long.
    pub(super) fn append(&mut self, time_ns: u64, data: &[u8]) -> io::Result<()> {
        if time_ns < self.last_ns {
            return Err(out_of_order("trace.dat", time_ns, self.last_ns));
        }
        let delta_ns = time_ns - self.last_ns;
        let is_full = self.page.len() + data.len() + OVERHEAD_BYTES > PAGE_BYTES;
        if is_full || delta_ns >> LONG_DELTA_BITS != 0 {
            self.write_page()?;
        }
        let mut delta_ns = delta_ns;
        if self.page.is_empty() {
            self.page.extend_from_slice(&time_ns.to_le_bytes());
            self.page.resize(RECORDS_AT, 0);
            delta_ns = 0;
        }
        self.last_ns = time_ns;
        if delta_ns >> DELTA_BITS != 0 {
            self.push_header(TIME_EXTEND, delta_ns);
            self.push_word((delta_ns >> DELTA_BITS) as u32);
            delta_ns = 0;
        }
        let words = data.len().div_ceil(4);
        if words <= MAX_WORDS && words > 0 {
            self.push_header(words as u32, delta_ns);
        } else {
            self.push_header(0, delta_ns);
            self.push_word((data.len() + 4) as u32);
        }
        self.page.extend_from_slice(data);
        self.page.resize(self.page.len().next_multiple_of(4), 0);
        Ok(())
    }

    /// Registers the loss of `events` events. 0 means that their number is unknown.
    pub(super) fn lose(&mut self, events: u64) -> io::Result<()> {
        self.write_page()?;
        self.lost = Some(self.lost.unwrap_or(0).saturating_add(events));
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<(File, u64)> {
        self.write_page()?;
        Ok((self.out, self.written))
    }

    fn push_header(&mut self, kind: u32, delta_ns: u64) {
        let delta = delta_ns as u32 & ((1 << DELTA_BITS) - 1);
        self.push_word(kind | delta << 5);
    }

    fn push_word(&mut self, word: u32) {
        self.page.extend_from_slice(&word.to_le_bytes());
    }

    fn write_page(&mut self) -> io::Result<()> {
        if self.page.is_empty() {
            return Ok(());
        }
        let mut commit = (self.page.len() - RECORDS_AT) as u64;
        if let Some(events) = self.lost.take() {
            commit |= MISSED;
            if events > 0 {
                commit |= MISSED_STORED;
                self.page.extend_from_slice(&events.min(MAX_LOST).to_le_bytes());
            }
        }
        self.page[8..RECORDS_AT].copy_from_slice(&commit.to_le_bytes());
        self.page.resize(PAGE_BYTES, 0);
        self.out.write_all(&self.page)?;
        self.written += PAGE_BYTES as u64;
        self.page.clear();
        Ok(())
    }
}
