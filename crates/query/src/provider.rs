//! The tables of opened traces.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::error::DataFusionError;
use datafusion::physical_plan::ExecutionPlan;
use futures::future::BoxFuture;

use crate::error::Error;
use crate::scan::TraceTable;
use crate::source::{Contents, Source};
use crate::summaries::SummaryTable;

/// What [`TableProvider::scan`] returns.
pub(crate) type Scan<'scan> = BoxFuture<'scan, Result<Arc<dyn ExecutionPlan>, DataFusionError>>;

/// Implements [`TableProvider::scan`] for a type whose function `plan` has the same arguments, and returns the
/// result at once.
///
/// An `async fn scan` would contain its arguments, and would have to be `Send`. To prove that takes the compiler
/// eight seconds for each of them, because an [`Expr`](datafusion::logical_expr::Expr) can contain all of SQL's syntax.
macro_rules! plan_at_once {
    () => {
        fn scan<'table, 'session, 'projection, 'filters, 'scan>(
            &'table self,
            session: &'session dyn ::datafusion::catalog::Session,
            projection: Option<&'projection Vec<usize>>,
            filters: &'filters [::datafusion::logical_expr::Expr],
            limit: Option<usize>,
        ) -> $crate::provider::Scan<'scan>
        where
            'table: 'scan,
            'session: 'scan,
            'projection: 'scan,
            'filters: 'scan,
            Self: 'scan,
        {
            Box::pin(::std::future::ready(self.plan(session, projection, filters, limit)))
        }
    };
}

pub(crate) use plan_at_once;

/// Returns the table `name` of traces.
///
/// # Errors
/// A file cannot be opened, or the name is an invalid pair.
pub(crate) fn table(source: Arc<Source>, name: &str) -> Result<Option<Arc<dyn TableProvider>>, Error> {
    Ok(match source.contents(name)? {
        None => None,
        Some(contents @ (Contents::Traces | Contents::Threads)) => {
            Some(Arc::new(SummaryTable::new(source, contents)))
        }
        Some(contents) => Some(Arc::new(TraceTable::new(name, source, contents)?)),
    })
}
