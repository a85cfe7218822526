//! Datasets of many traces: Parquet files, as `docs/formats/dataset.md` describes them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef, TimeUnit};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::datasource::{MemTable, TableType, ViewTable, provider_as_source};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, TableProviderFilterPushDown, col, lit};
use datafusion::object_store::ObjectMeta;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use ringtrace_events::nearest::nearest;
use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::failure::failed;
use crate::layout::{SETTINGS, VERSION, data_type};
use crate::provider::plan_at_once;
use crate::pushdown::values;
use crate::source::quoted;
use crate::store::Remote;

/// The prefix of the names of files with rows of several traces.
const MERGED: &str = "merged.";

/// How often the files of a table are listed if traces are replaced in the meantime. The last time, such
/// traces are left out.
const MAX_LISTINGS: usize = 5;

/// The tables besides those of events and pairs, and their folders.
const TABLES: [(&str, &str); 7] = [
    ("events", "events"),
    ("spans", "spans"),
    ("drops", "dropped"),
    ("pauses", "pauses"),
    ("steps", "steps"),
    ("counters", "counters"),
    ("traces", "traces"),
];

/// The value of a partition for rows without a date or host.
const UNKNOWN: &str = "unknown";

/// A dataset.
#[derive(Debug)]
pub struct Dataset {
    root: PathBuf,
    /// The dataset in an object store. `root` is then empty.
    remote: Option<Remote>,
}

/// A file of a table.
#[derive(Debug, Clone)]
struct Part {
    meta: ObjectMeta,
    /// The id of the trace, or `None` in a file with rows of several traces.
    trace: Option<String>,
    /// The values of the partitions, by name.
    partitions: Vec<(String, String)>,
}

impl Dataset {
    /// Returns whether there is a dataset at `path`.
    pub fn is_at(path: &Path) -> bool {
        path.join(SETTINGS).is_file()
    }

    /// Opens the dataset at `path`.
    ///
    /// # Errors
    /// The settings cannot be read, or are those of another version.
    pub fn open(path: &Path) -> Result<Dataset, Error> {
        let failed = |error: &std::io::Error| Error::system(path.display(), error);
        let root = path.canonicalize().map_err(|error| failed(&error))?;
        let settings = json(&root.join(SETTINGS))?;
        match settings.get("version").and_then(Value::as_u64) {
            Some(VERSION) => Ok(Dataset { root, remote: None }),
            found => {
                let found = found.map_or("no version".to_owned(), |found| format!("version {found}"));
                let message =
                    format!("{}: expected a dataset of version {VERSION}, found {found}", path.display());
                Err(Error::new(ErrorKind::Input, message))
            }
        }
    }

    /// Opens the dataset at `url`, in an object store. Traces that are added later are not read.
    ///
    /// # Errors
    /// The store cannot be reached, or there is no dataset, or it has another version.
    pub async fn open_url(url: &str) -> Result<Dataset, Error> {
        Ok(Dataset { root: PathBuf::new(), remote: Some(Remote::open(url).await?) })
    }

    pub(crate) fn remote(&self) -> Option<&Remote> {
        self.remote.as_ref()
    }

    /// Reads the types of the columns of the table `name` from an object store.
    pub(crate) async fn prepare(&self, name: &str) -> Result<(), Error> {
        let Some(remote) = &self.remote else { return Ok(()) };
        if TABLES.iter().any(|(known, _)| known.eq_ignore_ascii_case(name) && *known != "spans") {
            return Ok(());
        }
        match self.partition_values("events", "event")?.contains(name) {
            true => {
                remote.read_columns(&format!("events/{}.json", self.encoded("events", "event", name)?)).await
            }
            false => remote.read_columns("spans.json").await,
        }
    }

