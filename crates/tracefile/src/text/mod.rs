//! Renders entries as text.

pub mod buffer;
pub mod clock;
pub mod delta;
pub mod json;
pub mod line;
mod line_visitor;
mod literal;
pub mod number;
pub mod origin;
pub mod parallel;
pub mod simpletrace;
pub mod stack;
mod surrounded;

use crate::entry::Entry;
use crate::read::era::Division;
use crate::read::visitor::{BlockRecords, OrdinaryRecords};

pub use buffer::{Block, Reserved, TextBuffer};
pub use clock::TimeMode;
pub use json::JsonText;
pub use line::{LineOptions, LineStyle, LineText, ValueStyle};
pub use origin::{OriginPart, OriginTexts};
pub use simpletrace::SimpletraceText;
pub use surrounded::SurroundedText;

/// The time of the first rendered line, and the position of its time difference in the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstTime {
    /// The byte range in the output.
    pub at: std::ops::Range<usize>,
    /// The entry's time.
    pub timestamp_ns: u64,
}

/// A renderer of entries as lines.
pub trait Render {
    /// Appends the line of `entry`, with its newline.
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer);

    /// Appends the lines of those `records` that have a fast path, as long as `out` has space. The
    /// next record needs [`Render::render`].
    fn render_fast(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        let _ = (records, out);
    }

    /// Appends the lines of those `records` that can be rendered while they are decoded, and takes them.
    /// The next records need the other functions. All calls between two calls of
    /// [`Render::resume_after`] are for the same block. Without a default, no wrapper forgets to call
    /// its renderer's function.
    fn render_block(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer);

    /// Continues as if the previous entry had been at `last_ns`, or as if there had been none.
    fn resume_after(&mut self, last_ns: Option<u64>);

    /// Returns the time of the last rendered entry.
    fn last_ns(&self) -> Option<u64>;

    /// Returns the position of the first time difference since [`Render::resume_after`] was called
    /// with `None`. Returns `None` if lines have no time differences.
    fn first_time(&self) -> Option<FirstTime>;

    /// Returns the division that computes time differences.
    fn division(&self) -> Division {
        Division::Exact
    }

    /// Returns true if lines contain thread names.
    fn shows_thread_names(&self) -> bool {
        false
    }

    /// Appends a time difference as it is printed in lines.
    fn push_delta(&self, last_ns: u64, now_ns: u64, out: &mut TextBuffer) {
        let mut space = out.reserve(number::NUMBER_BYTES);
        delta::push_delta(last_ns, now_ns, self.division(), &mut space);
        space.keep();
    }
}
