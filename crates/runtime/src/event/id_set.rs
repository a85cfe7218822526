//! Sets of the ids of events.

/// A set of ids of events, which are small numbers.
#[derive(Debug, Default)]
pub(crate) struct IdSet(Vec<u64>);

impl IdSet {
    /// Adds `id`. Returns whether it was not in the set.
    pub(crate) fn insert(&mut self, id: u32) -> bool {
        let (word, bit) = (id as usize / 64, 1 << (id % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Adds all ids of `other`.
    pub(crate) fn insert_all(&mut self, other: &IdSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_contains_what_was_inserted(first: Vec<u16>, second: Vec<u16>, third: Vec<u16>) {
            let (mut set, mut expected) = (IdSet::default(), HashSet::new());
            let mut other = IdSet::default();
            for id in first {
                prop_assert_eq!(set.insert(id.into()), expected.insert(id));
            }
            for id in second {
                other.insert(id.into());
                expected.insert(id);
            }
            set.insert_all(&other);
            for id in third {
                prop_assert_eq!(set.insert(id.into()), expected.insert(id));
            }
        }
    }
}
