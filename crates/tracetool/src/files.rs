//! Reads declarations files and replaces output files, atomically and only if they change.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::text::MAX_SOURCE_BYTES;

/// Returns the system's message for `error`, without the number (` (os error 2)`).
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Reads declarations from `input`. Messages refer to it as `name`. If the file is too large, only
/// enough is read for the parser to report it.
///
/// # Errors
/// Returns read errors.
pub fn read(name: &str, input: impl Read) -> io::Result<SourceFile> {
    let mut bytes = Vec::with_capacity(16 << 10);
    input.take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(SourceFile::from_bytes(name, &bytes))
}

/// Replaces the contents of the file at `path`, or creates the file.
///
/// The contents are written to a new file in the same folder, which is then renamed, so that
/// readers see either the old or the new contents. The file's permissions are preserved. A file
/// that already has these contents is not touched, so its modification time does not change. If
/// `path` is a symbolic link, its target is replaced. `/dev/null`, pipes and other special files
/// are written directly.
///
/// A file of event declarations is not replaced: its name was probably given as an output by
/// mistake.
///
/// # Errors
/// Returns read and write errors, and an error for read-only files. For a file of declarations, the
/// error's kind is [`AlreadyExists`](io::ErrorKind::AlreadyExists). The old file is then unchanged.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_file() => replace_file(path, &old, contents),
        // Opening a folder fails.
        Ok(_) => File::options().write(true).open(path)?.write_all(contents),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            // Create the link's target, as a shell does. A link to itself fails with another error.
            Ok(target) => replace(&folder_of(path).join(target), contents),
            Err(_) => put_in_place(path, None, contents),
        },
        Err(error) => Err(error),
    }
}

fn replace_file(path: &Path, old: &Metadata, contents: &[u8]) -> io::Result<()> {
    let same_size = old.len() == contents.len() as u64;
    // A file that cannot be read is replaced.
    if same_size && has_contents(path, contents).unwrap_or(false) {
        return Ok(());
    }
    if old.len() > 0 && has_declarations(path).unwrap_or(false) {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "the file contains event declarations and is not replaced; to replace it, delete it first",
        ));
    }
    if old.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is marked as read-only"));
    }
    // Most outputs are not links and need no resolving.
    let is_link = fs::symlink_metadata(path)?.is_symlink();
    let target = if is_link { fs::canonicalize(path)? } else { path.to_owned() };
    put_in_place(&target, Some(old), contents)
}

/// Whether the file at `path` has these contents. It is read in pieces, because a buffer for the
/// whole file would take a third of the process's memory.
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

/// Maximum number of bytes examined by [`has_declarations`].
const EXAMINED_BYTES: usize = 16 << 10;

/// Whether the start of the file at `path` consists mostly of event declarations.
///
/// A file that is being edited may contain errors, so a few of them are tolerated.
fn has_declarations(path: &Path) -> io::Result<bool> {
    let mut bytes = Vec::with_capacity(EXAMINED_BYTES);
    File::open(path)?.take(EXAMINED_BYTES as u64).read_to_end(&mut bytes)?;
    // Every output begins with a comment, `/* ... */` or `// ...`.
    if bytes.trim_ascii_start().starts_with(b"/") {
        return Ok(false);
    }
    if bytes.len() == EXAMINED_BYTES {
        // The last line may be incomplete.
        let lines = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(lines);
    }
    let dialect = Dialect::Generate { legacy_types: true, strict: false };
    let parsed = parse(vec![SourceFile::from_bytes("", &bytes)], dialect);
    let is_of_other_file = |code: &str| {
        // Enumerations (E0022) belong to declarations, but not in this dialect. In C, a `;` follows
        // the arguments.
        code.starts_with('E') && code != "E0022" || code == "ignored-text"
    };
    let errors = parsed.diagnostics.iter().filter(|found| is_of_other_file(found.code)).count();
    Ok(parsed.declarations.events.len() > errors + parsed.omitted)
}

/// Writes a new file and renames it to `path`.
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

/// A new file, removed again unless it is renamed.
struct NewFile {
    path: PathBuf,
    file: File,
    renamed: bool,
}

impl NewFile {
    /// Creates a file in the folder of `path`. The new name does not contain the old one, which may
    /// already have the maximum length.
    fn beside(path: &Path) -> io::Result<NewFile> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder_of(path).join(format!(".tracetool-{}-{number}.new", std::process::id()));
            match File::create_new(&path) {
                Ok(file) => return Ok(NewFile { path, file, renamed: false }),
                // The file was left behind by a killed process with this id, or belongs to a
                // process in another container.
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
            // Removal may fail for the same reason as writing, which has already been reported.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns the folder that contains `path`, or an empty path for the current folder.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}
