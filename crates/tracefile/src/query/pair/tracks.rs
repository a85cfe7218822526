//! Tracks and lanes of spans and counters.

use super::binding::KeyPart;
use super::open::{KeyRef, keep, key_of};
use super::spec::KeySource;
use crate::entry::Entry;
use crate::entry::key::KeyMap;

/// The maximum number of tracks. Beyond this limit, all further values of a pair or counter share
/// one track.
pub const MAX_TRACKS: usize = 10_000;

/// A track: a row of the display that shows the spans of a pair or the values of a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// The name of the pair or counter, followed by the values that distinguish the track, as in
    /// `virtio-blk request vdev=0x55d0`.
    pub name: String,
    /// The owner of the track.
    pub of: TrackOwner,
    /// The process, if it distinguishes the track.
    pub pid: Option<u32>,
    /// The thread, if it distinguishes the track.
    pub tid: Option<u32>,
}

/// The owner of a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackOwner {
    /// The pair with this index.
    Pair(usize),
    /// The counter with this index.
    Counter(usize),
}

#[derive(Debug, Default)]
pub(super) struct Tracks {
    list: Vec<Track>,
    lanes: Vec<Lanes>,
    /// The number of values that share a track because of the limit.
    untracked: u64,
    buffer: Vec<u8>,
}

/// The tracks of one pair or counter, by the values that distinguish them.
#[derive(Debug)]
pub(super) struct TrackSet {
    of: TrackOwner,
    name: String,
    sources: Vec<KeySource>,
    one: KeyMap<u64, u32>,
    two: KeyMap<[u64; 2], u32>,
    many: KeyMap<Box<[u8]>, u32>,
    /// The track for entries that lack a value.
    without_values: Option<u32>,
    /// The track of all entries of the first trace, if no values distinguish tracks.
    single: Option<u32>,
    /// The common track for values beyond the limit.
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
            single: None,
            other: None,
        }
    }

    pub(super) fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// Returns the track of entries in scope 0, if it exists. `value` is the value that distinguishes tracks,
    /// if there is one.
    #[inline(always)]
    pub(super) fn track_for(&self, value: Option<u64>) -> Option<u32> {
        match value {
            None => self.single,
            Some(bits) => self.one.get(&bits).copied(),
        }
    }

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

    pub(super) fn untracked(&self) -> u64 {
        self.untracked
    }

    pub(super) fn lanes(&mut self, track: u32) -> &mut Lanes {
        &mut self.lanes[track as usize]
    }

    /// Returns the track of `entry`, and creates it if necessary. `parts` are the positions of the
    /// values that distinguish tracks. All entries in which such a value is missing share a track.
    #[inline]
    pub(super) fn find(&mut self, set: &mut TrackSet, parts: &[KeyPart], entry: &Entry<'_>) -> u32 {
        if parts.is_empty()
            && entry.scope == 0
            && let Some(track) = set.single
        {
            return track;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let key = key_of(parts, entry, &mut buffer);
        let found = match key {
            Some(KeyRef::One(bits)) => set.one.get(&bits),
            Some(KeyRef::Two(bits)) => set.two.get(&bits),
            Some(KeyRef::Many(bytes)) => set.many.get(bytes),
            None => set.without_values.as_ref(),
        };
        let track = found.copied().unwrap_or_else(|| self.add(set, key, parts, entry));
        self.buffer = buffer;
        track
    }

    #[cold]
    fn add(
        &mut self,
        set: &mut TrackSet,
        key: Option<KeyRef<'_>>,
        parts: &[KeyPart],
        entry: &Entry<'_>,
    ) -> u32 {
        if self.list.len() >= MAX_TRACKS {
            return self.find_other(set);
        }
        let track = self.push(Track {
            name: match entry.scope {
                0 => set.name_of(key, parts),
                trace => format!("{} (trace {})", set.name_of(key, parts), trace + 1),
            },
            of: set.of,
            pid: (key.is_some() && set.sources.contains(&KeySource::Pid)).then_some(entry.pid),
            tid: entry.tid().filter(|_| key.is_some() && set.sources.contains(&KeySource::Tid)),
        });
        if parts.is_empty() && entry.scope == 0 {
            set.single = Some(track);
        }
        match key {
            Some(KeyRef::One(bits)) => drop(set.one.insert(bits, track)),
            Some(KeyRef::Two(bits)) => drop(set.two.insert(bits, track)),
            Some(KeyRef::Many(bytes)) => drop(set.many.insert(bytes.into(), track)),
            None => set.without_values = Some(track),
        }
        track
    }

    fn find_other(&mut self, set: &mut TrackSet) -> u32 {
        self.untracked += 1;
        if let Some(track) = set.other {
            return track;
        }
        let track =
            self.push(Track { name: format!("{} (other)", set.name), of: set.of, pid: None, tid: None });
        set.other = Some(track);
        track
    }

    fn push(&mut self, track: Track) -> u32 {
        self.list.push(track);
        self.lanes.push(Lanes::default());
        self.list.len() as u32 - 1
    }
}

/// The lanes of a track. A new span takes the lowest free lane.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    count: u32,
    /// A bit for each lane, which is set if the lane is free.
    free: Vec<u64>,
    /// A bit for each word of `free`, which is set if the word is not 0.
    nonzero: Vec<u64>,
}

impl Lanes {
    #[inline]
    pub(super) fn take(&mut self) -> u32 {
        let Some(at) = self.nonzero.iter().position(|&bits| bits != 0) else {
            self.count += 1;
            return self.count - 1;
        };
        let word = 64 * at + self.nonzero[at].trailing_zeros() as usize;
        let bits = self.free[word];
        self.free[word] = bits & (bits - 1);
        if self.free[word] == 0 {
            self.nonzero[at] &= self.nonzero[at] - 1;
        }
        64 * word as u32 + bits.trailing_zeros()
    }

    #[inline]
    pub(super) fn release(&mut self, lane: u32) {
        let word = lane as usize / 64;
        if self.free.len() <= word {
            self.free.resize(word + 1, 0);
            self.nonzero.resize(word / 64 + 1, 0);
        }
        self.free[word] |= 1 << (lane % 64);
        self.nonzero[word / 64] |= 1 << (word % 64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_track_can_have_many_lanes() {
        let mut lanes = Lanes::default();
        assert!((0..20_000).all(|lane| lanes.take() == lane));
        for lane in [19_999, 4096, 8200, 64, 63] {
            lanes.release(lane);
        }
        let taken = [(); 7].map(|()| lanes.take());
        assert_eq!(taken, [63, 64, 4096, 8200, 19_999, 20_000, 20_001]);
    }

    proptest! {
        #[test]
        fn spans_take_the_lowest_free_lane(steps in vec(prop_oneof![3 => Just(None), 2 => any::<usize>().prop_map(Some)], 0..2000)) {
            let mut lanes = Lanes::default();
            let mut taken: BTreeSet<u32> = BTreeSet::new();
            for step in steps {
                match step {
                    Some(index) if !taken.is_empty() => {
                        let lane = *taken.iter().nth(index % taken.len()).unwrap();
                        taken.remove(&lane);
                        lanes.release(lane);
                    }
                    _ => {
                        let lowest = (0..).find(|lane| !taken.contains(lane)).unwrap();
                        prop_assert_eq!(lanes.take(), lowest);
                        taken.insert(lowest);
                    }
                }
            }
        }
    }
}
