//! The engine that tells what records mean.

use super::binding::bind_track;
use super::counters::Counters;
use super::description::Description;
use super::following::{Following, Met, OpenSpan};
use super::meaning::{Meaning, Meant, SpanId};
use super::open::Open;
use super::pairing::{DEFAULT_MAX_OPEN, Pair, Pairing};
use super::spec::PairError;
use super::tracks::{Track, TrackOf, TracksOf};
use crate::entry::Entry;
use crate::entry::{Schema, Schemas};

/// Follows the spans and counters of a [`Description`] through a run of entries.
#[derive(Debug)]
pub struct Meanings {
    description: Description,
    pairing: Pairing<OpenSpan>,
    following: Following,
    counters: Counters,
    /// By schema index.
    learned: Vec<Learned>,
}

/// What is known of the entries of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Learned {
    Unknown,
    MeansNothing,
    Means,
}

impl Default for Meanings {
    /// Nothing means anything.
    fn default() -> Meanings {
        Meanings::new(Description::default())
    }
}

impl Meanings {
    /// Follows what `description` tells of, with the usual number of open spans.
    pub fn new(description: Description) -> Meanings {
        let max_open = DEFAULT_MAX_OPEN / description.pairs.len().max(1);
        Meanings::with_max_open(description, max_open)
    }

    /// Follows what `description` tells of; of each pair `max_open` spans can be open at a time.
    pub fn with_max_open(description: Description, max_open: usize) -> Meanings {
        let tracks_of = description
            .pairs
            .iter()
            .enumerate()
            .map(|(index, pair)| TracksOf::new(TrackOf::Pair(index), &pair.name, &pair.track));
        Meanings {
            pairing: Pairing::new(description.pairs.iter().cloned(), max_open),
            following: Following::new(tracks_of.collect()),
            counters: Counters::new(&description.counters),
            learned: Vec::new(),
            description,
        }
    }

    /// Whether the values of begins are to be there when their spans end, which takes memory for those that are open.
    #[must_use]
    pub fn keep_begins(mut self, keep: bool) -> Meanings {
        self.following.keeps_begins = keep;
        self
    }

    /// Whether no record can mean anything.
    pub fn is_empty(&self) -> bool {
        self.description.is_empty()
    }

    /// What is described, with the keys that were found.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The tracks that there are by now; what stands on one is never moved.
    pub fn tracks(&self) -> &[Track] {
        self.following.tracks.list()
    }

    /// How many spans and values stand on a track of all that are too many.
    pub fn untracked(&self) -> u64 {
        self.following.tracks.refused()
    }

    /// What was counted of each pair, in the order of the description.
    pub fn pairs(&self) -> &[Pair<OpenSpan>] {
        self.pairing.pairs()
    }

