//! The statistics of a comparison: a fraction or rate whose variance includes slow changes within
//! the recording, Student's distribution, and Holm's correction for multiple comparisons.

mod ratio;
mod student;

pub(super) use ratio::{Portion, Series, above_by_chance};

/// Returns the weighted median.
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

/// Corrects probabilities for multiple comparisons by Holm's method. For each level, the
/// probability that any result is at or below the level by chance is at most that level.
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
    fn probabilities_are_corrected_by_rank() {
        // Computed by hand: 0.005 times 4; 0.01 times 3; 0.03 times 2; 0.04 times 1, but not less than the
        // value before it.
        let adjusted = adjust(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(adjust(&[]), Vec::<f64>::new());
        assert_eq!(adjust(&[0.7, 0.9]), [1.0, 1.0]);
    }
}
