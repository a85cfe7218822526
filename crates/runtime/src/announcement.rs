//! Whoever starts a program can be told which traces it makes: each process appends the name of each trace that it begins to the file
//! of the option `announce=FILE`. `ringtrace record` finds the traces so, also those of short-lived children, and rings of killed ones.
//!
//! An entry is the process's number, its first arena and its trace file, each with a zero byte behind it, written at once.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// A trace that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// The process.
    pub pid: u32,
    /// The first of its arenas, where its rings are while it lives, or when it was killed.
    pub arena: PathBuf,
    /// Its trace file, absolute.
    pub trace: PathBuf,
}

/// What stands in the contents of such a file, in order. What is no entry is left out.
pub fn parse(contents: &[u8]) -> Vec<Announcement> {
    let words: Vec<&[u8]> = contents.split(|&byte| byte == 0).collect();
    let path = |word: &[u8]| PathBuf::from(OsStr::from_bytes(word));
    let (entries, _) = words.as_chunks::<3>();
    entries
        .iter()
        .filter_map(|[pid, arena, trace]| {
            let pid = std::str::from_utf8(pid).ok()?.parse().ok()?;
            Some(Announcement { pid, arena: path(arena), trace: path(trace) })
        })
        .collect()
}

/// Appends an entry to `list`. A list that is gone belongs to somebody who is, too: then nobody wants to know.
pub(crate) fn append(list: &Path, pid: u32, arena: &Path, trace: &Path) {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let Ok(file) = rustix::fs::open(list, flags, Mode::empty()) else { return };
    let mut entry = format!("{pid}\0").into_bytes();
    for path in [arena, trace] {
        entry.extend_from_slice(path.as_os_str().as_bytes());
        entry.push(0);
    }
    // One call: entries of several processes do not mix.
    let _ = rustix::io::write(file, &entry);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_appended_is_found_and_a_list_that_is_gone_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let entry = |pid: u32| Announcement {
            pid,
            arena: format!("/run/{pid}-0.arena").into(),
            trace: format!("/tmp/two\nlines.{pid}").into(),
        };
        append(&list, 1, Path::new("a"), Path::new("t"));
        assert!(!list.exists());
        std::fs::write(&list, "").unwrap();
        for one in [1, 22].map(entry) {
            append(&list, one.pid, &one.arena, &one.trace);
        }
        let mut contents = std::fs::read(&list).unwrap();
        assert_eq!(parse(&contents), [1, 22].map(entry));
        contents.extend_from_slice(b"x\0y\0z\0");
        contents.extend_from_slice(b"33\0cut");
        assert_eq!(parse(&contents), [1, 22].map(entry));
        assert_eq!(parse(b""), []);
    }
}
