//! The tables of a fleet, and the plan node that receives rows from workers.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::TableType;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::display::DisplayableExecutionPlan;
use datafusion::physical_plan::execution_plan::{
    Boundedness, EmissionType, ReplaceChildrenOptions, SchedulingType,
};
use datafusion::physical_plan::stream::{RecordBatchReceiverStream, RecordBatchStreamAdapter};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};
use datafusion_proto::bytes::Serializeable;
use futures::{StreamExt, stream};

use super::client::{Answer, WorkerError};
use super::fleet::{Fleet, Share};
use super::fragment::encode;
use super::leaf::{Leaf, with_schema};
use super::message::{Body, Scan};
use super::schema::{self, Combined};
use crate::error::{Error, ErrorKind};
use crate::provider::plan_at_once;

/// The number of batches that are received in advance from each worker.
const BATCHES_AHEAD: usize = 2;

/// A table with the rows of all traces of a fleet.
#[derive(Debug)]
pub(crate) struct FleetTable {
    fleet: Arc<Fleet>,
    name: String,
    columns: Arc<Combined>,
    schema: SchemaRef,
}

impl FleetTable {
    pub(super) fn new(fleet: Arc<Fleet>, name: &str, columns: Arc<Combined>) -> FleetTable {
        let schema = columns.schema();
        FleetTable { fleet, name: name.to_owned(), columns, schema }
    }
}

impl FleetTable {
    fn plan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let selected = projection.cloned().unwrap_or_else(|| (0..self.schema.fields().len()).collect());
        let schema = Arc::new(self.schema.project(&selected)?);
        // A condition that cannot be sent is checked above this node.
        let conditions = filters.iter().filter_map(|filter| Some(filter.to_bytes().ok()?.to_vec()));
        let reading = Reading {
            fleet: Arc::clone(&self.fleet),
            table: self.name.clone(),
            names: selected.iter().map(|&column| self.columns.names()[column].clone()).collect(),
            schema: schema::encode(&schema)?,
            conditions: conditions.collect(),
            rows: limit,
            shares: self.fleet.shares()?,
        };
        Ok(Arc::new(Remote::new(Arc::new(reading), Arc::new(Leaf::new(schema, Vec::new())))))
    }
}

impl TableProvider for FleetTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    plan_at_once!();
}

/// The rows and columns that workers read.
#[derive(Debug)]
struct Reading {
    fleet: Arc<Fleet>,
    table: String,
    names: Vec<Vec<String>>,
    schema: Vec<u8>,
    conditions: Vec<Vec<u8>>,
    rows: Option<usize>,
    shares: Vec<Share>,
}

/// Receives the rows of a part of a plan that workers run. Each worker is a partition.
#[derive(Debug, Clone)]
pub(super) struct Remote {
    reading: Arc<Reading>,
    /// The part of the plan, above a placeholder for the table.
    part: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl Remote {
    fn new(reading: Arc<Reading>, part: Arc<dyn ExecutionPlan>) -> Remote {
        // With one partition, an aggregation would not be divided into two halves.
        let partitions = reading.shares.len().max(2);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(part.schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        // A receiver yields to other tasks.
        let properties = properties.with_scheduling_type(SchedulingType::Cooperative);
        Remote { reading, part, properties: Arc::new(properties) }
    }

    pub(super) fn part(&self) -> &Arc<dyn ExecutionPlan> {
        &self.part
    }

    pub(super) fn with_part(&self, part: Arc<dyn ExecutionPlan>) -> Remote {
        Remote::new(Arc::clone(&self.reading), part)
    }
}

impl DisplayAs for Remote {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = self.part.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        write!(f, "WorkerScan: table={}, columns=[{}]", self.reading.table, names.join(", "))?;
        let plan = DisplayableExecutionPlan::new(&*self.part).indent(false).to_string();
        let nodes: Vec<&str> = plan.lines().map(str::trim).filter(|line| *line != "Leaf").collect();
        if !nodes.is_empty() {
            write!(f, ", on workers=[{}]", nodes.join(" <- "))?;
        }
        let shares = self.reading.shares.iter();
        let shares: Vec<String> = shares
            .map(|share| format!("{} ({})", self.reading.fleet.address(share.worker), share.traces))
            .collect();
        write!(f, ", traces=[{}]", shares.join(", "))
    }
}

impl ExecutionPlan for Remote {
    fn name(&self) -> &'static str {
        "WorkerScan"
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

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let schema = self.part.schema();
        let share = self.reading.shares.get(partition).cloned();
        let (reading, plan) = (Arc::clone(&self.reading), encode(&self.part)?);
        // A join executes both sides before it reads the second one. A worker would wait meanwhile.
        let first_poll = {
            let schema = Arc::clone(&schema);
            async move { receive(reading, plan, share, schema) }
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, stream::once(first_poll).flatten())))
    }
}

/// Sends a part of a plan to a worker, and receives the rows.
fn receive(
    reading: Arc<Reading>,
    plan: Vec<u8>,
    share: Option<Share>,
    schema: SchemaRef,
) -> SendableRecordBatchStream {
    let mut builder = RecordBatchReceiverStream::builder(Arc::clone(&schema), BATCHES_AHEAD);
    let Some(share) = share else { return builder.build() };
    let sender = builder.tx();
    builder.spawn(async move {
        let fleet = &reading.fleet;
        let scan = Scan {
            units: share.units,
            table: reading.table.clone(),
            schema: reading.schema.clone(),
            names: reading.names.clone(),
            conditions: reading.conditions.clone(),
            rows: reading.rows,
        };
        let receive = async {
            let body = Body::Run { scan, plan };
            let mut exchange =
                fleet.client().send(fleet.address(share.worker), fleet.options(), body).await?;
            loop {
                let rows = match exchange.next().await? {
                    Answer::Rows(rows) => rows,
                    Answer::Done(answer) => {
                        fleet.note(share.worker, exchange.parse(&answer)?);
                        return Ok(());
                    }
                };
                let unreadable = |error| {
                    let message = format!("worker {}: {error}", fleet.address(share.worker));
                    WorkerError::Failed(Error::new(ErrorKind::System, message))
                };
                for batch in schema::decode_rows(&rows).map_err(unreadable)? {
                    let rows = batch.num_rows();
                    let batch = with_schema(&schema, batch.columns().to_vec(), rows).map_err(unreadable)?;
                    if sender.send(Ok(batch)).await.is_err() {
                        // The query needs no further rows.
                        return Ok(());
                    }
                }
            }
        };
        receive.await.map_err(|error: WorkerError| {
            if let WorkerError::Lost(error) = &error {
                fleet.lose(share.worker, error.clone());
            }
            error.into_error().into()
        })
    });
    builder.build()
}
