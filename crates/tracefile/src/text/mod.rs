//! Entries as text.

pub mod buffer;
pub mod clock;
pub mod delta;
pub mod json;
pub mod line;
mod literal;
pub mod number;
pub mod parallel;
pub mod simpletrace;

use crate::entry::Entry;
use crate::read::era::Division;
use crate::read::visitor::OrdinaryRecords;

pub use buffer::{Block, Reserved, TextBuffer};
pub use clock::TimeMode;
pub use json::JsonText;
pub use line::{LineOptions, LineStyle, LineText, ValueStyle};
pub use simpletrace::SimpletraceText;

/// The time of the first line of a text, and the place where its delta stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstTime {
    /// Bytes of the text.
    pub at: std::ops::Range<usize>,
    /// The entry's time.
    pub timestamp_ns: u64,
}

/// Something that makes lines of entries.
pub trait Render {
    /// Appends the line of `entry`, with its line end.
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer);

    /// Appends the lines of those of `records` that it can render straight away, while `out` has room. The next
    /// one needs [`Render::render`].
    fn render_fast(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        let _ = (records, out);
    }

    /// Goes on as if the entry before had been at `last_ns`; `None`: as if there had been none.
    fn resume_after(&mut self, last_ns: Option<u64>);

    /// The time of the last entry rendered.
    fn last_ns(&self) -> Option<u64>;

    /// The place of the first time difference since [`Render::resume_after`] with `None`, if lines have such.
    fn first_time(&self) -> Option<FirstTime>;

    /// How time differences are divided.
    fn division(&self) -> Division {
        Division::Exact
    }

    /// Whether lines have the names of threads.
    fn shows_thread_names(&self) -> bool {
        false
    }

    /// Appends a time difference as it stands in a line.
    fn push_delta(&self, last_ns: u64, now_ns: u64, out: &mut TextBuffer) {
        let mut room = out.reserve(number::NUMBER_BYTES);
        delta::push_delta(last_ns, now_ns, self.division(), &mut room);
        room.keep();
    }
}
