//! Reads datasets in object stores.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::{ArrayRef, RecordBatch, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{Field, SchemaRef};
use futures::{StreamExt, TryStreamExt, stream};
use object_store::{ObjectMeta, ObjectStore};
use serde_json::{Map, Value};
use url::Url;

use super::commit::Commit;
use super::{CONCURRENT_REQUESTS, Store, settings};
use crate::error::{Error, ErrorKind};
use crate::layout::{SETTINGS, data_type};

/// The traces that were committed when the dataset was opened.
#[derive(Debug)]
pub(crate) struct Remote {
    store: Store,
    rows: Vec<RecordBatch>,
    parts: Vec<Part>,
    /// The types of the columns of arguments that were read, by the name of their file.
    columns: Mutex<HashMap<String, Vec<Field>>>,
}

/// A file of a committed trace.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// The name, relative to the dataset.
    pub(crate) name: String,
    pub(crate) trace: String,
    pub(crate) meta: ObjectMeta,
}

impl Remote {
    /// Reads which traces the dataset at `url` contains.
    pub(crate) async fn open(url: &str) -> Result<Remote, Error> {
        let store = Store::connect(url)?;
        let Some(found) = store.read(SETTINGS).await? else {
            // Fails if there is no bucket.
            store.list("traces").await?;
            let message = format!("{}: there is no dataset: {SETTINGS} is missing", store.name);
            return Err(Error::new(ErrorKind::Input, message)
                .help("`ringtrace ingest` creates datasets; traces cannot be read from object stores"));
        };
        settings::check_version(&store, &settings::parse(&store, SETTINGS, &found.bytes)?)?;
        let names = store.list("traces").await?;
        let commits: Vec<(String, Commit)> = stream::iter(names)
            .map(|(name, _)| {
                let store = &store;
                async move {
                    let Some(found) = store.read(&name).await? else { return Ok(None) };
                    let commit = Commit::read(found.bytes).map_err(|error| {
                        Error::new(ErrorKind::Input, format!("{}/{name}: {error}", store.name))
                    })?;
                    let trace = name.strip_prefix("traces/").and_then(|name| name.strip_suffix(".parquet"));
                    Ok::<_, Error>(trace.map(|trace| (trace.to_owned(), commit)))
                }
            })
            .buffered(CONCURRENT_REQUESTS)
            .try_filter_map(async |found| Ok(found.filter(|(_, commit)| commit.is_committed)))
            .try_collect()
            .await?;
        let sizes = sizes(&store, &commits).await?;
        let mut parts = Vec::new();
        for (trace, commit) in &commits {
            for (name, size) in &commit.parts {
                let Some(size) = size.or_else(|| sizes.get(name).copied()) else {
                    let message = format!("{}/{name} is missing", store.name);
                    return Err(Error::new(ErrorKind::Input, message).help("ingest the trace again"));
                };
                let meta = ObjectMeta {
                    location: store.key(name)?,
                    // Names of other contents differ.
                    last_modified: Default::default(),
                    size,
                    e_tag: None,
                    version: None,
                };
                parts.push(Part { name: name.clone(), trace: trace.clone(), meta });
            }
        }
        parts.sort_by(|one, other| one.name.cmp(&other.name));
        let rows = commits.into_iter().map(|(_, commit)| commit.row).collect();
        Ok(Remote { store, rows, parts, columns: Mutex::default() })
    }

    /// Returns the client of the bucket, and its URL.
    pub(crate) fn bucket(&self) -> (&Url, Arc<dyn ObjectStore>) {
        (&self.store.bucket, Arc::clone(&self.store.objects))
    }

    /// Returns the files of a table.
    pub(crate) fn parts<'r>(&'r self, folder: &'r str) -> impl Iterator<Item = &'r Part> {
        let is_in = move |part: &&Part| part.name.split('/').next() == Some(folder);
        self.parts.iter().filter(is_in)
    }

    /// Returns the names of the folders in the folder of a table.
    pub(crate) fn folders(&self, folder: &str) -> Vec<String> {
        let names: BTreeSet<&str> =
            self.parts(folder).filter_map(|part| part.name.split('/').nth(1)).collect();
        names.into_iter().map(ToOwned::to_owned).collect()
    }

    /// Returns the rows of the table `traces`. Columns that a row does not have are null.
    pub(crate) fn rows(&self, schema: &SchemaRef) -> datafusion::common::Result<Vec<RecordBatch>> {
        let row = |row: &RecordBatch| {
            let column = |field: &Arc<Field>| -> datafusion::common::Result<ArrayRef> {
                match row.column_by_name(field.name()) {
                    Some(column) => Ok(cast(column, field.data_type())?),
                    None => Ok(new_null_array(field.data_type(), row.num_rows())),
                }
            };
            let columns = schema.fields().iter().map(column).collect::<Result<_, _>>()?;
            Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
        };
        self.rows.iter().map(row).collect()
    }

    /// Reads a file with the types of columns.
    pub(crate) async fn read_columns(&self, file: &str) -> Result<(), Error> {
        let is_known = |columns: &Mutex<HashMap<String, Vec<Field>>>| {
            columns.lock().unwrap_or_else(PoisonError::into_inner).contains_key(file)
        };
        if is_known(&self.columns) {
            return Ok(());
        }
        let name = format!("{}/{file}", settings::COLUMNS);
        let columns = match self.store.read(&name).await? {
            Some(found) => settings::parse(&self.store, &name, &found.bytes)?,
            None => Map::new(),
        };
        let field = |(name, kind): (&String, &Value)| {
            Field::new(name, data_type(kind.as_str().unwrap_or_default()), true)
        };
        let fields = columns.iter().map(field).collect();
        self.columns.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned(), fields);
        Ok(())
    }

    /// Returns the columns in a file that was read.
    pub(crate) fn columns(&self, file: &str) -> Vec<Field> {
        let columns = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        columns.get(file).cloned().unwrap_or_default()
    }
}

/// Returns the sizes of all files, if a commit does not contain them: the dataset was copied from a
/// folder.
async fn sizes(store: &Store, commits: &[(String, Commit)]) -> Result<HashMap<String, u64>, Error> {
    let is_known = |(_, commit): &(String, Commit)| commit.parts.iter().all(|(_, size)| size.is_some());
    if commits.iter().all(is_known) {
        return Ok(HashMap::new());
    }
    Ok(store.list("").await?.into_iter().collect())
}
