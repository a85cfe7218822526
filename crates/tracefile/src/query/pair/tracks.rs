//! Where spans and counters stand.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::binding::KeyPart;
use super::open::{KeyRef, keep, key_of};
use super::spec::KeySource;
use crate::entry::Entry;
use crate::entry::key::KeyMap;

/// Tracks beyond this many are one for each pair and each counter.
pub const MAX_TRACKS: usize = 10_000;

/// Where spans of a pair, or values of a counter, stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// What the track is called: the pair's or counter's name, and the values that tell it from others, as in
    /// `virtio-blk request vdev=0x55d0`.
    pub name: String,
    /// Whose track it is.
    pub of: TrackOwner,
    /// The process, if it tells the track from others.
    pub pid: Option<u32>,
    /// The thread, if it tells the track from others.
    pub tid: Option<u32>,
}

/// Whose a track is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackOwner {
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
pub(super) struct TrackSet {
    of: TrackOwner,
    name: String,
    sources: Vec<KeySource>,
    one: KeyMap<u64, u32>,
    two: KeyMap<[u64; 2], u32>,
    many: KeyMap<Box<[u8]>, u32>,
    /// The one for entries that lack a value.
    without_values: Option<u32>,
    /// The one for all that are too many.
    other: Option<u32>,
}

impl TrackSet {
    pub(super) fn new(of: TrackOwner, name: &str, sources: &[KeySource]) -> TrackSet {
        TrackSet {
            of,
            name: name.to_owned(),
            sources: sources.to_owned(),
            one: KeyMap::default(),
            two: KeyMap::default(),
            many: KeyMap::default(),
            without_values: None,
            other: None,
        }
    }

    /// From now on they are called `name`.
    pub(super) fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// What the track of `key` is called.
    fn name_of(&self, key: Option<KeyRef<'_>>, parts: &[KeyPart]) -> String {
        let values = key.map(|key| keep(key, parts)).unwrap_or_default();
        let mut name = self.name.clone();
        for (index, source) in self.sources.iter().enumerate() {
            match values.get(index) {
                Some(value) => name.push_str(&format!(" {source}={value}")),
                None => name.push_str(&format!(" {source}=?")),
            }
        }
        name
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
    pub(super) fn find(&mut self, of: &mut TrackSet, parts: &[KeyPart], entry: &Entry<'_>) -> u32 {
        let mut room = std::mem::take(&mut self.room);
        let key = key_of(parts, entry, &mut room);
        let found = match key {
            Some(KeyRef::One(bits)) => of.one.get(&bits),
            Some(KeyRef::Two(bits)) => of.two.get(&bits),
            Some(KeyRef::Many(bytes)) => of.many.get(bytes),
            None => of.without_values.as_ref(),
        };
        let track = found.copied().unwrap_or_else(|| self.add(of, key, parts, entry));
        self.room = room;
        track
    }

    #[cold]
    fn add(
        &mut self,
        of: &mut TrackSet,
        key: Option<KeyRef<'_>>,
        parts: &[KeyPart],
        entry: &Entry<'_>,
    ) -> u32 {
        if self.list.len() >= MAX_TRACKS {
            return self.find_other(of);
        }
        let track = self.push(Track {
            name: of.name_of(key, parts),
            of: of.of,
            pid: (key.is_some() && of.sources.contains(&KeySource::Pid)).then_some(entry.pid),
            tid: entry.tid().filter(|_| key.is_some() && of.sources.contains(&KeySource::Tid)),
        });
        match key {
            Some(KeyRef::One(bits)) => drop(of.one.insert(bits, track)),
            Some(KeyRef::Two(bits)) => drop(of.two.insert(bits, track)),
            Some(KeyRef::Many(bytes)) => drop(of.many.insert(bytes.into(), track)),
            None => of.without_values = Some(track),
        }
        track
    }

    fn find_other(&mut self, of: &mut TrackSet) -> u32 {
        self.refused += 1;
        if let Some(track) = of.other {
            return track;
        }
        let track =
            self.push(Track { name: format!("{} (other)", of.name), of: of.of, pid: None, tid: None });
        of.other = Some(track);
        track
    }

    fn push(&mut self, track: Track) -> u32 {
        self.list.push(track);
        self.lanes.push(Lanes::default());
        self.list.len() as u32 - 1
    }
}

/// The lanes of a track, of which those that are free are taken from the first on.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    count: u32,
    free: BinaryHeap<Reverse<u32>>,
}

impl Lanes {
    /// The first lane that is free, which it is not any more.
    pub(super) fn take(&mut self) -> u32 {
        if let Some(Reverse(lane)) = self.free.pop() {
            return lane;
        }
        self.count += 1;
        self.count - 1
    }

    /// Frees `lane`, which was taken.
    pub(super) fn give_back(&mut self, lane: u32) {
        self.free.push(Reverse(lane));
    }
}
