//! Where arenas are looked for.

use std::io;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::recover::{ArenaFile, Process, find_arenas};

use crate::exit::Failure;

/// A place that may have arenas.
#[derive(Debug)]
pub enum Place {
    /// An arena.
    File(PathBuf),
    /// A folder of arenas.
    Folder(PathBuf),
    /// A folder, of which only this process's arenas are wanted.
    Process(PathBuf, u32),
}

/// The places that `names` mean; where there are none, those where the runtime keeps arenas.
///
/// # Errors
/// When a name means nothing.
pub fn find(names: &[PathBuf]) -> Result<Vec<Place>, Failure> {
    if names.is_empty() {
        return Ok(usual_folders().into_iter().map(Place::Folder).collect());
    }
    let mut places = Vec::new();
    for name in names {
        let found = std::fs::metadata(name);
        let pid = name.to_str().and_then(|name| name.parse::<u32>().ok());
        match (found, pid) {
            (Ok(found), _) if found.is_dir() => places.push(Place::Folder(name.clone())),
            (Ok(_), _) => places.push(Place::File(name.clone())),
            (Err(_), Some(pid)) => {
                places.extend(usual_folders().into_iter().map(|folder| Place::Process(folder, pid)));
            }
            (Err(error), None) => return Err(Failure::system(name.display(), &error)),
        }
    }
    Ok(places)
}

impl Place {
    /// The files there that may be arenas.
    ///
    /// # Errors
    /// When the system refuses to say. A folder that is not there has none.
    pub fn arenas(&self) -> Result<Vec<PathBuf>, Failure> {
        let folder = match self {
            Place::File(path) => return Ok(vec![path.clone()]),
            Place::Folder(folder) | Place::Process(folder, _) => folder,
        };
        match find_arenas(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            found => found.map_err(|error| Failure::system(folder.display(), &error)),
        }
    }

    /// Whether an arena that is there is wanted.
    pub fn wants(&self, arena: &ArenaFile) -> bool {
        !matches!(self, Place::Process(_, pid) if *pid != arena.header().pid)
    }

    /// Whether it is the name of a file.
    pub fn is_file(&self) -> bool {
        matches!(self, Place::File(_))
    }

    /// Whether it names this process, and not just a folder.
    pub fn names(&self, process: &Process) -> bool {
        match self {
            Place::File(path) => process.segments().iter().any(|segment| segment.path() == path),
            Place::Folder(_) => false,
            Place::Process(_, pid) => *pid == process.pid(),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        match self {
            Place::File(path) | Place::Folder(path) | Place::Process(path, _) => path,
        }
    }
}

/// Where programs of this user keep their arenas, unless their options say otherwise. A daemon may not have the environment that
/// a login has, so there are two.
fn usual_folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os("RINGTRACE_DIR") {
        return vec![PathBuf::from(folder)];
    }
    let run = std::env::var_os("XDG_RUNTIME_DIR").map(|run| Path::new(&run).join("ringtrace"));
    let uid = rustix::process::getuid().as_raw();
    run.into_iter().chain([PathBuf::from(format!("/dev/shm/ringtrace-{uid}"))]).collect()
}
