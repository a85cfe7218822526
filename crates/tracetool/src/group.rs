//! What is generated from.

use ringtrace_events::{Event, SourceFile};

/// The events of one output file.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    /// The group's name.
    pub name: &'a str,
    /// The declarations files that it comes from, in the order given.
    pub sources: Vec<&'a SourceFile>,
    /// Its events, in order of declaration.
    pub events: Vec<&'a Event>,
}
