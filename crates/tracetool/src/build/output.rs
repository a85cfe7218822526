//! Files that are written only when they change.

use std::fs;
use std::io;
use std::path::Path;

/// Makes `text` the contents of the file at `path`, and its folder if there is none. A file that has this text already is not
/// touched: its time stays. Whoever reads meanwhile sees the old or the new text, and nothing between.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let new = path.with_extension("rs.new");
    fs::write(&new, text)?;
    fs::rename(&new, path)
}
