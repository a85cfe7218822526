//! How often each event occurred.

use std::collections::HashMap;

/// Counts of events, in the order in which they first occurred.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    counts: Vec<(u32, u64)>,
    index: HashMap<u32, usize>,
}

impl Statistics {
    /// Counts one record of `event`.
    pub fn count(&mut self, event: u32) {
        let index = *self.index.entry(event).or_insert_with(|| {
            self.counts.push((event, 0));
            self.counts.len() - 1
        });
        if let Some((_, count)) = self.counts.get_mut(index) {
            *count += 1;
        }
    }

    /// Events and their counts: the most frequent first, those of equal counts in the order of the stream.
    pub fn sorted(&self) -> Vec<(u32, u64)> {
        let mut counts = self.counts.clone();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }
}
