//! A thread that emits events and keeps running, so that its ring is visible.

use std::sync::mpsc::{Receiver, Sender, channel};

use ringtrace::{Event, probe};

/// The thread, which ends when this value is dropped.
pub struct Worker {
    tasks: Sender<(&'static Event, u32)>,
    done: Receiver<()>,
}

impl Worker {
    pub fn start() -> Worker {
        let (tasks, task) = channel::<(&'static Event, u32)>();
        let (finished, done) = channel();
        let work = move || {
            for (event, times) in task {
                (0..times).filter(|_| event.is_enabled()).for_each(|_| probe::emit(event, ()));
                finished.send(()).unwrap();
            }
        };
        std::thread::Builder::new().name("worker".to_owned()).spawn(work).unwrap();
        Worker { tasks, done }
    }

    /// Emits an event `times` times, and waits until the thread has done so.
    pub fn emit(&self, event: &'static Event, times: u32) {
        self.tasks.send((event, times)).unwrap();
        self.done.recv().unwrap();
    }
}
