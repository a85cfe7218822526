//! Counts of records by event id, without hashing for frequent ids.

use std::collections::HashMap;
use std::ops::AddAssign;

use crate::entry::key::KeyMap;

/// A number of records, and their total size in the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of records.
    pub records: u64,
    /// The size of the records in bytes, headers included.
    pub bytes: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.records += other.records;
        self.bytes += other.bytes;
    }
}

/// Ids below this limit are counted in an array. The ids of all QEMU events are below it.
const DENSE_IDS: usize = 1 << 16;

/// The maximum number of other ids that are counted separately. Further ids are counted together.
pub const MAX_LARGE_IDS: usize = 1 << 18;

/// The number of recently counted ids that can be found without hashing. It is a power of two.
const CACHE_ENTRIES: usize = 1 << 10;

#[derive(Debug)]
pub(super) struct Counts {
    dense: Box<[Count]>,
    /// Counts of large ids, such as ringtrace's `thread << 32 | event`.
    large: Vec<Count>,
    /// The index in `large` of each id.
    places: KeyMap<u64, u32>,
    /// The index in `large` of recently counted ids.
    cache: Box<[(u64, u32)]>,
}

impl Counts {
    pub(super) fn new() -> Counts {
        Counts::with_dense(DENSE_IDS)
    }

    /// Creates counts for large ids only.
    pub(super) fn of_large() -> Counts {
        Counts::with_dense(0)
    }

    fn with_dense(ids: usize) -> Counts {
        Counts {
            dense: vec![Count::default(); ids].into_boxed_slice(),
            large: Vec::new(),
            places: HashMap::default(),
            // 0 is not a large id, so it marks an empty entry.
            cache: vec![(0, 0); CACHE_ENTRIES].into_boxed_slice(),
        }
    }

    /// Returns the count of `id` if it can be found without hashing.
    #[inline(always)]
    pub(super) fn fast(&mut self, id: u64) -> Option<&mut Count> {
        if id < DENSE_IDS as u64 {
            return self.dense.get_mut(id as usize);
        }
        match self.cache.get(cache_place(id)) {
            Some(&(cached, place)) if cached == id => self.large.get_mut(place as usize),
            _ => None,
        }
    }

    /// Returns the count of `id`, or `None` if there are too many ids.
    pub(super) fn of(&mut self, id: u64) -> Option<&mut Count> {
        if id < DENSE_IDS as u64 {
            return self.dense.get_mut(id as usize);
        }
        let next = self.large.len();
        let place = match self.places.get(&id) {
            Some(&place) => place,
            None if next == MAX_LARGE_IDS => return None,
            None => {
                self.places.insert(id, next as u32);
                self.large.push(Count::default());
                next as u32
            }
        };
        if let Some(entry) = self.cache.get_mut(cache_place(id)) {
            *entry = (id, place);
        }
        self.large.get_mut(place as usize)
    }

    /// Resets the count of `id` and returns it.
    pub(super) fn take(&mut self, id: u64) -> Count {
        let count = match usize::try_from(id).ok().filter(|&id| id < DENSE_IDS) {
            Some(dense) => self.dense.get_mut(dense),
            None => self.places.get(&id).and_then(|&place| self.large.get_mut(place as usize)),
        };
        count.map(std::mem::take).unwrap_or_default()
    }

    pub(super) fn ids(&self) -> Vec<u64> {
        let dense = (0..).zip(self.dense.iter()).filter(|(_, count)| count.records > 0).map(|(id, _)| id);
        let large = self.places.iter().filter(|&(_, &place)| self.large[place as usize].records > 0);
        let mut ids: Vec<u64> = dense.chain(large.map(|(&id, _)| id)).collect();
        ids.sort_unstable();
        ids
    }
}

/// The multiplication moves the low bits of event and thread to the top.
#[inline(always)]
fn cache_place(id: u64) -> usize {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    (id.wrapping_mul(SPREAD) >> (u64::BITS - CACHE_ENTRIES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_its_own_count() {
        let mut counts = Counts::new();
        let ids: Vec<u64> =
            (0..3000).map(|n| (n % 50) << 32 | (n / 50)).chain([65_535, 65_536, !0]).collect();
        for round in 1..=2 {
            for &id in &ids {
                let count = counts.of(id).unwrap();
                *count += Count { records: 1, bytes: 8 };
                assert_eq!(*count, Count { records: round, bytes: 8 * round }, "{id:#x}");
                assert_eq!(counts.fast(id).map(|count| count.records), Some(round));
            }
        }
        assert_eq!(counts.ids().len(), ids.len());
        assert_eq!(counts.take(!0).records, 2);
        assert_eq!(counts.take(!0), Count::default());
        assert_eq!(counts.ids().len(), ids.len() - 1);
    }

    #[test]
    fn large_ids_beyond_the_limit_have_no_count() {
        let mut counts = Counts::new();
        for id in 0..MAX_LARGE_IDS as u64 {
            counts.of(1 << 40 | id).unwrap().records += 1;
        }
        assert!(counts.of(1 << 50).is_none());
        assert!(counts.of(1 << 40).is_some());
        assert!(counts.of(7).is_some());
    }
}
