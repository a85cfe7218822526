//! The origin of each entry as text: the machine and the trace.

use std::sync::Arc;

use ringtrace_events::format::{Escapes, Escaping, Output};

use super::json;
use crate::align::Origin;
use crate::entry::Entry;

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
