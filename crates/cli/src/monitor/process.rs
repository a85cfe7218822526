//! Finds the sockets of a running process.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::is_socket;

/// The flag `__SO_ACCEPTCON` of a socket on which a process listens, in `/proc/net/unix`.
const LISTENING: u32 = 1 << 16;

/// Returns the paths of the sockets on which process `pid` listens.
///
/// # Errors
/// Fails if there is no such process, or if this user may not examine it.
pub fn listening_sockets(pid: u32) -> io::Result<Vec<PathBuf>> {
    let process = Path::new("/proc").join(pid.to_string());
    let inodes: HashSet<Vec<u8>> = fs::read_dir(process.join("fd"))?
        .flatten()
        .filter_map(|file| {
            let target = fs::read_link(file.path()).ok()?;
            Some(target.as_os_str().as_bytes().strip_prefix(b"socket:[")?.strip_suffix(b"]")?.to_vec())
        })
        .collect();
    let table = fs::read(process.join("net/unix"))?;
    let folder = fs::read_link(process.join("cwd"))?;
    let sockets = table.split(|&byte| byte == b'\n').filter_map(listening);
    let mut paths: Vec<PathBuf> = sockets
        .filter(|(inode, _)| inodes.contains(*inode))
        .map(|(_, path)| folder.join(OsStr::from_bytes(path)))
        .filter(|path| is_socket(path.as_os_str()))
        .collect();
    paths.sort();
    Ok(paths)
}

/// Parses a line of `/proc/net/unix`. Returns the inode and the path of a listening socket.
fn listening(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut rest = line;
    let mut columns = [&[][..]; 7];
    for column in &mut columns {
        rest = rest.trim_ascii_start();
        let end = rest.iter().position(|&byte| byte == b' ')?;
        (*column, rest) = rest.split_at(end);
    }
    let flags = u32::from_str_radix(std::str::from_utf8(columns[3]).ok()?, 16).ok()?;
    // Abstract addresses start with `@` and have no path.
    let path = rest.get(1..).filter(|path| !path.starts_with(b"@"))?;
    (flags & LISTENING != 0).then_some((columns[6], path))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::{UnixListener, UnixStream};

    use super::*;

    #[test]
    fn sockets_of_this_process_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("with  blanks ");
        let _listener = UnixListener::bind(&path).unwrap();
        let _client = UnixStream::connect(&path).unwrap();
        drop(UnixListener::bind(folder.path().join("closed")).unwrap());
        let found = listening_sockets(std::process::id()).unwrap();
        let found: Vec<_> = found.iter().filter(|found| found.starts_with(folder.path())).collect();
        assert_eq!(found, [&path]);
        assert!(listening_sockets(1 << 30).is_err());
    }

    #[test]
    fn only_listening_sockets_with_a_path_are_used() {
        for (line, expected) in [
            ("0: 00000002 00000000 00010000 0001 01    77 /run/a b", Some(("77", "/run/a b"))),
            ("0: 00000002 00000000 00010000 0001 01 1234567 relative", Some(("1234567", "relative"))),
            ("0: 00000003 00000000 00000000 0001 03    77 /run/a", None),
            ("0: 00000002 00000000 00010000 0001 01    77 @abstract", None),
            ("0: 00000002 00000000 00010000 0001 01    77", None),
            ("Num       RefCount Protocol Flags    Type St Inode Path", None),
            ("", None),
        ] {
            let expected = expected.map(|(inode, path)| (inode.as_bytes(), path.as_bytes()));
            assert_eq!(listening(line.as_bytes()), expected, "{line}");
        }
    }
}
