//! Code shared by the three SystemTap formats.
//!
//! The formats form a tapset. `stap` defines aliases for the program's own probes and their
//! arguments. The other two formats define printing aliases based on those of `stap`. Their probe
//! points are optional (`?`), so that events that were not compiled in cause no error.

mod conversion;
mod listener;
mod literal;
mod printf;
mod strings;

use std::borrow::Cow;

use ringtrace_events::Event;
use ringtrace_events::lint::Language;

use crate::Request;
use crate::probe::argument_names;

pub use listener::{StapProbe, stap_listener};
pub(super) use literal::literal;
pub(super) use printf::{Printf, texts};
pub(super) use strings::Strings;

/// Returns the events that have probes, each with its index among all events.
pub(super) fn active<'a>(request: &Request<'a>) -> impl Iterator<Item = (usize, &'a Event)> {
    let events = request.group.events.clone();
    events.into_iter().enumerate().filter(|(_, event)| !event.disabled)
}

/// Returns the argument names used in all three scripts.
pub(super) fn names(event: &Event) -> Vec<Cow<'_, str>> {
    argument_names(event, Language::SystemTap, |_| false)
}

/// Returns a variable name: `wanted`, with as many `_` appended as it takes to differ from `names`.
pub(super) fn local(wanted: String, names: &[Cow<'_, str>]) -> String {
    let mut name = wanted;
    while names.contains(&Cow::Borrowed(&*name)) {
        name.push('_');
    }
    name
}
