//! The traces of a run: their files, and the environment variables that configure the program.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ringtrace::announcement::{Announcement, parse};
use ringtrace::options::{MONITOR_VARIABLE, VARIABLE};
use tempfile::TempDir;

use super::options::{RecordOptions, part};
use crate::exit::CliError;
use crate::output::unused_name;

/// The maximum length of a socket's path.
const MAX_SOCKET_BYTES: usize = 107;

/// The files of a run.
#[derive(Debug)]
pub struct RunTraces<'w> {
    options: &'w RecordOptions,
    /// Temporary files of this run: the list of traces, and sockets.
    folder: TempDir,
    file: Option<PathBuf>,
    /// The path of the old trace file, and the path to which it was moved.
    aside: Option<(PathBuf, PathBuf)>,
}

impl<'w> RunTraces<'w> {
    /// Creates the temporary folder, and moves an existing trace file aside.
    pub fn prepare(options: &'w RecordOptions) -> Result<RunTraces<'w>, CliError> {
        let folder = tempfile::Builder::new().prefix("ringtrace-record-").tempdir();
        let folder = folder.map_err(|error| CliError::system("a temporary folder", &error))?;
        let mut traces = RunTraces { options, folder, file: None, aside: None };
        let list = traces.list();
        fs::write(&list, "").map_err(|error| CliError::system(list.display(), &error))?;
        if let Some(file) = options.file() {
            traces.move_old_aside(file).map_err(|error| CliError::system(file.display(), &error))?;
        }
        Ok(traces)
    }

    fn move_old_aside(&mut self, file: &Path) -> io::Result<()> {
        let file = std::path::absolute(file)?;
        match fs::metadata(&file) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => {
                let mut old = file.clone().into_os_string();
                old.push(".old");
                let old = unused_name(old.into());
                fs::rename(&file, &old)?;
                self.aside = Some((file.clone(), old));
            }
            Ok(_) => {}
            Err(error) => match file.parent().map(fs::metadata) {
                Some(Ok(_)) if error.kind() == io::ErrorKind::NotFound => {}
                _ => return Err(error),
            },
        }
        self.file = Some(file);
        Ok(())
    }

    /// Moves the old file back if no trace replaced it.
    pub fn restore_old(&self) {
        if let Some((file, old)) = &self.aside
            && fs::symlink_metadata(file).is_err()
        {
            // On failure the file keeps the name, which the help documents.
            let _ = fs::rename(old, file);
        }
    }

    pub fn aside(&self) -> Option<&Path> {
        self.aside.as_ref().map(|(_, old)| old.as_path())
    }

    /// Returns the environment variables for the program.
    pub fn variables(&self) -> Result<Vec<(&'static str, OsString)>, CliError> {
        let mut more = OsString::new();
        if let Some(file) = &self.file {
            // Child processes inherit the options and must not truncate the file.
            more.push(part("file", file.as_os_str()));
            more.push(",exists=keep,");
        }
        more.push(part("announce", self.list().as_os_str()));
        let mut variables = vec![(VARIABLE, self.options.variable(&more)?)];
        variables.extend(self.monitor().map(|address| (MONITOR_VARIABLE, address)));
        Ok(variables)
    }

    /// Returns the address for the monitors of programs that opt in. Returns `None` if the user has
    /// chosen an address.
    fn monitor(&self) -> Option<OsString> {
        let path = socket(&self.list(), "%d").into_os_string();
        // The process id can be longer than its placeholder `%d`.
        let fits = path.len() + 8 <= MAX_SOCKET_BYTES;
        let is_plain = !path.as_bytes().iter().any(|byte| b",;\n".contains(byte));
        #[expect(clippy::disallowed_methods, reason = "RINGTRACE_MONITOR may already name a monitor")]
        let is_wanted = std::env::var_os(MONITOR_VARIABLE).is_none();
        let mut address = OsString::from("unix:");
        address.push(path);
        (fits && is_plain && is_wanted).then_some(address)
    }

    /// Returns the file in which programs announce their traces.
    pub fn list(&self) -> PathBuf {
        self.folder.path().join("list")
    }

    pub fn is_flight_recorder(&self) -> bool {
        self.options.is_flight_recorder()
    }

    /// Returns the traces announced so far, in order and without duplicates.
    pub fn collect(&self) -> Vec<Announcement> {
        read(&self.list())
    }
}

/// Returns the path of a process's monitor socket, which is in the same folder as `list`.
pub fn socket(list: &Path, pid: &str) -> PathBuf {
    list.with_file_name(format!("{pid}.sock"))
}

/// Returns `path` relative to the current folder, if it is below that folder.
pub fn from_here(path: &Path) -> &Path {
    #[expect(clippy::disallowed_methods, reason = "paths are shown relative to the current folder")]
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path)
}

/// Returns the traces announced in the file `list`, without duplicates.
pub fn read(list: &Path) -> Vec<Announcement> {
    let mut found: Vec<Announcement> = Vec::new();
    for one in parse(&fs::read(list).unwrap_or_default()) {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}
