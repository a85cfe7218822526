//! Adds traces to a dataset, a folder with the records of many traces, and reads its rows.

mod compact;
mod footer;
mod leaf;
mod merge;
mod names;
mod parts;
mod row;
mod rows;
mod staging;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::file::metadata::KeyValue;
use ringtrace_tracefile::align::Origin;
use ringtrace_tracefile::columns::Request;
use ringtrace_tracefile::hash::Hash;
use ringtrace_tracefile::metadata::{Anchor, BOOT, BUILD_ID, COMMAND, EXECUTABLE, HOST, MACHINE};
use ringtrace_tracefile::pair::SpanTracker;
use ringtrace_tracefile::{Reader, Traces};
use serde_json::{Map, Value, json};

use super::chunk::Encoder;
use super::files::folder_name;
use super::writer::Writer;
use super::{LIMITS, Metadata, ParquetFolder, SCHEMA_VERSION, request};
use crate::dataset::identity::text;
use crate::dataset::{Identity, Ingested, SETTINGS};
use crate::exporter::TraceInfo;
use crate::run::{Error, Exported};
use names::Names;
use parts::{Contents, Parts};
use row::Cell;
use staging::{HASHES, Lock, PARTS, Staging, at, content_hash, staged};

pub use rows::SelectedRows;
pub use staging::remove_unfinished;

/// A dataset in a local folder.
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    is_signed: bool,
    replaces_vanished: bool,
}

