//! Output files that appear at their path only when they are complete.

mod folder;
mod unfinished;

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Write};
use std::iter;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use clap::Args;
use ringtrace_tracefile::write::ZstdWriter;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
use serde::Serialize;
use tempfile::{Builder, TempPath};

pub use self::folder::Folder;
use self::unfinished::Unfinished;
pub use self::unfinished::on_signal;
use crate::exit::CliError;

/// The name of standard output in messages.
pub const STDOUT: &str = "standard output";

pub fn print(text: impl AsRef<[u8]>) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_ref()).and_then(|()| out.flush());
    written.map_err(|error| CliError::system(STDOUT, &error))
}

/// Formats `document` as JSON on one line.
pub fn json_line(document: &impl Serialize) -> Result<String, CliError> {
    json(serde_json::to_string(document))
}

/// Formats `document` as indented JSON.
pub fn json_pretty(document: &impl Serialize) -> Result<String, CliError> {
    json(serde_json::to_string_pretty(document))
}

fn json(text: serde_json::Result<String>) -> Result<String, CliError> {
    text.map(|text| text + "\n").map_err(|error| CliError::system(STDOUT, &error.into()))
}

/// Fails if `out` is standard output and standard output is a terminal, because a trace is binary.
pub fn check_binary(out: &Path) -> Result<(), CliError> {
    if out.as_os_str() != "-" || !io::stdout().is_terminal() {
        return Ok(());
    }
    Err(CliError::usage("cannot write a trace to a terminal: it is binary")
        .help("specify a file, or append `| ringtrace print -` to read the trace"))
}

/// Returns `path` or, if it exists, the first unused name of `path-2`, `path-3` and so on.
pub fn unused_name(path: PathBuf) -> PathBuf {
    let numbered = |number: u32| {
        let mut name = path.clone().into_os_string();
        name.push(format!("-{number}"));
        PathBuf::from(name)
    };
    let is_unused = |name: &PathBuf| fs::symlink_metadata(name).is_err();
    if is_unused(&path) { None } else { (2..).map(numbered).find(is_unused) }.unwrap_or(path)
}

/// Returns whether the file name extension of `out` requests compression. Fails if the extension
/// belongs to a format that cannot be written.
pub fn is_compressed(out: &Path) -> Result<bool, CliError> {
    let ending = out.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "zst" | "zstd" => Ok(true),
        "gz" | "xz" | "bz2" | "lz4" => {
            let plain = out.with_extension("");
            Err(CliError::usage(format!(
                "cannot write {}: only zstd can be written, not .{ending}",
                out.display()
            ))
            .help(format!(
                "write {}.zst, or compress {} afterwards",
                plain.display(),
                plain.display()
            )))
        }
        _ => Ok(false),
    }
}

/// Whether an output may replace what is at its path. Every command that writes a file or a folder
/// has this option.
#[derive(Args, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overwrite {
    /// Replace an existing output file
    #[arg(long, help_heading = "Output")]
    force: bool,
}

impl Overwrite {
    pub const ALWAYS: Overwrite = Overwrite { force: true };

    /// Fails if `path` is a non-empty file that may not be replaced. Empty files, pipes, devices
    /// and `-` can always be written.
    pub fn check(self, path: &Path) -> Result<(), CliError> {
        let has_content = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
        if self.force || !has_content || path.as_os_str() == "-" {
            return Ok(());
        }
        Err(CliError::usage(format!("{} already exists", path.display()))
            .help("choose another name, or replace the file with --force"))
    }
}

/// A file that is being written. If it is dropped before [`keep`](Output::keep), nothing remains.
#[derive(Debug)]
pub struct Output {
    file: File,
    name: String,
    overwrite: Overwrite,
    target: WriteTarget,
    zstd: Option<ZstdWriter>,
}

#[derive(Debug)]
enum WriteTarget {
    /// The final destination itself: standard output, a pipe or a device.
    Final,
    /// A file without a name. The kernel removes it no matter how the process ends.
    Nameless { path: PathBuf },
    /// A file with a temporary name, for file systems that do not support nameless files.
    Named { path: PathBuf, unfinished: Unfinished },
}

