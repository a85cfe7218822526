//! Losses: information that a version cannot represent.

use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::v0::MAX_ARGUMENTS;

/// A kind of information that another version cannot represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Records of events without an id in the target, which are omitted.
    Events,
    /// Records with strings, if the target stores only integers. Zeros are written instead.
    Strings,
    /// Records with the address of a string, where the target expects the string itself. The
    /// address is written as text.
    Addresses,
    /// Records with more arguments than the target supports. These records are omitted.
    Arguments,
    /// Records with more or fewer arguments than declared, if the target requires the declared
    /// number. Missing arguments are written as zeros and empty strings; extra ones are omitted.
    Uneven,
    /// Records whose process id is omitted.
    Pids,
    /// Records whose thread id is omitted.
    Threads,
    /// Metadata of the trace: clock, host, command and thread names.
    Metadata,
}

/// All kinds of losses, in the order in which they are reported.
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
    /// Returns the name of the loss in reports.
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

    /// Returns the noun for `count` losses of this kind.
    pub fn unit(self, count: u64) -> &'static str {
        match (self, count) {
            (Loss::Metadata, 1) => "fact",
            (Loss::Metadata, _) => "facts",
            (_, 1) => "record",
            _ => "records",
        }
    }

    /// Returns a description for a trace of `version`, to be printed after count and noun.
    pub fn describe(self, version: Version) -> String {
        match self {
            Loss::Events if version == Version::V4 => {
                "of an event with the same name as another one, but different types: omitted".to_owned()
            }
            Loss::Events => format!("of events without an id in {version}: omitted"),
            Loss::Strings => format!("with strings, which {version} does not support: written as 0"),
            Loss::Addresses => {
                format!(
                    "with the address of a string, but {version} stores the text: the address is written as text"
                )
            }
            Loss::Arguments => {
                format!("with more than {MAX_ARGUMENTS} arguments, the maximum in {version}: omitted")
            }
            Loss::Uneven => {
                "with more or fewer arguments than declared: missing ones are written as 0 or empty, \
                             extra ones are omitted"
                    .to_owned()
            }
            Loss::Pids if version == Version::Rfc2011 => {
                "of a process other than the first: rfc2011 stores one process id for all records".to_owned()
            }
            Loss::Pids => format!("with a process id, which {version} does not support"),
            Loss::Threads => "with a thread id, which is omitted".to_owned(),
            Loss::Metadata => {
                format!("about the program (clock, host, names of threads), which {version} does not support")
            }
        }
    }

    /// Returns a hint on how to avoid the loss.
    pub fn advice(self, version: Version) -> &'static str {
        match self {
            Loss::Events if version == Version::V2 => {
                "v2 has ids only for declared events (--events) that are not disabled; v3 and v4 support other events"
            }
            Loss::Events if version == Version::V4 => "rename one of them in the declarations",
            Loss::Events => "pass the declarations of all events (--events), or write v4",
            Loss::Strings if version == Version::V0 => "v2 and later support strings",
            Loss::Strings => {
                "current readers treat `char **` as a number: declare the argument as `const char *`"
            }
            Loss::Addresses => {
                "declare the argument as `void *`, for this command and for readers of the output"
            }
            Loss::Arguments => "v2 and later support any number of arguments",
            Loss::Uneven => "rfc2011 with the byte order of the trace keeps them unchanged",
            Loss::Pids => "v3 and v4 store the process id of each record",
            Loss::Threads => "v4 without --plain stores thread ids",
            Loss::Metadata => "v4 without --plain stores them",
        }
    }
}

/// The number of losses of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Losses {
    counts: [u64; LOSSES.len()],
}

impl Losses {
    pub(super) fn add(&mut self, loss: Loss) {
        self.counts[loss as usize] += 1;
    }

    /// Returns whether there are no losses.
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|&count| count == 0)
    }

    /// Returns the number of losses of a kind.
    pub fn count(&self, loss: Loss) -> u64 {
        self.counts[loss as usize]
    }

    /// Returns the kinds of losses that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Loss, u64)> {
        LOSSES.into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_counted_at_their_own_index() {
        for (place, loss) in LOSSES.into_iter().enumerate() {
            assert_eq!(loss as usize, place);
            let mut losses = Losses::default();
            losses.add(loss);
            assert_eq!(losses.iter().collect::<Vec<_>>(), [(loss, 1)]);
        }
    }
}