impl Dataset {
    /// Opens the dataset in `folder`, which is created if it is missing or empty. With `signed`, a new
    /// dataset stores unsigned integers of 64 bits as signed ones.
    ///
    /// # Errors
    /// The folder contains other files, or a dataset of another version; or `signed` is set, and the
    /// dataset has unsigned columns; or the folder cannot be written, or is a URL.
    pub fn open(folder: &Path, signed: bool) -> io::Result<Dataset> {
        if folder.to_str().is_some_and(|name| name.contains("://")) {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                format!(
                    "{}: this library writes datasets to local folders; the command `ringtrace ingest` also writes \
                     to object stores",
                    folder.display()
                ),
            ));
        }
        let settings = folder.join(SETTINGS);
        let mut found = names::read(&settings)?;
        if found.is_empty() {
            let entries = match fs::read_dir(folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                entries => Some(entries.map_err(at(folder))?),
            };
            let is_other = |entry: &fs::DirEntry| entry.file_name() != staging::STAGING;
            if let Some(other) = entries.into_iter().flatten().filter_map(Result::ok).find(is_other) {
                return Err(io::Error::other(format!(
                    "{} is not a dataset: it contains `{}`, and no {SETTINGS}",
                    folder.display(),
                    other.file_name().display()
                )));
            }
            let _lock = Lock::take(folder)?;
            found = names::read(&settings)?;
            if found.is_empty() {
                found = Map::from_iter([
                    ("version".to_owned(), SCHEMA_VERSION.into()),
                    ("signed".to_owned(), signed.into()),
                ]);
                names::write(&settings, &found)?;
            }
        }
        check_version(folder, &found)?;
        let is_signed = found.get("signed").and_then(Value::as_bool) == Some(true);
        if signed && !is_signed {
            return Err(io::Error::other(format!(
                "--signed: the dataset {} was created without it; create another dataset",
                folder.display()
            )));
        }
        Ok(Dataset { folder: folder.to_owned(), is_signed, replaces_vanished: false })
    }

    /// Checks that `folder` contains a dataset of the current version.
    fn check_version(folder: &Path) -> io::Result<()> {
        check_version(folder, &names::read(&folder.join(SETTINGS))?)
    }

    /// With `replacing`, a trace replaces earlier rows of files that it does not have any more, such as
    /// the oldest ones of a rotated trace.
    #[must_use]
    pub fn replacing_vanished(self, replacing: bool) -> Dataset {
        Dataset { replaces_vanished: replacing, ..self }
    }

    /// Adds all of `traces`, which are the files of one trace, or replaces it, unless nothing of them
    /// can be read. `tracker` follows the spans.
    ///
    /// # Errors
    /// The dataset cannot be written, or an event does not match the description of pairs. The dataset
    /// is then unchanged.
    pub fn ingest(
        &self,
        traces: &mut Traces,
        tracker: &mut SpanTracker,
        identity: &Identity,
    ) -> Result<Ingested, Error> {
        let staging = Staging::new(&self.folder, &identity.id).map_err(Error::Write)?;
        let anchor = traces.times().anchor;
        let host = traces.aligned().origins.first().and_then(|origin| origin.host.clone());
        let info = TraceInfo {
            anchor,
            description: tracker.description().clone(),
            schemas: traces.readers().iter().map(|reader| Arc::clone(reader.schemas())).collect(),
            ..TraceInfo::default()
        };
        let origin = Origin { name: identity.id.as_str().into(), ..Origin::default() };
        let mut request = Request { origins: Some(Arc::new([origin])), ..request(LIMITS, anchor) };
        // The names of folders contain these.
        request.without.push("host".to_owned());
        let contents = Arc::new(Mutex::new(Contents::default()));
        let metadata = self.metadata(identity);
        let parts = Parts {
            folder: staging.path().to_owned(),
            trace: identity.id.clone(),
            host: host.as_deref().map_or("unknown".to_owned(), folder),
            anchor,
            limits: LIMITS,
            metadata: metadata.clone(),
            names: Names::new(&self.folder, self.is_signed),
            contents: Arc::clone(&contents),
            tables: Default::default(),
            row_groups: 0,
            encoder: Encoder::default(),
        };
        let writer = Writer::start(parts).map_err(Error::Write)?;
        let exporter = ParquetFolder::new(request, &info, writer).map_err(Error::Write)?;
        let exported = crate::run(traces, tracker, Box::new(exporter), 1)?;
        let contents = std::mem::take(&mut *contents.lock().unwrap_or_else(PoisonError::into_inner));
        let names: Vec<String> = traces.readers().iter().flat_map(|reader| files(reader)).collect();
        let vanished = match self.replaces_vanished {
            true => Vec::new(),
            false => {
                let before =
                    row::read(&staging::committed(&self.folder, &identity.id)).map_err(Error::Write)?;
                before.map_or(Vec::new(), |before| {
                    vanished(&before, &names, contents.range_ns, contents.records)
                })
            }
        };
        let cells = cells(traces, identity, anchor, &contents, &exported);
        let list = contents.parts.join("\n");
        let staged = |part: &String| content_hash(&staging.path().join(staged(part)));
        let hashes =
            contents.parts.iter().map(staged).collect::<io::Result<Vec<_>>>().map_err(Error::Write)?;
        let lists = [(PARTS, list), (HASHES, hashes.join("\n"))];
        let lists = lists.map(|(key, list)| KeyValue::new(key.to_owned(), list));
        let metadata = [metadata, lists.into()].concat();
        let publish = || {
            row::write(&staging::row(staging.path()), cells, &metadata)?;
            staging.publish(&self.folder, &identity.id, &contents.parts)
        };
        // A trace of which nothing can be read does not replace what was readable before.
        let is_added = vanished.is_empty() && (!contents.parts.is_empty() || exported.read_errors.is_empty());
        let has_changed = is_added && publish().map_err(Error::Write)?;
        let Exported { read_errors, dropped } = exported;
        let Contents { records, spans, renamed, parts, .. } = contents;
        let (parts, is_unchanged) = (parts.len(), !has_changed);
        Ok(Ingested {
            is_added,
            vanished,
            records,
            spans,
            parts,
            is_unchanged,
            renamed,
            read_errors,
            dropped,
        })
    }

    fn metadata(&self, identity: &Identity) -> Metadata {
        let pair = |key: &str, value: String| KeyValue::new(format!("ringtrace.{key}"), value);
        vec![
            pair("schema_version", SCHEMA_VERSION.to_string()),
            pair("trace", identity.id.clone()),
            pair("signed", self.is_signed.to_string()),
        ]
    }
}

/// Checks the version in the settings of a dataset.
fn check_version(folder: &Path, settings: &Map<String, Value>) -> io::Result<()> {
    if settings.get("version").and_then(Value::as_u64) == Some(SCHEMA_VERSION.into()) {
        return Ok(());
    }
    let version = settings.get("version").map_or("none".to_owned(), Value::to_string);
    Err(io::Error::other(format!(
        "{} has schema version {version}; this ringtrace writes version {SCHEMA_VERSION}",
        folder.display()
    )))
}

