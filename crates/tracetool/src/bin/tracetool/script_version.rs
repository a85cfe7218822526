//! Detects the version of QEMU's script that a call is written for.
//!
//! | version | example | declarations from | output to |
//! | --- | --- | --- | --- |
//! | shell | `--simple -h < IN > OUT` | standard input | standard output |
//! | [`Streams`](ScriptVersion::Streams) | `--format=h --backend=simple < IN > OUT` | standard input | standard output |
//! | [`ToStdout`](ScriptVersion::ToStdout) | `--format=h --backends=simple IN > OUT` | files | standard output |
//! | [`Current`](ScriptVersion::Current) | `--format=h --backends=simple --group=G IN OUT` | files | a file |
//!
//! `shell` handles the first one, whose options are different. A call that the current script
//! accepts is treated as written for it. A call that only an older script accepts is treated as
//! written for the older one.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::command::{Context, StdinKind};
use crate::options::{GivenOption, ScannedArguments};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptVersion {
    /// 2012 to 2016: from standard input to standard output.
    Streams,
    /// 2016 to 2020: from files to standard output.
    ToStdout,
    /// Since 2020: from files to a file, the last argument.
    Current,
}

impl ScriptVersion {
    /// Detects the version for a call that uses no options of the shell script.
    pub fn of(scanned: &ScannedArguments, context: &Context) -> ScriptVersion {
        match scanned.files.as_slice() {
            [] if is_for_streams(scanned, context) => ScriptVersion::Streams,
            [_] => ScriptVersion::ToStdout,
            // The current script would overwrite this declarations file.
            [.., last] if is_declarations(last, context) => ScriptVersion::ToStdout,
            _ => ScriptVersion::Current,
        }
    }
}

/// Whether a call without a file argument reads standard input. If the argument is missing by
/// mistake, the call must not wait for a terminal, or for a pipe without a writer.
fn is_for_streams(scanned: &ScannedArguments, context: &Context) -> bool {
    let has = |name: &str| scanned.options.iter().any(|given| given.name == name);
    let has_target = || ["target-type", "target-name", "target-arch"].into_iter().any(has);
    // Until 2014, the option's name had no `s`.
    let is_spelled_so = scanned.options.iter().any(|given| given.written == "backend");
    let is_for_table = |given: &GivenOption| given.name == "format" && is_of_table(&given.value);
    let is_of_the_time = is_spelled_so || has_target() || scanned.options.iter().any(is_for_table);
    // Groups and file arguments were introduced together.
    !has("group")
        && match (context.stdin)() {
            StdinKind::File => true,
            StdinKind::Pipe => is_of_the_time,
            StdinKind::Other => false,
        }
}

/// Whether `name` is a format that generates the table of all events. Programs used such a table
/// before groups were introduced.
pub fn is_of_table(name: &OsStr) -> bool {
    name == "events-h" || name == "events-c"
}

/// Whether `name` is an existing file with one of QEMU's names for declarations files.
fn is_declarations(name: &OsStr, context: &Context) -> bool {
    let path = Path::new(name);
    let file_name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let is_called_so = file_name == b"trace-events"
        || file_name == b"trace-events-all"
        || file_name.ends_with(b".trace-events");
    is_called_so && (context.is_file)(path)
}

/// Options that only the shell script had.
pub const SHELL_WORDS: [&str; 9] =
    ["--nop", "--simple", "--stderr", "--ust", "--dtrace", "-h", "-c", "-d", "--stap"];

pub fn is_shell_word(argument: &OsString) -> bool {
    SHELL_WORDS.iter().any(|word| argument == word)
}
