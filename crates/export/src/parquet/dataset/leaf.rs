//! Replaces files of a folder at once, so that readers see each row exactly once.
//!
//! A new folder with links to the other files is exchanged with the folder by one system call. The
//! lock of the dataset is held.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::hash::Hash;
use rustix::fs::{CWD, RenameFlags, renameat_with, syncfs};
use rustix::io::Errno;

use super::merge::{self, Input, is_merged, merged_name, trace_of};
use super::staging::at;

/// The file in a staging folder with the path of the folder that is being replaced, if the file system
/// cannot exchange folders.
const EXCHANGE: &str = "exchange";

/// Writes everything in the file system of the folder `path` to the disk.
pub(super) fn sync(path: &Path) -> io::Result<()> {
    let folder = File::open(path).map_err(at(path))?;
    syncfs(&folder).map_err(|error| at(path)(error.into()))
}

/// Replaces the files `remove` of the folder `leaf` by the files `add`. `leaf` and the names are
/// relative. The old folder remains in `staging`, whose deletion deletes it.
pub(super) fn replace(
    dataset: &Path,
    leaf: &str,
    staging: &Path,
    remove: &[String],
    add: &[PathBuf],
) -> io::Result<()> {
    let (path, new) = (dataset.join(leaf), new_leaf(staging, leaf));
    remove_folder(&new)?;
    fs::create_dir(&new).map_err(at(&new))?;
    let mut is_empty = add.is_empty();
    for entry in fs::read_dir(&path).map_err(at(&path))? {
        let name = entry.map_err(at(&path))?.file_name();
        if !remove.iter().any(|removed| name == removed.as_str()) {
            let (from, to) = (path.join(&name), new.join(&name));
            // Some file systems have no links.
            fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(|_| ())).map_err(at(&to))?;
            is_empty = false;
        }
    }
    for from in add {
        let to = new.join(from.file_name().unwrap_or_default());
        fs::rename(from, &to).map_err(at(&to))?;
    }
    if is_empty {
        remove_folder(&path)?;
        prune(dataset, &path);
        return Ok(());
    }
    match renameat_with(CWD, &new, CWD, &path, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => exchange_by_steps(staging, leaf, &path, &new),
        exchanged => exchanged.map_err(|error| at(&path)(error.into())),
    }
}

/// Returns the path in a staging folder of the new folder, and after the exchange of the old one.
fn new_leaf(staging: &Path, leaf: &str) -> PathBuf {
    let mut hash = Hash::default();
    hash.add(leaf.as_bytes());
    staging.join(format!("leaf-{}", hash.hex()))
}

/// Exchanges folders where the file system cannot, such as NFS. The folder is missing for a moment.
fn exchange_by_steps(staging: &Path, leaf: &str, path: &Path, new: &Path) -> io::Result<()> {
    let journal = staging.join(EXCHANGE);
    let unfinished = staging.join("exchange.new");
    let old = staging.join("old");
    remove_folder(&old)?;
    fs::write(&unfinished, leaf).map_err(at(&unfinished))?;
    fs::rename(&unfinished, &journal).map_err(at(&journal))?;
    sync(staging)?;
    fs::rename(path, &old).map_err(at(path))?;
    if let Err(error) = fs::rename(new, path) {
        // If this fails, too, the journal remains, and with it the folder.
        if fs::rename(&old, path).is_ok() {
            fs::remove_file(&journal).map_err(at(&journal))?;
        }
        return Err(at(path)(error));
    }
    fs::remove_file(&journal).map_err(at(&journal))
}

/// Returns whether an exchange in a staging folder was begun, and is not complete.
pub(super) fn is_exchanging(staging: &Path) -> bool {
    staging.join(EXCHANGE).exists()
}

/// Completes the exchange of a killed process.
pub(super) fn complete_exchange(dataset: &Path, staging: &Path) -> io::Result<()> {
    let journal = staging.join(EXCHANGE);
    let Ok(leaf) = fs::read_to_string(&journal) else { return Ok(()) };
    let (path, new) = (dataset.join(&leaf), new_leaf(staging, &leaf));
    if !path.exists() && new.exists() {
        fs::rename(&new, &path).map_err(at(&path))?;
    }
    fs::remove_file(&journal).map_err(at(&journal))
}

/// Returns the paths of the merged files in the folder `path`.
pub(super) fn merged_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        entries => entries.map_err(at(path))?,
    };
    for entry in entries {
        let entry = entry.map_err(at(path))?;
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| is_merged(name) && name.ends_with(".parquet")) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Removes the rows of the trace `id` from the merged files of the folder `leaf`.
pub(super) fn drop_trace(dataset: &Path, leaf: &str, staging: &Path, id: &str) -> io::Result<()> {
    let (mut remove, mut add) = (Vec::new(), Vec::new());
    for path in merged_files(&dataset.join(leaf))? {
        let input = Input::open(path.clone())?;
        if !input.parts().into_iter().any(|part| trace_of(part) == id) {
            continue;
        }
        let new = staging.join(unique_name(staging, &[&path.display().to_string(), id]));
        if merge::merge(&[input], &new, Some(id), &|_| ())? {
            add.push(new);
        }
        remove.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
    }
    if remove.is_empty() {
        return Ok(());
    }
    sync(staging)?;
    replace(dataset, leaf, staging, &remove, &add)
}

