//! The plan node at the bottom of the part of a plan that a worker runs.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, ReplaceChildrenOptions};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning, PlanProperties,
};
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use futures::StreamExt;

/// Rows of a table. On the client, it is a placeholder without inputs.
#[derive(Debug)]
pub(super) struct Leaf {
    inputs: Vec<Input>,
    /// The input and its partition, for each partition.
    partitions: Vec<(usize, usize)>,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

/// The rows of a unit.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) plan: Arc<dyn ExecutionPlan>,
    /// For each column of the leaf, the column of the plan; `None` if all values are null.
    pub(super) columns: Arc<[Option<usize>]>,
}

impl Leaf {
    pub(super) fn new(schema: SchemaRef, inputs: Vec<Input>) -> Leaf {
        let partitions: Vec<(usize, usize)> = inputs
            .iter()
            .enumerate()
            .flat_map(|(index, input)| {
                (0..input.plan.output_partitioning().partition_count())
                    .map(move |partition| (index, partition))
            })
            .collect();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            Partitioning::UnknownPartitioning(partitions.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Leaf { inputs, partitions, schema, properties: Arc::new(properties) }
    }
}

impl DisplayAs for Leaf {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Leaf")
    }
}

impl ExecutionPlan for Leaf {
    fn name(&self) -> &'static str {
        "Leaf"
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

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let Some(&(input, partition)) = self.partitions.get(partition) else {
            return internal_err!("there is no partition {partition}");
        };
        let input = &self.inputs[input];
        let (columns, schema) = (Arc::clone(&input.columns), Arc::clone(&self.schema));
        let rows = input.plan.execute(partition, context)?.map(move |batch| {
            let batch = batch?;
            let arranged: Vec<ArrayRef> = columns
                .iter()
                .zip(schema.fields())
                .map(|(column, field)| match column {
                    Some(column) => Arc::clone(batch.column(*column)),
                    None => new_null_array(field.data_type(), batch.num_rows()),
                })
                .collect();
            Ok(with_schema(&schema, arranged, batch.num_rows())?)
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), rows)))
    }
}

/// Creates a batch, which can have no columns.
pub(super) fn with_schema(
    schema: &SchemaRef,
    columns: Vec<ArrayRef>,
    rows: usize,
) -> Result<RecordBatch, datafusion::arrow::error::ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}

/// Encodes a [`Leaf`] as nothing, and decodes it as the leaf that it contains.
#[derive(Debug, Default)]
pub(super) struct LeafCodec(pub(super) Option<Arc<Leaf>>);

impl PhysicalExtensionCodec for LeafCodec {
    fn try_decode(
        &self,
        _: &[u8],
        _: &[Arc<dyn ExecutionPlan>],
        _: &TaskContext,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match &self.0 {
            Some(leaf) => Ok(Arc::clone(leaf) as _),
            None => internal_err!("the plan has an unknown node"),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        _: &mut Vec<u8>,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        if node.name() == "Leaf" { Ok(()) } else { internal_err!("{} cannot be sent", node.name()) }
    }
}
