//! A share or a rate over the time of a recording, and how far it can be trusted.
//!
//! Events of a trace are not independent of each other: a slow request makes the next ones slow, a busy machine makes a whole second slow.
//! So nothing is taken from single events. A recording is cut in batches, and the batches tell how much such a share varies: once in
//! 32 short ones, once in 8 long ones. Were all batches independent, both would give the same variance of the whole. The more the long look
//! finds beyond the short one, the slower what goes on there, and the less can a recording know of it: the growth from short to long is taken
//! to go on until the length of the whole recording.

use super::student;

/// What was met in a block of time: `part` out of `whole`. Spans above a limit out of all; events out of seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Portion {
    /// How much of it.
    pub part: f64,
    /// Out of how much.
    pub whole: f64,
}

/// Batches of the short and of the long look.
const SHORT: usize = 32;
const LONG: usize = 8;

/// From 32 to 8 batches are two doublings, from 8 to the whole are three.
const GROWTH_BEYOND: f64 = 3.0 / 2.0;

/// With fewer batches that have anything in them nothing is known of the variance.
const FEWEST: usize = 4;

/// A recording's share or rate.
#[derive(Debug, Clone, Copy)]
pub struct Ratio {
    /// All parts by all wholes.
    pub value: f64,
    short: Look,
    long: Look,
}

/// What batches of one length say.
#[derive(Debug, Clone, Copy)]
struct Look {
    /// The variance of the value, were they independent.
    variance: f64,
    /// Degrees of freedom of that.
    freedom: f64,
}

impl Ratio {
    /// Of blocks in the order of time. `floor` is the variance that chance alone gives the value, whatever the batches say. `None` where
    /// there are too few blocks with anything in them.
    pub fn new(blocks: &[Portion], floor: f64) -> Option<Ratio> {
        let all = blocks.iter().fold(Portion::default(), |sum, block| Portion {
            part: sum.part + block.part,
            whole: sum.whole + block.whole,
        });
        if all.whole <= 0.0 {
            return None;
        }
        let look = |batches| Look::new(blocks, all, batches, floor);
        Some(Ratio { value: all.part / all.whole, short: look(SHORT)?, long: look(LONG)? })
    }

    /// The same times `factor`.
    pub fn scaled(self, factor: f64) -> Ratio {
        let look = |look: Look| Look { variance: look.variance * factor * factor, ..look };
        Ratio { value: self.value * factor, short: look(self.short), long: look(self.long) }
    }
}

impl Look {
    fn new(blocks: &[Portion], all: Portion, most: usize, floor: f64) -> Option<Look> {
        let value = all.part / all.whole;
        let mut batches = vec![Portion::default(); most];
        let mut before = 0.0;
        for block in blocks {
            // Batches of like wholes, not of like times: where nothing happened, nothing is to be learnt.
            let middle = (before + block.whole / 2.0) / all.whole;
            before += block.whole;
            if let Some(batch) = batches.get_mut(((middle * most as f64) as usize).min(most - 1)) {
                batch.part += block.part;
                batch.whole += block.whole;
            }
        }
        let count = batches.iter().filter(|batch| batch.whole > 0.0).count();
        if count < FEWEST {
            return None;
        }
        let squares: f64 = batches.iter().map(|batch| (batch.part - value * batch.whole).powi(2)).sum();
        let count = count as f64;
        let variance = squares * count / (count - 1.0) / (all.whole * all.whole);
        Some(Look { variance: variance.max(floor), freedom: count - 1.0 })
    }

    /// What is known of the difference of two: Welch's way.
    fn and(self, other: Look) -> Look {
        let variance = self.variance + other.variance;
        if variance <= 0.0 {
            return Look { variance, freedom: self.freedom.min(other.freedom) };
        }
        let shares = self.variance.powi(2) / self.freedom + other.variance.powi(2) / other.freedom;
        Look { variance, freedom: variance.powi(2) / shares }
    }
}

/// How probable it is that `larger` comes out above `smaller` by as much as it did, when it is not larger.
pub fn above_by_chance(larger: Ratio, smaller: Ratio) -> f64 {
    let short = larger.short.and(smaller.short);
    let long = larger.long.and(smaller.long);
    let difference = larger.value - smaller.value;
    if long.variance <= 0.0 || short.variance <= 0.0 {
        return if difference > 0.0 { 0.0 } else { 1.0 };
    }
    let growth = (long.variance / short.variance).max(1.0);
    let variance = long.variance.max(short.variance) * growth.powf(GROWTH_BEYOND);
    student::above(difference / variance.sqrt(), long.freedom)
}
