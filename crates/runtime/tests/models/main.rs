//! The ring, tried in every order in which its threads can take turns and see each other's stores, by loom.
//!
//! The files of the ring are compiled here a second time, over atomics and cells of loom's: what is tried is what runs. A model
//! is a few threads and a few records, which is enough to go around the ring. `docs/proof.md` tells what each model shows;
//! [`mutation`] shows that no ordering is there in vain: weakened, it makes a model fail.
//!
//! `RINGTRACE_MODELS=N` lets threads be interrupted N times, where it is two or three.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
#![allow(dead_code, reason = "of the ring's files a part is tried")]
#![allow(clippy::absurd_extreme_comparisons, reason = "models spin once")]

mod clock;
mod model;
mod mutation;
mod os {
    pub(crate) mod sync;
    pub(crate) mod wait;
}
mod ring;
