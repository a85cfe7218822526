//! The executable and the libraries of a process.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::exit::CliError;

/// Returns the executable of process `pid` and its loaded libraries.
pub fn files(pid: u32) -> Result<Vec<PathBuf>, CliError> {
    let refused = |what: &str, error: &io::Error| match error.kind() {
        io::ErrorKind::NotFound => CliError::input(format!("process {pid} does not exist")),
        _ => CliError::system(format!("/proc/{pid}/{what}"), error),
    };
    let executable = fs::read_link(format!("/proc/{pid}/exe")).map_err(|error| refused("exe", &error))?;
    let maps = fs::read(format!("/proc/{pid}/maps")).map_err(|error| refused("maps", &error))?;
    let maps = String::from_utf8_lossy(&maps);
    let mut files = vec![executable];
    for path in maps.lines().filter_map(mapped_code) {
        if !files.contains(&path) {
            files.push(path);
        }
    }
    Ok(files)
}

/// Returns the file of a line of `maps` if the line maps code. Lines have the format `ADDRESSES
/// r-xp OFFSET DEVICE INODE PATH`.
fn mapped_code(line: &str) -> Option<PathBuf> {
    let path = line.find('/').map(|at| &line[at..])?;
    let access = line.split(' ').nth(1)?;
    (access.contains('x') && !path.ends_with(" (deleted)")).then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_with_mapped_code_are_listed() {
        let code = "7f1ae3c27000-7f1ae3d7c000 r-xp 00026000 fe:00 1234     /usr/lib/a b.so";
        assert_eq!(mapped_code(code), Some(PathBuf::from("/usr/lib/a b.so")));
        assert_eq!(mapped_code(&code.replace("r-xp", "r--p")), None);
        assert_eq!(mapped_code(&format!("{code} (deleted)")), None);
        assert_eq!(mapped_code("7ffd1000-7ffd2000 r-xp 00000000 00:00 0    [vdso]"), None);
    }

    #[test]
    fn this_process_runs_this_program() {
        let files = files(std::process::id()).unwrap();
        assert_eq!(files[0], fs::read_link("/proc/self/exe").unwrap());
        assert!(files.iter().any(|path| path.to_string_lossy().contains("libc")));
        assert!(super::files(u32::MAX).unwrap_err().message.ends_with("does not exist"));
    }
}
