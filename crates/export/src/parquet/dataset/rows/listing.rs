//! The files of a dataset that contain selected rows.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::folder;
use super::super::merge::{State, is_merged, trace_of};
use super::super::staging::{at, committed, parts_of};
use crate::dataset::{SelectError, Selection};

/// How often the files are listed if traces are replaced in the meantime.
const MAX_LISTINGS: usize = 5;

/// The tables whose rows are read.
const TABLES: [&str; 4] = ["events", "spans", "dropped", "pauses"];

/// A file of a table.
#[derive(Debug)]
pub(super) struct TableFile {
    pub(super) path: PathBuf,
    pub(super) table: &'static str,
    /// The event or the pair, if the table has such a partition.
    pub(super) value: Option<String>,
    /// The id of the trace, or `None` if the file is merged.
    pub(super) trace: Option<String>,
}

/// The files of selected rows, and the ids of all committed traces.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) files: Vec<TableFile>,
    pub(super) committed: BTreeSet<String>,
}

impl Listing {
    /// Lists the files. Pauses of other dates are included, because a pause has the date of its begin.
    pub(super) fn new(dataset: &Path, selection: &Selection) -> io::Result<Listing> {
        let mut attempts = 0;
        loop {
            let before = commits(dataset)?;
            let mut files = Vec::new();
            for table in TABLES {
                let any_date = Selection { date: None, ..selection.clone() };
                let selection = if table == "pauses" { &any_date } else { selection };
                collect(&dataset.join(table), table, None, selection, &mut files)?;
            }
            attempts += 1;
            // A trace that is replaced in the meantime can have files that are listed, and others.
            if before == commits(dataset)? || attempts == MAX_LISTINGS {
                let committed: BTreeSet<String> = before.into_keys().collect();
                files.retain(|file| file.trace.as_ref().is_none_or(|trace| committed.contains(trace)));
                files.sort_by(|a, b| a.path.cmp(&b.path));
                return Ok(Listing { files, committed });
            }
        }
    }
}

/// Returns the committed traces, with the states of their rows' files.
fn commits(dataset: &Path) -> io::Result<BTreeMap<String, State>> {
    let folder = dataset.join("traces");
    let mut commits = BTreeMap::new();
    for name in names(&folder)? {
        let Some(id) = name.strip_suffix(".parquet") else { continue };
        // The trace may just be replaced.
        if let Ok(metadata) = fs::metadata(folder.join(&name)) {
            commits.insert(id.to_owned(), State::of(&metadata));
        }
    }
    Ok(commits)
}

fn collect(
    path: &Path,
    table: &'static str,
    value: Option<&str>,
    selection: &Selection,
    files: &mut Vec<TableFile>,
) -> io::Result<()> {
    for name in names(path)? {
        let below = path.join(&name);
        if let Some((key, encoded)) = name.split_once('=') {
            let decoded = matches!(key, "event" | "pair").then(|| decoded(encoded));
            if selects(selection, key, encoded) {
                collect(&below, table, decoded.as_deref().or(value), selection, files)?;
            }
        } else if let Some(stem) = name.strip_suffix(".parquet") {
            let trace = (!is_merged(stem)).then(|| trace_of(stem).to_owned());
            let other = |selected: &String| trace.as_ref().is_some_and(|trace| trace != selected);
            if !selection.trace.as_ref().is_some_and(other) {
                files.push(TableFile { path: below, table, value: value.map(str::to_owned), trace });
            }
        }
    }
    Ok(())
}

/// Checks that the selected files of a trace exist, or are merged. `present` are the paths of files of
/// `ingest`, relative to the dataset.
pub(super) fn check_parts(
    dataset: &Path,
    id: &str,
    selection: &Selection,
    present: &HashSet<String>,
) -> io::Result<()> {
    let is_selected = |part: &String| {
        let table = part.split('/').next().unwrap_or_default();
        let selects = |name: &str| match name.split_once('=') {
            Some((key, encoded)) => selects(selection, key, encoded),
            None => true,
        };
        TABLES.contains(&table) && part.split('/').all(selects)
    };
    let parts = parts_of(&committed(dataset, id))?.unwrap_or_default();
    match parts.into_iter().filter(is_selected).find(|part| !present.contains(part)) {
        None => Ok(()),
        Some(part) => {
            let message = format!("the file of the trace {id} is missing");
            Err(at(&dataset.join(part))(io::Error::new(io::ErrorKind::NotFound, message)))
        }
    }
}

/// Returns whether a selection includes the folder `key=encoded`.
fn selects(selection: &Selection, key: &str, encoded: &str) -> bool {
    match key {
        "date" => selection.date.as_ref().is_none_or(|date| date == encoded),
        "host" => selection.host.as_ref().is_none_or(|host| is_value(encoded, host)),
        _ => true,
    }
}

/// Returns whether the name of a partition's folder, after `=`, is that of `value`, which may be
/// written as in names of folders.
fn is_value(encoded: &str, value: &str) -> bool {
    encoded == value || encoded == folder(value)
}

/// Returns the error for a selection without events: which of its values does not exist.
pub(super) fn nothing(dataset: &Path, selection: &Selection) -> SelectError {
    let listed = |selection: &Selection| Listing::new(dataset, selection);
    let Ok(all) = listed(&Selection::default()) else { return SelectError::Nothing };
    let events = || all.files.iter().filter(|file| file.table == "events");
    let partitions = |key: &str| -> BTreeSet<String> {
        let partition = |file: &TableFile| {
            let names = file.path.iter().filter_map(|name| name.to_str());
            names
                .filter_map(|name| name.split_once('='))
                .find(|(known, _)| *known == key)
                .map(|found| found.1.to_owned())
        };
        events().filter_map(partition).collect()
    };
    let unknown = |key, value: &str, known: BTreeSet<String>| SelectError::Unknown {
        key,
        value: value.to_owned(),
        known: known.iter().map(|name| decoded(name)).collect(),
    };
    if let Some(host) = &selection.host {
        let hosts = partitions("host");
        if !hosts.iter().any(|encoded| is_value(encoded, host)) {
            return unknown("host", host, hosts);
        }
    }
    if let Some(date) = &selection.date {
        let dates = partitions("date");
        if !dates.contains(date) {
            return unknown("date", date, dates);
        }
    }
    match &selection.trace {
        Some(trace) if !all.committed.contains(trace) => unknown("trace", trace, all.committed),
        _ => SelectError::Nothing,
    }
}

/// Decodes `%XX` in the name of a folder.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = name.as_bytes();
    while let [first, more @ ..] = rest {
        let hex = more.get(..2).filter(|_| *first == b'%').and_then(|hex| str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the names in a folder, sorted; none if the folder does not exist.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
        entries => entries.map_err(at(folder))?,
    };
    for entry in entries {
        names.extend(entry.map_err(at(folder))?.file_name().into_string().ok());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_recognized_as_names_and_as_folders() {
        for name in ["alpha", "a/../b c=%\u{f6}", "unknown"] {
            assert_eq!(decoded(&folder(name)), name);
            assert!(is_value(&folder(name), name) && is_value(&folder(name), &folder(name)));
        }
        assert!(!is_value("alpha", "alph") && is_value(&folder(&"x".repeat(300)), &"x".repeat(300)));
    }
}
