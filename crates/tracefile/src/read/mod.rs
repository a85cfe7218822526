//! Decodes trace files to entries.

mod cursor;
pub(crate) mod decode;
pub mod era;
pub mod files;
pub(crate) mod listing;
pub(crate) mod located;
pub(crate) mod open;
pub mod options;
pub mod reader;
pub(crate) mod resync;
mod selection;
pub mod sniff;
pub(crate) mod state;
pub mod table;
pub(crate) mod visitor;

pub use cursor::{Cursor, EntrySource};
pub use era::Era;
pub use files::TraceFiles;
pub use options::Options;
pub use reader::Reader;
pub use visitor::{BlockRecords, Flow, OrdinaryRecords, SkipRecords, Visitor};
