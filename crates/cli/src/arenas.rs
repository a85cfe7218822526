//! Where arenas are looked for.

use std::io;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::recover::{ArenaFile, Process, look_for};

use crate::exit::CliError;

/// A place that may have arenas.
#[derive(Debug)]
pub enum ArenaLocation {
    File(PathBuf),
    Folder(PathBuf),
    /// A folder, of which only this process's arenas are wanted.
    Process(PathBuf, u32),
}

/// The places that `names` mean; where there are none, those where the runtime keeps arenas.
pub fn locations(names: &[PathBuf]) -> Result<Vec<ArenaLocation>, CliError> {
    if names.is_empty() {
        return Ok(default_folders().into_iter().map(ArenaLocation::Folder).collect());
    }
    let mut locations = Vec::new();
    for name in names {
        let found = std::fs::metadata(name);
        let pid = name.to_str().and_then(|name| name.parse::<u32>().ok());
        match (found, pid) {
            (Ok(found), _) if found.is_dir() => locations.push(ArenaLocation::Folder(name.clone())),
            (Ok(_), _) => locations.push(ArenaLocation::File(name.clone())),
            (Err(_), Some(pid)) => {
                locations
                    .extend(default_folders().into_iter().map(|folder| ArenaLocation::Process(folder, pid)));
            }
            (Err(error), None) => return Err(CliError::system(name.display(), &error)),
        }
    }
    Ok(locations)
}

impl ArenaLocation {
    /// The files there that may be arenas.
    pub fn arenas(&self) -> Result<Vec<PathBuf>, CliError> {
        let folder = match self {
            ArenaLocation::File(path) => return Ok(vec![path.clone()]),
            ArenaLocation::Folder(folder) | ArenaLocation::Process(folder, _) => folder,
        };
        match look_for(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            found => found.map_err(|error| CliError::system(folder.display(), &error)),
        }
    }

    /// Whether an arena that is there is wanted.
    pub fn wants(&self, arena: &ArenaFile) -> bool {
        !matches!(self, ArenaLocation::Process(_, pid) if *pid != arena.header().pid)
    }

    /// Whether it is the name of a file.
    pub fn is_file(&self) -> bool {
        matches!(self, ArenaLocation::File(_))
    }

    /// Whether it names this process, and not just a folder.
    pub fn names(&self, process: &Process) -> bool {
        match self {
            ArenaLocation::File(path) => process.segments().iter().any(|segment| segment.path() == path),
            ArenaLocation::Folder(_) => false,
            ArenaLocation::Process(_, pid) => *pid == process.pid(),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        match self {
            ArenaLocation::File(path) | ArenaLocation::Folder(path) | ArenaLocation::Process(path, _) => path,
        }
    }
}

/// Where programs of this user keep their arenas, unless their options say otherwise. A daemon may not have the environment that
/// a login has, so there are two.
fn default_folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os("RINGTRACE_DIR") {
        return vec![PathBuf::from(folder)];
    }
    let run = std::env::var_os("XDG_RUNTIME_DIR").map(|run| Path::new(&run).join("ringtrace"));
    let uid = rustix::process::getuid().as_raw();
    run.into_iter().chain([PathBuf::from(format!("/dev/shm/ringtrace-{uid}"))]).collect()
}
