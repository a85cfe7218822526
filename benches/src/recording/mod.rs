//! The cost of recording for the thread that emits events.

pub mod burst;
pub mod by_hand;
pub mod cores;
pub mod in_c;
pub mod stopwatch;
pub mod turns;
pub mod work;
