//! Models of the ring and of the monitor's calls. loom tries every order in which threads can run
//! and see each other's stores.
//!
//! The production files are compiled here a second time, with loom's atomics, cells and locks, so
//! the models test the production code. A model has a few threads and a few records, which is
//! enough to go around the ring. `docs/proof.md` lists what each model shows. [`mutation`] shows
//! that every ordering is necessary, because weakening it makes a model fail.
//!
//! `RINGTRACE_MODELS=N` sets the number of preemptions, which is two or three by default.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
#![allow(dead_code, reason = "the models use only parts of the ring's files")]
#![allow(clippy::absurd_extreme_comparisons, reason = "models spin once")]

#[path = "../../src/control/server/calls.rs"]
mod calls;
mod clock;
mod model;
mod monitor;
mod mutation;
mod os {
    pub(crate) mod sync;
    pub(crate) mod wait;

    pub(crate) use sync::{lock, unpoisoned};
}
mod ring;
mod without_slot;
