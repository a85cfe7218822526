//! The cost of recording, seen from the thread that emits.

pub mod burst;
pub mod by_hand;
pub mod cores;
pub mod cpu_time;
pub mod in_c;
pub mod stopwatch;
pub mod turns;
pub mod work;
