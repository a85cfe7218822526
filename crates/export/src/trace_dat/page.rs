//! Records in pages of a ring buffer, as the kernel's tracer leaves them for `trace-cmd`.
//!
//! | bytes | page | | bytes | record |
//! |---|---|---|---|---|
//! | 8 | time of its first record | | 4 | lower 5 bits: how many words follow, 0 when the next one tells the bytes; the others: nanoseconds since the record before |
//! | 8 | bytes that are used; flags in its bits 30 and 31 | | 4 | the bytes from here on, when they are more than 28 words |
//! | | records | | | the data, to whole words |
//! | 8 | how many events were lost before it, if bit 30 says so | | | |
//!
//! Where the time goes on by more than 27 bits can hold, a word pair stands before the record: type 30, and the upper bits.

use std::fs::File;
use std::io::{self, Write};

/// The bytes of a page. Kernels have 4 KiB; in these, a record has room for ten strings as long as a program records them.
pub(super) const PAGE_BYTES: usize = 16 << 10;

pub(super) const RECORDS_AT: usize = 16;

const MISSED: u64 = 1 << 31;
const MISSED_STORED: u64 = 1 << 30;

/// Readers keep the count in an `int`.
const MOST_LOST: u64 = i32::MAX as u64;

const TIME_EXTEND: u32 = 30;
const MOST_WORDS: usize = 28;
const DELTA_BITS: u32 = 27;
const LONG_DELTA_BITS: u32 = DELTA_BITS + 32;

/// More than stands before the data of a record, and behind the last one of a page.
const BESIDE_BYTES: usize = 8 + 8 + 8;

/// The longest data that a record can have.
pub(super) const MOST_DATA_BYTES: usize = PAGE_BYTES - RECORDS_AT - BESIDE_BYTES;

#[derive(Debug)]
pub(super) struct Pages {
    out: File,
    page: Vec<u8>,
    last_ns: u64,
    /// How many events were lost before the page; `None`: none were. 0: nobody knows how many.
    lost: Option<u64>,
    written: u64,
}

impl Pages {
    pub(super) fn new(out: File) -> Pages {
        Pages { out, page: Vec::with_capacity(PAGE_BYTES), last_ns: 0, lost: None, written: 0 }
    }

    /// Appends a record of `data`, which are no more than [`MOST_DATA_BYTES`], of `time_ns`.
    pub(super) fn append(&mut self, time_ns: u64, data: &[u8]) -> io::Result<()> {
        if time_ns < self.last_ns {
            let last_ns = self.last_ns;
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "trace.dat wants records in order of time, but {time_ns} ns comes after {last_ns} ns; sort them first"
                ),
            ));
        }
        let delta_ns = time_ns - self.last_ns;
        let is_full = self.page.len() + data.len() + BESIDE_BYTES > PAGE_BYTES;
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
            self.push_head(TIME_EXTEND, delta_ns);
            self.push_word((delta_ns >> DELTA_BITS) as u32);
            delta_ns = 0;
        }
        let words = data.len().div_ceil(4);
        if words <= MOST_WORDS && words > 0 {
            self.push_head(words as u32, delta_ns);
        } else {
            self.push_head(0, delta_ns);
            self.push_word((data.len() + 4) as u32);
        }
        self.page.extend_from_slice(data);
        self.page.resize(self.page.len().next_multiple_of(4), 0);
        Ok(())
    }

    /// Events were lost here; 0: nobody knows how many.
    pub(super) fn lose(&mut self, events: u64) -> io::Result<()> {
        self.write_page()?;
        self.lost = Some(self.lost.unwrap_or(0).saturating_add(events));
        Ok(())
    }

    /// Ends the last page; gives what was written, and its size.
    pub(super) fn finish(mut self) -> io::Result<(File, u64)> {
        self.write_page()?;
        Ok((self.out, self.written))
    }

    fn push_head(&mut self, kind: u32, delta_ns: u64) {
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
                self.page.extend_from_slice(&events.min(MOST_LOST).to_le_bytes());
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
