//! The number of each event's records in the file.
//!
//! The writer thread counts records when it copies them, and publishes the counts when the records
//! are in the file. So the copying loop needs only one addition per record, and readers never see a
//! record counted too early.

use crate::event::counts;

/// Events with this id or a greater one are counted as id 0.
const MAX_EVENTS: u32 = 1 << 24;

#[derive(Debug, Default)]
pub(super) struct EventCounts {
    /// For each event, the number of records that were copied but are not in the file yet.
    copied: Vec<u32>,
    /// The events whose `copied` is not zero.
    touched: Vec<u32>,
    /// For each event, the number of records in the current file.
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

    /// Counts further records of an event that was just counted.
    pub(super) fn copied_more(&mut self, event: u32, count: u32) {
        let at = if event < MAX_EVENTS { event } else { 0 };
        if let Some(copied) = self.copied.get_mut(at as usize) {
            *copied += count;
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

    /// Publishes the counts. Called when all copied records are in the file.
    pub(super) fn commit(&mut self) {
        for event in self.touched.drain(..) {
            let count = u64::from(std::mem::take(&mut self.copied[event as usize]));
            self.in_file[event as usize] += count;
            counts::add_recorded(event, count);
        }
    }

    /// Starts another file. Records that were copied and are not in a file yet will be in this one.
    pub(super) fn start_file(&mut self) {
        self.in_file.fill(0);
    }

    /// Counts all records of the file as dropped. Called when the file has been emptied.
    pub(super) fn cut_away(&mut self) {
        for (event, count) in (0..).zip(&mut self.in_file).filter(|(_, count)| **count > 0) {
            counts::take_back(event, std::mem::take(count));
        }
    }
}
