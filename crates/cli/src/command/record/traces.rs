//! The traces that a run makes: what the program is told of them, and where they are.

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

/// The longest path that a socket can have, in bytes.
const MAX_SOCKET_BYTES: usize = 107;

/// What a run is to leave.
#[derive(Debug)]
pub struct RunTraces<'w> {
    options: &'w RecordOptions,
    /// What only this run needs: the list of traces, and sockets.
    folder: TempDir,
    file: Option<PathBuf>,
    /// The file that was there, and where it is now.
    aside: Option<(PathBuf, PathBuf)>,
}

impl<'w> RunTraces<'w> {
    /// Makes ready: a file that is where the trace goes is moved aside.
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
                fs::rename(&file, &old)?;
                self.aside = Some((file.clone(), old.into()));
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

    /// Puts the file back that was moved aside: there is no other.
    pub fn restore_old(&self) {
        if let Some((file, old)) = &self.aside
            && fs::symlink_metadata(file).is_err()
        {
            // It is still there under the name that the help tells of.
            let _ = fs::rename(old, file);
        }
    }

    /// The file that was moved aside.
    pub fn aside(&self) -> Option<&Path> {
        self.aside.as_ref().map(|(_, old)| old.as_path())
    }

    /// What the program finds in its environment.
    pub fn variables(&self) -> Result<Vec<(&'static str, OsString)>, CliError> {
        let mut more = OsString::new();
        if let Some(file) = &self.file {
            // What the program starts has the same options: it must not empty the file.
            more.push(part("file", file.as_os_str()));
            more.push(",exists=keep,");
        }
        more.push(part("announce", self.list().as_os_str()));
        let mut variables = vec![(VARIABLE, self.options.variable(&more)?)];
        variables.extend(self.monitor().map(|address| (MONITOR_VARIABLE, address)));
        Ok(variables)
    }

    /// Where programs are to have their monitors, if they opt in and the user has no other place in mind.
    fn monitor(&self) -> Option<OsString> {
        let path = socket(&self.list(), "%d").into_os_string();
        // A process id takes more than what stands for it.
        let fits = path.len() + 8 <= MAX_SOCKET_BYTES;
        let is_plain = !path.as_bytes().iter().any(|byte| b",;\n".contains(byte));
        #[expect(clippy::disallowed_methods, reason = "RINGTRACE_MONITOR may already name a monitor")]
        let is_wanted = std::env::var_os(MONITOR_VARIABLE).is_none();
        let mut address = OsString::from("unix:");
        address.push(path);
        (fits && is_plain && is_wanted).then_some(address)
    }

    /// Where programs say which traces they begin.
    pub fn list(&self) -> PathBuf {
        self.folder.path().join("list")
    }

    /// Whether only the newest events are kept.
    pub fn is_flight_recorder(&self) -> bool {
        self.options.is_flight_recorder()
    }

    /// The traces that were begun by now, each once, in order.
    pub fn collect(&self) -> Vec<Announcement> {
        read(&self.list())
    }
}

/// The monitor of a process whose traces are in `list`, by its number.
pub fn socket(list: &Path, pid: &str) -> PathBuf {
    list.with_file_name(format!("{pid}.sock"))
}

/// `path` as it is called in the current folder.
pub fn from_here(path: &Path) -> &Path {
    #[expect(clippy::disallowed_methods, reason = "paths are shown relative to the current folder")]
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path)
}

/// The traces in a list.
pub fn read(list: &Path) -> Vec<Announcement> {
    let mut found: Vec<Announcement> = Vec::new();
    for one in parse(&fs::read(list).unwrap_or_default()) {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}