/// Returns a name for a merged file, which no file has had before: that of the staging folder is
/// random.
pub(super) fn unique_name(staging: &Path, words: &[&str]) -> String {
    let mut hash = Hash::default();
    hash.add(staging.as_os_str().as_encoded_bytes());
    for word in words {
        hash.add(word.as_bytes());
        hash.add(b"\n");
    }
    let hex = hash.hex();
    merged_name(hex.get(..16).unwrap_or(&hex))
}

/// Deletes the folder `path` and the folders above it that have become empty.
pub(super) fn prune(dataset: &Path, path: &Path) {
    let folders = path.ancestors().take_while(|folder| *folder != dataset);
    let removed = |folder: &Path| match fs::remove_dir(folder) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(()) => true,
    };
    let _ = folders.map(removed).take_while(|removed| *removed).count();
}

pub(super) fn remove_folder(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// Returns whether a file of `ingest` is in a merged file of its folder.
pub(super) fn is_part_merged(
    dataset: &Path,
    part: &str,
    known: &mut HashMap<PathBuf, Vec<String>>,
) -> io::Result<bool> {
    let path = dataset.join(part);
    let (Some(folder), Some(name)) = (path.parent(), path.file_stem().and_then(|name| name.to_str())) else {
        return Ok(false);
    };
    if !known.contains_key(folder) {
        let mut parts = Vec::new();
        for merged in merged_files(folder)? {
            parts.extend(Input::open(merged)?.parts().into_iter().map(str::to_owned));
        }
        known.insert(folder.to_owned(), parts);
    }
    Ok(known.get(folder).is_some_and(|parts| parts.iter().any(|known| known == name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "events/event=a/date=2026-11-23/host=h";

    /// Returns a dataset with the files `one` and `other`, and a staging folder with the file `new`.
    fn dataset() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let dataset = tempfile::tempdir().unwrap();
        let (leaf, staging) = (dataset.path().join(TABLE), dataset.path().join("_staging/x"));
        fs::create_dir_all(&leaf).unwrap();
        fs::create_dir_all(&staging).unwrap();
        for path in [leaf.join("one"), leaf.join("other"), staging.join("new")] {
            fs::write(&path, path.file_name().unwrap().as_encoded_bytes()).unwrap();
        }
        (dataset, leaf, staging)
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_replaced() {
        let (dataset, leaf, staging) = dataset();
        let (remove, add) = (["one".to_owned()], [staging.join("new")]);
        replace(dataset.path(), TABLE, &staging, &remove, &add).unwrap();
        assert_eq!(names(&leaf), ["new", "other"]);
        assert_eq!(fs::read(leaf.join("new")).unwrap(), b"new");
        // Folders without files are deleted.
        let remove = ["new".to_owned(), "other".to_owned()];
        replace(dataset.path(), TABLE, &staging, &remove, &[]).unwrap();
        assert_eq!(names(dataset.path()), ["_staging"]);
    }

    #[test]
    fn a_failed_exchange_restores_the_folder() {
        let (_dataset, leaf, staging) = dataset();
        let missing = new_leaf(&staging, TABLE);
        exchange_by_steps(&staging, TABLE, &leaf, &missing).unwrap_err();
        assert_eq!(names(&leaf), ["one", "other"]);
        assert!(!is_exchanging(&staging));
    }

    /// Where folders cannot be exchanged, a process is killed before each step. The next one completes
    /// the exchange, or the folder is as before.
    #[test]
    fn an_interrupted_exchange_is_completed() {
        for steps in 0..=4 {
            let (dataset, leaf, staging) = dataset();
            let new = new_leaf(&staging, TABLE);
            fs::create_dir(&new).unwrap();
            fs::write(new.join("merged"), "").unwrap();
            let mut todo: Vec<Box<dyn Fn()>> = vec![
                Box::new(|| fs::write(staging.join(EXCHANGE), TABLE).unwrap()),
                Box::new(|| fs::rename(&leaf, staging.join("old")).unwrap()),
                Box::new(|| fs::rename(&new, &leaf).unwrap()),
                Box::new(|| fs::remove_file(staging.join(EXCHANGE)).unwrap()),
            ];
            todo.truncate(steps);
            todo.iter().for_each(|step| step());
            complete_exchange(dataset.path(), &staging).unwrap();
            let expected: &[&str] = if steps < 2 { &["one", "other"] } else { &["merged"] };
            assert_eq!(names(&leaf), expected, "after {steps} steps");
        }
        let (_dataset, leaf, staging) = dataset();
        let new = new_leaf(&staging, TABLE);
        fs::create_dir(&new).unwrap();
        exchange_by_steps(&staging, TABLE, &leaf, &new).unwrap();
        assert_eq!(names(&leaf), [""; 0]);
    }
}
