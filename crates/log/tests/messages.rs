//! The trace of a program that uses `log`. This is a single test, because a program has only one
//! logger.

#![allow(clippy::unwrap_used, reason = "tests")]

use log::{LevelFilter, error, info, log_enabled, warn};
use ringtrace_log::Options;
use ringtrace_tracefile::{Entry, Flow, Input, Options as ReadOptions, Reader, Value};

struct Shown(u64);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        assert!(self.0 < 100, "a message was formatted while its event was off");
        self.0.fmt(f)
    }
}

#[test]
fn each_call_is_an_event() {
    let folder = tempfile::tempdir().unwrap();
    ringtrace_log::init().unwrap();
    assert_eq!(log::max_level(), LevelFilter::Off);
    warn!("before the start, {}", Shown(1000));
    let file = folder.path().join("trace");
    let guard = Options::new().enable("messages::*").file(&file).start().unwrap();
    assert!(log_enabled!(log::Level::Trace));
    let mut lines = Vec::new();
    for id in 0..2 {
        lines = vec![line!() + 1];
        info!("plain");
        lines.push(line!() + 1);
        error!(target: "messages::db", "query {} is slow", Shown(id));
        warn!(target: "other", "off: {}", "it matches no pattern");
    }
    ringtrace::set_enabled("messages::db::*", false);
    // A new call site in a module that is off.
    error!(target: "messages::db", "off: {}", Shown(1000));
    ringtrace::set_enabled("messages*", false);
    ringtrace::set_enabled("*", false);
    drop(guard);

    let mut found = Vec::new();
    let mut reader = Reader::new("trace", Input::open(&file).unwrap(), &ReadOptions::default()).unwrap();
    reader
        .for_each(|entry: &Entry<'_>| {
            let Some(Value::Str(message)) = entry.value(0) else { return Flow::Stop };
            found.push((entry.schema.name.to_string(), String::from_utf8_lossy(message).into_owned()));
            Flow::Continue
        })
        .unwrap();
    let [info, error] = lines.as_slice() else { unreachable!() };
    let (info, error) =
        (format!("messages__info_{info}"), format!("messages__db__messages_rs_error_{error}"));
    let expected =
        [(&info, "plain"), (&error, "query 0 is slow"), (&info, "plain"), (&error, "query 1 is slow")];
    assert_eq!(found, expected.map(|(name, message)| (name.clone(), message.to_owned())));
}
