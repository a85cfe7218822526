//! What the three scripts for SystemTap share.
//!
//! They are a tapset: each defines probes by other names. `stap` names the program's own probes and their arguments; the probes of
//! the others are aliases of these, that print, and are optional (`?`), so that an event that was not compiled in is no error.

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

/// The events that have probes, each with its position among all of them.
pub(super) fn active<'a>(request: &Request<'a>) -> impl Iterator<Item = (usize, &'a Event)> {
    let events = request.group.events.clone();
    events.into_iter().enumerate().filter(|(_, event)| !event.disabled)
}

/// What the arguments of `event` are called in all three scripts.
pub(super) fn names(event: &Event) -> Vec<Cow<'_, str>> {
    argument_names(event, Language::SystemTap, |_| false)
}

/// A name for a variable: `wanted`, with as many `_` behind it as keep it different from `names`.
pub(super) fn local(wanted: String, names: &[Cow<'_, str>]) -> String {
    let mut name = wanted;
    while names.contains(&Cow::Borrowed(&*name)) {
        name.push('_');
    }
    name
}
