//! Notices for clients about dropped events and errors of the trace file.

use crate::control::dialogue::Notice;
use crate::session::status::Observed;

/// The state that a client was last notified of. Each notice reports the change since then. A slow
/// client may therefore miss intermediate values, but never the total change.
#[derive(Debug)]
pub(super) struct LastReported {
    dropped: u64,
    error: u64,
}

impl LastReported {
    /// Starts with the current state. Earlier changes are not reported.
    pub(super) fn new(observed: &Observed) -> LastReported {
        LastReported {
            dropped: observed.dropped,
            error: observed.file_error.as_ref().map_or(0, |error| error.number),
        }
    }

    /// Returns the notices for the changes up to `observed`.
    pub(super) fn update(&mut self, observed: &Observed) -> impl Iterator<Item = Notice> {
        let total = observed.dropped;
        // A decrease means that tracing was restarted.
        let count = if total < self.dropped { total } else { total - self.dropped };
        self.dropped = total;
        let dropped = (count > 0).then_some(Notice::Dropped { count, total });
        let error = observed.file_error.as_ref().filter(|error| error.number > self.error);
        self.error = error.map_or(self.error, |error| error.number);
        let error =
            error.map(|error| Notice::FileError { file: error.file.clone(), error: error.error.clone() });
        dropped.into_iter().chain(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::status::FileError;

    fn observed(dropped: u64, error: Option<u64>) -> Observed {
        let file_error =
            error.map(|number| FileError { number, file: "t".into(), error: format!("error {number}") });
        Observed { dropped, file_error }
    }

    /// Simulates a client that connects at the first moment, and returns the notices that it gets
    /// at the following moments.
    fn notices(moments: &[(u64, Option<u64>)]) -> Vec<String> {
        let mut moments = moments.iter().map(|(dropped, error)| observed(*dropped, *error));
        let mut last = LastReported::new(&moments.next().unwrap());
        moments
            .flat_map(|now| last.update(&now).collect::<Vec<_>>())
            .map(|notice| match notice {
                Notice::Dropped { count, total } => format!("{count} of {total}"),
                Notice::FileError { error, .. } => error,
                Notice::Shutdown => unreachable!("not a notice about recording"),
            })
            .collect()
    }

    #[test]
    fn changes_are_reported_once() {
        assert_eq!(notices(&[(7, Some(1)), (7, Some(1))]), [""; 0]);
        assert_eq!(notices(&[(7, None), (9, None), (9, None), (19, None)]), ["2 of 9", "10 of 19"]);
        assert_eq!(
            notices(&[(0, None), (0, Some(1)), (0, Some(1)), (0, None), (0, Some(2))]),
            ["error 1", "error 2"]
        );
        assert_eq!(notices(&[(5, Some(3)), (6, Some(4))]), ["1 of 6", "error 4"]);
    }

    #[test]
    fn counts_restart_with_tracing() {
        assert_eq!(notices(&[(7, None), (3, None)]), ["3 of 3"]);
    }
}
