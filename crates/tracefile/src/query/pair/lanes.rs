//! Which spans stand beside each other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
