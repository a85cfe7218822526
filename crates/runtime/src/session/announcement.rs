//! Lists of the traces that a program and its children create.
//!
//! Each process appends the name of each new trace to the file of the option `announce=FILE`.
//! `ringtrace record` uses it to find the traces, including those of short-lived children, and the
//! rings of killed processes.
//!
//! An entry is written with one call. It consists of two zero bytes, the process id, the path of
//! the first arena, the path of the trace file, and the process id again. Each of these four
//! strings ends with a zero byte. If the disk fills up, an entry may be truncated: it then lacks
//! the final process id. The two zero bytes at the start of the next entry show where that entry
//! starts.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// A trace that a process has started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// The process id.
    pub pid: u32,
    /// The process's first arena. It contains the rings while the process lives, and after it was
    /// killed.
    pub arena: PathBuf,
    /// The absolute path of the trace file.
    pub trace: PathBuf,
}

/// Parses the contents of a list. Returns the entries in order, and skips incomplete ones.
pub fn parse(contents: &[u8]) -> Vec<Announcement> {
    let words: Vec<&[u8]> = contents.split(|&byte| byte == 0).collect();
    let path = |word: &[u8]| PathBuf::from(OsStr::from_bytes(word));
    // The strings of an entry are never empty, so an empty string separates entries.
    words
        .split(|word| word.is_empty())
        .filter_map(|entry| {
            let [pid, arena, trace, end] = entry else { return None };
            let number = std::str::from_utf8(pid).ok()?.parse().ok()?;
            (pid == end).then(|| Announcement { pid: number, arena: path(arena), trace: path(trace) })
        })
        .collect()
}

/// Appends an entry to `list`. If the list does not exist, its owner has ended, and this does
/// nothing.
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
    // One call, so that entries of several processes do not mix.
    let _ = rustix::io::write(file, &entry);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_back_and_a_missing_list_is_not_created() {
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
    fn a_truncated_entry_does_not_affect_others() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let (one, other) = (b"\0\x0022\0/a\0/t.22\x0022\0", b"\0\x007\0/b\0/t.7\x007\0");
        std::fs::write(&list, "").unwrap();
        append(&list, 22, Path::new("/a"), Path::new("/t.22"));
        assert_eq!(std::fs::read(&list).unwrap(), one);
        for cut in 0..=one.len() {
            let pids: Vec<u32> =
                parse(&[&one[..cut], other].concat()).iter().map(|found| found.pid).collect();
            // An entry without its last byte is still complete.
            assert_eq!(pids, if cut < one.len() - 1 { vec![7] } else { vec![22, 7] }, "{cut}");
        }
    }
}
