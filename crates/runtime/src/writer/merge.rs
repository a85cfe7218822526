//! Merges rings, in order of their oldest records.

use ringtrace_wire::ring;

#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) reader: usize,
    pub(crate) bytes: &'static [u8],
    pub(crate) stamp: u64,
}

impl Head {
    /// Creates the head of a reader's bytes. Returns `None` if they contain no record.
    pub(crate) fn new(reader: usize, bytes: &'static [u8]) -> Option<Head> {
        Some(Head { reader, bytes, stamp: ring::record_at(bytes)?.stamp })
    }
}

/// A binary heap of heads. The head with the oldest record is first, and is changed in place.
#[derive(Debug, Default)]
pub(crate) struct Heads(Vec<Head>);

impl Heads {
    pub(crate) fn fill(&mut self, heads: impl Iterator<Item = Head>) {
        self.0.clear();
        self.0.extend(heads);
        for at in (0..self.0.len() / 2).rev() {
            self.sink(at);
        }
    }

    /// Removes heads whose oldest record is after `stamp`.
    pub(crate) fn keep_until(&mut self, stamp: u64) {
        self.0.retain(|head| head.stamp <= stamp);
        for at in (0..self.0.len() / 2).rev() {
            self.sink(at);
        }
    }

    /// Returns the head with the oldest record, and the stamp up to which no other head has a
    /// record.
    pub(crate) fn first(&mut self) -> Option<(&mut Head, u64)> {
        let second = self.0.get(1).map_or(u64::MAX, |head| head.stamp);
        let third = self.0.get(2).map_or(u64::MAX, |head| head.stamp);
        Some((self.0.first_mut()?, second.min(third)))
    }

    pub(crate) fn first_changed(&mut self) {
        self.sink(0);
    }

    pub(crate) fn remove_first(&mut self) {
        if !self.0.is_empty() {
            self.0.swap_remove(0);
            self.sink(0);
        }
    }

    fn sink(&mut self, mut at: usize) {
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut oldest = at;
            for child in [left, right] {
                if child < self.0.len() && self.0[child].stamp < self.0[oldest].stamp {
                    oldest = child;
                }
            }
            if oldest == at {
                return;
            }
            self.0.swap(at, oldest);
            at = oldest;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Merging sorted rings yields all records in order.
        #[test]
        fn rings_are_merged(mut rings in prop::collection::vec(prop::collection::vec(0u64..50, 1..20), 0..9)) {
            rings.iter_mut().for_each(|ring| ring.sort_unstable());
            let head = |(reader, ring): (usize, &Vec<u64>)| Head { reader, bytes: &[], stamp: ring[0] };
            let mut heads = Heads::default();
            heads.fill(rings.iter().enumerate().map(head));
            let (mut merged, mut next) = (Vec::new(), vec![0; rings.len()]);
            while let Some((head, until)) = heads.first() {
                let (ring, at) = (&rings[head.reader], &mut next[head.reader]);
                prop_assert!(ring[*at] <= until);
                while *at < ring.len() && ring[*at] <= until {
                    merged.push(ring[*at]);
                    *at += 1;
                }
                match ring.get(*at) {
                    Some(&stamp) => {
                        head.stamp = stamp;
                        heads.first_changed();
                    }
                    None => heads.remove_first(),
                }
            }
            let mut all = rings.concat();
            all.sort_unstable();
            prop_assert_eq!(merged, all);
        }
    }
}
