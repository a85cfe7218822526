//! Steps, which indicate the machine's speed. A step is the time from one record of a thread to the
//! thread's next record. The step's type is determined by the events of the two records.
//!
//! A machine that is busy, hot or throttled slows down everything, and conditions differ between
//! most recordings. The work between two records of a thread is mostly the same each time. If all
//! steps take longer, the machine is slower, and the program itself has not changed.

use std::ops::Range;

use ringtrace_tracefile::statistics::Sketch;

use super::timeline::{BLOCKS, fold};

/// Steps are measured only between the events that occur first, up to this number of events.
const EVENTS: usize = 64;

/// Number of threads that are remembered at the same time. When a thread replaces another one, a
/// step is lost.
const THREADS: usize = 256;
const NONE: u16 = u16::MAX;

#[derive(Debug)]
pub(super) struct Steps {
    threads: Vec<LastRecord>,
    /// An index into `step_types` for each combination of a step's two events.
    places: Vec<u16>,
    step_types: Vec<StepType>,
}

#[derive(Debug)]
pub(super) struct StepType {
    pub(super) events: [usize; 2],
    pub(super) all: Sketch,
    /// Logarithms of the durations, in blocks of time. They are sufficient to compute a mean.
    pub(super) blocks: Vec<Logarithms>,
}

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

/// The number of an event, in the order of first occurrence.
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
    /// Adds a record whose time is in `block`.
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

    pub(super) fn widen(&mut self, doublings: u32) {
        for step_type in &mut self.step_types {
            fold(&mut step_type.blocks, doublings, |sum, block| {
                sum.sum += block.sum;
                sum.count += block.count;
            });
        }
    }

    /// Copies the steps of another run's first blocks to the blocks `place`. `numbers` maps the
    /// run's event numbers to event numbers in `self`.
    pub(super) fn append(&mut self, run: &Steps, numbers: &[usize], place: Range<usize>) {
        for step_type in &run.step_types {
            let Some([from, to]) = both(step_type.events.map(|event| numbers.get(event).copied())) else {
                continue;
            };
            let known = self.step_types.iter().position(|known| known.events == [from, to]);
            let index = known.unwrap_or_else(|| {
                self.step_types.push(StepType {
                    events: [from, to],
                    all: Sketch::default(),
                    blocks: vec![Logarithms::default(); BLOCKS],
                });
                self.step_types.len() - 1
            });
            let known = &mut self.step_types[index];
            known.all.merge(&step_type.all);
            known.blocks[place.clone()].copy_from_slice(&step_type.blocks[..place.len()]);
        }
    }

    /// Forgets the last record of every thread, because records are missing after it.
    pub(super) fn forget(&mut self) {
        self.threads.iter_mut().for_each(|last| last.event = EVENTS as u8);
    }

    /// Returns the time of a thread's last record, if it is remembered.
    pub(super) fn last_ns(&self, thread: u32) -> Option<u64> {
        let last = self.threads[thread as usize % THREADS];
        (last.thread == thread && last.ns > 0).then_some(last.ns)
    }

    pub(super) fn step_types(&self) -> &[StepType] {
        &self.step_types
    }
}

fn both(events: [Option<usize>; 2]) -> Option<[usize; 2]> {
    Some([events[0]?, events[1]?])
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
        // Interpolate linearly between powers of two, which is accurate enough to compare two means
        // of logarithms.
        let value = value.max(1);
        let octave = value.ilog2();
        let rest = ((value << (63 - octave)) << 1) >> 32;
        self.sum += f64::from(octave) + rest as f64 / (1_u64 << 32) as f64;
        self.count += 1.0;
    }
}
