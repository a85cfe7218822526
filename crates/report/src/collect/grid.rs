//! Time in buckets, however long it turns out to be.

/// From the smallest to the largest time of something, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The smallest time.
    pub smallest_ns: u64,
    /// The largest time.
    pub largest_ns: u64,
}

impl Span {
    /// No time yet: the first one that is [added](Span::add) is the smallest and the largest.
    pub const NONE: Span = Span { smallest_ns: u64::MAX, largest_ns: 0 };

    /// Takes in a time.
    #[inline(always)]
    pub fn add(&mut self, time_ns: u64) {
        self.smallest_ns = self.smallest_ns.min(time_ns);
        self.largest_ns = self.largest_ns.max(time_ns);
    }

    /// How long it is; 0 without any time.
    pub fn duration_ns(&self) -> u64 {
        self.largest_ns.saturating_sub(self.smallest_ns)
    }

    /// Whether it has any time.
    pub fn is_some(&self) -> bool {
        self.smallest_ns <= self.largest_ns
    }
}

/// Times in a fixed number of buckets. They are all as wide, a power of two of nanoseconds, and get twice as wide when the times no
/// longer fit: so a trace of any length is counted in one pass, and in the end about half of the buckets or more are in use.
#[derive(Debug, Clone)]
pub struct Grid {
    buckets: usize,
    shift: u32,
    /// The number, among all buckets of this width since time 0, of the one at index 0.
    first: u64,
    /// How many of the buckets there are: none before the first time.
    there: u64,
}

/// How buckets of one width become those of another.
#[derive(Debug, Clone, Copy)]
pub struct Widening {
    from_first: u64,
    to_first: u64,
    by_shift: u32,
}

impl Grid {
    /// A grid of so many buckets, two at least, that has seen no time.
    pub fn new(buckets: usize) -> Grid {
        Grid { buckets: buckets.max(2), shift: 0, first: 0, there: 0 }
    }

    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// How wide each is, in nanoseconds.
    pub fn width_ns(&self) -> u64 {
        1 << self.shift
    }

    /// When the bucket at `index` begins, in nanoseconds. Saturates at the end of all time.
    pub fn begin_ns(&self, index: usize) -> u64 {
        let begin_ns = u128::from(self.first + index as u64) << self.shift;
        u64::try_from(begin_ns).unwrap_or(u64::MAX)
    }

    /// The bucket of a time. `None`: it is out of [reach](Grid::reach).
    #[inline(always)]
    pub fn place(&self, time_ns: u64) -> Option<usize> {
        let place = (time_ns >> self.shift).wrapping_sub(self.first);
        (place < self.there).then_some(place as usize)
    }

    /// Makes room for all of `span`, which must have all that was counted before, and says what becomes of that.
    #[cold]
    pub fn reach(&mut self, span: Span) -> Widening {
        let (from_first, from_shift) = (self.first, self.shift);
        while (span.largest_ns >> self.shift) - (span.smallest_ns >> self.shift) >= self.buckets as u64 {
            self.shift += 1;
        }
        self.first = span.smallest_ns >> self.shift;
        self.there = self.buckets as u64;
        Widening { from_first, to_first: self.first, by_shift: self.shift - from_shift }
    }
}

impl Widening {
    /// Brings `slots`, one for each bucket, to where they belong now. Those that meet are joined.
    pub fn apply<T: Copy + Default>(&self, slots: &mut [T], join: impl Fn(&mut T, T)) {
        let before = slots.to_vec();
        slots.fill(T::default());
        for (number, slot) in (self.from_first..).zip(before) {
            let place = (number >> self.by_shift).wrapping_sub(self.to_first);
            if let Some(there) = usize::try_from(place).ok().and_then(|place| slots.get_mut(place)) {
                join(there, slot);
            }
        }
    }

    /// The same for counts, whose sum stays; what does not fit in 32 bits stays at the largest number.
    pub fn apply_to_counts(&self, counts: &mut [u32]) {
        self.apply(counts, |sum, count| *sum = sum.saturating_add(count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_time_is_counted_where_it_belongs(times in vec((any::<u64>(), 0_u32..64), 1..200)) {
            let times: Vec<u64> = times.into_iter().map(|(time, shift)| time >> shift).collect();
            let mut grid = Grid::new(16);
            let mut counts = vec![0_u32; grid.buckets()];
            let mut span = Span::NONE;
            for &time in &times {
                span.add(time);
                if grid.place(time).is_none() {
                    grid.reach(span).apply_to_counts(&mut counts);
                }
                counts[grid.place(time).unwrap()] += 1;
            }
            let mut expected = vec![0_u32; grid.buckets()];
            for &time in &times {
                let place = grid.place(time).unwrap();
                prop_assert!(grid.begin_ns(place) <= time);
                prop_assert!(time - grid.begin_ns(place) < grid.width_ns());
                expected[place] += 1;
            }
            prop_assert_eq!(counts, expected);
            let used = grid.place(span.largest_ns).unwrap() + 1;
            prop_assert!(used > grid.buckets() / 2 || grid.width_ns() == 1, "{used}");
        }
    }
}
