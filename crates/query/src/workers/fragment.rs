//! Moves parts of a plan to the workers.
//!
//! A worker can run a node if it processes the rows of each trace alone: a condition, a projection,
//! the first half of an aggregation, or a limit for each partition. The client runs the others.

use std::any::Any;
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::physical_expr::expressions::{
    BinaryExpr, CaseExpr, CastExpr, Column, InListExpr, IsNotNullExpr, IsNullExpr, LikeExpr, Literal,
    NegativeExpr, NotExpr, TryCastExpr,
};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateMode};
use datafusion::physical_plan::execution_plan::{ChildrenPropertiesMode, ReplaceChildrenOptions};
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::limit::LocalLimitExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion_proto::bytes::physical_plan_to_bytes_with_extension_codec;

use super::leaf::{Leaf, LeafCodec};
use super::remote::Remote;

/// Moves nodes above a [`Remote`] into it.
#[derive(Debug)]
pub(crate) struct MoveToWorkers;

impl PhysicalOptimizerRule for MoveToWorkers {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(moved).data()
    }

    fn name(&self) -> &'static str {
        "move_to_workers"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn moved(node: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let remote = match node.children()[..] {
        [child] => (&**child as &dyn Any).downcast_ref::<Remote>().cloned(),
        _ => None,
    };
    let Some(remote) = remote.filter(|_| is_local(&*node)) else { return Ok(Transformed::no(node)) };
    let recompute = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
    let part = Arc::clone(&node).replace_children(vec![Arc::clone(remote.part())], recompute)?;
    // A node that cannot be sent stays at the client.
    match encode(&part) {
        Ok(_) => Ok(Transformed::yes(Arc::new(remote.with_part(part)))),
        Err(_) => Ok(Transformed::no(node)),
    }
}

/// Encodes a part of a plan.
pub(super) fn encode(part: &Arc<dyn ExecutionPlan>) -> Result<Vec<u8>> {
    Ok(physical_plan_to_bytes_with_extension_codec(Arc::clone(part), &LeafCodec::default())?.to_vec())
}

/// Returns whether all nodes of a received part are such that this program sends.
pub(super) fn is_allowed(part: &Arc<dyn ExecutionPlan>) -> bool {
    let is_leaf = (&**part as &dyn Any).is::<Leaf>();
    is_leaf || (is_local(&**part) && part.children().into_iter().all(is_allowed))
}

/// Returns whether a node can process the rows of each trace alone.
fn is_local(node: &dyn ExecutionPlan) -> bool {
    let node = node as &dyn Any;
    if let Some(filter) = node.downcast_ref::<FilterExec>() {
        return is_known(filter.predicate());
    }
    if let Some(projection) = node.downcast_ref::<ProjectionExec>() {
        return projection.expr().iter().all(|column| is_known(&column.expr));
    }
    if let Some(aggregate) = node.downcast_ref::<AggregateExec>() {
        let groups = aggregate.group_expr();
        let keys = groups.expr().iter().chain(groups.null_expr()).map(|(expression, _)| expression);
        let functions = aggregate.aggr_expr();
        return *aggregate.mode() == AggregateMode::Partial
            && keys.chain(aggregate.filter_expr().iter().flatten()).all(is_known)
            && functions.iter().all(|function| {
                function.order_bys().is_empty() && function.expressions().iter().all(is_known)
            });
    }
    node.is::<LocalLimitExec>()
}

/// Returns whether a worker computes an expression as the client does. Others, such as subqueries,
/// may depend on the state of the query.
fn is_known(expression: &Arc<dyn PhysicalExpr>) -> bool {
    let known = &**expression as &dyn Any;
    let is_known_type = known.is::<Column>()
        || known.is::<Literal>()
        || known.is::<BinaryExpr>()
        || known.is::<CastExpr>()
        || known.is::<TryCastExpr>()
        || known.is::<CaseExpr>()
        || known.is::<InListExpr>()
        || known.is::<IsNullExpr>()
        || known.is::<IsNotNullExpr>()
        || known.is::<LikeExpr>()
        || known.is::<NegativeExpr>()
        || known.is::<NotExpr>()
        || known.is::<ScalarFunctionExpr>();
    is_known_type && expression.children().into_iter().all(is_known)
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::Schema;
    use datafusion::physical_plan::empty::EmptyExec;

    use super::*;

    #[test]
    fn workers_run_no_other_sources() {
        let schema = Arc::new(Schema::empty());
        let leaf: Arc<dyn ExecutionPlan> = Arc::new(Leaf::new(Arc::clone(&schema), Vec::new()));
        let other: Arc<dyn ExecutionPlan> = Arc::new(EmptyExec::new(schema));
        let limit = |input| -> Arc<dyn ExecutionPlan> { Arc::new(LocalLimitExec::new(input, 1)) };
        assert!(is_allowed(&leaf) && is_allowed(&limit(Arc::clone(&leaf))));
        assert!(!is_allowed(&other) && !is_allowed(&limit(other)));
    }
}