/// Returns the values of the trace in the table `traces`.
fn cells(
    traces: &Traces,
    identity: &Identity,
    anchor: Option<Anchor>,
    contents: &Contents,
    exported: &Exported,
) -> Vec<(&'static str, Cell)> {
    let readers = traces.readers();
    let piece = |key: &str| Cell::Text(readers.iter().find_map(|reader| text(reader.metadata(), key)));
    let words = readers.iter().find_map(|reader| text(reader.metadata(), COMMAND));
    let words = words.map(|words| words.trim_end_matches('\0').replace('\0', " "));
    let integer = |number: u64| Cell::Integer(Some(number.cast_signed()));
    let ns = |ns: Option<u64>| Cell::Integer(ns.map(u64::cast_signed));
    let time = |ns: Option<u64>| {
        let wall_ns = anchor.zip(ns).map(|(anchor, ns)| anchor.realtime_ns(ns));
        Cell::Time(wall_ns.and_then(|ns| i64::try_from(ns.div_euclid(1000)).ok()))
    };
    let (first, last) = (contents.range_ns.map(|range| range.0), contents.range_ns.map(|range| range.1));
    let lines = |lines: Vec<String>| if lines.is_empty() { None } else { Some(lines.join("\n")) };
    let missing = readers.iter().flat_map(|reader| reader.missing_parts());
    let damage = missing.chain(&exported.read_errors).map(ToString::to_string).collect();
    let causes = exported.dropped.causes;
    let mut renamed = Map::new();
    for (table, argument, column) in &contents.renamed {
        renamed.entry(table).or_insert_with(|| json!({}))[argument] = column.as_str().into();
    }
    vec![
        ("trace", Cell::Text(Some(identity.id.clone()))),
        ("host", piece(HOST)),
        ("boot", piece(BOOT)),
        ("machine", piece(MACHINE)),
        ("pid", Cell::Integer(identity.pid.map(i64::from))),
        ("command", Cell::Text(words)),
        ("executable", piece(EXECUTABLE)),
        ("build_id", piece(BUILD_ID)),
        ("anchor_ns", ns(anchor.map(|anchor| anchor.monotonic_ns))),
        ("anchor_wall_ns", Cell::Integer(anchor.and_then(|anchor| i64::try_from(anchor.realtime_ns).ok()))),
        ("first_ns", ns(first)),
        ("last_ns", ns(last)),
        ("first_time", time(first)),
        ("last_time", time(last)),
        ("records", integer(contents.records)),
        ("spans", integer(contents.spans)),
        ("dropped", integer(causes.dropped)),
        ("overwritten", integer(causes.overwritten)),
        ("refused", integer(causes.refused)),
        ("declarations", Cell::Text(Some(declarations(&readers)))),
        ("damage", Cell::Text(lines(damage))),
        ("files", Cell::Text(lines(readers.iter().flat_map(|reader| files(reader)).collect()))),
        ("renamed", Cell::Text((!renamed.is_empty()).then(|| Value::Object(renamed).to_string()))),
        ("parts", integer(contents.parts.len() as u64)),
        ("schema_version", integer(SCHEMA_VERSION.into())),
    ]
}

/// Returns a hash of the declarations of all events.
fn declarations(readers: &[&Reader]) -> String {
    let mut all: Vec<&str> = Vec::new();
    for reader in readers {
        all.extend(reader.schemas().all().map(|(_, schema)| &*schema.declaration));
    }
    all.sort_unstable();
    all.dedup();
    let mut hash = Hash::default();
    all.iter().for_each(|declaration| hash.add(declaration.as_bytes()));
    hash.hex()
}

/// Returns the files of the row `before` that are not among `names`, if the trace now lacks records that
/// it had.
fn vanished(
    before: &row::Earlier,
    names: &[String],
    range_ns: Option<(u64, u64)>,
    records: u64,
) -> Vec<String> {
    let is_shorter = match (before.range_ns, range_ns) {
        (Some(before), Some(now)) => before.0 < now.0 || before.1 > now.1,
        (Some(_), None) => true,
        (None, _) => false,
    };
    if !is_shorter && before.records <= records {
        return Vec::new();
    }
    // Files may have been moved or compressed.
    let plain = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let ending = [".gz", ".zst", ".xz"].into_iter().find_map(|ending| name.strip_suffix(ending));
        ending.unwrap_or(name).to_owned()
    };
    let now: Vec<String> = names.iter().map(|name| plain(name)).collect();
    before.files.iter().filter(|file| !now.contains(&plain(file))).cloned().collect()
}

/// Returns the names of a trace's files.
fn files(reader: &Reader) -> Vec<String> {
    match reader.files() {
        Some(files) => files.paths().map(|path| path.display().to_string()).collect(),
        None => vec![reader.file().to_owned()],
    }
}

/// Returns the folder name for an event, a pair or a machine.
fn folder(name: &str) -> String {
    let mut hash = Hash::default();
    hash.add(name.as_bytes());
    folder_name(name, hash.hex())
}
