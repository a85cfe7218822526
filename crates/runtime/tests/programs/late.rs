//! A program that declares events while it runs: `late POLICY DIRECTORY FILE EVENTS END`.
//!
//! Four threads declare EVENTS events each, and record each event as soon as it is declared. At the
//! end, the program kills itself, or exits if END is `exit`. With END `fork`, a child does all
//! this.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a program for tests")]

use std::path::PathBuf;

use ringtrace::dynamic::{Argument, Kind, Site, Values};
use ringtrace::session::start;
use ringtrace::{Policy, Settings};

fn work(thread: u64, events: u64) {
    for number in 0..events {
        let site = Site::new(&format!("late::of{thread}::n{number}"), Some("INFO late late.rs:1"));
        let mut values = Values::new();
        values.u64(number).text(format!("thread {thread}"));
        site.emit(&values, |index, kind| Argument::new(["number", "text"][index], kind));
        if number % 10 == 0 {
            // Use another type for the same argument.
            let mut values = Values::new();
            values.i64(-1).bool(true);
            site.emit(&values, |index, kind| match kind {
                Kind::Bool => Argument::new("yes", kind),
                _ => Argument::new(["number", "text"][index], kind),
            });
        }
    }
}

fn main() {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).unwrap();
    let arguments: Vec<String> = std::env::args().collect();
    let [_, policy, directory, file, events, end] = arguments.as_slice() else {
        panic!("late POLICY DIRECTORY FILE EVENTS END")
    };
    let events = events.parse().unwrap();
    let policy = if policy == "overwrite" { Policy::Overwrite } else { Policy::Block { timeout: None } };
    let guard = start(Settings {
        file: Some(PathBuf::from(file)),
        directory: Some(PathBuf::from(directory)),
        policy,
        ..Settings::default()
    })
    .unwrap();
    ringtrace::set_enabled("late::*", true);
    if end == "fork" {
        // SAFETY: the program has no other thread that could hold a lock, except the writer thread.
        let child = unsafe { libc::fork() };
        if child != 0 {
            // SAFETY: this waits for the child.
            assert_eq!(unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) }, child);
            drop(guard);
            return;
        }
    }
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || work(thread, events));
        }
    });
    if end == "kill" {
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
    }
    drop(guard);
}
