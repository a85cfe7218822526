//! Entries as text.

pub mod buffer;
pub mod clock;
mod json;
pub mod line;
pub mod number;
pub mod simpletrace;

use ringtrace_wire::simpletrace::Record;

use crate::entry::Entry;

pub use buffer::{Block, Room, TextBuffer};
pub use clock::TimeMode;
pub use line::{LineText, Look, Style, Values};
pub use simpletrace::SimpletraceText;

/// Something that makes lines of entries.
pub trait Render {
    /// Appends the line of `entry`, with its line end.
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer);

    /// Appends the line of a bare v4 record if that can be done straight away; `false`: nothing was done, and
    /// [`Render::render`] must.
    #[inline(always)]
    fn render_quick(&mut self, record: &Record<'_>, schema_index: u32, out: &mut TextBuffer) -> bool {
        let _ = (record, schema_index, out);
        false
    }
}
