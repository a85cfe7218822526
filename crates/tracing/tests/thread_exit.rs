//! Events of threads that are exiting.

#![cfg(feature = "layer")]
#![allow(clippy::unwrap_used, reason = "tests")]

use std::cell::RefCell;

use ringtrace_tracefile::{Entry, Flow, Input, Options as ReadOptions, Reader};
use ringtrace_tracing::Options;
use tracing::{info, info_span};
use tracing_subscriber::prelude::*;

/// Emits an event when it is dropped.
struct AtExit;

impl Drop for AtExit {
    fn drop(&mut self) {
        info!(name: "last", target: "exits", "bye");
    }
}

#[test]
fn a_thread_without_its_local_variables_can_emit() {
    // Use a global default: a thread's own default is destroyed before the event occurs.
    tracing_subscriber::registry().with(ringtrace_tracing::layer()).init();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let guard = Options::new().enable("exits::*").file(&file).start().unwrap();
    thread_local! {
        static FIRST: RefCell<Option<AtExit>> = const { RefCell::new(None) };
    }
    let thread = std::thread::spawn(|| {
        // The first one is dropped last, after those of the layer and the registry.
        FIRST.with_borrow_mut(|first| *first = Some(AtExit));
        info_span!(target: "exits", "work").in_scope(|| info!(name: "inside", target: "exits", "m"));
    });
    thread.join().unwrap();
    drop(guard);
    let mut reader = Reader::new("trace", Input::open(&file).unwrap(), &ReadOptions::default()).unwrap();
    let mut names = Vec::new();
    reader
        .for_each(|entry: &Entry<'_>| {
            names.push(entry.schema.name.to_string());
            Flow::Continue
        })
        .unwrap();
    assert_eq!(names.len(), 6, "{names:?}");
    assert_eq!(names[5], "exits__last");
}
