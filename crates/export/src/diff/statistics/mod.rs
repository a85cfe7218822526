//! The statistics of a comparison, small enough to be read: a share or a rate with a variance that believes what the recording itself
//! shows of slow changes, Student's distribution, and Holm's correction for many questions asked at once.

mod holm;
mod ratio;
mod student;

pub(super) use holm::adjust;
pub(super) use ratio::{Portion, Ratio, above_by_chance};
