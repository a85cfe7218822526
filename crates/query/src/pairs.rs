//! Pairs of events whose records become spans.

use std::path::Path;

use ringtrace_events::message::{self, MessageFormat};
use ringtrace_tracefile::Schemas;
use ringtrace_tracefile::pair::{BUILT_IN, Description, PairDescription, PairSpec, SpanTracker, parse};

use crate::error::{Error, ErrorKind};
use crate::opening::declarations;

/// The word that selects no pairs if it is given in place of a file.
const NONE: &str = "none";

/// The pairs and counters that the user selects. The default are pairs that are recognized by the
/// names of their events, and built-in ones whose events the traces declare.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// Pairs given as `BEGIN:END[:KEY]`.
    pub pairs: Vec<PairSpec>,
    /// Files with descriptions, names of built-in descriptions, or `none`.
    pub files: Vec<String>,
}

impl Pairs {
    /// Returns all pairs and counters that are known for `traces`. If several have the same name,
    /// the first one is used.
    ///
    /// # Errors
    /// A file cannot be read, or describes no pairs.
    pub fn description(&self, traces: &[&Schemas]) -> Result<Description, Error> {
        let pairs = self.pairs.iter().map(PairDescription::from).collect();
        let mut description = Description { pairs, ..Description::default() };
        for name in self.files.iter().filter(|name| *name != NONE) {
            let more = match BUILT_IN.iter().find(|ready| ready.name == name) {
                Some(ready) => ready.description().known_to(traces),
                None => read(Path::new(name))?,
            };
            description.add_new(more);
        }
        if self.pairs.is_empty() && self.files.is_empty() {
            description.add_recognized(traces);
        }
        Ok(description)
    }
}

/// Returns the pair that a query names: `BEGIN:END[:KEY]`, or the name of a pair of `known`.
/// Returns `None` if there is no such pair.
///
/// # Errors
/// The name contains a colon, but is not a valid pair.
pub fn named(name: &str, known: &Description) -> Result<Option<PairDescription>, Error> {
    if let Some(pair) = known.pairs.iter().find(|pair| pair.name == name) {
        return Ok(Some(pair.clone()));
    }
    if !name.contains(':') {
        return Ok(None);
    }
    Ok(Some(PairDescription::from(&PairSpec::parse(name)?)))
}

/// Creates the tracker of `description` for `traces`.
///
/// # Errors
/// The events of the traces do not match the description.
pub fn tracker(description: Description, traces: &[&Schemas]) -> Result<SpanTracker, Error> {
    let mut tracker = SpanTracker::new(description);
    tracker.bind(traces)?;
    tracker.check_known(traces)?;
    Ok(tracker.keep_begins(true))
}

fn read(path: &Path) -> Result<Description, Error> {
    let source = declarations(path)?;
    let (description, diagnostics) = parse(&source);
    if diagnostics.is_empty() && !description.is_empty() {
        return Ok(description);
    }
    let text = message::render(&diagnostics, &[source], MessageFormat::Short);
    let text =
        if diagnostics.is_empty() { "the file describes no pairs or counters" } else { text.trim_end() };
    Err(Error::new(ErrorKind::Input, format!("--pairs {}: {text}", path.display())))
}
