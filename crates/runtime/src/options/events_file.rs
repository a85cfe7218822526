//! A list of patterns in a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::OptionItem;
use super::error::OptionsErrorKind;
use super::keys::item_of;

/// A list of every event of a large program, a hundred times over: who gives more has named the wrong file.
const LIMIT_BYTES: u64 = 16 << 20;

/// Reads the file: one pattern a line, blank lines, comments from a `#` at the beginning of a line.
///
/// Unlike in QEMU, blanks around a pattern do not count, and a last line without its end is whole.
pub(super) fn read(path: &Path) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let cannot = |source: io::Error| OptionsErrorKind::EventsFile { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(cannot)?;
    file.take(LIMIT_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > LIMIT_BYTES {
        return Err(OptionsErrorKind::EventsFileLong { path: path.to_owned(), limit_bytes: LIMIT_BYTES });
    }
    parse(path, &bytes)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let mut items = Vec::new();
    for (line, bytes) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(OptionsErrorKind::EventsFileText { path: path.to_owned(), line });
        };
        let word = text.trim();
        if !word.is_empty() && !word.starts_with('#') {
            items.push(item_of(word, Some((path.to_owned(), line))));
        }
    }
    Ok(items)
}
