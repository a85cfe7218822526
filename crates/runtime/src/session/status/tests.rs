//! Tests that a status request does not wait for a thread that changes the session.

use std::sync::mpsc::channel;
use std::time::Duration;

use super::{event_counts, observe, status};
use crate::event::registry;
use crate::options::Pattern;
use crate::session;

/// Much longer than a request takes.
const TIMEOUT: Duration = Duration::from_secs(60);

#[test]
fn the_status_is_available_while_the_session_changes() {
    let (done, is_done) = channel();
    // Hold the lock, as if a file were being created on a slow disk.
    let _state = session::state::state();
    std::thread::spawn(move || {
        let _ = (status(), observe(), event_counts(&Pattern::of_monitor("*")));
        let _ = (session::trace_file(), session::is_recording(), registry::enabled_events());
        let _ = done.send(());
    });
    assert!(is_done.recv_timeout(TIMEOUT).is_ok(), "the status waits for the session's state");
}
