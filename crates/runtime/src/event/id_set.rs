//! Sets of the ids of events.

/// A set of ids of events, which are small numbers.
#[derive(Debug, Default)]
pub(crate) struct IdSet(Vec<u64>);

impl IdSet {
    /// Adds `id`. Returns whether it was not in the set.
    #[inline]
    pub(crate) fn insert(&mut self, id: u32) -> bool {
        let (word, bit) = (id as usize / 64, 1 << (id % 64));
        if self.0.get(word).is_some_and(|word| word & bit != 0) {
            return false;
        }
        std::hint::cold_path();
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
        true
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

    /// Returns the ids in increasing order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..64 * self.0.len() as u32).filter(|id| self.0[*id as usize / 64] & 1 << (id % 64) != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
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
            prop_assert_eq!(set.is_empty(), expected.is_empty());
            prop_assert_eq!(set.iter().map(|id| id as u16).collect::<HashSet<_>>(), expected.clone());
            for id in third {
                prop_assert_eq!(set.insert(id.into()), expected.insert(id));
            }
        }
    }
}
