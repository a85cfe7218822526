//! Which of the scripts that QEMU had a call is meant for.
//!
//! | era | a call | declarations from | output to |
//! | --- | --- | --- | --- |
//! | shell | `--simple -h < IN > OUT` | standard input | standard output |
//! | [`Streams`](ScriptVersion::Streams) | `--format=h --backend=simple < IN > OUT` | standard input | standard output |
//! | [`ToStdout`](ScriptVersion::ToStdout) | `--format=h --backends=simple IN > OUT` | files | standard output |
//! | [`Current`](ScriptVersion::Current) | `--format=h --backends=simple --group=G IN OUT` | files | a file |
//!
//! The first is told by its options, which are unknown today: `shell`. What today's script understands is meant for it. What it would refuse, and an older one would not, is meant for the older one.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::command::{Context, StdinKind};
use crate::options::{GivenOption, ScannedArguments};

/// A time in which calls looked alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptVersion {
    /// 2012 to 2016: from standard input to standard output.
    Streams,
    /// 2016 to 2020: from files to standard output.
    ToStdout,
    /// Since 2020: from files to a file, the last that is named.
    Current,
}

impl ScriptVersion {
    /// That of a call whose options are not those of the shell script.
    pub fn of(scanned: &ScannedArguments, context: &Context) -> ScriptVersion {
        match scanned.files.as_slice() {
            [] if is_for_streams(scanned, context) => ScriptVersion::Streams,
            [_] => ScriptVersion::ToStdout,
            // Today's script would overwrite declarations here.
            [.., last] if is_declarations(last, context) => ScriptVersion::ToStdout,
            _ => ScriptVersion::Current,
        }
    }
}

/// Whether a call without a file wants the declarations from standard input, or has forgotten to name them: nobody shall
/// wait for a terminal, or for a pipe into which nobody writes.
fn is_for_streams(scanned: &ScannedArguments, context: &Context) -> bool {
    let has = |name: &str| scanned.options.iter().any(|given| given.name == name);
    let has_target = || ["target-type", "target-name", "target-arch"].into_iter().any(has);
    // One backend, and no `s`: that was the option's name until 2014.
    let is_spelled_so = scanned.options.iter().any(|given| given.written == "backend");
    let is_for_table = |given: &GivenOption| given.name == "format" && is_of_table(&given.value);
    let is_of_the_time = is_spelled_so || has_target() || scanned.options.iter().any(is_for_table);
    // Groups came with names of files.
    !has("group")
        && match (context.stdin)() {
            StdinKind::File => true,
            StdinKind::Pipe => is_of_the_time,
            StdinKind::Other => false,
        }
}

/// Whether the format called `name` makes the table of all events that programs had until groups came.
pub fn is_of_table(name: &OsStr) -> bool {
    name == "events-h" || name == "events-c"
}

/// Whether `name` is what declarations files are called in QEMU's tree and build, and there is one.
fn is_declarations(name: &OsStr, context: &Context) -> bool {
    let path = Path::new(name);
    let file_name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let is_called_so = file_name == b"trace-events"
        || file_name == b"trace-events-all"
        || file_name.ends_with(b".trace-events");
    is_called_so && (context.is_file)(path)
}

/// The options by which a call is one of the shell script.
pub const SHELL_WORDS: [&str; 9] =
    ["--nop", "--simple", "--stderr", "--ust", "--dtrace", "-h", "-c", "-d", "--stap"];

/// Whether an option that is unknown today was one of the shell script.
pub fn is_shell_word(argument: &OsString) -> bool {
    SHELL_WORDS.iter().any(|word| argument == word)
}
