//! Arenas: the files in which traced programs buffer their events. The arenas of a killed program
//! remain.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use ringtrace_tracefile::folder::number_of;
use ringtrace_tracefile::recover::{
    ArenaError, ArenaFile, Process, Recovered, TraceFile, Unfinished, find_arenas, gather,
};
use ringtrace_tracefile::sniff::{FileKind, SNIFF_BYTES, sniff};
use ringtrace_wire::arena::HeaderError;
use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};

use crate::exit::{CliError, Exit};
use crate::output::{Output, Overwrite};
use crate::quantity::{bytes, counted};
use crate::terminal::Terminal;
use ringtrace_report::wording::{command_line, visible_text};

/// Locations of arenas.
#[derive(Debug)]
pub enum ArenaLocation {
    File(PathBuf),
    Folder(PathBuf),
    /// A folder and a process id: the arenas of this process in the folder.
    Process(PathBuf, u32),
}

/// Converts `names` (arenas, folders and process ids) to locations. If `names` is empty, returns
/// the runtime's default folders.
pub fn locations(names: &[PathBuf]) -> Result<Vec<ArenaLocation>, CliError> {
    if names.is_empty() {
        return Ok(default_folders().map(ArenaLocation::Folder).collect());
    }
    let mut locations = Vec::new();
    for name in names {
        let pid = name.to_str().and_then(|name| name.parse::<u32>().ok());
        match (fs::metadata(name), pid) {
            (Ok(found), _) if found.is_dir() => locations.push(ArenaLocation::Folder(name.clone())),
            (Ok(_), _) => locations.push(ArenaLocation::File(name.clone())),
            (Err(_), Some(pid)) => {
                locations.extend(default_folders().map(|folder| ArenaLocation::Process(folder, pid)));
            }
            (Err(error), None) => return Err(CliError::system(name.display(), &error)),
        }
    }
    Ok(locations)
}

/// Returns the folders in which programs of this user create arenas by default. There are several,
/// because a daemon may run without the environment variables of a login session.
#[expect(clippy::disallowed_methods, reason = "environment variables select the folders of arenas")]
fn default_folders() -> impl Iterator<Item = PathBuf> {
    let chosen = std::env::var_os("RINGTRACE_DIR").map(PathBuf::from);
    let others = chosen.is_none().then(|| {
        let run = std::env::var_os("XDG_RUNTIME_DIR").map(|run| Path::new(&run).join("ringtrace"));
        run.into_iter().chain([shared_folder()])
    });
    chosen.into_iter().chain(others.into_iter().flatten())
}

fn shared_folder() -> PathBuf {
    PathBuf::from(format!("/dev/shm/ringtrace-{}", rustix::process::getuid().as_raw()))
}

/// Returns whether `folder` can be trusted to contain only arenas of this user. Any user can create
/// the default folder of another user in `/dev/shm`, so it must belong to this user and must not be
/// a link.
fn is_trusted(folder: &Path) -> bool {
    let is_own = |found: fs::Metadata| found.is_dir() && found.uid() == geteuid().as_raw();
    folder != shared_folder() || fs::symlink_metadata(folder).map_or(true, is_own)
}

/// Returns whether `recover` finds the arena at `path` by the process id alone.
pub fn is_in_default_folder(path: &Path) -> bool {
    default_folders().any(|folder| path.parent() == Some(&folder))
}

/// Returns the folders in which programs of other users create arenas by default, as far as this
/// user may read them. There are none if `RINGTRACE_DIR` selects a folder.
#[expect(clippy::disallowed_methods, reason = "environment variables select the folders of arenas")]
pub fn folders_of_others() -> Vec<ArenaLocation> {
    if std::env::var_os("RINGTRACE_DIR").is_some() {
        return Vec::new();
    }
    let names = |folder: &str| {
        let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.filter_map(|name| name.into_string().ok()).collect::<Vec<_>>()
    };
    let shared = names("/dev/shm").into_iter().filter_map(|name| {
        let uid = name.strip_prefix("ringtrace-")?.parse::<u32>().ok()?;
        Some((Path::new("/dev/shm").join(name), uid))
    });
    let sessions = names("/run/user").into_iter().filter_map(|name| {
        let uid = name.parse::<u32>().ok()?;
        Some((Path::new("/run/user").join(name).join("ringtrace"), uid))
    });
    let found = shared.chain(sessions).filter(|(folder, uid)| {
        let is_of_user = |found: fs::Metadata| found.is_dir() && found.uid() == *uid;
        *uid != geteuid().as_raw() && fs::symlink_metadata(folder).is_ok_and(is_of_user)
    });
    let mut found: Vec<PathBuf> =
        found.map(|(folder, _)| folder).filter(|folder| fs::read_dir(folder).is_ok()).collect();
    found.sort();
    found.into_iter().map(ArenaLocation::Folder).collect()
}

