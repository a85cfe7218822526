//! The thread for slow calls. A flush, for example, waits for the writer thread, which waits for a
//! disk.

use std::io;
use std::sync::Arc;

use super::calls;
use super::thread::Thread;
use super::thread::Wake;
use crate::control::dialogue::{Call, Outcome, Program};

pub(super) type Calls = calls::Calls<Call, Outcome>;

pub(super) fn start(calls: Arc<Calls>, program: Arc<Program>, wake: Arc<Wake>) -> io::Result<Thread> {
    Thread::start("ringtrace-ctl", move || {
        while let Some((number, call)) = calls.next() {
            calls.finish(number, call.run(&program), &*wake);
        }
    })
}
