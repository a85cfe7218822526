//! How fast the machine was: the time from a thread's record to its next one, by the two events.
//!
//! A machine that is busy with something else, hotter or colder, makes everything slower, and two recordings are rarely made under the same sky.
//! What a program does between two records of a thread is mostly the same work each time; if all such steps take longer, nothing of the
//! program has changed.

use ringtrace_tracefile::statistics::Sketch;

/// Events whose steps are followed: the first ones that are met.
const EVENTS: usize = 64;

/// Threads that are remembered at a time; one that comes in another's place loses a step.
const THREADS: usize = 256;

/// No step was met yet from the one event to the other.
const NONE: u16 = u16::MAX;

/// The steps of a recording.
#[derive(Debug)]
pub(super) struct Steps {
    threads: Vec<Last>,
    /// By the two events: the place in `sketches`.
    places: Vec<u16>,
    sketches: Vec<(u8, u8, Sketch)>,
}

/// A thread's last record.
#[derive(Debug, Clone, Copy)]
struct Last {
    thread: u32,
    event: u8,
    ns: u64,
}

/// A number for an event, in the order in which they were met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number(u8);

impl Number {
    pub(super) fn new(met_before: usize) -> Number {
        Number(met_before.min(EVENTS) as u8)
    }
}

impl Default for Steps {
    fn default() -> Steps {
        Steps {
            threads: vec![Last { thread: 0, event: EVENTS as u8, ns: 0 }; THREADS],
            places: vec![NONE; EVENTS * EVENTS],
            sketches: Vec::new(),
        }
    }
}

impl Steps {
    /// Takes in a record.
    #[inline]
    pub(super) fn count(&mut self, thread: u32, Number(event): Number, ns: u64) {
        let last = &mut self.threads[thread as usize % THREADS];
        let before = std::mem::replace(last, Last { thread, event, ns });
        if before.thread != thread || usize::from(before.event) >= EVENTS || usize::from(event) >= EVENTS {
            return;
        }
        let Some(gap_ns) = ns.checked_sub(before.ns) else { return };
        let place = &mut self.places[usize::from(before.event) * EVENTS + usize::from(event)];
        if *place == NONE {
            *place = self.sketches.len() as u16;
            self.sketches.push((before.event, event, Sketch::default()));
        }
        self.sketches[usize::from(*place)].2.add(gap_ns);
    }

    /// Nobody's next record is a step from the last one: something is missing between.
    pub(super) fn forget(&mut self) {
        self.threads.iter_mut().for_each(|last| last.event = EVENTS as u8);
    }

    /// All that were met, with the numbers of the two events.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize, &Sketch)> {
        self.sketches.iter().map(|(from, to, sketch)| (usize::from(*from), usize::from(*to), sketch))
    }
}
