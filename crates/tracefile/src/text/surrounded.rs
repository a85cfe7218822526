//! What stands around the line of an entry: its origin before it, and its stack below it.

use ringtrace_events::format::{Escapes, Escaping, Output};

use super::origin::OriginTexts;
use super::stack::{Finder, shown_frames};
use super::{FirstTime, Render, TextBuffer};
use crate::entry::Entry;
use crate::read::era::Division;
use crate::read::visitor::{BlockRecords, OrdinaryRecords};

/// Renders entries with `R`, and the origin before each entry and the frames of its stack below it,
/// if they are wanted.
#[derive(Debug, Clone)]
pub struct SurroundedText<R> {
    text: R,
    prefixes: OriginTexts,
    /// `None` if lines have no stacks.
    finder: Option<Finder>,
}

impl<R> SurroundedText<R> {
    /// Creates a renderer whose lines begin with `prefixes`, and have no stacks below them.
    pub fn new(text: R, prefixes: OriginTexts) -> SurroundedText<R> {
        SurroundedText { text, prefixes, finder: None }
    }

    /// Adds stacks. `finder` finds the names of functions; without it, addresses are printed.
    #[must_use]
    pub fn with_stacks(mut self, finder: Finder) -> SurroundedText<R> {
        self.finder = Some(finder);
        self
    }
}

#[cold]
fn push_stack(entry: &Entry<'_>, finder: &Finder, out: &mut TextBuffer) {
    for shown in shown_frames(entry, finder) {
        out.push(b"    ");
        // Names in files can contain anything.
        out.push_with(|out| {
            Escaping { out, escapes: Escapes::Controls }.push_bytes(shown.text().as_bytes());
        });
        out.push_byte(b'\n');
    }
}

impl<R: Render> Render for SurroundedText<R> {
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        out.push(self.prefixes.of(entry));
        self.text.render(entry, out);
        if let Some(finder) = &self.finder
            && !entry.context.is_empty()
        {
            push_stack(entry, finder, out);
        }
    }

    fn render_fast(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        if self.prefixes.is_empty() {
            self.text.render_fast(records, out);
        }
    }

    fn render_block(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        if self.prefixes.is_empty() {
            self.text.render_block(records, out);
        }
    }

    fn resume_after(&mut self, last_ns: Option<u64>) {
        self.text.resume_after(last_ns);
    }

    fn last_ns(&self) -> Option<u64> {
        self.text.last_ns()
    }

    fn first_time(&self) -> Option<FirstTime> {
        self.text.first_time()
    }

    fn division(&self) -> Division {
        self.text.division()
    }

    fn shows_thread_names(&self) -> bool {
        self.text.shows_thread_names()
    }

    fn push_delta(&self, last_ns: u64, now_ns: u64, out: &mut TextBuffer) {
        self.text.push_delta(last_ns, now_ns, out);
    }
}
