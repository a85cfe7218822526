//! Copying of records from a ring to the file's data.
//!
//! On x86-64, the loop is compiled twice. Encoding a record in the compact format determines the sizes
//! of its numbers, for which AMD's processors take several times as long without LZCNT.

#![expect(unsafe_code, reason = "a function that uses instructions which not every processor has")]

use ringtrace_wire::ring::{self, DROPPED, HEADER_BYTES, ORDER, Words};
use ringtrace_wire::simpletrace::metadata::{Cause, Lost, Metadata};

use super::event_counts::EventCounts;
use super::merge::Head;
use super::output::Destination;
use super::preamble::Preamble;
use super::prefetch;
use super::reader::Reader;
use crate::clock::{Conversion, Times};

/// The amount of data that is read from a ring in one run.
const RUN_BYTES: usize = 128 << 10;

/// The number of records whose times are computed before they are put.
const STEP: usize = 32;

/// Copies the records of one ring.
pub(super) struct Copier<'w, D> {
    pub(super) reader: &'w mut Reader,
    pub(super) times: &'w mut Times,
    pub(super) preamble: &'w mut Preamble,
    pub(super) event_counts: &'w mut EventCounts,
    pub(super) out: &'w mut D,
}

impl<D: Destination> Copier<'_, D> {
    /// Copies records up to the stamp `until`. Returns whether the ring contains more.
    pub(super) fn copy(&mut self, head: &mut Head, until: u64) -> bool {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
        {
            // SAFETY: the processor has the instructions that the function needs.
            return unsafe { self.copy_with_lzcnt(head, until) };
        }
        self.copy_inline(head, until)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt")]
    fn copy_with_lzcnt(&mut self, head: &mut Head, until: u64) -> bool {
        self.copy_inline(head, until)
    }

    #[inline(always)]
    fn copy_inline(&mut self, head: &mut Head, until: u64) -> bool {
        let Copier { reader, times, preamble, event_counts, out } = self;
        // Keep these in registers.
        let mut rest = head.bytes;
        let (mut last_ns, mut late, mut recorded) = (reader.last_ns, 0, 0);
        let (late_before_ns, mut times_ns) = (reader.late_before_ns, [0; STEP]);
        let least = rest.len().saturating_sub(RUN_BYTES);
        let more = loop {
            prefetch::ahead(rest.as_ptr(), prefetch::distance(rest, 1));
            let Some(record) = ring::record_at(rest) else { break false };
            if record.stamp > until || rest.len() < least {
                head.stamp = record.stamp;
                break true;
            }
            // Ensure that a thread's times never decrease, even if the counter was set back.
            last_ns = last_ns.max(times.ns(record.stamp));
            late += u64::from(last_ns < late_before_ns);
            if let Some(count) = record.dropped() {
                reader.reported += count;
                let lost = Lost { tid: reader.tid, cause: Cause::Dropped, count };
                Metadata::Lost(lost).encode(preamble.next_number(), ORDER, out.v4());
                ring::append(&record, reader.tid, reader.pid, last_ns, out.v4());
            } else {
                recorded += 1;
                event_counts.copied(record.event);
                out.put(&record, reader, preamble, last_ns);
            }
            let first = rest.first_chunk().copied().unwrap_or_default();
            rest = &rest[record.padded_bytes..];
            if rest.first_chunk() != Some(&first) || record.event == DROPPED || last_ns < late_before_ns {
                continue;
            }
            let run_bytes = rest.len().saturating_sub(least);
            let conversion = times.conversion(record.stamp, until);
            let mut run =
                Run { rest: &rest[..run_bytes], first, last_ns, conversion, times_ns: &mut times_ns };
            let more = match record.payload.len() {
                _ if !record.context.is_empty() => 0,
                0 => run.copy::<0, 2>(record.event, reader, *out),
                8 => run.copy::<1, 3>(record.event, reader, *out),
                16 => run.copy::<2, 4>(record.event, reader, *out),
                24 => run.copy::<3, 5>(record.event, reader, *out),
                32 => run.copy::<4, 6>(record.event, reader, *out),
                _ => 0,
            };
            (rest, last_ns) = (&rest[run_bytes - run.rest.len()..], run.last_ns);
            recorded += u64::from(more);
            event_counts.copied_more(record.event, more);
        };
        reader.position += (head.bytes.len() - rest.len()) as u64;
        head.bytes = rest;
        reader.last_ns = last_ns;
        reader.late += late;
        reader.recorded += recorded;
        more
    }
}

/// A run of records of one event and size, none of which is late.
struct Run<'r> {
    rest: &'r [u8],
    /// The first word of each record.
    first: [u8; 8],
    last_ns: u64,
    conversion: Conversion,
    /// The times of some records.
    times_ns: &'r mut [u64; STEP],
}

impl Run<'_> {
    /// Copies records of `WORDS` words, of which `N` are the payload. Returns their number.
    ///
    /// The times of some records are computed before these records are put. If one loop did both, its
    /// variables would not fit into registers.
    #[inline(always)]
    fn copy<const N: usize, const WORDS: usize>(
        &mut self,
        event: u32,
        reader: &Reader,
        out: &mut impl Destination,
    ) -> u32 {
        const { assert!(8 * WORDS == HEADER_BYTES + 8 * N) };
        let mut copied = 0;
        loop {
            let records: &[Words<WORDS>] = self.rest.as_chunks().0.as_chunks().0;
            let records = records.get(..STEP).unwrap_or(records);
            let count = self.convert(records);
            let put = out.put_more::<N, WORDS>(event, reader, &self.times_ns[..count], &records[..count]);
            let Some(last) = put.checked_sub(1) else { return copied };
            self.last_ns = self.times_ns[last];
            self.rest = &self.rest[put * 8 * WORDS..];
            copied += put as u32;
            if put < STEP {
                return copied;
            }
        }
    }

    /// Computes the times of records, up to the first one that is not part of the run. Returns their
    /// number.
    #[inline(always)]
    fn convert<const WORDS: usize>(&mut self, records: &[Words<WORDS>]) -> usize {
        let Run { first, conversion, mut last_ns, .. } = *self;
        let ahead = prefetch::distance(self.rest, 8 * WORDS * STEP);
        let mut count = 0;
        for (time_ns, record) in self.times_ns.iter_mut().zip(records) {
            prefetch::ahead(record.as_ptr(), ahead);
            if record[0] != first {
                break;
            }
            let Some(ns) = conversion.ns(u64::from_ne_bytes(record[1])) else { break };
            if ns < last_ns {
                break;
            }
            last_ns = ns;
            *time_ns = ns;
            count += 1;
        }
        count
    }
}
