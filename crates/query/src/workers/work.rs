//! The answers of a worker.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{DFSchema, DataFusionError, Result as PlanResult, ScalarValue};
use datafusion::execution::TaskContext;
use datafusion::execution::context::{SessionConfig, SessionContext};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::{Expr, col, lit};
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use datafusion_proto::bytes::{Serializeable, physical_plan_from_bytes_with_extension_codec};
use futures::StreamExt;
use ringtrace_events::SourceFile;
use ringtrace_tracefile::hash::Hash;
use ringtrace_tracefile::metadata::{Metadata, TRACE};
use ringtrace_tracefile::pair::PairSpec;
use ringtrace_tracefile::{Entry, FilterOptions, Flow, Options, Reader};
use tokio::sync::mpsc::Sender;
use tokio::task::JoinSet;

use super::folders::Folders;
use super::fragment::is_allowed;
use super::leaf::{Input, Leaf, LeafCodec};
use super::message::{Body, Found, Inventory, ReadOptions, Scan, Unit, UnitColumns, UnitFindings, json};
use super::schema;
use crate::dataset::Dataset;
use crate::error::{Error, ErrorKind};
use crate::opening::Opening;
use crate::pairs::Pairs;
use crate::provider;
use crate::source::{Source, Wanted};

/// The number of rows that operators process at once.
const BATCH_ROWS: usize = 1 << 14;

/// The part of the start and of the end of a trace without an id that identifies it.
const HASHED_BYTES: u64 = 1 << 20;

/// The column with the id of a row's trace.
const TRACE_COLUMN: &str = "trace";

/// The number of records among which the id of a trace is searched.
const FIRST_RECORDS: usize = 64;

/// Answers requests.
pub(super) struct Work {
    folders: Folders,
    context: SessionContext,
    threads: usize,
}

/// An opened unit.
enum Opened {
    Traces(Arc<Source>),
    Dataset(Arc<Dataset>),
}

impl Opened {
    fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>, Error> {
        match self {
            Opened::Traces(source) => provider::table(Arc::clone(source), name),
            Opened::Dataset(dataset) => dataset.table(name),
        }
    }
}

fn failed(error: impl Into<DataFusionError>) -> Error {
    let error = error.into();
    if let DataFusionError::External(inner) = error.find_root()
        && let Some(error) = inner.downcast_ref::<Error>()
    {
        return error.clone();
    }
    let text = error.strip_backtrace();
    Error::new(ErrorKind::System, text.lines().next().unwrap_or_default())
}

impl Work {
    pub(super) fn new(folders: Folders, threads: usize, memory_bytes: usize) -> Result<Work, Error> {
        let config = SessionConfig::new().with_target_partitions(threads).with_batch_size(BATCH_ROWS);
        let environment = RuntimeEnvBuilder::new().with_memory_limit(memory_bytes, 1.0).build_arc();
        let context = SessionContext::new_with_config_rt(config, environment.map_err(failed)?);
        Ok(Work { folders, context, threads })
    }

    /// Answers a request. Rows are sent to `rows`. Returns the last frame.
    pub(super) async fn answer(
        &self,
        options: &ReadOptions,
        body: Body,
        rows: &Sender<Vec<u8>>,
    ) -> Result<Vec<u8>, Error> {
        match body {
            Body::Open { paths } => json(&self.inventory(options, &paths).await?),
            Body::Columns { units, table } => {
                let columns = |unit: Unit| -> Result<UnitColumns, Error> {
                    let Some(table) = self.open(options, &unit.path)?.table(&table)? else { return Ok(None) };
                    Ok(Some(schema::encode(&table.schema()).map_err(failed)?))
                };
                json(&units.into_iter().map(columns).collect::<Result<Vec<_>, _>>()?)
            }
            Body::Run { scan, plan } => json(&self.run(options, &scan, &plan, rows).await?),
        }
    }

    async fn inventory(&self, options: &ReadOptions, paths: &[String]) -> Result<Inventory, Error> {
        let mut inventory = Inventory::default();
        for path in paths {
            let Some(real) = self.folders.find(path)? else {
                inventory.found.push(None);
                continue;
            };
            let (is_dataset, traces, tables) = match opened(options, real)? {
                Opened::Dataset(dataset) => (true, self.committed(&dataset).await?, dataset.table_names()?),
                Opened::Traces(source) => {
                    let traces = source.opening.readers()?.iter().map(identity).collect::<Result<_, _>>()?;
                    (false, traces, source.table_names()?)
                }
            };
            inventory.found.push(Some(Found { is_dataset, traces }));
            for name in tables {
                if !inventory.tables.contains(&name) {
                    inventory.tables.push(name);
                }
            }
        }
        Ok(inventory)
    }

