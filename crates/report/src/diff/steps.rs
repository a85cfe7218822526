//! How fast the machine was: the time from a thread's record to its next one, by the two events.
//!
//! A machine that is busy with something else, hotter or colder, makes everything slower, and two recordings are rarely made under the same sky.
//! What a program does between two records of a thread is mostly the same work each time; if all such steps take longer, nothing of the
//! program has changed.

use ringtrace_tracefile::statistics::Sketch;

use super::timeline::{BLOCKS, fold};

/// Events whose steps are followed: the first ones that are met.
const EVENTS: usize = 64;

/// Threads that are remembered at a time; one that comes in another's place loses a step.
const THREADS: usize = 256;

/// No step was met yet from the one event to the other.
const NONE: u16 = u16::MAX;

#[derive(Debug)]
pub(super) struct Steps {
    threads: Vec<LastRecord>,
    /// By the two events: the place in `step_types`.
    places: Vec<u16>,
    step_types: Vec<StepType>,
}

#[derive(Debug)]
pub(super) struct StepType {
    pub(super) events: [usize; 2],
    pub(super) all: Sketch,
    /// The same by block of time, as much as a mean takes.
    pub(super) blocks: Vec<Logarithms>,
}

/// The sum of the binary logarithms of so many values.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Logarithms {
    pub(super) sum: f64,
    pub(super) count: f64,
}

#[derive(Debug, Clone, Copy)]
struct LastRecord {
    thread: u32,
    event: u8,
    ns: u64,
}

/// A number for an event, in the order in which they were met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventNumber(u8);

impl EventNumber {
    pub(super) fn new(met_before: usize) -> EventNumber {
        EventNumber(met_before.min(EVENTS) as u8)
    }
}

impl Default for Steps {
    fn default() -> Steps {
        Steps {
            threads: vec![LastRecord { thread: 0, event: EVENTS as u8, ns: 0 }; THREADS],
            places: vec![NONE; EVENTS * EVENTS],
            step_types: Vec::new(),
        }
    }
}

impl Steps {
    /// Takes in a record, of a time in that block.
    #[inline]
    pub(super) fn count(&mut self, thread: u32, EventNumber(event): EventNumber, ns: u64, block: usize) {
        let last = &mut self.threads[thread as usize % THREADS];
        let before = std::mem::replace(last, LastRecord { thread, event, ns });
        if before.thread != thread || usize::from(before.event) >= EVENTS || usize::from(event) >= EVENTS {
            return;
        }
        let Some(gap_ns) = ns.checked_sub(before.ns) else { return };
        let place = &mut self.places[usize::from(before.event) * EVENTS + usize::from(event)];
        if *place == NONE {
            *place = self.step_types.len() as u16;
            self.step_types.push(StepType::new(before.event, event));
        }
        let step_type = &mut self.step_types[usize::from(*place)];
        step_type.all.add(gap_ns);
        step_type.blocks[block].add(gap_ns);
    }

    /// Blocks become so many times one with their neighbours.
    pub(super) fn widen(&mut self, doublings: u32) {
        for step_type in &mut self.step_types {
            fold(&mut step_type.blocks, doublings, |sum, block| {
                sum.sum += block.sum;
                sum.count += block.count;
            });
        }
    }

    /// Nobody's next record is a step from the last one: something is missing between.
    pub(super) fn forget(&mut self) {
        self.threads.iter_mut().for_each(|last| last.event = EVENTS as u8);
    }

    /// When a thread's last record was, where that is remembered.
    pub(super) fn last_ns(&self, thread: u32) -> Option<u64> {
        let last = self.threads[thread as usize % THREADS];
        (last.thread == thread && last.ns > 0).then_some(last.ns)
    }

    pub(super) fn step_types(&self) -> &[StepType] {
        &self.step_types
    }
}

impl StepType {
    #[cold]
    fn new(from: u8, to: u8) -> StepType {
        let events = [usize::from(from), usize::from(to)];
        StepType { events, all: Sketch::default(), blocks: vec![Logarithms::default(); BLOCKS] }
    }
}

impl Logarithms {
    #[inline]
    fn add(&mut self, value: u64) {
        // Between powers of two as the crow flies, which is near enough for who divides one such mean by another.
        let value = value.max(1);
        let octave = value.ilog2();
        let rest = ((value << (63 - octave)) << 1) >> 32;
        self.sum += f64::from(octave) + rest as f64 / (1_u64 << 32) as f64;
        self.count += 1.0;
    }
}
