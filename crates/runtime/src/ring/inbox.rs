//! Requests that carry data to the writer thread.

use std::sync::{Mutex, MutexGuard};

use crate::os;
use crate::os::sync::{AtomicBool, Ordering};

/// Requests that any number of threads can send at the same time. The writer thread handles them.
#[derive(Debug)]
pub(crate) struct Inbox<T> {
    waiting: Mutex<Waiting<T>>,
    /// Set while requests are pending, so that the writer thread takes no lock when there are none.
    requested: AtomicBool,
}

#[derive(Debug)]
struct Waiting<T> {
    requests: Vec<T>,
    /// Set when the writer thread has ended and accepts no more requests.
    is_over: bool,
}

impl<T> Default for Inbox<T> {
    fn default() -> Inbox<T> {
        let waiting = Waiting { requests: Vec::new(), is_over: false };
        Inbox { waiting: Mutex::new(waiting), requested: AtomicBool::new(false) }
    }
}

impl<T> Inbox<T> {
    fn waiting(&self) -> MutexGuard<'_, Waiting<T>> {
        os::lock(&self.waiting)
    }

    /// Adds a request. If the request is dropped, the caller sees its channel close.
    pub(crate) fn request(&self, request: T) {
        let mut waiting = self.waiting();
        if !waiting.is_over {
            waiting.requests.push(request);
            self.requested.store(true, Ordering::Release);
        }
    }

    /// Drops all present and future requests, because the writer thread ends. A session is never
    /// freed, so a pending request would keep its file open for ever.
    pub(crate) fn end(&self) {
        let mut waiting = self.waiting();
        waiting.is_over = true;
        waiting.requests.clear();
    }

    /// Whether requests are pending.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    pub(crate) fn take(&self) -> Vec<T> {
        if !self.requested.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        std::mem::take(&mut self.waiting().requests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn requests_are_dropped_when_the_writer_thread_ends() {
        let inbox = Inbox::default();
        let request = || {
            let (answer, answered) = mpsc::sync_channel::<()>(1);
            inbox.request(answer);
            answered
        };
        let before = request();
        assert_eq!(before.try_recv().unwrap_err(), mpsc::TryRecvError::Empty);
        inbox.end();
        let behind = request();
        for answered in [before, behind] {
            assert_eq!(answered.try_recv().unwrap_err(), mpsc::TryRecvError::Disconnected);
        }
        assert!(inbox.take().is_empty());
    }
}
