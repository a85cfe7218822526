//! Code that several formats share.

pub mod arguments;
pub mod block_writer;
pub mod json;
pub mod losses;
pub(crate) mod process_ids;
pub mod record_types;
pub mod span_rows;
pub mod spill;
pub mod stack;
pub mod synthetic;
pub mod text;
pub mod time_base;
pub mod value;
pub mod varint;

use std::io;

pub(crate) fn out_of_order(format: &str, time_ns: u64, last_ns: u64) -> io::Error {
    invalid_input(format!(
        "{format} requires records sorted by time, but {time_ns} ns follows {last_ns} ns; sort the trace first"
    ))
}

pub(crate) fn invalid_input(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
