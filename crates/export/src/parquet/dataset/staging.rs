//! Staging folders, and the publication of their files.
//!
//! `docs/formats/dataset.md` describes the protocol. A process can be killed between any two system
//! calls: the files that it leaves behind are either deleted, or published by the next process.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use parquet::file::reader::{FileReader, SerializedFileReader};
use ringtrace_tracefile::hash::Hash;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::leaf;
use crate::parquet::part::io_error;

pub(super) const STAGING: &str = "_staging";
const JOURNAL: &str = "commit";

/// The key of the metadata that list the files of a trace.
pub(super) const PARTS: &str = "ringtrace.parts";

/// The key of the metadata that list the hashes of the contents of these files.
pub(super) const HASHES: &str = "ringtrace.hashes";

/// The staging folders of this process. The lock is held while files are published, so that a signal
/// cannot end the process then.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deletes the staging folders of this process, because it is ending. Waits until a publication is
/// complete. Nothing can be published afterwards.
pub fn remove_unfinished() {
    let unfinished = unfinished();
    for path in &*unfinished {
        // Another thread may be creating files.
        let _ = (0..100).find(|_| fs::remove_dir_all(path).is_ok() || !path.exists());
        let _ = fs::remove_file(lock_of(path));
    }
    // The lock is never released, so that no other thread continues.
    std::mem::forget(unfinished);
}

/// Returns an error that names the path.
pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> io::Error {
    let path = path.display().to_string();
    move |error| io::Error::new(error.kind(), format!("{path}: {error}"))
}

/// The lock of a dataset. While it is held, no other process publishes files, changes the types of
/// columns, or creates staging folders.
#[derive(Debug)]
pub(super) struct Lock {
    dataset: PathBuf,
    _file: File,
}

impl Lock {
    /// Waits for the lock. Then completes or deletes the work of killed processes.
    pub(super) fn take(dataset: &Path) -> io::Result<Lock> {
        let staging = dataset.join(STAGING);
        fs::create_dir_all(&staging).map_err(at(&staging))?;
        let path = staging.join("lock");
        let file = File::options().create(true).append(true).open(&path).map_err(at(&path))?;
        file.lock().map_err(at(&path))?;
        let lock = Lock { dataset: dataset.to_owned(), _file: file };
        lock.sweep()?;
        Ok(lock)
    }

    fn sweep(&self) -> io::Result<()> {
        let staging = self.dataset.join(STAGING);
        let entries = fs::read_dir(&staging).map_err(at(&staging))?;
        let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
        for path in folders {
            if !is_ended(&lock_of(&path)) {
                continue;
            }
            leaf::complete_exchange(&self.dataset, &path)?;
            if path.join(JOURNAL).exists() {
                complete(&self.dataset, &path)?;
                leaf::sync(&self.dataset)?;
            }
            match fs::remove_dir_all(&path) {
                // Its process has deleted it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed.map_err(at(&path))?,
            }
        }
        for lock in files.iter().filter(|path| path.extension().is_some_and(|end| end == LOCK)) {
            if is_ended(lock) {
                // The process may be deleting it.
                let _ = fs::remove_file(lock);
            }
        }
        Ok(())
    }
}

/// The extension of the lock of a staging folder. The lock is a file beside the folder, because NFS locks only
/// files that are open for writing.
const LOCK: &str = "lock";

/// Returns the path of the lock of a staging folder.
fn lock_of(folder: &Path) -> PathBuf {
    let mut path = folder.as_os_str().to_owned();
    path.push(".");
    path.push(LOCK);
    path.into()
}

