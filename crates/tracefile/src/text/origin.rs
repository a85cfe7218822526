//! The origin of each entry as text: the machine and the trace.

use std::sync::Arc;

use ringtrace_events::format::{Escapes, Escaping, Output};

use super::{FirstTime, Render, TextBuffer, json};
use crate::align::Origin;
use crate::entry::Entry;
use crate::read::era::Division;
use crate::read::visitor::{BlockRecords, OrdinaryRecords};

/// A part of an entry's origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OriginPart {
    /// The name of the machine.
    Host,
    /// The name of the trace.
    Trace,
}

impl OriginPart {
    /// All parts.
    pub const ALL: [OriginPart; 2] = [OriginPart::Host, OriginPart::Trace];

    /// Returns the word for the part.
    pub fn word(self) -> &'static str {
        match self {
            OriginPart::Host => "host",
            OriginPart::Trace => "trace",
        }
    }

    /// Returns the part of `origin`, if it is known.
    pub fn of(self, origin: &Origin) -> Option<&str> {
        match self {
            OriginPart::Host => origin.host.as_deref(),
            OriginPart::Trace => Some(&origin.name),
        }
    }
}

/// The text for the origin of each trace's entries, by [`Entry::trace`].
#[derive(Debug, Clone, Default)]
pub struct OriginTexts(Arc<[Box<[u8]>]>);

impl OriginTexts {
    /// Creates prefixes of lines, such as `HOST: TRACE: `. An unknown machine is `?`.
    pub fn prefixes(origins: &[Origin], parts: &[OriginPart]) -> OriginTexts {
        OriginTexts::new(origins, parts, |part, origin, text| {
            let name = part.of(origin).unwrap_or("?");
            Escaping { out: text, escapes: Escapes::Controls }.push_bytes(name.as_bytes());
            text.extend_from_slice(b": ");
        })
    }

    /// Creates members of a JSON object, such as `,"host":"one","trace":"a.trace"`. An unknown machine
    /// is left out.
    pub fn members(origins: &[Origin], parts: &[OriginPart]) -> OriginTexts {
        OriginTexts::new(origins, parts, |part, origin, text| {
            if let Some(name) = part.of(origin) {
                text.extend_from_slice(format!(",\"{}\":", part.word()).as_bytes());
                json::push_quoted(name.as_bytes(), text);
            }
        })
    }

    fn new(
        origins: &[Origin],
        parts: &[OriginPart],
        push: impl Fn(OriginPart, &Origin, &mut Vec<u8>),
    ) -> OriginTexts {
        if parts.is_empty() {
            return OriginTexts::default();
        }
        let of = |origin: &Origin| {
            let mut text = Vec::new();
            parts.iter().for_each(|part| push(*part, origin, &mut text));
            text.into()
        };
        OriginTexts(origins.iter().map(of).collect())
    }

    /// Returns whether entries have no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text for `entry`.
    pub fn of(&self, entry: &Entry<'_>) -> &[u8] {
        self.0.get(entry.trace as usize).map_or(&[], |text| text)
    }
}

/// Renders entries with `R`, and the origin of each entry before it.
#[derive(Debug, Clone)]
pub struct OriginText<R> {
    text: R,
    prefixes: OriginTexts,
}

impl<R> OriginText<R> {
    /// Creates a renderer whose lines begin with `prefixes`.
    pub fn new(text: R, prefixes: OriginTexts) -> OriginText<R> {
        OriginText { text, prefixes }
    }
}

impl<R: Render> Render for OriginText<R> {
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        out.push(self.prefixes.of(entry));
        self.text.render(entry, out);
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
