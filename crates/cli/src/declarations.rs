//! Reads declarations files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use ringtrace_events::SourceFile;
use ringtrace_events::text::MAX_SOURCE_BYTES;

use crate::exit::CliError;

/// The name of standard input in messages.
pub const STDIN: &str = "<stdin>";

/// Reads the declarations file at `path`; `-` is standard input. Reads at most one byte more than
/// the parser accepts, so that the parser reports a file that is too large.
pub fn read(path: &Path) -> Result<SourceFile, CliError> {
    let (name, bytes) = if path.as_os_str() == "-" {
        (STDIN.to_owned(), read_some(io::stdin().lock()))
    } else {
        (path.display().to_string(), File::open(path).and_then(read_some))
    };
    let bytes = bytes.map_err(|error| CliError::system(&name, &error))?;
    Ok(SourceFile::from_bytes(name, &bytes))
}

fn read_some(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
