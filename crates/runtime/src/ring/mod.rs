//! A ring for each thread, without locks: reserving room, publishing records, and reading them.
//!
//! A probe uses [`producer`]; if a ring has no room, [`overflow`] decides what to do. The writer
//! thread uses [`consumer`], or [`flight`] if the oldest records are overwritten. [`recording`]
//! contains the state that both share.

pub(crate) mod arena;
pub(crate) mod attach;
pub(crate) mod consumer;
pub(crate) mod current;
pub(crate) mod doorbell;
pub(crate) mod flight;
mod free_slots;
pub(crate) mod overflow;
pub(crate) mod ownership;
pub(crate) mod pauses;
pub(crate) mod producer;
pub(crate) mod quiesce;
pub(crate) mod recording;
pub(crate) mod sharing;
pub(crate) mod slot;
pub(crate) mod snapshot_requests;
