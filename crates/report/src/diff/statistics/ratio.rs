//! A fraction, a mean or a rate in two recordings, and the significance of their difference.
//!
//! A trace's events are not independent of each other. A slow request delays the next ones, a busy
//! machine slows down a whole second, a cold cache slows down the start of every recording. The
//! variance can therefore not be estimated from individual events. Instead, both recordings are
//! divided into the same batches of time. The variance is computed from the difference in each
//! batch, so variation that both recordings have at the same time does not count.
//!
//! The variance is computed twice: with long batches and with short ones. If all batches were
//! independent, both would give the same variance. If the long batches give a larger one, there are
//! slow changes, and the result is less certain. The growth from short to long batches is
//! extrapolated to the length of the whole recording.

use super::student;

/// An observation in a block of time, whose value is `part` divided by `whole`. Examples: spans
/// above a limit and all spans, or events and seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Portion {
    pub part: f64,
    pub whole: f64,
}

#[derive(Debug, Clone)]
pub struct Series {
    blocks: Vec<Portion>,
    all: Portion,
    /// The minimum variance of the value, due to chance alone.
    floor: f64,
}

/// How many short batches, and how many long ones, if there are enough blocks.
const SHORT: usize = 48;
const LONG: usize = 12;

/// Minimum number of non-empty batches. With fewer, the variance is unknown.
const FEWEST: f64 = 4.0;

impl Series {
    /// Creates a series. `floor` returns the minimum variance. `None` if the blocks are empty.
    pub fn new(blocks: Vec<Portion>, floor: impl Fn(Portion) -> f64) -> Option<Series> {
        let all = blocks.iter().fold(Portion::default(), |sum, block| Portion {
            part: sum.part + block.part,
            whole: sum.whole + block.whole,
        });
        (all.whole > 0.0).then(|| Series { blocks, all, floor: floor(all) })
    }

    pub fn value(&self) -> f64 {
        self.all.part / self.all.whole
    }

    /// Returns the influence of each batch on the value, and the effective number of batches.
    fn moves(&self, batches: usize) -> (Vec<f64>, f64) {
        let (mut moves, mut wholes) = (vec![0.0; batches], vec![0.0; batches]);
        for (index, block) in self.blocks.iter().enumerate() {
            let batch = index * batches / self.blocks.len();
            moves[batch] += (block.part - self.value() * block.whole) / self.all.whole;
            wholes[batch] += block.whole;
        }
        let squares: f64 = wholes.iter().map(|whole| whole * whole).sum();
        (moves, self.all.whole * self.all.whole / squares)
    }
}

/// Returns the variance of the difference of two series, and the effective number of batches.
fn variance_of_difference(larger: &Series, smaller: &Series, factor: f64, batches: usize) -> (f64, f64) {
    let ((of_larger, count_larger), (of_smaller, count_smaller)) =
        (larger.moves(batches), smaller.moves(batches));
    let squares: f64 = of_larger.iter().zip(&of_smaller).map(|(l, s)| (l - factor * s).powi(2)).sum();
    let count = count_larger.min(count_smaller);
    let floor = larger.floor + factor * factor * smaller.floor;
    ((squares * count / (count - 1.0).max(1.0)).max(floor), count)
}

/// Returns the p-value of the observed excess of `larger` over `factor` * `smaller`: the
/// probability that it is due to chance. `None` if there are too few non-empty blocks.
pub fn above_by_chance(larger: &Series, smaller: &Series, factor: f64) -> Option<f64> {
    let blocks = larger.blocks.len().min(smaller.blocks.len());
    let short = SHORT.min(blocks);
    let long = LONG.min(short / 2).max(1);
    let (of_short, _) = variance_of_difference(larger, smaller, factor, short);
    let (of_long, count) = variance_of_difference(larger, smaller, factor, long);
    if count < FEWEST {
        return None;
    }
    let difference = larger.value() - factor * smaller.value();
    if of_long <= 0.0 || of_short <= 0.0 {
        return Some(if difference > 0.0 { 0.0 } else { 1.0 });
    }
    let doublings = (short as f64 / long as f64).log2();
    let growth = (of_long / of_short).max(1.0).powf((long as f64).log2() / doublings);
    let variance = of_long.max(of_short) * growth;
    Some(student::above(difference / variance.sqrt(), count - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(parts: impl Iterator<Item = f64>) -> Series {
        Series::new(parts.map(|part| Portion { part, whole: 1.0 }).collect(), |_| 0.0).unwrap()
    }

    fn uneven(offset: usize) -> impl Iterator<Item = f64> {
        (0..192).map(move |block| 1.0 + 0.1 * (((block * 37 + offset) % 17) as f64 / 17.0 - 0.5))
    }

    #[test]
    fn a_difference_is_significant_only_up_to_its_size() {
        let (one, other) = (series(uneven(0)), series(uneven(5).map(|part| part * 1.2)));
        assert!(above_by_chance(&other, &one, 1.1).unwrap() < 1e-6);
        assert!(above_by_chance(&other, &one, 1.3).unwrap() > 0.999);
        assert!(above_by_chance(&one, &other, 1.0).unwrap() > 0.999);
    }

    #[test]
    fn variation_that_both_have_at_the_same_time_does_not_count() {
        let warm = |block: usize| 3.0 * (-(block as f64) / 40.0).exp();
        let warming = |offset| uneven(offset).enumerate().map(move |(block, part)| part + warm(block));
        let slower = uneven(5).enumerate().map(|(block, part)| part * 1.2 + warm(block));
        let (one, other) = (series(warming(0)), series(slower));
        assert!(above_by_chance(&other, &one, 1.0).unwrap() < 0.01);
        let reversed: Vec<f64> = warming(5).map(|part| part * 1.2).collect();
        let later = series(reversed.into_iter().rev());
        assert!(above_by_chance(&later, &one, 1.0).unwrap() > 0.05);
    }

    #[test]
    fn slow_changes_are_less_significant_than_fast_ones() {
        // Both contain 1.3 in a third of all blocks, but in different blocks.
        let fast = series((0..192).map(|block| if block % 3 == 0 { 1.3 } else { 1.0 }));
        let slow = series((0..192).map(|block| if block < 64 { 1.3 } else { 1.0 }));
        let plain = series((0..192).map(|_| 1.0));
        assert!(above_by_chance(&fast, &plain, 1.02).unwrap() < 1e-6);
        assert!(above_by_chance(&slow, &plain, 1.02).unwrap() > 0.05);
    }

    #[test]
    fn too_few_blocks_have_no_probability() {
        let few = || [3, 50].into_iter().map(|filled| move |block| f64::from(u8::from(block == filled)));
        let blocks = (0..192).map(|block| {
            let whole: f64 = few().map(|is| is(block)).sum();
            Portion { part: whole, whole }
        });
        let few = Series::new(blocks.collect(), |_| 0.0).unwrap();
        assert_eq!(above_by_chance(&few, &few, 1.0), None);
        assert!(Series::new(vec![Portion::default(); 9], |_| 0.0).is_none());
    }
}
