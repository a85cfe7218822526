//! The files in the folder of a rotated trace.

use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use ringtrace_wire::folder::{COMPRESSED_ENDINGS, number_if_compressed};

/// A file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderFile {
    /// The file's number.
    pub number: u64,
    /// The path of the file.
    pub path: PathBuf,
    /// The size of the file when the folder was read, in bytes.
    pub bytes: u64,
}

/// Returns the names that the file at `path` gets if a user compresses it.
pub(crate) fn compressed_names(path: &Path) -> impl Iterator<Item = PathBuf> {
    COMPRESSED_ENDINGS.into_iter().map(move |ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    })
}

/// Returns the files of a trace in `folder`, in order of their numbers. Users may have compressed some of
/// them. If both a file and its compressed copy exist, only the file is listed: the copy may not be complete.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<FolderFile>> {
    let files = list_once(folder)?;
    // If files were created or removed meanwhile, some of them can seem to be missing.
    if has_gap(&files) { list_once(folder) } else { Ok(files) }
}

pub(super) fn has_gap(files: &[FolderFile]) -> bool {
    files.windows(2).any(|pair| pair[1].number > pair[0].number.saturating_add(1))
}

pub(super) fn list_once(folder: &Path) -> io::Result<Vec<FolderFile>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Some(number) = entry.file_name().to_str().and_then(number_if_compressed) else { continue };
        // Opening a pipe would wait for its writer.
        if entry.file_type().is_ok_and(|kind| kind.is_fifo()) {
            continue;
        }
        // A file that was removed meanwhile is noticed when it is opened.
        let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
        files.push(FolderFile { number, path: entry.path(), bytes });
    }
    files.sort_by(|a, b| (a.number, &a.path).cmp(&(b.number, &b.path)));
    files.dedup_by(|next, file| (next.number, next.plain_path()) == (file.number, file.plain_path()));
    Ok(files)
}

impl FolderFile {
    /// Returns the path without the ending that compression has added.
    fn plain_path(&self) -> PathBuf {
        if self.is_compressed() { self.path.with_extension("") } else { self.path.clone() }
    }

    /// Returns whether the file is compressed, according to its name.
    pub(super) fn is_compressed(&self) -> bool {
        let name = self.path.as_os_str().as_encoded_bytes();
        COMPRESSED_ENDINGS.iter().any(|ending| name.ends_with(ending.as_bytes()))
    }

    /// Opens the file with `open`. Also finds it if it was compressed since the folder was read. Returns its
    /// path at that time.
    pub(crate) fn open<T>(&self, open: impl Fn(&Path) -> io::Result<T>) -> (PathBuf, io::Result<T>) {
        let opened = open(&self.path);
        if opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let plain = self.plain_path();
            let mut compressed = compressed_names(&plain).map(|path| (open(&path), path));
            if let Some((found, path)) = compressed.find(|(opened, _)| opened.is_ok()) {
                return (path, found);
            }
        }
        (self.path.clone(), opened)
    }
}
