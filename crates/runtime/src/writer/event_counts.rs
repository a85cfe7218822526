//! The number of records of each event in the file.
//!
//! The writer thread counts records when it copies them, and publishes the counts when the records
//! are in the file. So the copying loop spends only an addition, and readers never see a premature
//! number.

use crate::event::counts;

/// Events with greater ids are counted as id 0.
const MAX_EVENTS: u32 = 1 << 24;

#[derive(Debug, Default)]
pub(super) struct EventCounts {
    /// By event: records that were copied, but are not in the file yet.
    copied: Vec<u32>,
    /// The events with copied records.
    touched: Vec<u32>,
    /// By event: records in the file.
    in_file: Vec<u64>,
}

impl EventCounts {
    #[inline]
    pub(super) fn copied(&mut self, event: u32) {
        match self.copied.get_mut(event as usize) {
            Some(count @ 1..) => *count += 1,
            _ => self.first_copied(event),
        }
    }

    #[cold]
    fn first_copied(&mut self, event: u32) {
        // The registry assigns ids one by one, but corrupted memory may contain others.
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

    /// Publishes the counts, because all copied records are in the file.
    pub(super) fn commit(&mut self) {
        for event in self.touched.drain(..) {
            let count = u64::from(std::mem::take(&mut self.copied[event as usize]));
            self.in_file[event as usize] += count;
            counts::add_recorded(event, count);
        }
    }

    /// Counts all records of the file as dropped, because the file was emptied.
    pub(super) fn cut_away(&mut self) {
        for (event, count) in (0..).zip(&mut self.in_file).filter(|(_, count)| **count > 0) {
            counts::take_back(event, std::mem::take(count));
        }
    }
}
