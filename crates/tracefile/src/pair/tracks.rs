//! Where spans and counters stand.

use std::collections::hash_map::Entry as Slot;

use super::binding::Part;
use super::lanes::Lanes;
use super::open::{KeyRef, keep, key_of};
use super::spec::KeySource;
use crate::entry::Entry;
use crate::key::KeyMap;

/// Tracks beyond this many are one for each pair and each counter.
pub const MAX_TRACKS: usize = 10_000;

/// Where spans of a pair, or values of a counter, stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// What the track is called: the pair's or counter's name, and the values that tell it from others, as in
    /// `virtio-blk request vdev=0x55d0`.
    pub name: String,
    /// Whose track it is.
    pub of: TrackOf,
    /// The process, if it tells the track from others.
    pub pid: Option<u32>,
    /// The thread, if it tells the track from others.
    pub tid: Option<u32>,
}

/// Whose a track is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackOf {
    /// The pair's with this index.
    Pair(usize),
    /// The counter's with this index.
    Counter(usize),
}

/// All tracks of a run.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    list: Vec<Track>,
    lanes: Vec<Lanes>,
    /// Values whose track is one that is for all that are too many.
    refused: u64,
    room: Vec<u8>,
}

/// The tracks of one pair or counter, by the values that tell them apart.
#[derive(Debug)]
pub(super) struct TracksOf {
    of: TrackOf,
    name: String,
    sources: Vec<KeySource>,
    one: KeyMap<u64, u32>,
    many: KeyMap<Box<[u8]>, u32>,
    /// The one for all that are too many.
    other: Option<u32>,
    /// The one that was asked for last, and its key: mostly it is asked for again.
    last: Option<(u64, u32)>,
}

impl TracksOf {
    pub(super) fn new(of: TrackOf, name: &str, sources: &[KeySource]) -> TracksOf {
        TracksOf {
            of,
            name: name.to_owned(),
            sources: sources.to_owned(),
            one: KeyMap::default(),
            many: KeyMap::default(),
            other: None,
            last: None,
        }
    }

    /// From now on they are called `name`.
    pub(super) fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }
}

impl Tracks {
    pub(super) fn list(&self) -> &[Track] {
        &self.list
    }

    pub(super) fn refused(&self) -> u64 {
        self.refused
    }

    /// The lanes of a track that [`Tracks::find`] gave.
    pub(super) fn lanes(&mut self, track: u32) -> &mut Lanes {
        &mut self.lanes[track as usize]
    }

    /// The track of `entry`, which has the values that tell tracks apart where `parts` says. Where it lacks one, it has
    /// the track of all that do.
    #[inline]
    pub(super) fn find(&mut self, of: &mut TracksOf, parts: &[Part], entry: &Entry<'_>) -> u32 {
        let mut room = std::mem::take(&mut self.room);
        let track = match key_of(parts, entry, &mut room) {
            Some(KeyRef::One(bits)) => match of.last {
                Some((last, track)) if last == bits => track,
                _ => {
                    let track = self.find_one(of, bits, parts, entry);
                    of.last = of.other.is_none().then_some((bits, track));
                    track
                }
            },
            Some(KeyRef::Many(bytes)) => self.find_many(of, bytes, parts, entry),
            None => self.find_many(of, &[], parts, entry),
        };
        self.room = room;
        track
    }

    fn find_one(&mut self, of: &mut TracksOf, bits: u64, parts: &[Part], entry: &Entry<'_>) -> u32 {
        if let Some(&track) = of.one.get(&bits) {
            return track;
        }
        if self.is_full() {
            return self.find_other(of);
        }
        let track = self.add(of, Some(KeyRef::One(bits)), parts, entry);
        of.one.insert(bits, track);
        track
    }

    fn find_many(&mut self, of: &mut TracksOf, bytes: &[u8], parts: &[Part], entry: &Entry<'_>) -> u32 {
        if let Some(&track) = of.many.get(bytes) {
            return track;
        }
        if self.is_full() {
            return self.find_other(of);
        }
        let key = (!bytes.is_empty() || of.sources.is_empty()).then_some(KeyRef::Many(bytes));
        let track = self.add(of, key, parts, entry);
        if let Slot::Vacant(slot) = of.many.entry(bytes.into()) {
            slot.insert(track);
        }
        track
    }

    fn is_full(&self) -> bool {
        self.list.len() >= MAX_TRACKS
    }

    fn find_other(&mut self, of: &mut TracksOf) -> u32 {
        self.refused += 1;
        if let Some(track) = of.other {
            return track;
        }
        let track =
            self.push(Track { name: format!("{} (other)", of.name), of: of.of, pid: None, tid: None });
        of.other = Some(track);
        track
    }

    fn add(&mut self, of: &TracksOf, key: Option<KeyRef<'_>>, parts: &[Part], entry: &Entry<'_>) -> u32 {
        let mut name = of.name.clone();
        let keys = key.map(|key| keep(key, parts));
        for (index, source) in of.sources.iter().enumerate() {
            match keys.as_ref().and_then(|keys| keys.get(index)) {
                Some(key) => name.push_str(&format!(" {source}={key}")),
                None => name.push_str(&format!(" {source}=?")),
            }
        }
        let tells = |source: &KeySource| keys.is_some() && of.sources.contains(source);
        self.push(Track {
            name,
            of: of.of,
            pid: tells(&KeySource::Pid).then_some(entry.pid),
            tid: entry.tid().filter(|_| tells(&KeySource::Tid)),
        })
    }

    fn push(&mut self, track: Track) -> u32 {
        self.list.push(track);
        self.lanes.push(Lanes::default());
        self.list.len() as u32 - 1
    }
}
