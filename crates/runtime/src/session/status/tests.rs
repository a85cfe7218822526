//! Nobody who asks waits for who starts, switches or changes files.

use std::sync::mpsc::channel;
use std::time::Duration;

use super::{event_counts, observe, status};
use crate::event::registry;
use crate::options::Pattern;
use crate::session;

/// Longer than asking takes.
const TIMEOUT: Duration = Duration::from_secs(60);

#[test]
fn it_can_be_asked_while_somebody_starts_or_changes_files() {
    let (done, is_done) = channel();
    // As while a file is made on a slow disk.
    let _state = session::state::state();
    std::thread::spawn(move || {
        let _ = (status(), observe(), event_counts(&Pattern::of_monitor("*")));
        let _ = (session::trace_file(), session::is_recording(), registry::enabled_events());
        let _ = done.send(());
    });
    assert!(is_done.recv_timeout(TIMEOUT).is_ok(), "asking waits for the session's state");
}
