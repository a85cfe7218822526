//! Which of the scripts that QEMU had a call is meant for.
//!
//! | era | a call | declarations from | output to |
//! | --- | --- | --- | --- |
//! | shell | `--simple -h < IN > OUT` | standard input | standard output |
//! | [`Streams`](Era::Streams) | `--format=h --backend=simple < IN > OUT` | standard input | standard output |
//! | [`ToStdout`](Era::ToStdout) | `--format=h --backends=simple IN > OUT` | files | standard output |
//! | [`Today`](Era::Today) | `--format=h --backends=simple --group=G IN OUT` | files | a file |
//!
//! The first is told by its options, which are unknown today: `shell`. What today's script understands is meant for it. What it would refuse, and an older one would not, is meant for the older one.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::options::{Given, Scanned};
use crate::surroundings::{Stdin, Surroundings};

/// A time in which calls looked alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// 2012 to 2016: from standard input to standard output.
    Streams,
    /// 2016 to 2020: from files to standard output.
    ToStdout,
    /// Since 2020: from files to a file, the last that is named.
    Today,
}

impl Era {
    /// That of a call whose options are not those of the shell script.
    pub fn of(scanned: &Scanned, surroundings: &Surroundings) -> Era {
        match scanned.files.as_slice() {
            [] if is_for_streams(scanned, surroundings) => Era::Streams,
            [_] => Era::ToStdout,
            // Today's script would overwrite declarations here.
            [.., last] if is_declarations(last, surroundings) => Era::ToStdout,
            _ => Era::Today,
        }
    }
}

/// Whether a call without a file wants the declarations from standard input, or has forgotten to name them: nobody shall
/// wait for a terminal, or for a pipe into which nobody writes.
fn is_for_streams(scanned: &Scanned, surroundings: &Surroundings) -> bool {
    let has = |name: &str| scanned.options.iter().any(|given| given.name == name);
    let has_target = || ["target-type", "target-name", "target-arch"].into_iter().any(has);
    // One backend, and no `s`: that was the option's name until 2014.
    let is_spelled_so = scanned.options.iter().any(|given| given.written == "backend");
    let is_for_table = |given: &Given| given.name == "format" && is_of_table(&given.value);
    let is_of_the_time = is_spelled_so || has_target() || scanned.options.iter().any(is_for_table);
    // Groups came with names of files.
    !has("group")
        && match (surroundings.stdin)() {
            Stdin::File => true,
            Stdin::Pipe => is_of_the_time,
            Stdin::Other => false,
        }
}

/// Whether the format called `name` makes the table of all events that programs had until groups came.
pub fn is_of_table(name: &OsStr) -> bool {
    name == "events-h" || name == "events-c"
}

/// Whether `name` is what declarations files are called in QEMU's tree and build, and there is one.
fn is_declarations(name: &OsStr, surroundings: &Surroundings) -> bool {
    let path = Path::new(name);
    let file_name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let is_called_so = file_name == b"trace-events"
        || file_name == b"trace-events-all"
        || file_name.ends_with(b".trace-events");
    is_called_so && (surroundings.is_file)(path)
}

/// The options by which a call is one of the shell script.
pub const SHELL_WORDS: [&str; 9] =
    ["--nop", "--simple", "--stderr", "--ust", "--dtrace", "-h", "-c", "-d", "--stap"];

/// Whether an option that is unknown today was one of the shell script.
pub fn is_shell_word(argument: &OsString) -> bool {
    SHELL_WORDS.iter().any(|word| argument == word)
}
