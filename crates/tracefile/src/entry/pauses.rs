//! When recording was off, though the trace goes on.

use crate::metadata::Metadata;

/// A time in which nothing was recorded, because recording was switched off. In the trace's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// When it began. `None`: what told of that is missing.
    pub from_ns: Option<u64>,
    /// When it ended. `None`: recording was not switched on again.
    pub to_ns: Option<u64>,
}

impl Pause {
    /// How long it was; 0 where the trace does not tell both of its ends.
    pub fn duration_ns(&self) -> u64 {
        self.from_ns.zip(self.to_ns).map_or(0, |(from_ns, to_ns)| to_ns.saturating_sub(from_ns))
    }
}

/// The pauses that a trace tells of, in its order.
pub fn pauses(pieces: &[Metadata]) -> Vec<Pause> {
    let mut pauses: Vec<Pause> = Vec::new();
    let mut is_off = false;
    for piece in pieces {
        match (piece, pauses.last_mut()) {
            (Metadata::Paused(from_ns), _) => pauses.push(Pause { from_ns: Some(*from_ns), to_ns: None }),
            (Metadata::Resumed(to_ns), Some(last)) if is_off => last.to_ns = Some(*to_ns),
            (Metadata::Resumed(to_ns), _) => pauses.push(Pause { from_ns: None, to_ns: Some(*to_ns) }),
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
    fn each_end_goes_with_the_beginning_before_it() {
        let reported = |pieces: &[_]| {
            let pair = |pause: &Pause| (pause.from_ns, pause.to_ns);
            pauses(pieces).iter().map(pair).collect::<Vec<_>>()
        };
        assert_eq!(reported(&[Version(1)]), []);
        assert_eq!(
            reported(&[Paused(1), Version(1), Resumed(5), Paused(7)]),
            [(Some(1), Some(5)), (Some(7), None)]
        );
        // Of files that were cut or put together.
        assert_eq!(reported(&[Resumed(5), Resumed(6)]), [(None, Some(5)), (None, Some(6))]);
        assert_eq!(reported(&[Paused(1), Paused(2), Resumed(3)]), [(Some(1), None), (Some(2), Some(3))]);
        let odd = Pause { from_ns: Some(9), to_ns: Some(3) };
        assert_eq!(odd.duration_ns(), 0, "no clock goes back, but bytes may say so");
    }
}
