//! The cost of an event for the thread that emits it, measured by the program `cost`.

use std::process::Command;

use crate::cases::Bound;
use crate::measure::{Outcome, Setting, Spread};

pub struct Cost {
    pub ours_ns: Spread,
    pub against: &'static str,
    pub theirs_ns: Spread,
    /// The quantity that `bound` limits.
    figure: Spread,
    bound: Bound,
    /// A remark, such as the number of events recorded.
    pub note: Option<String>,
}

impl Cost {
    /// Returns whether the limit is met, or `None` if there is no limit.
    pub fn is_met(&self) -> Option<bool> {
        match self.bound {
            Bound::Times(most) | Bound::AddedNs(most) | Bound::Takes(most) => {
                Some(self.figure.median <= most)
            }
            Bound::AnyTimes | Bound::AnyAdded => None,
        }
    }

    /// Returns the figure, its quartiles, and the requirement.
    pub fn figures(&self) -> [String; 3] {
        let Spread { median, lower, upper } = self.figure;
        let (figure, quarters) = match self.bound {
            Bound::Times(_) | Bound::AnyTimes => (format!("{median:.2}"), format!("{lower:.2}-{upper:.2}")),
            Bound::AddedNs(_) | Bound::AnyAdded => {
                (format!("{median:+.2}"), format!("{lower:.2}-{upper:.2}"))
            }
            Bound::Takes(_) => {
                let us = |ns: f64| format!("{:.0}", ns / 1e3);
                (format!("{} us", us(median)), format!("{}-{}", us(lower), us(upper)))
            }
        };
        let required = match self.bound {
            Bound::Times(most) => format!("<= {most:.2}"),
            Bound::AddedNs(most) => format!("<= +{most:.2}"),
            Bound::Takes(most) => format!("<= {:.0} us", most / 1e3),
            Bound::AnyTimes | Bound::AnyAdded => String::new(),
        };
        [figure, quarters, required]
    }
}

/// Measures a case of `cost`.
///
/// # Errors
/// Returns the error message of `cost` if it fails.
pub fn measure(
    case: &str,
    against: &'static str,
    bound: Bound,
    setting: &Setting,
) -> Result<Outcome, String> {
    let output = Command::new(setting.files.program("cost"))
        .args([case, &setting.rounds.to_string()])
        .output()
        .map_err(|error| format!("cost: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} ({})", stderr.lines().next().unwrap_or("no error message"), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    if let Some(why) = text.lines().find_map(|line| line.strip_prefix("skipped ")) {
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    let rounds = text.lines().filter_map(|line| numbers(line.strip_prefix("round ")?)).collect::<Vec<_>>();
    if rounds.is_empty() {
        return Err(format!("cost {case}: the output contains no rounds"));
    }
    let of = |index: usize| Spread::of(rounds.iter().map(|round| round[index]).collect());
    let note = text.lines().find_map(|line| line.strip_prefix("note "));
    Ok(Outcome::Cost(Cost {
        ours_ns: of(0),
        against,
        theirs_ns: of(1),
        figure: of(2),
        bound,
        note: note.map(str::to_owned),
    }))
}

fn numbers(words: &str) -> Option<[f64; 3]> {
    let numbers: Option<Vec<f64>> = words.split(' ').map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_three_numbers() {
        assert_eq!(numbers("11.5 8.9 1.29"), Some([11.5, 8.9, 1.29]));
        assert_eq!(numbers("11.5 8.9"), None);
        assert_eq!(numbers("11.5 8.9 much"), None);
    }
}
