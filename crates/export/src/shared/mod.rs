//! What several formats need.

pub mod arguments;
pub mod block_writer;
pub mod json;
pub mod losses;
pub mod record_types;
pub mod span_rows;
pub mod spill;
pub mod synthetic;
pub mod text;
pub mod time_base;
pub mod value;