impl Output {
    /// Starts writing `path`; `-` is standard output.
    pub fn create(path: &Path, overwrite: Overwrite) -> Result<Output, CliError> {
        Output::create_with(path, overwrite, 0o666)
    }

    /// Starts writing `path`. Only the owner can read a new file, as for the traces that programs
    /// write.
    pub fn create_private(path: &Path, overwrite: Overwrite) -> Result<Output, CliError> {
        Output::create_with(path, overwrite, 0o600)
    }

    fn create_with(path: &Path, overwrite: Overwrite, mode: u32) -> Result<Output, CliError> {
        if path.as_os_str() == "-" {
            let name = STDOUT.to_owned();
            return match io::stdout().as_fd().try_clone_to_owned() {
                Ok(file) => {
                    let target = WriteTarget::Final;
                    Ok(Output { file: file.into(), name, overwrite, target, zstd: None })
                }
                Err(error) => Err(CliError::system(name, &error)),
            };
        }
        let name = path.display().to_string();
        if path.is_dir() {
            return Err(CliError::usage(format!("cannot write the file {name}: it is a folder"))
                .help("specify a file, for example one in that folder"));
        }
        overwrite.check(path)?;
        match open(path, mode) {
            Ok((file, target)) => Ok(Output { file, name, overwrite, target, zstd: None }),
            Err(error) => Err(CliError::system(name, &error)),
        }
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns another handle to the file.
    pub fn file(&self) -> Result<File, CliError> {
        self.file.try_clone().map_err(|error| CliError::system(&self.name, &error))
    }

    /// Compresses everything that is [written](Output::write).
    #[must_use]
    pub fn compressed(self) -> Output {
        Output { zstd: Some(ZstdWriter::default()), ..self }
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        let mut compressed = Vec::new();
        let bytes = match &mut self.zstd {
            Some(zstd) => {
                zstd.write(bytes, &mut compressed);
                &compressed
            }
            None => bytes,
        };
        self.file.write_all(bytes).map_err(|error| CliError::system(&self.name, &error))
    }

    /// Moves the file to its final path. Fails if another process has meanwhile created a file
    /// there that may not be replaced.
    pub fn keep(mut self) -> Result<(), CliError> {
        if let Some(mut zstd) = self.zstd.take() {
            let mut rest = Vec::new();
            zstd.finish(&mut rest);
            self.write(&rest)?;
        }
        let Output { file, name, overwrite, target, .. } = self;
        if let WriteTarget::Nameless { path } | WriteTarget::Named { path, .. } = &target {
            overwrite.check(path)?;
        }
        let kept = match target {
            WriteTarget::Final => Ok(()),
            WriteTarget::Nameless { path } => give_name(&file, &path),
            WriteTarget::Named { path, unfinished } => {
                unfinished.finish(|temporary| fs::rename(temporary, path))
            }
        };
        kept.map_err(|error| CliError::system(name, &error))
    }
}

/// How many symbolic links to follow, as in Linux.
const MOST_LINKS: usize = 40;

fn open(path: &Path, mode: u32) -> io::Result<(File, WriteTarget)> {
    // A symbolic link is preserved, and its target is replaced.
    let path = match fs::canonicalize(path) {
        Ok(target) => target,
        // It is a pipe without a name, such as /dev/stdout.
        Err(_) if path.exists() => path.to_owned(),
        // The target does not exist yet. A cycle of links is refused later.
        Err(_) => {
            let next = |path: &PathBuf| Some(path.parent()?.join(fs::read_link(path).ok()?));
            let links = iter::successors(Some(path.to_owned()), next).take(MOST_LINKS);
            links.last().unwrap_or_else(|| path.to_owned())
        }
    };
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return Ok((File::options().write(true).open(&path)?, WriteTarget::Final));
    }
    open_nameless(&path, mode).or_else(|_| open_named(&path, mode))
}

fn open_nameless(path: &Path, mode: u32) -> io::Result<(File, WriteTarget)> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = openat(CWD, folder(path), flags, Mode::from_raw_mode(mode))?;
    Ok((file.into(), WriteTarget::Nameless { path: path.to_owned() }))
}

