//! Counts of few different values.

/// The number of different values that are counted exactly.
const MAX_EXACT: usize = 64;

/// Counts each value, as long as there are few different values.
#[derive(Debug, Clone)]
pub(super) struct Exact<T> {
    /// In ascending order. `None` if there were too many different values.
    values: Option<Vec<(T, u64)>>,
}

impl<T> Default for Exact<T> {
    fn default() -> Exact<T> {
        Exact { values: Some(Vec::new()) }
    }
}

impl<T: Copy + Ord> Exact<T> {
    /// Counts `value`, which occurred `times` times.
    #[inline]
    pub(super) fn add(&mut self, value: T, times: u64) {
        if let Some(values) = &mut self.values {
            match values.binary_search_by_key(&value, |&(value, _)| value) {
                Ok(index) => values[index].1 += times,
                Err(_) if values.len() == MAX_EXACT => self.values = None,
                Err(index) => values.insert(index, (value, times)),
            }
        }
    }

    /// Discards the values, as if there were too many different ones.
    pub(super) fn give_up(&mut self) {
        self.values = None;
    }

    /// Returns the values and their counts in ascending order, or `None` if there were too many.
    pub(super) fn values(&self) -> Option<&[(T, u64)]> {
        self.values.as_deref()
    }

    /// Returns the value at `rank`, counted from 1 in ascending order.
    pub(super) fn at_rank(&self, rank: u64) -> Option<T> {
        let mut below = 0;
        let found = self.values()?.iter().find(|(_, count)| {
            below += count;
            below >= rank
        });
        found.map(|&(value, _)| value)
    }
}
