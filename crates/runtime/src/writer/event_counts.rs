//! How many records of each event are in the file.
//!
//! Records are counted when they are copied, in memory of the writer thread's own, and become known when they are in the file: in
//! the loop that copies they cost it an addition, and nobody sees a number that is not true yet.

use crate::event::counts;

/// Events beyond are counted as number 0.
const MAX_EVENTS: u32 = 1 << 24;

/// Counts of a trace file's records, by event.
#[derive(Debug, Default)]
pub(super) struct EventCounts {
    /// Of those that were copied and are not in the file yet.
    copied: Vec<u32>,
    /// The events that have some.
    touched: Vec<u32>,
    /// Of those that are in the file.
    in_file: Vec<u64>,
}

impl EventCounts {
    /// A record was copied.
    #[inline]
    pub(super) fn copied(&mut self, event: u32) {
        match self.copied.get_mut(event as usize) {
            Some(count @ 1..) => *count += 1,
            _ => self.first_copied(event),
        }
    }

    #[cold]
    fn first_copied(&mut self, event: u32) {
        // The registry gives numbers one by one; a program that writes where it should not may make up others.
        let event = if event < MAX_EVENTS { event } else { 0 };
        let at = event as usize;
        if self.copied.len() <= at {
            self.copied.resize((at + 1).next_power_of_two(), 0);
            self.in_file.resize(self.copied.len(), 0);
        }
        if self.copied[at] == 0 {
            self.touched.push(event);
        }
        self.copied[at] += 1;
    }

    /// What was copied is in the file.
    pub(super) fn commit(&mut self) {
        for event in self.touched.drain(..) {
            let count = u64::from(std::mem::take(&mut self.copied[event as usize]));
            self.in_file[event as usize] += count;
            counts::add_recorded(event, count);
        }
    }

    /// What was in the file is not there any more.
    pub(super) fn cut_away(&mut self) {
        for (event, count) in (0..).zip(&mut self.in_file).filter(|(_, count)| **count > 0) {
            counts::take_back(event, std::mem::take(count));
        }
    }
}
