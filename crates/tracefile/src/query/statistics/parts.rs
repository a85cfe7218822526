//! Counting parts of a trace separately, and adding their counts.

use super::{Counts, GroupBy, GroupIndex, Grouping, Label, Statistics};

/// The limit for the groups of a part, which use up to 3 KiB each. Several parts of each thread are in memory.
const MAX_PART_GROUPS: usize = 1 << 11;

impl Statistics {
    /// Returns whether the counts of parts can be added.
    pub(crate) fn is_divisible(&self) -> bool {
        self.measured.is_empty() && !matches!(self.by(), GroupBy::Argument(_))
    }

    /// Creates statistics without counts for another part of the same trace.
    pub(crate) fn sibling(&self) -> Statistics {
        let max_groups = self.max_groups().min(MAX_PART_GROUPS);
        let grouping = Grouping::new(self.by().clone(), max_groups).with_origins(self.grouping.origins());
        Statistics { grouping, counts: Counts::new(0), measured: Vec::new(), known: Vec::new() }
    }

    /// Adds the counts of the entries after those that were counted. Returns false, and changes nothing, if
    /// there are more groups than the limit of either.
    pub(crate) fn append(&mut self, later: &Counts) -> bool {
        let Statistics { grouping, counts, .. } = self;
        let new = later.groups.iter().filter(|group| !grouping.knows(group.label())).count();
        if later.other.count() > 0 || grouping.labels().len() + new > grouping.max_groups() {
            return false;
        }
        counts.all.append(&later.all);
        counts.dropped.add(later.dropped);
        counts.without += later.without;
        for group in &later.groups {
            if let GroupIndex::At(index) = grouping.group_with(group.label()) {
                counts.group(index, grouping.labels()).append(group);
            }
        }
        true
    }

    /// Removes all counts. `memory` is that of other counts, and is used again.
    pub(crate) fn restart(&mut self, memory: Option<Counts>) {
        if let Some(memory) = memory {
            self.counts = memory;
        }
        self.counts.restart();
        self.grouping.restart();
    }

    /// Returns the counts. Call [`Statistics::restart`] before the next entry is counted.
    pub(crate) fn take_counts(&mut self) -> Counts {
        std::mem::replace(&mut self.counts, Counts::new(0))
    }
}

impl Counts {
    /// Removes all counts, but keeps the memory.
    fn restart(&mut self) {
        let mut groups = std::mem::take(&mut self.groups);
        self.spare.append(&mut groups);
        self.groups = groups;
        self.all.restart(Label::All);
        self.other.restart(Label::Other);
        (self.dropped, self.without) = Default::default();
    }
}