impl ArenaLocation {
    /// Returns the files at this location that may be arenas. A missing folder contains none.
    fn files(&self) -> Result<Vec<PathBuf>, CliError> {
        if let ArenaLocation::File(path) = self {
            return Ok(vec![path.clone()]);
        }
        match find_arenas(self.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            found => found.map_err(|error| CliError::system(self.path().display(), &error)),
        }
    }

    /// Opens a file of this location. In a folder, arenas that belong neither to this user nor to
    /// the owner of the folder are rejected, because anybody may have put them there.
    fn open(&self, path: &Path) -> Result<ArenaFile, ArenaError> {
        let Some(owner) = (match self {
            ArenaLocation::File(_) => return ArenaFile::open(path),
            _ => fs::metadata(self.path()).ok().map(|folder| folder.uid()),
        }) else {
            return Err(ArenaError::NoFile);
        };
        ArenaFile::open_of(path, |uid| uid == owner || uid == geteuid().as_raw())
    }

    fn is_file(&self) -> bool {
        matches!(self, ArenaLocation::File(_))
    }

    /// Returns whether the user selected `process` by its id or by one of its arenas, rather than
    /// by a folder that contains them.
    pub fn names(&self, process: &Process) -> bool {
        match self {
            ArenaLocation::File(path) => process.segments().iter().any(|segment| segment.path() == path),
            ArenaLocation::Folder(_) => false,
            ArenaLocation::Process(_, pid) => *pid == process.pid(),
        }
    }

    /// Returns the process id that the user requested, if `found` contains no arena with this id.
    pub fn missing_pid(&self, found: &Found) -> Option<u32> {
        let ArenaLocation::Process(_, wanted) = self else { return None };
        let abandoned = found.abandoned.iter().map(Unfinished::pid);
        let mut pids = found.processes.iter().map(Process::pid).chain(abandoned);
        (!pids.any(|pid| pid == *wanted)).then_some(*wanted)
    }

    pub fn path(&self) -> &Path {
        match self {
            ArenaLocation::File(path) | ArenaLocation::Folder(path) | ArenaLocation::Process(path, _) => path,
        }
    }
}

/// The arenas at a set of locations.
#[derive(Debug)]
pub struct Found {
    pub processes: Vec<Process>,
    /// Files that have no header and that no process will complete.
    pub abandoned: Vec<Unfinished>,
    /// [`Exit::Input`] if the user explicitly passed a file that is not an arena.
    pub exit: Exit,
}

/// Returns the processes that own the arenas at `locations`. Warns about files that are not arenas.
pub fn find(locations: &[ArenaLocation], terminal: &Terminal) -> Result<Found, CliError> {
    raise_file_limit();
    let (mut arenas, mut abandoned, mut exit) = (Vec::new(), Vec::new(), Exit::Done);
    for location in locations {
        if !location.is_file() && !is_trusted(location.path()) {
            let folder = location.path().display();
            terminal.warn(&format!("{folder} is not a private directory of this user, and is skipped"), None);
            continue;
        }
        let is_wanted = |pid| !matches!(location, ArenaLocation::Process(_, wanted) if *wanted != pid);
        for path in location.files()? {
            match location.open(&path) {
                Ok(arena) if is_wanted(arena.header().pid) => arenas.push(arena),
                Ok(_) => {}
                Err(ArenaError::Unfinished(file)) => {
                    if file.is_abandoned() && is_wanted(file.pid()) {
                        abandoned.push(file);
                    }
                }
                // The process may have ended in the meantime.
                Err(ArenaError::System(error))
                    if error.kind() == io::ErrorKind::NotFound && !location.is_file() => {}
                Err(ArenaError::System(error)) if location.is_file() => {
                    return Err(CliError::system(path.display(), &error));
                }
                Err(refused) if location.is_file() => {
                    terminal.report(&not_an_arena(&path, &refused));
                    exit = Exit::Input;
                }
                Err(refused) => {
                    let path = visible_text(path.as_os_str().as_encoded_bytes());
                    terminal.warn(&format!("{path}: {refused}"), None);
                }
            }
        }
    }
    let processes = gather(arenas).map_err(|error| CliError::system("an arena", &error))?;
    Ok(Found { processes, abandoned, exit })
}