    /// Finds events and arguments among the schemas of the traces that will be fed. Events that a trace declares only
    /// later are bound when they come.
    ///
    /// # Errors
    /// When events are known but cannot be matched as described.
    pub fn bind(&mut self, traces: &[&Schemas]) -> Result<(), PairError> {
        self.pairing.bind(traces)?;
        for (index, pair) in self.pairing.pairs().iter().enumerate() {
            self.description.pairs[index] = pair.description().clone();
            self.following.tracks_of[index].rename(&pair.description().name);
        }
        for schemas in traces {
            self.counters.bind(schemas)?;
            for pair in &self.description.pairs {
                for begin in &pair.begins {
                    if let Some(index) = schemas.find(&begin.event) {
                        bind_track(&pair.name, &pair.track, schemas.get(index))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// That an event of the description was never met, nor is it among `schemas`, which are those of all traces by now.
    ///
    /// # Errors
    /// The first such event, with names that are like it.
    pub fn check_known(&self, schemas: &[&Schemas]) -> Result<(), PairError> {
        self.pairing.check_known(schemas)?;
        self.counters.check_known(schemas)
    }

    /// Whether entries of the schema with this index can mean something, as far as is known.
    #[inline]
    pub fn concerns(&self, schema_index: u32) -> bool {
        self.learned.get(schema_index as usize) != Some(&Learned::MeansNothing)
    }

    /// What `entry` means, and all tracks so far. Nothing for most. The same schema index must always mean the same schema,
    /// as within one reader or merge.
    ///
    /// # Errors
    /// When it is the first of an event that does not fit the description.
    #[inline]
    pub fn of<'m>(&'m mut self, entry: &Entry<'m>) -> Result<(Meant<'m>, &'m [Track]), PairError> {
        if !self.concerns(entry.schema_index) {
            return Ok((Meant::Nothing, self.tracks()));
        }
        self.follow(entry)
    }

    fn follow<'m>(&'m mut self, entry: &Entry<'m>) -> Result<(Meant<'m>, &'m [Track]), PairError> {
        let learned = self.learned.get(entry.schema_index as usize);
        if learned.is_none_or(|&learned| learned == Learned::Unknown) {
            self.learn(entry)?;
        }
        self.following.forget();
        self.pairing.count(entry, &mut self.following)?;
        let Following { tracks, met, .. } = &mut self.following;
        self.counters.read(entry, tracks, met);

        let following = &self.following;
        let meaning = |met: &'m Met| following.meaning(met, entry);
        let meant = match following.met.as_slice() {
            [] => Meant::Nothing,
            [met] => meaning(met).map_or(Meant::Nothing, |meaning| Meant::One([meaning])),
            several => Meant::Several(several.iter().filter_map(meaning).collect()),
        };
        Ok((meant, self.following.tracks.list()))
    }

    #[cold]
    fn learn(&mut self, entry: &Entry<'_>) -> Result<(), PairError> {
        let index = entry.schema_index as usize;
        if self.learned.len() <= index {
            self.learned.resize(index + 1, Learned::Unknown);
        }
        let mut means = self.counters.learn(entry)?;
        for (number, pair) in self.description.pairs.iter().enumerate() {
            let is_this = |event: &super::EventKeys| *event.event == *entry.schema.name;
            means |= pair.events().any(is_this);
            if pair.begins.iter().any(is_this) {
                let parts = bind_track(&pair.name, &pair.track, entry.schema)?;
                let parts_of = &mut self.following.track_parts[number];
                if parts_of.len() <= index {
                    parts_of.resize(index + 1, Box::default());
                }
                parts_of[index] = parts;
                self.following.keep_schema(entry.schema_index, entry.schema);
            }
        }
        means &= entry.schema_index != Schema::DROPPED;
        self.learned[index] = if means { Learned::Means } else { Learned::MeansNothing };
        Ok(())
    }

    /// How many spans of each pair are open.
    pub fn open_counts(&self) -> Vec<u64> {
        self.pairs().iter().map(|pair| pair.open_count() as u64).collect()
    }

    /// The spans that are open, in the order of their begins, each with the record that began it, as in
    /// [`Meaning::End`].
    pub fn open(&self) -> impl Iterator<Item = (SpanId, Entry<'_>)> {
        let mut open: Vec<(SpanId, &Open<OpenSpan>)> = Vec::new();
        for (index, pair) in self.pairs().iter().enumerate() {
            open.extend(pair.open_spans().map(|open| (open.kept.id(index), open)));
        }
        open.sort_unstable_by_key(|(span, _)| span.number);
        open.into_iter().filter_map(|(span, open)| Some((span, self.following.begin_of(open, None)?)))
    }
}

impl Following {
    fn meaning<'m>(&'m self, met: &'m Met, entry: &Entry<'m>) -> Option<Meaning<'m>> {
        Some(match met {
            Met::Begin(span) => Meaning::Begin(*span),
            Met::Step(span) => Meaning::Step(*span),
            Met::End(span, begun) => {
                Meaning::End { span: *span, begin: self.begin_of(begun, Some(entry.threads))? }
            }
            Met::Restarted(span, begun) => {
                Meaning::Restarted { span: *span, begin: self.begin_of(begun, Some(entry.threads))? }
            }
            Met::Counter { counter, track, value } => {
                Meaning::Counter { counter: *counter, track: *track, value: *value }
            }
        })
    }
}
