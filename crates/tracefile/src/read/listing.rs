//! The files in the folder of a rotated trace.

use std::fs;
use std::io;
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
        // A file that was removed meanwhile is noticed when it is opened.
        let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
        files.push(FolderFile { number, path: entry.path(), bytes });
    }
    files.sort_by(|a, b| (a.number, &a.path).cmp(&(b.number, &b.path)));
    files.dedup_by(|next, file| next.is_copy_of(file));
    Ok(files)
}

impl FolderFile {
    fn is_copy_of(&self, file: &FolderFile) -> bool {
        self.number == file.number && self.path.with_extension("") == file.path
    }

    /// Returns whether the file is compressed, according to its name.
    pub(super) fn is_compressed(&self) -> bool {
        let name = self.path.as_os_str().as_encoded_bytes();
        COMPRESSED_ENDINGS.iter().any(|ending| name.ends_with(ending.as_bytes()))
    }

    /// Returns the paths at which the file can be found if it was compressed since the folder was read.
    fn compressed_paths(&self) -> impl Iterator<Item = PathBuf> {
        let endings = if self.is_compressed() { &[][..] } else { &COMPRESSED_ENDINGS[..] };
        endings.iter().map(|ending| {
            let mut path = self.path.clone().into_os_string();
            path.push(ending);
            path.into()
        })
    }

    /// Opens the file with `open`. Also finds it if it was compressed since the folder was read. Returns its
    /// path at that time.
    pub(crate) fn open<T>(&self, open: impl Fn(&Path) -> io::Result<T>) -> (PathBuf, io::Result<T>) {
        let opened = open(&self.path);
        if opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let mut compressed = self.compressed_paths().map(|path| (open(&path), path));
            if let Some((found, path)) = compressed.find(|(opened, _)| opened.is_ok()) {
                return (path, found);
            }
        }
        (self.path.clone(), opened)
    }
}
