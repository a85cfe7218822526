//! Files: declarations that are read, and output that is replaced as a whole, and only when it changes.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use ringtrace_events::SourceFile;
use ringtrace_events::text::MAX_SOURCE_BYTES;

/// The declarations in `input`, which messages call `name`. Of a file that is too large, only so much is read that the
/// parser says so.
///
/// # Errors
/// Those of reading.
pub fn read(name: &str, input: impl Read) -> io::Result<SourceFile> {
    let mut bytes = Vec::with_capacity(16 << 10);
    input.take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(SourceFile::from_bytes(name, &bytes))
}

/// Makes `contents` the contents of the file at `path`, and the file if there is none.
///
/// Whoever reads meanwhile sees the old or the new contents, and nothing between: they are written to a new file beside it, which
/// then takes its place, and its permissions. A file that has these contents already is not touched: its time stays. Behind a symbolic link it is the
/// file that is replaced, not the link. What is no file, `/dev/null` or a pipe, is written to.
///
/// # Errors
/// Those of reading and writing; `path` then is as it was. A file that is marked as read-only stays, too.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_file() => replace_file(path, &old, contents),
        // Folders refuse by themselves.
        Ok(_) => File::options().write(true).open(path)?.write_all(contents),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            // The link's target is to be made, as a shell would. A link that leads to itself is another error.
            Ok(target) => replace(&folder_of(path).join(target), contents),
            Err(_) => put_in_place(path, None, contents),
        },
        Err(error) => Err(error),
    }
}

fn replace_file(path: &Path, old: &Metadata, contents: &[u8]) -> io::Result<()> {
    let same_size = old.len() == contents.len() as u64;
    // What cannot be read is replaced.
    if same_size && has_contents(path, contents).unwrap_or(false) {
        return Ok(());
    }
    if old.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is marked as read-only"));
    }
    // Most outputs are no links, and then their names serve as they are.
    let is_link = fs::symlink_metadata(path)?.is_symlink();
    let target = if is_link { fs::canonicalize(path)? } else { path.to_owned() };
    put_in_place(&target, Some(old), contents)
}

/// Whether these are the contents of the file at `path`. It is read piece by piece: most outputs stay, and memory for the whole of them
/// would be a third of all that a process takes.
fn has_contents(path: &Path, contents: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut piece = [0; 8 << 10];
    let mut rest = contents;
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(rest.is_empty());
        }
        match rest.strip_prefix(&piece[..read]) {
            Some(behind) => rest = behind,
            None => return Ok(false),
        }
    }
}

/// Renames a new file with these contents to `path`.
fn put_in_place(path: &Path, old: Option<&Metadata>, contents: &[u8]) -> io::Result<()> {
    let mut new = NewFile::beside(path)?;
    new.file.write_all(contents)?;
    if let Some(old) = old
        && new.file.metadata()?.permissions() != old.permissions()
    {
        new.file.set_permissions(old.permissions())?;
    }
    new.rename(path)
}

/// A file that is removed again, unless it gets another name.
struct NewFile {
    path: PathBuf,
    file: File,
    renamed: bool,
}

impl NewFile {
    /// In the folder of `path`. Its name has nothing of the file's: that may be as long as names can be.
    fn beside(path: &Path) -> io::Result<NewFile> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder_of(path).join(format!(".tracetool-{}-{number}.new", std::process::id()));
            match File::create_new(&path) {
                Ok(file) => return Ok(NewFile { path, file, renamed: false }),
                // One was killed that had our number, or has it in another container.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.renamed {
            // What could not be written may be impossible to remove as well; the error is told already.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Where the file at `path` is; the current folder is the empty path.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}
