//! Copying of records from a ring to the file's data.
//!
//! On x86-64, the loop is compiled twice. Encoding a record in the compact format determines the sizes
//! of its numbers. Some processors do this several times as fast with LZCNT as with BSR. BMI1 and BMI2
//! save instructions, and all processors that have them have LZCNT, too.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "a function that uses instructions which not every processor has")
)]

use ringtrace_wire::ring::{self, DROPPED, HEADER_BYTES, ORDER, Words};
use ringtrace_wire::simpletrace::metadata::{Cause, Lost, Metadata};

use super::event_counts::EventCounts;
use super::merge::Head;
use super::output::{Batches, Destination};
use super::preamble::Preamble;
use super::prefetch;
use super::reader::Reader;
use crate::clock::{Conversion, Times};

/// The amount of data that is read from a ring in one run.
const RUN_BYTES: usize = 128 << 10;

/// The number of records whose times are computed before these records are put.
const BATCH: usize = 32;

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
        let late_before_ns = reader.late_before_ns;
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
            let mut run = Run { rest: &rest[..run_bytes], first, last_ns, conversion };
            let more = match record.payload.len() {
                _ if !record.context.is_empty() => 0,
                0 => run.copy_to::<0, 2>(record.event, reader, *out),
                8 => run.copy_to::<1, 3>(record.event, reader, *out),
                16 => run.copy_to::<2, 4>(record.event, reader, *out),
                24 => run.copy_to::<3, 5>(record.event, reader, *out),
                32 => run.copy_to::<4, 6>(record.event, reader, *out),
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
}

impl Run<'_> {
    /// Copies records of `WORDS` words, of which `N` are the payload. Returns their number.
    #[inline(always)]
    fn copy_to<const N: usize, const WORDS: usize>(
        &mut self,
        event: u32,
        reader: &Reader,
        out: &mut impl Destination,
    ) -> u32 {
        let Some(mut out) = out.batches::<N>(event, reader) else { return 0 };
        self.copy::<N, WORDS>(&mut out)
    }

    /// Passes batches of records to `out`, until it puts only a part of a batch. Returns the number of
    /// records that it has put.
    ///
    /// The times of a batch are computed before the records are put. If one loop did both, its
    /// variables would not fit into registers.
    // A closure instead of `out` would not always be inlined, and then would be compiled without LZCNT.
    #[inline(always)]
    fn copy<const N: usize, const WORDS: usize>(&mut self, out: &mut impl Batches<N>) -> u32 {
        const { assert!(8 * WORDS == HEADER_BYTES + 8 * N) };
        let (mut times_ns, mut copied) = ([0; BATCH], 0);
        loop {
            let records: &[Words<WORDS>] = self.rest.as_chunks().0.as_chunks().0;
            let records = records.get(..BATCH).unwrap_or(records);
            let count = self.convert(records, &mut times_ns);
            if count == 0 {
                return copied;
            }
            let done = out.put(&times_ns[..count], &records[..count]);
            let Some(last) = done.checked_sub(1) else { return copied };
            self.last_ns = times_ns[last];
            self.rest = &self.rest[done * 8 * WORDS..];
            copied += done as u32;
            if done < BATCH {
                return copied;
            }
        }
    }

    /// Computes the times of records, up to the first one that is not part of the run. Returns their
    /// number.
    #[inline(always)]
    fn convert<const WORDS: usize>(&self, records: &[Words<WORDS>], times_ns: &mut [u64; BATCH]) -> usize {
        let Run { rest, first, conversion, mut last_ns } = *self;
        let ahead = prefetch::distance(rest, 8 * WORDS * BATCH);
        let mut count = 0;
        for (time_ns, record) in times_ns.iter_mut().zip(records) {
            prefetch::ahead(record.as_ptr(), ahead);
            if record[0] != first {
                break;
            }
            let Some(ns) = conversion.ns(ring::stamp(record)) else { break };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts at most a number of records from each batch.
    struct Part {
        most: usize,
        /// The times of the records.
        copied: Vec<u64>,
    }

    impl Batches<1> for Part {
        fn put<const WORDS: usize>(&mut self, times_ns: &[u64], records: &[Words<WORDS>]) -> usize {
            assert_eq!(times_ns.len(), records.len());
            let done = times_ns.len().min(self.most);
            for (time_ns, record) in times_ns.iter().zip(&records[..done]) {
                assert_eq!(record[1..], [time_ns.to_ne_bytes(), (time_ns + 1).to_ne_bytes()]);
                self.copied.push(*time_ns);
            }
            done
        }
    }

    /// Copies records with these first words and stamps, at most `most` from each batch. The first word
    /// of the run is 7, and stamps are times from 100 to 1000. Returns the times of the copied records,
    /// and the number of bytes that are left.
    fn copy(records: &[(u64, u64)], most: usize) -> (Vec<u64>, usize) {
        let words = records.iter().flat_map(|&(first, stamp)| [first, stamp, stamp + 1]);
        let ring: Vec<u8> = words.flat_map(u64::to_ne_bytes).collect();
        let conversion = Times::for_nanoseconds().conversion(100, 1000);
        let mut run = Run { rest: &ring, first: 7_u64.to_ne_bytes(), last_ns: 100, conversion };
        let mut out = Part { most, copied: Vec::new() };
        let count = run.copy::<1, 3>(&mut out);
        let copied = out.copied;
        assert_eq!(count as usize, copied.len());
        assert_eq!(run.last_ns, copied.last().copied().unwrap_or(100));
        (copied, run.rest.len())
    }

    #[test]
    fn a_run_ends_with_the_last_record_of_its_kind() {
        for before in [0, 1, 31, 32, 33, 100] {
            let times = 100..100 + before;
            let all = |last: (u64, u64)| -> Vec<(u64, u64)> {
                times.clone().map(|time| (7, time)).chain([last, (7, 900)]).collect()
            };
            // Another event, a time that decreases, and one after the range.
            for last in [(8, 900), (7, 99), (7, 1001)] {
                assert_eq!(copy(&all(last), BATCH), (times.clone().collect(), 48), "{before} {last:?}");
            }
            let whole = times.clone().chain([1000]).collect();
            assert_eq!(copy(&all((7, 1000)), BATCH), (whole, 24), "{before}");
        }
    }

    #[test]
    fn a_destination_can_take_a_part_of_a_batch() {
        let records: Vec<(u64, u64)> = (0..40).map(|number| (7, 200 + number)).collect();
        assert_eq!(copy(&records, 0), (Vec::new(), 40 * 24));
        assert_eq!(copy(&records, 5), ((200..205).collect(), 35 * 24));
        assert_eq!(copy(&records, BATCH), ((200..240).collect(), 0));
    }
}