    /// Returns the traces of a dataset. Their rows in the table `traces` are equal if they are copies
    /// of each other.
    async fn committed(&self, dataset: &Dataset) -> Result<Vec<(String, String)>, Error> {
        let Some(table) = dataset.table("traces")? else { return Ok(Vec::new()) };
        let frame = self.context.read_table(table).map_err(failed)?;
        let mut traces = Vec::new();
        for batch in frame.collect().await.map_err(failed)? {
            for row in 0..batch.num_rows() {
                let values = batch.columns().iter().map(|column| ScalarValue::try_from_array(column, row));
                let values = values.collect::<PlanResult<Vec<_>>>().map_err(failed)?;
                let text: Vec<String> = values.iter().map(ToString::to_string).collect();
                let id = text.first().cloned().unwrap_or_default();
                let mut hash = Hash::default();
                hash.add(text.join("\0").as_bytes());
                traces.push((id, hash.hex()));
            }
        }
        traces.sort();
        Ok(traces)
    }

    fn open(&self, options: &ReadOptions, path: &str) -> Result<Opened, Error> {
        let real = self.folders.find(path)?;
        let real = real.ok_or_else(|| {
            Error::new(ErrorKind::System, format!("{path}: was there at the start, but is no longer"))
        })?;
        opened(options, real)
    }

    /// Runs a part of a plan, and returns what was noticed in each unit.
    async fn run(
        &self,
        options: &ReadOptions,
        scan: &Scan,
        plan: &[u8],
        rows: &Sender<Vec<u8>>,
    ) -> Result<Vec<UnitFindings>, Error> {
        let (mut inputs, mut sources) = (Vec::new(), Vec::new());
        let schema = schema::decode(&scan.schema).map_err(failed)?;
        for unit in &scan.units {
            let opened = self.open(options, &unit.path)?;
            if let (Opened::Dataset(dataset), Some(traces)) = (&opened, &unit.traces) {
                let committed = dataset.commits()?;
                if let Some(missing) = traces.iter().find(|trace| !committed.contains_key(*trace)) {
                    let message = format!(
                        "{}: the trace {missing} was there at the start, but is no longer",
                        unit.path
                    );
                    return Err(Error::new(ErrorKind::System, message).help("run the query again"));
                }
            }
            if let Some(table) = opened.table(&scan.table)? {
                inputs.push(self.input(scan, unit, &schema, &*table).await.map_err(failed)?);
            }
            if let Opened::Traces(source) = opened {
                sources.push((unit.key.clone(), source));
            }
        }
        let context = self.context.task_ctx();
        let codec = LeafCodec(Some(Arc::new(Leaf::new(schema, inputs))));
        let plan = physical_plan_from_bytes_with_extension_codec(plan, &context, &codec).map_err(failed)?;
        // Other nodes could read and write any file.
        if !is_allowed(&plan) {
            return Err(Error::new(ErrorKind::System, "the plan contains a node that workers do not run"));
        }
        self.execute(plan, context, rows).await?;
        let findings = sources.into_iter().map(|(key, source)| (key, source.report().take().into()));
        Ok(findings.collect())
    }

    /// Plans to read a table of a unit.
    async fn input(
        &self,
        scan: &Scan,
        unit: &Unit,
        schema: &Schema,
        table: &dyn TableProvider,
    ) -> PlanResult<Input> {
        let own = table.schema();
        let wanted = schema.fields().iter().zip(&scan.names);
        let columns: Vec<Option<usize>> =
            wanted.map(|(field, names)| schema::provider(&own, names, field.data_type())).collect();
        let mut projection: Vec<usize> = columns.iter().flatten().copied().collect();
        if unit.traces.is_some() {
            projection.push(own.index_of(TRACE_COLUMN)?);
        }
        projection.sort_unstable();
        projection.dedup();
        let columns: Arc<[Option<usize>]> = columns
            .into_iter()
            .map(|column| projection.iter().position(|selected| Some(*selected) == column))
            .collect();
        let mut filters = Vec::new();
        for condition in &scan.conditions {
            let condition = Expr::from_bytes_with_ctx(condition, &self.context.task_ctx())?;
            // The unit may have another column of the same name.
            let is_same = |name: &str| {
                let column = schema.index_of(name).ok().and_then(|index| columns[index]);
                column.is_some_and(|column| own.field(projection[column]).name() == name)
            };
            let mut is_usable = true;
            condition.apply(|node| {
                if let Expr::Column(column) = node {
                    is_usable &= is_same(&column.name);
                }
                Ok(datafusion::common::tree_node::TreeNodeRecursion::Continue)
            })?;
            if is_usable {
                filters.push(condition);
            }
        }
        let has_all = filters.len() == scan.conditions.len();
        let state = self.context.state();
        let Some(traces) = &unit.traces else {
            let rows = scan.rows.filter(|_| has_all);
            return Ok(Input { plan: table.scan(&state, Some(&projection), &filters, rows).await?, columns });
        };
        // The scan uses this condition to select files. Merged files also contain rows of other traces.
        let is_own = col(TRACE_COLUMN).in_list(traces.iter().map(lit).collect(), false);
        filters.push(is_own.clone());
        let plan = table.scan(&state, Some(&projection), &filters, None).await?;
        let is_own = state.create_physical_expr(is_own, &DFSchema::try_from(plan.schema())?)?;
        Ok(Input { plan: Arc::new(FilterExec::try_new(is_own, plan)?), columns })
    }