/// Allows this process to open as many files as the system permits. There may be more arenas than
/// the usual limit of 1024.
fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    // If this fails, arenas beyond the limit cannot be opened, which is reported.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// Returns the process that owns `arena`, with its other arenas in the same folder.
pub fn process_of(arena: &Path, pid: u32, terminal: &Terminal) -> Result<Process, CliError> {
    let folder = arena.parent().unwrap_or(Path::new(".")).to_owned();
    let processes = find(&[ArenaLocation::Process(folder, pid)], terminal)?.processes;
    let is_it = |process: &Process| process.segments().iter().any(|segment| segment.path() == arena);
    processes
        .into_iter()
        .find(is_it)
        .ok_or_else(|| CliError::input(format!("the arenas of process {pid} no longer exist")))
}

/// Returns the folders in which programs of this user create arenas, for use in a sentence.
pub fn default_folders_text() -> String {
    let folders: Vec<String> = default_folders().map(|folder| folder.display().to_string()).collect();
    folders.join(" and ")
}

/// Returns the processes with arenas in a default folder. Files that are not arenas are ignored.
pub fn own_processes() -> Vec<Process> {
    raise_file_limit();
    let folders = default_folders().filter(|folder| is_trusted(folder)).map(ArenaLocation::Folder);
    let arenas = |folder: ArenaLocation| {
        let files = folder.files().unwrap_or_default();
        files.into_iter().filter_map(|file| folder.open(&file).ok()).collect::<Vec<_>>()
    };
    gather(folders.flat_map(arenas).collect()).unwrap_or_default()
}

/// Returns the process that has written the trace at `path`, if its arenas still exist in a default
/// folder.
pub fn writer_of(path: &Path) -> Option<Process> {
    let path = fs::canonicalize(path).ok()?;
    find_writer(|process| process.has_written(&path))
}

/// Returns the process that writes a rotated trace to `folder`, if its arenas still exist in a default
/// folder.
pub fn writer_in(folder: &Path) -> Option<Process> {
    let folder = fs::canonicalize(folder).ok()?;
    let is_in = |trace: &Path| {
        let parent = trace.parent().and_then(|parent| fs::canonicalize(parent).ok());
        number_of(trace).is_some() && parent.as_ref() == Some(&folder)
    };
    find_writer(|process| process.trace_path().is_some_and(is_in))
}

/// Returns the newest process that `is_it` accepts, but a running one if there is one: a killed process
/// may have had the same file or folder.
fn find_writer(is_it: impl Fn(&Process) -> bool) -> Option<Process> {
    let writers = own_processes().into_iter().filter(is_it);
    writers.max_by_key(|process| (process.is_alive(), process.started_ns()))
}

/// Writes the events of `process`, from its trace file and its arenas, to `out`. An existing `out`
/// is replaced only if `overwrite` permits it and writing succeeds. Compresses it with zstd if
/// `compress` is set. Warns about anomalies. Returns whether there were none.
pub fn recover(
    process: &Process,
    out: &Path,
    overwrite: Overwrite,
    compress: bool,
    terminal: &Terminal,
) -> Result<(Recovered, bool), CliError> {
    let output = Output::create_private(out, overwrite)?;
    let mut output = if compress { output.compressed() } else { output };
    let mut refused = None;
    let recovered = process.recover(|bytes| {
        output.write(bytes).map_err(|error| {
            refused = Some(error);
            io::Error::from(io::ErrorKind::Other)
        })
    });
    if let Some(refused) = refused {
        return Err(refused);
    }
    let recovered =
        recovered.map_err(|error| CliError::system(format!("process {}", process.pid()), &error))?;
    output.keep()?;
    let is_whole = warn_of_anomalies(process, &recovered, terminal);
    Ok((recovered, is_whole))
}

