//! SQL over traces, with DataFusion.
//!
//! [`Source`] opens traces, [`Dataset`] a dataset of many traces, [`workers::Fleet`] connects to
//! programs that read them on other machines, and [`Session`] runs queries on their tables. A table
//! is decoded each time a query reads it; [`docs/sql.md`](../../../docs/sql.md) describes the tables.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use ringtrace_query::{Opening, Resources, Session, Source};
//!
//! let opening = Opening { paths: vec!["trace-4711".into()], ..Opening::default() };
//! let source = Source::open(opening, Default::default(), Default::default())?;
//! let session = Session::new(source, Resources { threads: 2, memory_bytes: 1 << 30 })?;
//! let batches = session.context().sql("select event, count(*) from events group by 1").await?.collect().await?;
//! let findings = session.findings().await;
//! assert!(findings.errors.is_empty(), "the trace is damaged");
//! # Ok(())
//! # }
//! ```
//!
//! A damaged trace ends a table early, without an error of the query. [`Session::findings`] returns
//! the damage and the numbers of lost events, so callers must look at them after each query.

#![deny(unsafe_code)]

mod arrays;
mod columns;
mod dataset;
mod error;
mod failure;
mod layout;
mod opening;
mod pairs;
mod provider;
mod pushdown;
mod ready;
mod report;
mod rerun;
mod scan;
mod session;
mod source;
pub mod store;
mod summaries;
pub mod workers;

pub use dataset::Dataset;
pub use error::{Error, ErrorKind};
pub use failure::failed;
pub use opening::{Opening, declarations};
pub use pairs::Pairs;
pub use ready::{Parameter, ParameterKind, READY, ReadyQuery, parameters, ready};
pub use report::{Findings, Report};
pub use rerun::{MAX_RERUNS, Rows, collect};
pub use session::{Resources, Session, Tables};
pub use source::{Contents, Source, TABLES, Wanted, quoted};
