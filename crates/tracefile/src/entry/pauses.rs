//! Pauses: times during which recording was off.

use crate::metadata::Metadata;

/// A time during which recording was off, in nanoseconds of the trace's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// The start; `None` if the trace does not contain it.
    pub from_ns: Option<u64>,
    /// The end; `None` if recording was not switched on again.
    pub to_ns: Option<u64>,
    /// The number of the trace, as in [`Entry::trace`](crate::Entry).
    pub trace: u32,
}

impl Pause {
    /// Returns the duration of the pause, or 0 if the start or the end is unknown.
    pub fn duration_ns(&self) -> u64 {
        self.from_ns.zip(self.to_ns).map_or(0, |(from_ns, to_ns)| to_ns.saturating_sub(from_ns))
    }
}

/// Returns the pauses in the metadata of the only trace, in the order of the trace.
pub fn pauses(pieces: &[Metadata]) -> Vec<Pause> {
    let mut pauses: Vec<Pause> = Vec::new();
    let mut is_off = false;
    for piece in pieces {
        match (piece, pauses.last_mut()) {
            (Metadata::Paused(from_ns), _) => {
                pauses.push(Pause { from_ns: Some(*from_ns), to_ns: None, trace: 0 });
            }
            (Metadata::Resumed(to_ns), Some(last)) if is_off => last.to_ns = Some(*to_ns),
            (Metadata::Resumed(to_ns), _) => {
                pauses.push(Pause { from_ns: None, to_ns: Some(*to_ns), trace: 0 });
            }
            _ => continue,
        }
        is_off = matches!(piece, Metadata::Paused(_));
    }
    pauses
}

#[cfg(test)]
mod tests {
    use super::{Pause, pauses};
    use crate::metadata::Metadata::{Paused, Resumed, Version};

    #[test]
    fn each_end_belongs_to_the_preceding_start() {
        let reported = |pieces: &[_]| {
            let pair = |pause: &Pause| (pause.from_ns, pause.to_ns);
            pauses(pieces).iter().map(pair).collect::<Vec<_>>()
        };
        assert_eq!(reported(&[Version(1)]), []);
        assert_eq!(
            reported(&[Paused(1), Version(1), Resumed(5), Paused(7)]),
            [(Some(1), Some(5)), (Some(7), None)]
        );
        // Such metadata is in files that were truncated or concatenated.
        assert_eq!(reported(&[Resumed(5), Resumed(6)]), [(None, Some(5)), (None, Some(6))]);
        assert_eq!(reported(&[Paused(1), Paused(2), Resumed(3)]), [(Some(1), None), (Some(2), Some(3))]);
        let odd = Pause { from_ns: Some(9), to_ns: Some(3), trace: 0 };
        assert_eq!(odd.duration_ns(), 0, "damaged metadata may contain an end before the start");
    }
}