    /// Returns the names of all tables.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn table_names(&self) -> Result<Vec<String>, Error> {
        let mut names: Vec<String> = TABLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        names.extend(self.partition_values("events", "event")?);
        names.extend(self.partition_values("spans", "pair")?);
        Ok(names)
    }

    /// Returns the table `name`: one of the fixed ones, an event, or a pair.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>, Error> {
        let name = if name.eq_ignore_ascii_case("dropped") { "drops" } else { name };
        let fixed = TABLES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let table = match fixed {
            Some((_, folder)) => Some((*folder, None)),
            None if self.partition_values("events", "event")?.contains(name) => {
                Some(("events", Some("event")))
            }
            None if self.partition_values("spans", "pair")?.contains(name) => Some(("spans", Some("pair"))),
            None => None,
        };
        let Some((folder, partition)) = table else { return Ok(None) };
        if let (Some(remote), "traces") = (&self.remote, folder) {
            let schema: SchemaRef = Arc::new(Schema::new(common(folder)));
            let rows = remote.rows(&schema).and_then(|rows| MemTable::try_new(schema, vec![rows]));
            return rows.map(|rows| Some(Arc::new(rows) as _)).map_err(|error| failed(&error, ""));
        }
        let (mut parts, replaced) = self.parts(folder)?;
        if let Some(partition) = partition {
            parts.retain(|part| part.partition(partition) == Some(name));
        }
        let columns = match (folder, partition) {
            ("events", Some(_)) => {
                let encoded = self.encoded(folder, "event", name)?;
                self.columns(&format!("events/{encoded}.json"))?
            }
            ("spans", _) => self.columns("spans.json")?,
            _ => Vec::new(),
        };
        let mut fields = common(folder);
        fields.extend(columns);
        let partitions: &[&str] = match folder {
            "traces" => &[],
            "events" => &["event", "date", "host"],
            "spans" => &["pair", "date", "host"],
            _ => &["date", "host"],
        };
        let partitions: Vec<FieldRef> =
            partitions.iter().map(|name| -> FieldRef { Arc::new(text(name)) }).collect();
        let table =
            TableSchema::builder(Arc::new(Schema::new(fields))).with_table_partition_cols(partitions).build();
        let url = match &self.remote {
            Some(remote) => ObjectStoreUrl::parse(remote.bucket().0).map_err(|error| failed(&error, ""))?,
            None => ObjectStoreUrl::local_filesystem(),
        };
        let dataset_table: Arc<dyn TableProvider> = Arc::new(DatasetTable { table, parts, url });
        without(dataset_table, replaced).map(Some)
    }

    /// Returns advice for a table that does not exist.
    pub fn advice(&self, name: &str) -> String {
        let names = self.table_names().unwrap_or_default();
        match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{}`?", quoted(near)),
            None => "`show tables` lists the tables".to_owned(),
        }
    }

    /// Returns the names of the folders in the folder of a table.
    fn folders(&self, folder: &str) -> Result<Vec<String>, Error> {
        match &self.remote {
            Some(remote) => Ok(remote.folders(folder)),
            None => names(&self.root.join(folder)),
        }
    }

    /// Returns the values of the first partition of a table.
    fn partition_values(&self, folder: &str, partition: &str) -> Result<BTreeSet<String>, Error> {
        let names = self.folders(folder)?;
        let values =
            names.iter().filter_map(|name| Some(decoded(name.strip_prefix(partition)?.strip_prefix('=')?)));
        Ok(values.collect())
    }

    /// Returns the value of a partition as it is written in names of folders.
    fn encoded(&self, folder: &str, partition: &str, value: &str) -> Result<String, Error> {
        let names = self.folders(folder)?;
        let encoded = names.iter().filter_map(|name| name.strip_prefix(partition)?.strip_prefix('='));
        Ok(encoded.into_iter().find(|encoded| decoded(encoded) == value).unwrap_or(value).to_owned())
    }

    /// Returns the columns of arguments in a file of `_columns`.
    fn columns(&self, file: &str) -> Result<Vec<Field>, Error> {
        if let Some(remote) = &self.remote {
            return Ok(remote.columns(file));
        }
        let path = self.root.join("_columns").join(file);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let columns = json(&path)?;
        let columns = columns.as_object().into_iter().flatten();
        Ok(columns
            .map(|(name, kind)| Field::new(name, data_type(kind.as_str().unwrap_or_default()), true))
            .collect())
    }

    /// Returns the ids of all committed traces, with the inodes and times of their rows' files.
    pub(crate) fn commits(&self) -> Result<HashMap<String, (u64, i64, i64)>, Error> {
        let mut files = Vec::new();
        collect(&self.root.join("traces"), &mut files)?;
        let state = |path: &PathBuf| {
            let metadata = fs::metadata(path).ok()?;
            Some((stem(path)?, (metadata.ino(), metadata.mtime(), metadata.mtime_nsec())))
        };
        Ok(files.iter().filter_map(state).collect())
    }

    /// Returns the ids of traces that are being replaced. Merged files may contain their earlier rows.
    fn replaced(&self, commits: &HashSet<String>) -> Result<Vec<String>, Error> {
        let staging = self.root.join("_staging");
        let mut replaced = Vec::new();
        for name in names(&staging)? {
            // The folder may be deleted at any moment. Files with earlier rows do not exist any more then.
            let Ok(journal) = fs::read(staging.join(name).join("commit")) else { continue };
            let journal: Value = serde_json::from_slice(&journal).unwrap_or_default();
            replaced.extend(journal["trace"].as_str().map(ToOwned::to_owned));
        }
        replaced.retain(|trace| !commits.contains(trace));
        Ok(replaced)
    }

    /// Returns the files of a table that belong to committed traces.
    ///
    /// Also returns the traces whose rows in merged files are not valid.
    fn parts(&self, folder: &str) -> Result<(Vec<Part>, Vec<String>), Error> {
        if let Some(remote) = &self.remote {
            let part = |part: &crate::store::Part| Part {
                meta: part.meta.clone(),
                trace: Some(part.trace.clone()),
                partitions: partitions(part.name.split('/')),
            };
            return Ok((remote.parts(folder).map(part).collect(), Vec::new()));
        }
        // A trace that is replaced in the meantime can have files that are listed, and others.
        let mut files = Vec::new();
        let mut attempts = 0;
        let committed: HashSet<String> = loop {
            let before = self.commits()?;
            files.clear();
            collect(&self.root.join(folder), &mut files)?;
            let after = self.commits()?;
            let is_same = |(trace, state): &(&String, &_)| after.get(*trace) == Some(*state);
            attempts += 1;
            if attempts == MAX_LISTINGS || before.iter().all(|commit| is_same(&commit)) {
                break before.iter().filter(is_same).map(|(trace, _)| trace.clone()).collect();
            }
        };
        files.sort();
        let replaced = self.replaced(&committed)?;
        let mut parts = Vec::new();
        for path in files {
            let Some(name) = stem(&path) else { continue };
            let is_merged = name.starts_with(MERGED);
            let trace = if is_merged {
                None
            } else if folder == "traces" {
                Some(name.as_str())
            } else {
                name.rsplit_once('-').map(|(it, _)| it)
            };
            if !is_merged && !trace.is_some_and(|trace| committed.contains(trace)) {
                continue;
            }
            let relative = path.strip_prefix(&self.root).unwrap_or(&path);
            parts.push(Part {
                meta: meta(&path)?,
                trace: trace.map(ToOwned::to_owned),
                partitions: partitions(relative.iter().filter_map(|name| name.to_str())),
            });
        }
        Ok((parts, replaced))
    }
}

impl Part {
    fn partition(&self, name: &str) -> Option<&str> {
        let value = self.partitions.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        value.filter(|value| *value != UNKNOWN || name == "event" || name == "pair")
    }

    /// Returns the value of a column that is the same in all rows, if it is one.
    fn constant(&self, column: &str) -> Option<Option<&str>> {
        match column {
            "trace" => self.trace.as_deref().map(Some),
            "event" | "pair" | "date" | "host" if self.partitions.iter().any(|(name, _)| name == column) => {
                Some(self.partition(column))
            }
            _ => None,
        }
    }
}

/// Returns the names and values of partitions in the names of folders.
fn partitions<'n>(names: impl Iterator<Item = &'n str>) -> Vec<(String, String)> {
    let partition = |name: &str| {
        let (name, value) = name.split_once('=')?;
        Some((name.to_owned(), decoded(value)))
    };
    names.filter_map(partition).collect()
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}

/// Returns the columns of a table's files without arguments.
fn common(folder: &str) -> Vec<Field> {
    let integer = |name: &str| Field::new(name, DataType::Int64, true);
    let date = |name: &str| Field::new(name, DataType::Timestamp(TimeUnit::Microsecond, None), true);
    let integers = |names: &[&str]| names.iter().map(|name| integer(name)).collect::<Vec<_>>();
    let texts = |names: &[&str]| names.iter().map(|name| text(name)).collect::<Vec<_>>();
    let times = || vec![integer("time_ns"), integer("wall_ns"), date("time")];
    let owner = || [texts(&["trace"]), integers(&["pid", "tid"]), texts(&["thread"])].concat();
    match folder {
        "traces" => [
            texts(&["trace", "host", "boot", "machine"]),
            integers(&["pid"]),
            texts(&["command", "executable", "build_id"]),
            integers(&["anchor_ns", "anchor_wall_ns", "first_ns", "last_ns"]),
            vec![date("first_time"), date("last_time")],
            integers(&["records", "spans", "dropped", "overwritten", "refused"]),
            texts(&["declarations", "damage", "files", "renamed"]),
            integers(&["parts", "schema_version"]),
        ]
        .concat(),
        "events" => [times(), owner(), integers(&["cpu"])].concat(),
        "spans" => [
            integers(&["span"]),
            texts(&["track", "outcome"]),
            integers(&["begin_ns", "end_ns", "latency_ns", "wall_ns"]),
            vec![date("time")],
            owner(),
            texts(&["begin_event", "end_event"]),
        ]
        .concat(),
        "dropped" => {
            [times(), owner(), texts(&["cause"]), vec![Field::new("dropped", DataType::UInt64, true)]]
                .concat()
        }
        "pauses" => [texts(&["trace"]), integers(&["begin_ns", "end_ns", "duration_ns"])].concat(),
        "steps" => [texts(&["pair"]), integers(&["span"]), texts(&["step"]), times(), owner()].concat(),
        _ => [texts(&["counter", "track"]), times(), owner(), integers(&["value"])].concat(),
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

fn json(path: &Path) -> Result<Value, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::system(path.display(), &error))?;
    serde_json::from_str(&text)
        .map_err(|error| Error::new(ErrorKind::Input, format!("{}: not valid JSON: {error}", path.display())))
}

/// Returns the names in a folder, sorted; none if the folder does not exist.
fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let failed = |error: &std::io::Error| Error::system(folder.display(), error);
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(names),
        entries => entries.map_err(|error| failed(&error))?,
    };
    for entry in entries {
        names.extend(entry.map_err(|error| failed(&error))?.file_name().into_string().ok());
    }
    names.sort();
    Ok(names)
}

/// Adds the Parquet files in `folder` and below to `files`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for name in names(folder)? {
        let path = folder.join(&name);
        if name.ends_with(".parquet") {
            files.push(path);
        } else if name.contains('=') {
            collect(&path, files)?;
        }
    }
    Ok(())
}

fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_str()?.to_owned())
}

fn meta(path: &Path) -> Result<ObjectMeta, Error> {
    let failed = |error: &std::io::Error| Error::system(path.display(), error);
    let found = path.metadata().map_err(|error| failed(&error))?;
    let location = object_store::path::Path::from_absolute_path(path)
        .map_err(|error| failed(&std::io::Error::other(error)))?;
    let modified = found.modified().map_err(|error| failed(&error))?;
    Ok(ObjectMeta { location, last_modified: modified.into(), size: found.len(), e_tag: None, version: None })
}

/// Returns a table without the rows of the traces `replaced`.
fn without(table: Arc<dyn TableProvider>, replaced: Vec<String>) -> Result<Arc<dyn TableProvider>, Error> {
    if replaced.is_empty() {
        return Ok(table);
    }
    let plan = || {
        let is_replaced = col("trace").in_list(replaced.into_iter().map(lit).collect(), false);
        let rows = LogicalPlanBuilder::scan("dataset", provider_as_source(table), None)?;
        rows.filter(is_replaced.is_not_true())?.build()
    };
    let plan = plan().map_err(|error| Error::new(ErrorKind::System, error.to_string()))?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}

/// A table of a dataset.
#[derive(Debug)]
struct DatasetTable {
    table: TableSchema,
    parts: Vec<Part>,
    /// The file system, or the bucket.
    url: ObjectStoreUrl,
}

impl DatasetTable {
    fn plan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let wanted: HashMap<&str, Vec<&ScalarValue>> = filters.iter().filter_map(values).collect();
        let is_wanted = |part: &&Part| {
            wanted.iter().all(|(column, values)| match part.constant(column) {
                Some(Some(constant)) => {
                    values.iter().any(|value| value.try_as_str().flatten() == Some(constant))
                }
                Some(None) => false,
                None => true,
            })
        };
        let parts: Vec<&Part> = self.parts.iter().filter(is_wanted).collect();
        let schema = self.schema();
        if parts.is_empty() {
            let schema = match projection {
                Some(selected) => Arc::new(schema.project(selected)?),
                None => schema,
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let mut source = ParquetSource::new(self.table.clone());
        if let Some(condition) = conjunction(filters.to_vec()) {
            let columns = DFSchema::try_from(Arc::clone(&schema))?;
            source = source.with_predicate(session.create_physical_expr(condition, &columns)?);
        }
        let file = |part: &&Part| {
            let values = self.table.table_partition_cols().iter();
            let values =
                values.map(|field| ScalarValue::Utf8(part.partition(field.name()).map(ToOwned::to_owned)));
            PartitionedFile::new_from_meta(part.meta.clone()).with_partition_values(values.collect())
        };
        let group = parts.len().div_ceil(session.config().target_partitions().max(1));
        let groups = parts.chunks(group).map(|parts| FileGroup::new(parts.iter().map(file).collect()));
        let config = FileScanConfigBuilder::new(self.url.clone(), Arc::new(source))
            .with_file_groups(groups.collect())
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

impl TableProvider for DatasetTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.table.table_schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    plan_at_once!();
}
