//! Renders one large file on several threads, with output in order.
//!
//! A line depends on the previous line only through the time difference. The position of a piece's
//! first time difference is recorded, and the difference is filled in when the piece's output is
//! written.

use std::io;

use crate::entry::Dropped;
use crate::error::Error;
use crate::pieces::{self, PIECE_BYTES, PieceOptions, PieceSink, process};
use crate::query::filter::Filter;
use crate::read::reader::Reader;
use crate::text::line_visitor::{LineVisitor, Lines};
use crate::text::{Render, TextBuffer};
use crate::traces::Traces;

/// The part of a file that was processed in pieces.
#[derive(Debug)]
pub struct Pieces {
    /// Whether the filter has selected any event. The result is meaningful only if there is a filter.
    pub has_matched: bool,
    /// Totals of the selected "dropped" records.
    pub dropped: Dropped,
    /// An error if the file cannot be read further. All text before it was written.
    pub read: Result<(), Error>,
}

/// Processes the files of `traces` with `process`, as far as there is a single trace whose files are large enough
/// to benefit from `threads` threads. Ends when `process` returns `None`. Returns the totals of the selected
/// "dropped" records, and an error if the trace cannot be read further. The caller reads the rest.
///
/// # Errors
/// Returns the error of `process`.
pub fn each_file<E>(
    traces: &mut Traces,
    threads: usize,
    mut process: impl FnMut(&mut Reader, &Filter) -> Option<Result<Pieces, E>>,
) -> Result<(Dropped, Result<(), Error>), E> {
    let (mut dropped, filter) = (Dropped::default(), traces.filter().clone());
    while let Some(reader) = traces.single()
        && pieces::is_worthwhile(reader, threads)
        && let Some(result) = process(reader, &filter)
    {
        let pieces = result?;
        dropped.add(pieces.dropped);
        let entered = pieces.read.and_then(|()| reader.enter_next_file());
        if pieces.has_matched {
            traces.set_has_matched();
        }
        match entered {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return Ok((dropped, Err(error))),
        }
    }
    Ok((dropped, Ok(())))
}

/// Renders the rest of `reader` on `threads` threads, except for an incomplete record at the end of
/// the file. Afterwards the reader continues after the rendered part, and `text` is in the same
/// state as if it had rendered all lines.
///
/// # Errors
/// Returns the error of `write`; nothing more was written.
pub fn render<R: Render + Clone + Send>(
    reader: &mut Reader,
    filter: &Filter,
    text: &mut R,
    threads: usize,
    write: impl FnMut(&[u8]) -> io::Result<()> + Send,
) -> io::Result<Pieces> {
    render_pieces(reader, filter, text, threads, PIECE_BYTES, write)
}

/// Renders like [`render`], with a given size of pieces. Tests need many pieces of a small file.
///
/// # Errors
/// Returns the same errors as [`render`].
pub fn render_pieces<R: Render + Clone + Send>(
    reader: &mut Reader,
    filter: &Filter,
    text: &mut R,
    threads: usize,
    piece_bytes: usize,
    write: impl FnMut(&[u8]) -> io::Result<()> + Send,
) -> io::Result<Pieces> {
    let thread_names = filter.uses_thread_names() || text.shows_thread_names();
    let work = LineVisitor::new(text.clone(), filter.clone(), thread_names);
    let (dropped, has_matched) = (Dropped::default(), false);
    let mut output = TextOutput { write, text: text.clone(), last_ns: text.last_ns(), dropped, has_matched };
    let options = PieceOptions { threads, piece_bytes, thread_names };
    let result = process(reader, &work, &mut output, options);
    text.resume_after(output.last_ns);
    result.map(|read| Pieces { has_matched: output.has_matched, dropped: output.dropped, read })
}

/// Writes the lines of the pieces in order.
struct TextOutput<W, R> {
    write: W,
    text: R,
    last_ns: Option<u64>,
    dropped: Dropped,
    has_matched: bool,
}

impl<W: FnMut(&[u8]) -> io::Result<()> + Send, R: Render + Send> PieceSink<Lines> for TextOutput<W, R> {
    type Error = io::Error;

    fn put(&mut self, lines: Lines, _: u64) -> io::Result<Lines> {
        let text = lines.text.as_bytes();
        match (&lines.first, self.last_ns) {
            (Some(first), Some(last_ns)) => {
                let mut delta = TextBuffer::with_capacity(0);
                self.text.push_delta(last_ns, first.timestamp_ns, &mut delta);
                let (before, rest) = text.split_at(first.at.start.min(text.len()));
                let rest = rest.get(first.at.len()..).unwrap_or_default();
                (self.write)(before)?;
                (self.write)(delta.as_bytes())?;
                (self.write)(rest)?;
            }
            _ => (self.write)(text)?,
        }
        self.last_ns = lines.last_ns.or(self.last_ns);
        self.dropped.add(lines.dropped);
        self.has_matched |= lines.has_matched;
        Ok(lines)
    }
}

#[cfg(test)]
#[path = "parallel_tests.rs"]
mod tests;
