//! What a version cannot hold, by name.

use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::v0::MAX_ARGUMENTS;

/// A way to lose something of a trace by writing it in another version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Records of events that have no number in the target: they are left out.
    Events,
    /// Records with strings where the target holds integers: zeros.
    Strings,
    /// Records with the address of a string where the target holds its text: the address as text.
    Addresses,
    /// Records with more arguments than the target holds: the first ones.
    Arguments,
    /// Records that end before their last arguments: zeros and empty strings.
    Values,
    /// Records whose process the target has no place for.
    Pids,
    /// Records whose thread the target has no place for.
    Threads,
    /// What the trace says of itself: clock, host, command, names of threads.
    Metadata,
}

/// All of them, in the order of reports.
pub const LOSSES: [Loss; 8] = [
    Loss::Events,
    Loss::Strings,
    Loss::Addresses,
    Loss::Arguments,
    Loss::Values,
    Loss::Pids,
    Loss::Threads,
    Loss::Metadata,
];

impl Loss {
    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Loss::Events => "events",
            Loss::Strings => "strings",
            Loss::Addresses => "addresses",
            Loss::Arguments => "arguments",
            Loss::Values => "values",
            Loss::Pids => "pids",
            Loss::Threads => "threads",
            Loss::Metadata => "metadata",
        }
    }

    /// What it means for a trace of `version`, after a count.
    pub fn describe(self, version: Version) -> String {
        match self {
            Loss::Events if version == Version::V4 => {
                "records of events that share their name with another: v4 tells them by name".to_owned()
            }
            Loss::Events => {
                format!("records of events that have no number in {version}: they are left out")
            }
            Loss::Strings => format!("records with strings where {version} holds integers: they become 0"),
            Loss::Addresses => {
                format!(
                    "records with the address of a string where {version} holds its text: written as text"
                )
            }
            Loss::Arguments => format!(
                "records with more than {MAX_ARGUMENTS} arguments, which is all that {version} holds: the others are left out"
            ),
            Loss::Values => {
                "records that end before their last arguments: these become 0 or empty".to_owned()
            }
            Loss::Pids if version == Version::Rfc2011 => {
                "records of other processes than the first one's: rfc2011 has one for all".to_owned()
            }
            Loss::Pids => format!("records whose process {version} has no place for"),
            Loss::Threads => format!("records whose thread {version} has no place for"),
            Loss::Metadata => format!(
                "things that the trace says of itself (clock, host, names of threads): {version} has no place for them"
            ),
        }
    }

    /// What to do to lose nothing.
    pub fn advice(self, version: Version) -> &'static str {
        match self {
            Loss::Events if version == Version::V2 => {
                "v2 numbers the events of the declarations (--events) that are not disabled; v3 and v4 take the others"
            }
            Loss::Events if version == Version::V4 => "give one of them another name in the declarations",
            Loss::Events => "give declarations (--events) that have them all, or write v4",
            Loss::Strings => "v2 and later hold strings, if the declarations say `const char *`",
            Loss::Addresses => "declare the argument as `void *` for reading and for what is written",
            Loss::Arguments => "v2 and later hold any number",
            Loss::Values => "the trace was cut within a record; leave the last one out with --until",
            Loss::Pids => "v3 and v4 hold the process of each record",
            Loss::Threads => "v4 that describes itself (without --plain) holds threads",
            Loss::Metadata => "v4 that describes itself holds them",
        }
    }
}

/// How often what was lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Losses {
    counts: [u64; LOSSES.len()],
}

impl Losses {
    /// Counts one more.
    pub(super) fn add(&mut self, loss: Loss) {
        self.counts[loss as usize] += 1;
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|&count| count == 0)
    }

    /// How many records, or things, were lost in this way.
    pub fn count(&self, loss: Loss) -> u64 {
        self.counts[loss as usize]
    }

    /// Each that happened, and how often.
    pub fn iter(&self) -> impl Iterator<Item = (Loss, u64)> {
        LOSSES.into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_counted_at_their_own_place() {
        for (place, loss) in LOSSES.into_iter().enumerate() {
            assert_eq!(loss as usize, place);
            let mut losses = Losses::default();
            losses.add(loss);
            assert_eq!(losses.iter().collect::<Vec<_>>(), [(loss, 1)]);
        }
    }
}
