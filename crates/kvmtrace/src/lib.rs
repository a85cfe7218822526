//! kvmtrace: reads the traces that KVM recorded between 2008 and 2010, and prints them with
//! definitions files.
//!
//! A [`Stream`] returns records, a [`Clock`] turns them into [`Arguments`], and [`Definitions`]
//! contain the formats:
//!
//! ```
//! use ringtrace_kvmtrace::{Clock, Definitions, Stream, StreamOptions, WideRecords};
//!
//! let definitions = Definitions::parse("mine", b"0x10001 enter cpu=%(vcpu)d at %(ts)d").unwrap();
//! let bytes = [
//!     0x78, 0x56, 0x34, 0x12, // magic word
//!     1, 0, 1, 0x80, 7, 0, 0, 0, 2, 0, 0, 0, // event 0x10001 with a timestamp, pid 7, vcpu 2
//!     0xe8, 3, 0, 0, 0, 0, 0, 0, // at 1000 ns
//! ];
//! let expected = StreamOptions { variant: None, order: None, wide_records: WideRecords::Read };
//! let mut stream = Stream::open(&bytes[..], expected).unwrap();
//! let mut clock = Clock::new(None, definitions.time_names());
//! let mut text = Vec::new();
//! while let Some((_, record)) = stream.buffered() {
//!     definitions.render(record.event, &clock.arguments(&record), &mut text).unwrap();
//! }
//! assert_eq!(text, b"enter cpu=2 at 1000\n");
//! ```

#![forbid(unsafe_code)]

mod arguments;
pub mod definitions;
pub mod expression;
pub mod format;
mod number;
mod record;
mod sets;
mod stream;

pub use arguments::{Arguments, Clock, Key, TimeNames, Value};
pub use definitions::{Definition, Definitions, Diagnostic};
pub use format::{Format, FormatError};
pub use record::{
    Cut, Layout, MAGIC, MAGIC_BYTES, Part, Record, Step, Tail, Variant, WideRecords, Words, recognise,
};
pub use sets::{DefinitionSet, SETS, definition_set};
pub use stream::{Error, EventCounts, Position, Stream, StreamOptions};