/// Returns whether no process holds the lock of a staging folder. The lock of the dataset is held.
fn is_ended(lock: &Path) -> bool {
    match File::options().append(true).open(lock) {
        Ok(file) => file.try_lock().is_ok(),
        // A process creates the lock with that of the dataset held, and deletes it after the folder.
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// The lock of a staging folder of this process.
#[derive(Debug)]
struct StagingLock {
    path: PathBuf,
    _file: File,
}

impl StagingLock {
    fn take(path: PathBuf) -> io::Result<StagingLock> {
        let file = File::options().create_new(true).append(true).open(&path).map_err(at(&path))?;
        file.try_lock().map_err(|error| at(&path)(error.into()))?;
        Ok(StagingLock { path, _file: file })
    }
}

impl Drop for StagingLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// A folder for the files of a trace until they are published. It is deleted when it is dropped.
#[derive(Debug)]
pub(super) struct Staging {
    folder: TempDir,
    _unfinished: Unfinished,
    /// Held until the folder is deleted.
    _lock: StagingLock,
}

impl Staging {
    pub(super) fn new(dataset: &Path, id: &str) -> io::Result<Staging> {
        let _lock = Lock::take(dataset)?;
        let staging = dataset.join(STAGING);
        let folder = tempfile::Builder::new().prefix(&format!("{id}-")).tempdir_in(&staging);
        let folder = folder.map_err(at(&staging))?;
        let path = folder.path().to_owned();
        unfinished().push(path.clone());
        let _unfinished = Unfinished(path);
        let lock = StagingLock::take(lock_of(folder.path()))?;
        Ok(Staging { folder, _unfinished, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Calls `publish`, unless a signal is ending the process. After a failure, for example because the
    /// disk is full, the folder remains if it contains a journal, so that the next process completes the
    /// work.
    pub(super) fn unless_stopped<T>(&mut self, publish: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let mut unfinished = unfinished();
        let published = publish();
        let folder = self.folder.path();
        if published.is_err() && (folder.join(JOURNAL).exists() || leaf::is_exchanging(folder)) {
            unfinished.retain(|path| path != folder);
            self.folder.disable_cleanup(true);
        }
        published
    }

    /// Publishes `parts`, and the row of the trace, which is in the file [`row`]. Returns whether the
    /// dataset has changed.
    pub(super) fn publish(mut self, dataset: &Path, id: &str, parts: &[String]) -> io::Result<bool> {
        let _lock = Lock::take(dataset)?;
        let folder = &self.folder.path().to_owned();
        let committed = committed(dataset, id);
        let before = parts_of(&committed)?;
        let mut known = HashMap::new();
        // The row contains the hashes of all files, so merged ones have the same contents.
        if before.as_deref() == Some(parts) && same(&row(folder), &committed)? {
            let mut is_same = true;
            for part in parts {
                is_same = is_same
                    && match dataset.join(part).exists() {
                        true => same(&folder.join(staged(part)), &dataset.join(part))?,
                        false => leaf::is_part_merged(dataset, part, &mut known)?,
                    };
            }
            if is_same {
                return Ok(false);
            }
        }
        let mut merged = Vec::new();
        for part in before.iter().flatten() {
            if !dataset.join(part).exists() && leaf::is_part_merged(dataset, part, &mut known)? {
                merged.extend(part.rsplit_once('/').map(|(leaf, _)| leaf));
            }
        }
        merged.dedup();
        let remove: Vec<&String> = before.iter().flatten().filter(|part| !parts.contains(part)).collect();
        let journal = json!({ "trace": id, "remove": remove, "merged": merged, "move": parts });
        let published = self.unless_stopped(|| {
            let unfinished = folder.join("commit.new");
            fs::write(&unfinished, journal.to_string()).map_err(at(&unfinished))?;
            // After a power failure, a journal has complete files.
            leaf::sync(folder)?;
            fs::rename(&unfinished, folder.join(JOURNAL)).map_err(at(&unfinished))?;
            leaf::sync(folder)?;
            complete(dataset, folder)?;
            leaf::sync(dataset)
        });
        published.map(|()| true)
    }
}

/// A staging folder that is deleted if a signal ends the process.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

/// Returns the path of the row of the trace `id` in the dataset.
pub(super) fn committed(dataset: &Path, id: &str) -> PathBuf {
    dataset.join("traces").join(format!("{id}.parquet"))
}

/// Returns the path of the row of the trace in a staging folder.
pub(super) fn row(staging: &Path) -> PathBuf {
    staging.join("trace")
}

/// Returns the path in a staging folder of the file that will be `part`.
pub(super) fn staged(part: &str) -> String {
    format!("{}.part", part.strip_suffix(".parquet").unwrap_or(part))
}

/// Does the work that the journal in a staging folder describes, as far as it is not done yet. The
/// lock of the dataset is held.
fn complete(dataset: &Path, staging: &Path) -> io::Result<()> {
    let path = staging.join(JOURNAL);
    let journal = fs::read(&path).map_err(at(&path))?;
    let journal: Value = serde_json::from_slice(&journal).map_err(|error| at(&path)(error.into()))?;
    let paths = |key: &str| {
        let list = journal[key].as_array().cloned().unwrap_or_default();
        list.into_iter().filter_map(|part| part.as_str().map(str::to_owned))
    };
    let row = row(staging);
    if !row.exists() {
        return Ok(());
    }
    let id = journal["trace"].as_str().unwrap_or_default();
    let committed = committed(dataset, id);
    remove(&committed)?;
    for part in paths("remove") {
        let path = dataset.join(&part);
        remove(&path)?;
        path.parent().into_iter().for_each(|folder| leaf::prune(dataset, folder));
    }
    for merged in paths("merged") {
        leaf::drop_trace(dataset, &merged, staging, id)?;
    }
    for part in paths("move") {
        let from = staging.join(staged(&part));
        if from.exists() {
            rename(&from, &dataset.join(part))?;
        }
    }
    rename(&row, &committed)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

fn rename(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    fs::rename(from, to).map_err(at(to))
}

/// Returns the files of the trace whose row is in the file at `path`, or `None` if there is no such
/// file.
pub(super) fn parts_of(path: &Path) -> io::Result<Option<Vec<String>>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(at(path))?,
    };
    let reader = SerializedFileReader::new(file).map_err(io_error).map_err(at(path))?;
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let parts = metadata.into_iter().flatten().find(|pair| pair.key == PARTS);
    let parts = parts.and_then(|pair| pair.value.as_deref()).unwrap_or_default();
    Ok(Some(parts.lines().map(str::to_owned).collect()))
}

/// Returns a hash of the contents of a file.
pub(super) fn content_hash(path: &Path) -> io::Result<String> {
    let mut file = File::open(path).map_err(at(path))?;
    let (mut hash, mut buffer) = (Hash::default(), vec![0; 1 << 16]);
    let mut filled = 0;
    loop {
        let count = file.read(&mut buffer[filled..]).map_err(at(path))?;
        filled += count;
        if filled == buffer.len() || count == 0 {
            hash.add_words(&buffer[..filled]);
            filled = 0;
        }
        if count == 0 {
            return Ok(hash.hex());
        }
    }
}

/// Returns whether two files have the same contents. The second one may be missing.
fn same(one: &Path, other: &Path) -> io::Result<bool> {
    let mut one = File::open(one).map_err(at(one))?;
    let Ok(mut other) = File::open(other) else { return Ok(false) };
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let count = one.read(&mut a)?;
        if count == 0 {
            return Ok(true);
        }
        other.read_exact(&mut b[..count])?;
        if a[..count] != b[..count] {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::metadata::KeyValue;

    use super::*;

    const ID: &str = "abc";

    /// Writes a staging folder with two parts, whose contents are `word`.
    fn stage(dataset: &Path, parts: &[String], word: &str) -> Staging {
        let staging = Staging::new(dataset, ID).unwrap();
        for part in parts {
            let path = staging.path().join(staged(part));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, word).unwrap();
        }
        let metadata = vec![KeyValue::new(PARTS.to_owned(), parts.join("\n"))];
        crate::parquet::dataset::row::write(&row(staging.path()), Vec::new(), &metadata).unwrap();
        staging
    }

    /// Returns the files in `folder`, except those in `_staging`, with their contents.
    fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>, name: &str) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
            let name = format!("{name}/{}", entry.file_name().display());
            if entry.path().is_dir() && name != "/_staging" {
                files(&entry.path(), found, &name);
            } else if !entry.path().is_dir() {
                found.push((name, fs::read(entry.path()).unwrap()));
            }
        }
        found.sort();
    }

    fn published(dataset: &Path) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        files(dataset, &mut found, "");
        found
    }

    /// A process is killed before each step of the publication. The next process completes it.
    #[test]
    fn an_interrupted_publication_is_completed() {
        let part = |name: &str| format!("events/event={name}/date=2026-11-23/host=h/{ID}-000000.parquet");
        let (before, after) = ([part("a"), part("b"), part("c")], [part("b"), part("d")]);
        let folder = tempfile::tempdir().unwrap();
        let expected = {
            let dataset = folder.path().join("expected");
            assert!(stage(&dataset, &after, "after").publish(&dataset, ID, &after).unwrap());
            published(&dataset)
        };
        assert_eq!(expected.len(), 3);
        for steps in 0..=7 {
            let dataset = folder.path().join(format!("after-{steps}"));
            assert!(stage(&dataset, &before, "before").publish(&dataset, ID, &before).unwrap());
            let earlier = published(&dataset);
            let staging = stage(&dataset, &after, "after");
            let Staging { folder: left, _lock, .. } = staging;
            let left = left.keep();
            let row_of_trace = dataset.join(format!("traces/{ID}.parquet"));
            let journal = json!({ "trace": ID, "remove": [before[0], before[2]], "move": after });
            let move_to = |part: &String| rename(&left.join(staged(part)), &dataset.join(part)).unwrap();
            let mut todo: Vec<Box<dyn Fn()>> = vec![
                Box::new(|| fs::write(left.join(JOURNAL), journal.to_string()).unwrap()),
                Box::new(|| fs::remove_file(&row_of_trace).unwrap()),
                Box::new(|| remove(&dataset.join(&before[0])).unwrap()),
                Box::new(|| remove(&dataset.join(&before[2])).unwrap()),
                Box::new(|| move_to(&after[0])),
                Box::new(|| move_to(&after[1])),
                Box::new(|| rename(&row(&left), &row_of_trace).unwrap()),
            ];
            todo.truncate(steps);
            todo.iter().for_each(|step| step());
            drop(todo);
            drop(_lock);
            if steps % 2 == 0 {
                fs::write(lock_of(&left), "").unwrap();
            }
            drop(Lock::take(&dataset).unwrap());
            assert!(!left.exists(), "after {steps} steps");
            let expected = if steps == 0 { &earlier } else { &expected };
            assert_eq!(&published(&dataset), expected, "after {steps} steps");
        }
    }

    /// The staging folders of running processes stay.
    #[test]
    fn only_the_folders_of_ended_processes_are_deleted() {
        let dataset = tempfile::tempdir().unwrap();
        let parts = [format!("events/event=a/date=unknown/host=h/{ID}-000000.parquet")];
        let running = stage(dataset.path(), &parts, "text");
        let killed = stage(dataset.path(), &parts, "text");
        let left = killed.path().to_owned();
        let Staging { folder, _lock, .. } = killed;
        let _ = folder.keep();
        drop(Lock::take(dataset.path()).unwrap());
        assert!(left.exists(), "its lock is held");
        drop(_lock);
        // A killed process leaves the file of its lock.
        fs::write(lock_of(&left), "").unwrap();
        drop(Lock::take(dataset.path()).unwrap());
        assert!(!left.exists() && !lock_of(&left).exists() && running.path().exists());
        assert!(running.publish(dataset.path(), ID, &parts).unwrap());
        let again = stage(dataset.path(), &parts, "text");
        assert!(!again.publish(dataset.path(), ID, &parts).unwrap(), "nothing has changed");
        let other = stage(dataset.path(), &parts, "texT");
        assert!(other.publish(dataset.path(), ID, &parts).unwrap());
        let names =
            fs::read_dir(dataset.path().join(STAGING)).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["lock"]);
    }
}
