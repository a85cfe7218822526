//! Whoever starts a program can be told which traces it makes: each process appends the name of each trace that it begins to the file
//! of the option `announce=FILE`. `ringtrace record` finds the traces so, also those of short-lived children, and rings of killed ones.
//!
//! An entry is written at once: two zero bytes, and then the process's number, its first arena, its trace file and the number again, each with
//! a zero byte behind it. A disk that fills up may take a part of one: then the number is missing at its end, and the two zero bytes
//! of the next one say where that begins.

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

/// What stands in the contents of such a file, in order. What is no whole entry is left out.
pub fn parse(contents: &[u8]) -> Vec<Announcement> {
    let words: Vec<&[u8]> = contents.split(|&byte| byte == 0).collect();
    let path = |word: &[u8]| PathBuf::from(OsStr::from_bytes(word));
    // No word of an entry is empty.
    words
        .split(|word| word.is_empty())
        .filter_map(|entry| {
            let [pid, arena, trace, end] = entry else { return None };
            let number = std::str::from_utf8(pid).ok()?.parse().ok()?;
            (pid == end).then(|| Announcement { pid: number, arena: path(arena), trace: path(trace) })
        })
        .collect()
}

/// Appends an entry to `list`. A list that is gone belongs to somebody who is, too: then nobody wants to know.
pub(crate) fn append(list: &Path, pid: u32, arena: &Path, trace: &Path) {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let Ok(file) = rustix::fs::open(list, flags, Mode::empty()) else { return };
    let pid = pid.to_string();
    let words = [pid.as_bytes(), arena.as_os_str().as_bytes(), trace.as_os_str().as_bytes(), pid.as_bytes()];
    let mut entry = vec![0; 2];
    for word in words {
        entry.extend_from_slice(word);
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
        contents.extend_from_slice(b"\0\0x\0y\0z\0x\0");
        contents.extend_from_slice(b"\0\x0033\0cut");
        assert_eq!(parse(&contents), [1, 22].map(entry));
        assert_eq!(parse(b""), []);
    }

    #[test]
    fn an_entry_that_is_cut_anywhere_takes_no_other_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let (one, other) = (b"\0\x0022\0/a\0/t.22\x0022\0", b"\0\x007\0/b\0/t.7\x007\0");
        std::fs::write(&list, "").unwrap();
        append(&list, 22, Path::new("/a"), Path::new("/t.22"));
        assert_eq!(std::fs::read(&list).unwrap(), one);
        for cut in 0..=one.len() {
            let pids: Vec<u32> =
                parse(&[&one[..cut], other].concat()).iter().map(|found| found.pid).collect();
            // All that can be missing of a whole one is its last byte.
            assert_eq!(pids, if cut < one.len() - 1 { vec![7] } else { vec![22, 7] }, "{cut}");
        }
    }
}
