//! The tables of opened traces.

use std::sync::Arc;

use datafusion::catalog::TableProvider;

use crate::error::Error;
use crate::scan::TraceTable;
use crate::source::{Contents, Source};
use crate::summaries::SummaryTable;

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
