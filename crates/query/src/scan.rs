//! The plan node that decodes a table.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, internal_err};
use datafusion::datasource::TableType;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, ReplaceChildrenOptions};
use datafusion::physical_plan::stream::{RecordBatchReceiverStream, RecordBatchStreamAdapter};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};
use futures::StreamExt;
use ringtrace_tracefile::columns::{Batch, ReadError, Request, TableKind, read};
use ringtrace_tracefile::pair::Description;
use ringtrace_tracefile::{Needs, Schemas};
use tokio::sync::mpsc::Sender;

use crate::columns::{Arrangement, Columns};
use crate::error::Error;
use crate::pairs;
use crate::provider::plan_at_once;
use crate::pushdown::{Limits, Usable};
use crate::source::{Contents, Source};

/// The number of batches that are decoded in advance. It limits the memory of a query.
const BATCHES_AHEAD: usize = 2;

/// A table that is decoded each time it is read.
#[derive(Debug)]
pub struct TraceTable {
    source: Arc<Source>,
    name: String,
    contents: Contents,
    columns: Arc<Columns>,
    usable: Usable,
}

impl TraceTable {
    /// Creates the table `name` of `source`.
    pub(crate) fn new(name: &str, source: Arc<Source>, contents: Contents) -> Result<TraceTable, Error> {
        let columns = Arc::new(source.columns(&contents)?);
        let usable = source.usable(&contents);
        Ok(TraceTable { source, name: name.to_owned(), contents, columns, usable })
    }
}

impl TraceTable {
    fn plan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let selected = projection.cloned().unwrap_or_else(|| (0..self.schema().fields().len()).collect());
        let schema = Arc::new(self.schema().project(&selected)?);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        // Spans are numbered across all pairs.
        let needs_all_pairs = self.usable == Usable::Spans && schema.column_with_name("span").is_some();
        let usable = if needs_all_pairs { Usable::Nothing } else { self.usable };
        Ok(Arc::new(TraceScan {
            source: Arc::clone(&self.source),
            name: self.name.clone(),
            contents: self.contents.clone(),
            columns: Arc::clone(&self.columns),
            selected,
            limits: Limits::of(filters, usable),
            rows: limit,
            schema,
            properties: Arc::new(properties),
        }))
    }
}

impl TableProvider for TraceTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.columns.schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let one = |filter: &&Expr| match Limits::can_use(filter, self.usable) {
            true => TableProviderFilterPushDown::Inexact,
            false => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(one).collect())
    }

    plan_at_once!();
}

/// Decodes a table in a thread of its own.
#[derive(Debug, Clone)]
struct TraceScan {
    source: Arc<Source>,
    name: String,
    contents: Contents,
    columns: Arc<Columns>,
    /// The selected columns.
    selected: Vec<usize>,
    limits: Limits,
    /// The largest number of rows.
    rows: Option<usize>,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

impl DisplayAs for TraceScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.schema.fields().iter().map(|field| field.name().as_str()).collect();
        write!(f, "TraceScan: table={}, columns=[{}]{}", self.name, names.join(", "), self.limits)?;
        self.rows.map_or(Ok(()), |rows| write!(f, ", limit={rows}"))
    }
}

impl ExecutionPlan for TraceScan {
    fn name(&self) -> &'static str {
        "TraceScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("{} has no inputs", self.name()) }
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("{} has no inputs", self.name()) }
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(TraceScan { rows: limit, ..self.clone() }))
    }

    fn fetch(&self) -> Option<usize> {
        self.rows
    }

    fn execute(&self, _: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let mut builder = RecordBatchReceiverStream::builder(Arc::clone(&self.schema), BATCHES_AHEAD);
        let (scan, sender) = (self.clone(), builder.tx());
        let stop = Arc::new(AtomicBool::new(false));
        let guard = StopGuard(Arc::clone(&stop));
        builder.spawn_blocking(move || scan.decode(stop, &sender).map_err(DataFusionError::from));
        // A query that needs no further rows drops the stream, and so the guard.
        let stream = builder.build().inspect(move |_| {
            let _ = &guard;
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), stream)))
    }
}

/// Ends the decoding when it is dropped.
#[derive(Debug)]
struct StopGuard(Arc<AtomicBool>);

impl Drop for StopGuard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The reason why a sink refuses a batch.
enum Refused {
    /// The query needs no further rows.
    Enough,
    Failed(Error),
}

impl TraceScan {
    /// Decodes the table, and sends its batches until the receiver is gone.
    fn decode(&self, stop: Arc<AtomicBool>, sender: &Sender<Result<RecordBatch>>) -> Result<(), Error> {
        let source = &self.source;
        let mut filter = source.filter.clone();
        if let Contents::Event(name) = &self.contents {
            let is_wanted = Limits::event(name).apply(&mut filter, source.anchor, source.has_several);
            if !is_wanted {
                return Ok(());
            }
        }
        if !self.limits.apply(&mut filter, source.anchor, source.has_several) {
            return Ok(());
        }
        let description = self.description()?;
        if matches!(self.contents, Contents::Spans(_)) && description.is_empty() {
            return Ok(());
        }
        let schemas = source.schemas(&description)?;
        let schemas: Vec<&Schemas> = schemas.iter().map(AsRef::as_ref).collect();
        let mut tracker = pairs::tracker(description, &schemas)?;
        let mut traces = source.opening.gather(source.opening.readers()?, Needs::default())?;
        let request = Request {
            columns: Some(self.columns.requested(&self.selected)),
            stop: Some(Arc::clone(&stop)),
            ..source.request(&self.contents, filter)
        };
        let mut arrangement =
            Arrangement::new(Arc::clone(&self.columns), self.selected.clone(), Arc::clone(&self.schema));
        let mut left = self.rows.unwrap_or(usize::MAX);
        let sink = |batch: &mut Batch| -> Result<(), Refused> {
            // A pattern can match further events.
            let is_other = match (&self.contents, batch.table.kind) {
                (Contents::Event(event), TableKind::Event(_)) => batch.table.name != *event,
                _ => false,
            };
            if is_other {
                return Ok(());
            }
            let mut batch = arrangement.arrange(std::mem::take(batch)).map_err(Refused::Failed)?;
            if batch.num_rows() > left {
                batch = batch.slice(0, left);
            }
            left -= batch.num_rows();
            sender.blocking_send(Ok(batch)).map_err(|_| Refused::Enough)?;
            if left == 0 { Err(Refused::Enough) } else { Ok(()) }
        };
        let outcome = match read(&mut traces, &mut tracker, request, sink) {
            Ok(outcome) => outcome,
            Err(ReadError::Sink(Refused::Enough)) => return Ok(()),
            Err(ReadError::Sink(Refused::Failed(error))) => return Err(error),
            Err(ReadError::Pair(error)) => return Err(error.into()),
        };
        if !stop.load(Ordering::Relaxed) {
            source.report.add(&traces.readers(), &outcome.read_errors, outcome.dropped);
        }
        Ok(())
    }

    /// Returns the pairs and counters to follow.
    fn description(&self) -> Result<Description, Error> {
        let mut description = self.source.description_of(&self.contents)?;
        if let (Contents::Spans(_), Some(names)) = (&self.contents, self.limits.pairs()) {
            description.pairs.retain(|pair| names.contains(&pair.name));
        }
        Ok(description)
    }
}
