//! The engine that tells what records mean.

use super::description::Description;
use super::meaning::Meaning;
use super::spec::PairError;
use crate::entry::Entry;
use crate::schema::Schemas;

/// Follows the spans and counters of a [`Description`] through a run of entries.
#[derive(Debug, Default)]
pub struct Meanings {
    description: Description,
    tracks: Vec<Track>,
}

/// Where spans of a pair, or values of a counter, stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// What the track is called: the pair's or counter's name, and the values that tell it from others.
    pub name: String,
    /// Whose track it is.
    pub of: TrackOf,
}

/// Whose a track is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackOf {
    /// The pair's with this index.
    Pair(usize),
    /// The counter's with this index.
    Counter(usize),
}

impl Meanings {
    /// Follows what `description` tells of.
    pub fn new(description: Description) -> Meanings {
        Meanings { description, tracks: Vec::new() }
    }

    /// Whether no record can mean anything.
    pub fn is_empty(&self) -> bool {
        self.description.pairs.is_empty() && self.description.counters.is_empty()
    }

    /// What is described.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The tracks that there are by now; what stands on one is never moved.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Finds events and arguments among the schemas of the traces that will be fed.
    ///
    /// # Errors
    /// When events are known but cannot be matched as described.
    pub fn bind(&mut self, traces: &[&Schemas]) -> Result<(), PairError> {
        let _ = traces;
        Ok(())
    }

    /// What `entry` means, and all tracks so far. Nothing for most.
    ///
    /// # Errors
    /// When it is the first of an event that does not fit the description.
    pub fn of(&mut self, entry: &Entry<'_>) -> Result<(&[Meaning<'_>], &[Track]), PairError> {
        let _ = entry;
        Ok((&[], &self.tracks))
    }

    /// How many spans of each pair are open.
    pub fn open_counts(&self) -> Vec<u64> {
        vec![0; self.description.pairs.len()]
    }
}
