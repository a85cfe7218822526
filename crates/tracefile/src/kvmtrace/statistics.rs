//! How often each event occurred.

use std::collections::HashMap;
use std::io::Write;

use super::definitions::Definitions;

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

    /// Appends a table of the counts, with the names that the definitions give.
    pub fn render(&self, definitions: &Definitions, out: &mut Vec<u8>) {
        let total: u64 = self.counts.iter().map(|(_, count)| count).sum();
        // Writing to a Vec cannot fail.
        let _ = writeln!(out, "        id |      count |       % | event");
        let _ = writeln!(out, "-----------+------------+---------+------------");
        for (event, count) in self.sorted() {
            let percent = count as f64 * 100.0 / total as f64;
            let _ = write!(out, "{event:#010x} | {count:>10} | {percent:>7.2} |");
            let _ = match definitions.event_name(event) {
                Some(name) => writeln!(out, " {name}"),
                None => writeln!(out),
            };
        }
        let _ = writeln!(out, "-----------+------------+---------+------------");
        let _ = writeln!(out, "       sum | {total:>10} |         |");
    }
}
