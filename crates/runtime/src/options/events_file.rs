//! Files that contain a list of patterns.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::OptionItem;
use super::error::OptionsErrorKind;
use super::keys::item_of;

/// A hundred times the size of a large program's event list. A longer file must be a mistake.
const LIMIT_BYTES: u64 = 16 << 20;

/// Reads a file with one pattern per line. Blank lines are ignored, and lines that start with `#`
/// are comments.
///
/// Unlike QEMU, this ignores blanks around a pattern, and accepts a last line without a line end.
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