/// Warns about missing and damaged data. Returns whether the data is complete.
fn warn_of_anomalies(process: &Process, recovered: &Recovered, terminal: &Terminal) -> bool {
    let path = process.trace_path().map_or_else(String::new, |path| format!(" {}", path.display()));
    let mut is_whole = true;
    let mut warn = |message: String, help: &str| {
        let message = format!("process {}: {message}", process.pid());
        terminal.warn(&visible_text(message.as_bytes()), Some(help));
        is_whole = false;
    };
    let only_memory = "the recovered trace contains only the events from memory";
    match &recovered.file {
        TraceFile::Whole | TraceFile::NotYet => {}
        TraceFile::Missing(why) => warn(format!("cannot read the trace file{path}: {why}"), only_memory),
        TraceFile::Replaced => warn(format!("the trace file{path} belongs to another run"), only_memory),
        TraceFile::Short { committed_bytes, found_bytes } => warn(
            format!(
                "the trace file{path} is truncated or damaged: {} of {} can be read",
                bytes(*found_bytes),
                bytes(*committed_bytes)
            ),
            "the recovered trace contains the readable part and the events from memory",
        ),
    }
    if recovered.missing_segments > 0 {
        let missing = counted(recovered.missing_segments as u64, "arena is", "arenas are");
        warn(format!("{missing} missing"), "to find all arenas, name the folder instead");
    }
    if recovered.has_private_rings {
        warn(
            "the buffers of some threads are in private memory, and their events cannot be read".to_owned(),
            "a larger folder for buffers (dir=) avoids that",
        );
    }
    if recovered.damaged_bytes > 0 {
        warn(format!("{} in memory are damaged", bytes(recovered.damaged_bytes)), "they are skipped");
    }
    if recovered.is_doubtful {
        warn(
            "its arenas are inconsistent".to_owned(),
            "the trace may lack some events or contain duplicates",
        );
    }
    is_whole
}

/// Returns the argument with which `recover` finds `arena` of process `pid`: the process id if the
/// arena is in a default folder, otherwise the path.
pub fn argument(arena: &Path, pid: u32) -> String {
    let is_found = default_folders().any(|folder| arena.parent() == Some(&folder));
    if is_found {
        pid.to_string()
    } else {
        command_line(&[arena.as_os_str().as_encoded_bytes(), b"\0"].concat())
    }
}

/// Returns the error for a file that the user passed as an arena, but that is not one.
fn not_an_arena(path: &Path, refused: &ArenaError) -> CliError {
    let name = path.display();
    let is_socket = || fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
    if matches!(refused, ArenaError::NoFile) && is_socket() {
        return CliError::system(name, &io::Error::from(rustix::io::Errno::NXIO));
    }
    // Files other than regular ones were rejected before reading the header.
    let is_trace = matches!(refused, ArenaError::Header(HeaderError::Magic)) && is_trace(path);
    if !is_trace {
        return CliError::input(format!("{name}: {refused}"))
            .help("`ringtrace list` lists the processes that have arenas");
    }
    let failure = CliError::input(format!("{name} is a trace, not an arena"));
    match writer_of(path) {
        Some(writer) => {
            let pid = writer.pid();
            let how = if writer.is_alive() { "takes a snapshot of" } else { "recovers" };
            failure.help(format!("`ringtrace recover {pid}` {how} the process that wrote the trace"))
        }
        None => failure.help("none of the processes that wrote this trace left events in memory"),
    }
}

fn is_trace(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(SNIFF_BYTES as u64).read_to_end(&mut start));
    read.is_ok() && matches!(sniff(&start), FileKind::Trace(_) | FileKind::Compact)
}

/// Returns the error for a process that has no arena in `folders`.
pub fn no_arena(pid: u32, folders: &str) -> CliError {
    let message = format!("process {pid} has no arena in {folders}");
    let owner = fs::metadata(format!("/proc/{pid}")).map(|found| found.uid());
    match owner {
        Err(_) => CliError::input(format!("{message}, and is not running"))
            .help("`ringtrace list` lists the processes that have arenas"),
        Ok(uid) if uid != rustix::process::getuid().as_raw() => {
            CliError::input(format!("{message}: it belongs to another user")).help(format!(
                "run `ringtrace recover {pid}` as that user, or name the folder of its arenas, such as \
                 /dev/shm/ringtrace-{uid}"
            ))
        }
        Ok(_) => CliError::input(format!(
            "{message}: it is not tracing, or its arenas are in another folder (dir=)"
        ))
        .help("`ringtrace list` lists the processes that have arenas"),
    }
}
