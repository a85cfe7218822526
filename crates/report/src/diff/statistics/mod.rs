//! The statistics of a comparison, small enough to be read: a share or a rate with a variance that believes what the recording itself
//! shows of slow changes, Student's distribution, and Holm's correction for many questions asked at once.

mod holm;
mod ratio;
mod student;

pub(super) use holm::adjust;
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