    /// Runs the partitions of a plan, some at a time.
    async fn execute(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        context: Arc<TaskContext>,
        rows: &Sender<Vec<u8>>,
    ) -> Result<(), Error> {
        let mut running: JoinSet<Result<(), Error>> = JoinSet::new();
        let ended = |ended: Option<Result<Result<(), Error>, tokio::task::JoinError>>| match ended {
            Some(Err(error)) => Err(Error::new(ErrorKind::System, format!("internal error: {error}"))),
            Some(Ok(result)) => result,
            None => Ok(()),
        };
        for partition in 0..plan.output_partitioning().partition_count() {
            if running.len() >= self.threads {
                ended(running.join_next().await)?;
            }
            let (plan, context, rows) = (Arc::clone(&plan), Arc::clone(&context), rows.clone());
            running.spawn(async move {
                let mut batches = plan.execute(partition, context).map_err(failed)?;
                while let Some(batch) = batches.next().await {
                    let batch = schema::encode_rows(&batch.map_err(failed)?).map_err(failed)?;
                    if rows.send(batch).await.is_err() {
                        // The client is gone.
                        break;
                    }
                }
                Ok(())
            });
        }
        while !running.is_empty() {
            ended(running.join_next().await)?;
        }
        Ok(())
    }
}

fn opened(options: &ReadOptions, real: PathBuf) -> Result<Opened, Error> {
    if Dataset::is_at(&real) {
        return Ok(Opened::Dataset(Arc::new(Dataset::open(&real)?)));
    }
    let sources = options.declarations.iter();
    let sources = sources.map(|(name, text)| SourceFile::from_bytes(name.as_str(), text.as_bytes()));
    let reading = Options {
        sources: sources.collect(),
        keep_going: options.keep_going,
        strict: options.strict,
        ..Options::default()
    };
    let opening = Opening { paths: vec![real], options: reading, ..Opening::default() };
    let filter = FilterOptions { include: options.events.clone(), ..FilterOptions::default() };
    let pairs = options.pairs.iter().map(|pair| PairSpec::parse(pair)).collect::<Result<_, _>>()?;
    let pairs = Pairs { pairs, files: Vec::new() };
    let source = Source::open(opening, Wanted { filter, ..Wanted::default() }, pairs)?;
    Ok(Opened::Traces(Arc::new(source)))
}

/// Returns the id of a trace, and a text that is equal for copies of it.
fn identity(reader: &Reader) -> Result<(String, String), Error> {
    let paths: Vec<PathBuf> = match reader.files() {
        Some(files) => files.paths().cloned().collect(),
        None => vec![PathBuf::from(reader.name())],
    };
    let mut bytes = 0;
    for path in &paths {
        bytes += path.metadata().map_err(|error| Error::system(path.display(), &error))?.len();
    }
    let id = match (stated_id(reader), paths.first()) {
        (Some(id), _) => id,
        (None, Some(path)) => ends(path, bytes).map_err(|error| Error::system(path.display(), &error))?,
        (None, None) => reader.name().to_owned(),
    };
    Ok((id, format!("{bytes} bytes")))
}

/// Returns the id that a trace contains. It precedes the first records.
fn stated_id(reader: &Reader) -> Option<String> {
    let id = |reader: &Reader| {
        reader.metadata().iter().find_map(|piece| match piece {
            Metadata::Other(key, value) if key == TRACE => Some(String::from_utf8_lossy(value).into_owned()),
            _ => None,
        })
    };
    id(reader).or_else(|| {
        let (mut again, mut left) = (reader.again()?, FIRST_RECORDS);
        // Ignore errors: they are reported when the whole trace is read.
        let _ = again.for_each(|_: &Entry<'_>| {
            left -= 1;
            if left > 0 { Flow::Continue } else { Flow::Stop }
        });
        id(&again)
    })
}

/// Returns a hash of the start and the end of a file, and of the size of the trace.
fn ends(path: &Path, bytes: u64) -> std::io::Result<String> {
    let mut file = fs::File::open(path)?;
    let (mut start, mut end) = (Vec::new(), Vec::new());
    (&mut file).take(HASHED_BYTES).read_to_end(&mut start)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(HASHED_BYTES)))?;
    file.take(HASHED_BYTES).read_to_end(&mut end)?;
    let mut hash = Hash::default();
    for piece in [&start[..], &end, bytes.to_string().as_bytes()] {
        hash.add(piece);
    }
    Ok(hash.hex())
}
