//! A thread in which events happen, and that lives on, so that its ring is there to be seen.

use std::sync::mpsc::{Receiver, Sender, channel};

use ringtrace::{Event, probe};

/// The thread. It ends with this.
pub struct Worker {
    tasks: Sender<(&'static Event, u32)>,
    done: Receiver<()>,
}

impl Worker {
    pub fn start() -> Worker {
        let (tasks, task) = channel::<(&'static Event, u32)>();
        let (tell, done) = channel();
        let work = move || {
            for (event, times) in task {
                (0..times).filter(|_| event.is_enabled()).for_each(|_| probe::emit(event, ()));
                tell.send(()).unwrap();
            }
        };
        std::thread::Builder::new().name("worker".to_owned()).spawn(work).unwrap();
        Worker { tasks, done }
    }

    /// An event happens so often, and has when this returns.
    pub fn happen(&self, event: &'static Event, times: u32) {
        self.tasks.send((event, times)).unwrap();
        self.done.recv().unwrap();
    }
}
