//! The [Arrow C data interface](https://arrow.apache.org/docs/format/CDataInterface.html): structs
//! that other libraries read.
//!
//! Batches already have Arrow's layout, so the structs point into their vectors.

mod array;
mod schema;
mod stream;

pub use array::{ArrowArray, ColumnData};
pub use schema::{ArrowSchema, SchemaField};
pub use stream::{ArrowArrayStream, BatchStream, StreamError};
