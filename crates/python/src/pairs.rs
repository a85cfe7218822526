//! Pairs of events whose records become spans.

use std::path::{Path, PathBuf};

use ringtrace_events::message::{self, MessageFormat};
use ringtrace_events::nearest::nearest;
use ringtrace_tracefile::Schemas;
use ringtrace_tracefile::pair::{Description, PairDescription, PairSpec, SpanTracker, parse};

use crate::error::Message;
use crate::opening::declarations;

/// Returns all pairs and counters that are described in `files`, recognized by the names of events,
/// or built in, as far as `traces` declare their events. If several have the same name, the first one
/// is used.
///
/// # Errors
/// A file cannot be read, or describes no pairs.
pub fn known(files: &[PathBuf], traces: &[&Schemas]) -> Result<Description, Message> {
    let mut description = Description::default();
    for path in files {
        description.add_new(read(path)?);
    }
    description.add_recognized(traces);
    Ok(description)
}

/// Returns the pairs that the user selects with `pair`: one given as `BEGIN:END[:KEY]`, the name of
/// a pair of `known`, or all of these.
///
/// # Errors
/// There is no such pair.
pub fn selected(pair: Option<&str>, known: &Description) -> Result<Vec<PairDescription>, Message> {
    let Some(text) = pair else {
        if known.pairs.is_empty() {
            return Err(Message::new(
                "no pair is known for the events of the trace",
                Some(
                    "pass a pair to spans(), such as spans(\"BEGIN:END:KEY\"), or a file to open(pairs=...)",
                ),
            ));
        }
        return Ok(known.pairs.clone());
    };
    if let Some(pair) = known.pairs.iter().find(|pair| pair.name == text) {
        return Ok(vec![pair.clone()]);
    }
    match PairSpec::parse(text) {
        Ok(spec) => Ok(vec![PairDescription::from(&spec)]),
        Err(error) if text.contains(':') => Err(error.into()),
        Err(_) => {
            let near = nearest(text, known.pairs.iter().map(|pair| pair.name.as_str()));
            let help = near.map_or_else(
                || "expected BEGIN:END[:KEY], or the name of a pair; `pairs` lists them".to_owned(),
                |name| format!("did you mean `{name}`?"),
            );
            Err(Message::new(format!("no pair is called `{text}`"), Some(&help)))
        }
    }
}

/// Creates the tracker of `description` for `traces`.
///
/// # Errors
/// The events of the traces do not match the description.
pub fn tracker(description: Description, traces: &[&Schemas]) -> Result<SpanTracker, Message> {
    let mut tracker = SpanTracker::new(description);
    tracker.bind(traces)?;
    tracker.check_known(traces)?;
    Ok(tracker.keep_begins(true))
}

fn read(path: &Path) -> Result<Description, Message> {
    let source = declarations(path)?;
    let (description, diagnostics) = parse(&source);
    if diagnostics.is_empty() && !description.is_empty() {
        return Ok(description);
    }
    let text = message::render(&diagnostics, &[source], MessageFormat::Short);
    let text =
        if diagnostics.is_empty() { "the file describes no pairs or counters" } else { text.trim_end() };
    Err(Message::new(format!("{}: {text}", path.display()), None))
}
