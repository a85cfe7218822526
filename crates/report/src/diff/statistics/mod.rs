//! The statistics of a comparison, small enough to be read: a share or a rate with a variance that believes what the recording itself
//! shows of slow changes, Student's distribution, and Holm's correction for many comparisons asked at once.

mod ratio;
mod student;

pub(super) use ratio::{Portion, Series, above_by_chance};

/// The value below which half of the weight is.
pub(super) fn middle(mut weighted: Vec<(f64, f64)>) -> Option<f64> {
    weighted.retain(|(_, weight)| *weight > 0.0);
    weighted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = weighted.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut below = 0.0;
    let found = weighted.iter().find(|(_, weight)| {
        below += weight;
        below >= half
    });
    found.map(|(value, _)| *value)
}

/// Holm's correction: each probability as it is when all these comparisons were asked at once: those that stay at or below a level are wrong together, in any
/// one of them, no more often than that level says.
pub(super) fn adjust(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut adjusted = vec![1.0; probabilities.len()];
    let mut at_least = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        let left = (order.len() - rank) as f64;
        at_least = at_least.max(probabilities[index] * left).min(1.0);
        adjusted[index] = at_least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::adjust;

    #[test]
    fn the_smallest_counts_for_all_and_the_largest_for_itself() {
        // Worked by hand: the smallest, 0.005, times 4; 0.01 times 3; 0.03 times 2; 0.04 times 1, but not less than what is before it.
        let adjusted = adjust(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(adjust(&[]), Vec::<f64>::new());
        assert_eq!(adjust(&[0.7, 0.9]), [1.0, 1.0]);
    }
}
