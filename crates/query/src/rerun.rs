//! Queries on workers that are run again if a worker is lost.

use std::collections::HashMap;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::ScalarValue;
use datafusion::common::utils::memory::RecordBatchMemoryCounter;
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::parser::Statement;
use futures::StreamExt;

use crate::error::{Error, ErrorKind};
use crate::failure::failed;
use crate::session::{Session, Tables};

/// How often a query is run again because workers were lost.
pub const MAX_RERUNS: usize = 3;

/// The complete result of a statement.
#[derive(Debug)]
pub struct Rows {
    /// The columns.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
    /// Whether the rows are a plan, of `explain`.
    pub is_plan: bool,
}

/// Runs a statement of the text `sql`, and returns its result when it is complete. If a worker is
/// lost, runs it again on the others.
///
/// # Errors
/// The statement is wrong or fails, its result is larger than the session's limit for memory, or
/// only lost workers have a trace.
pub async fn collect(
    session: &Session,
    statement: &Statement,
    sql: &str,
    parameters: &HashMap<String, ScalarValue>,
) -> Result<Rows, Error> {
    let losses = || match session.tables() {
        Tables::Fleet(fleet) => fleet.losses(),
        Tables::Traces(_) | Tables::Dataset(_) => 0,
    };
    let mut reruns = 0;
    loop {
        let before = losses();
        let error = match attempt(session, statement, sql, parameters).await {
            Ok(rows) => return Ok(rows),
            Err(error) => error,
        };
        if losses() == before {
            return Err(error);
        }
        if reruns == MAX_RERUNS {
            let message = format!("{}; the query was run {MAX_RERUNS} times again already", error.message);
            return Err(Error { message, ..error });
        }
        reruns += 1;
    }
}

async fn attempt(
    session: &Session,
    statement: &Statement,
    sql: &str,
    parameters: &HashMap<String, ScalarValue>,
) -> Result<Rows, Error> {
    let frame = session.plan(statement.clone(), sql, parameters).await?;
    let is_plan = matches!(frame.logical_plan(), LogicalPlan::Explain(_) | LogicalPlan::Analyze(_));
    let failed = |error| failed(&error, sql);
    let mut rows = frame.execute_stream().await.map_err(failed)?;
    let (schema, mut batches) = (rows.schema(), Vec::new());
    let mut memory = RecordBatchMemoryCounter::new();
    while let Some(batch) = rows.next().await {
        let batch = batch.map_err(failed)?;
        memory.count_batch(&batch);
        if memory.memory_usage() > session.resources().memory_bytes {
            return Err(Error::new(ErrorKind::System, "the result needs too much memory")
                .help("with --workers, it is kept until it is complete; --memory sets the limit"));
        }
        batches.push(batch);
    }
    Ok(Rows { schema, batches, is_plan })
}
