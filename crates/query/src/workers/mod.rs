//! Queries on several machines: each worker decodes the traces that lie on its machine.
//!
//! A [`Server`] answers requests for the traces below its folders. A [`Fleet`] connects to several
//! servers, and provides their traces as tables. A query is planned by the client. The parts of
//! the plan that need only one trace at a time (conditions, projections and the first half of
//! aggregations) are sent to the workers, and the client joins, sorts and completes the rows.
//!
//! Each request is a TLS connection of its own. While a worker works on one, it sends a sign of life
//! every second, and an answer without its last frame is never used. So a worker that is killed,
//! stopped or unreachable is noticed after [`TIMEOUT`]. The query is then run again without it.

mod client;
mod fleet;
mod folders;
mod fragment;
mod leaf;
mod message;
mod remote;
mod schema;
mod security;
mod server;
mod work;

use std::time::Duration;

pub use client::{Client, WorkerError};
pub use fleet::Fleet;
pub use folders::Folders;
pub(crate) use fragment::MoveToWorkers;
pub use message::{ReadOptions, version};
pub use security::{Certificate, Token, new_certificate};
pub use server::{Limits, Server};

/// The longest time without a sign of life from a worker, and the longest time for a connection.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// The time between two signs of life.
const ALIVE: Duration = Duration::from_secs(1);
