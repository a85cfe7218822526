//! A lock-free ring for each thread.
//!
//! A probe uses [`producer`] to reserve room and publish records; if a ring has no room,
//! [`overflow`] decides what to do. The writer thread reads with [`consumer`], or with [`flight`]
//! if the oldest records are overwritten. [`recording`] contains the shared state.

pub(crate) mod arena;
pub(crate) mod arena_file;
pub(crate) mod attach;
pub(crate) mod consumer;
pub(crate) mod current;
pub(crate) mod declarations;
pub(crate) mod directory;
pub(crate) mod doorbell;
pub(crate) mod flight;
mod free_slots;
pub(crate) mod inbox;
pub(crate) mod overflow;
pub(crate) mod ownership;
pub(crate) mod pauses;
pub(crate) mod producer;
pub(crate) mod quiesce;
pub(crate) mod recording;
pub(crate) mod sharing;
pub(crate) mod slot;
mod slot_wait;
pub(crate) mod snapshot_requests;
pub(crate) mod without_slot;
