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
    /// Records with more arguments than the target holds: they are left out.
    Arguments,
    /// Records that have more or fewer arguments than declared, where the target holds just those: missing ones become
    /// zeros and empty strings, others are left out.
    Uneven,
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
    Loss::Uneven,
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
            Loss::Uneven => "uneven",
            Loss::Pids => "pids",
            Loss::Threads => "threads",
            Loss::Metadata => "metadata",
        }
    }

    /// What `count` of them are called.
    pub fn unit(self, count: u64) -> &'static str {
        match (self, count) {
            (Loss::Metadata, 1) => "fact",
            (Loss::Metadata, _) => "facts",
            (_, 1) => "record",
            _ => "records",
        }
    }

    /// What it means for a trace of `version`, after count and unit.
    pub fn describe(self, version: Version) -> String {
        match self {
            Loss::Events if version == Version::V4 => {
                "of an event that shares its name with another of other types: left out".to_owned()
            }
            Loss::Events => format!("of events without a number in {version}: left out"),
            Loss::Strings => format!("with strings, where {version} holds integers: they become 0"),
            Loss::Addresses => {
                format!("with the address of a string, where {version} holds its text: written as text")
            }
            Loss::Arguments => {
                format!("with more than {MAX_ARGUMENTS} arguments, where {version} holds no more: left out")
            }
            Loss::Uneven => "with more or fewer arguments than declared: missing ones become 0 or empty, \
                             others are left out"
                .to_owned(),
            Loss::Pids if version == Version::Rfc2011 => {
                "of other processes than the first record's, which rfc2011 holds for all".to_owned()
            }
            Loss::Pids => format!("with a process, for which {version} has no place"),
            Loss::Threads => format!("with a thread, for which {version} has no place"),
            Loss::Metadata => {
                format!("about the program (clock, host, names of threads), for which {version} has no place")
            }
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
            Loss::Strings if version == Version::V0 => "v2 and later hold strings",
            Loss::Strings => {
                "new readers take `char **` for a number: declare the argument as `const char *`"
            }
            Loss::Addresses => "declare the argument as `void *`, for reading and for who reads the result",
            Loss::Arguments => "v2 and later hold any number",
            Loss::Uneven => "rfc2011 in the byte order of the trace holds them as they are",
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