fn open_named(path: &Path, mode: u32) -> io::Result<(File, WriteTarget)> {
    let mut made = None;
    let unfinished = Unfinished::make(|| {
        let (file, temporary) =
            make_beside(path, |name| File::options().write(true).create_new(true).mode(mode).open(name))?;
        made = Some(file);
        temporary.keep().map_err(|kept| kept.error)
    })?;
    let file = made.ok_or(io::ErrorKind::NotFound)?;
    Ok((file, WriteTarget::Named { path: path.to_owned(), unfinished }))
}

fn give_name(file: &File, path: &Path) -> io::Result<()> {
    let nameless = format!("/proc/self/fd/{}", file.as_raw_fd());
    // `linkat` cannot replace a file, so link a temporary name first and then rename it.
    let link = |name: &Path| Ok(linkat(CWD, nameless.as_str(), CWD, name, AtFlags::SYMLINK_FOLLOW)?);
    let ((), temporary) = make_beside(path, link)?;
    temporary.persist(path).map_err(|refused| refused.error)
}

/// Calls `make` with hidden names in the folder of `path` until one is free.
fn make_beside<R>(path: &Path, make: impl FnMut(&Path) -> io::Result<R>) -> io::Result<(R, TempPath)> {
    let (begin, end) = temporary_name(path);
    let mut names = Builder::new();
    names.prefix(&begin).suffix(end).rand_bytes(RANDOM_CHARACTERS);
    Ok(names.make_in(folder(path), make)?.into_parts())
}

const RANDOM_CHARACTERS: usize = 6;

/// Returns the text before and after the random characters in temporary names for `path`.
fn temporary_name(path: &Path) -> (String, &'static str) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    (format!(".{name}."), ".part")
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns whether `path` is the file that the metadata `other` describes.
pub fn is_same_file(path: &Path, other: &Metadata) -> bool {
    fs::metadata(path).is_ok_and(|metadata| {
        metadata.is_file() && (metadata.dev(), metadata.ino()) == (other.dev(), other.ino())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn no_old_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["trace.old", "trace.old-2", "trace.old-3"] {
            assert_eq!(unused_name(path("trace.old")), path(name));
            fs::write(path(name), "").unwrap();
        }
    }

    #[test]
    fn a_file_appears_when_it_is_kept() {
        for open in [open_nameless, open_named] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("out");
            let there = || (names(folder.path()), fs::read(&path).unwrap());
            let create = || {
                let (file, target) = open(&path, 0o666).unwrap();
                let name = "out".to_owned();
                let mut output = Output { file, name, overwrite: Overwrite::ALWAYS, target, zstd: None };
                output.write(b"new").unwrap();
                output
            };
            fs::write(&path, "old").unwrap();
            drop(create());
            assert_eq!(there(), (vec!["out".to_owned()], b"old".to_vec()));
            create().keep().unwrap();
            assert_eq!(there(), (vec!["out".to_owned()], b"new".to_vec()));
        }
    }

    #[test]
    fn a_link_stays_and_a_device_is_written_directly() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut output = Output::create(&link, Overwrite::ALWAYS).unwrap();
        output.write(b"new").unwrap();
        output.keep().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let mut null = Output::create(Path::new("/dev/null"), Overwrite::default()).unwrap();
        null.write(b"gone").unwrap();
        null.keep().unwrap();
    }

    #[test]
    fn a_file_with_content_stays_unless_it_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let refused = |kept: Result<(), CliError>| kept.unwrap_err().message.ends_with("out already exists");
        // An empty file may have been created to reserve the name.
        fs::write(&path, "").unwrap();
        let late = Output::create(&path, Overwrite::default()).unwrap();
        let mut first = Output::create(&path, Overwrite::default()).unwrap();
        first.write(b"first").unwrap();
        first.keep().unwrap();
        assert!(refused(late.keep()));
        assert!(refused(Output::create(&path, Overwrite::default()).map(drop)));
        assert_eq!(fs::read(&path).unwrap(), b"first");
        Output::create(&path, Overwrite::ALWAYS).unwrap().keep().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        assert_eq!(names(folder.path()), ["out"]);
    }
}
