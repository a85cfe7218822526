//! The trace of a program that uses `tracing` and passes the messages of `log` to it. This is a
//! single test, because a program has only one logger.

#![cfg(feature = "layer")]
#![allow(clippy::unwrap_used, reason = "tests")]

use log::{error, info};
use ringtrace_tracefile::metadata::{Metadata, SITE};
use ringtrace_tracefile::{Entry, Flow, Input, Options as ReadOptions, Reader, Value};
use ringtrace_tracing::Options;
use tracing_subscriber::prelude::*;

struct Shown(u64);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        assert!(self.0 < 100, "a message was formatted while its event was off");
        self.0.fmt(f)
    }
}

/// The names are those of `ringtrace-log`.
#[test]
fn each_call_of_log_is_an_event() {
    let folder = tempfile::tempdir().unwrap();
    // This also passes the messages of `log` to `tracing`.
    tracing_subscriber::registry().with(ringtrace_tracing::layer()).init();
    let file = folder.path().join("trace");
    let guard = Options::new().enable("log::*").enable("db*").file(&file).start().unwrap();
    let mut lines = Vec::new();
    for id in 0..2 {
        let _span = tracing::info_span!(target: "db", "query").entered();
        lines = vec![line!() + 1];
        info!("plain");
        lines.push(line!() + 1);
        error!(target: "db", "query {} is slow", Shown(id));
        error!(target: "other", "off: {}", Shown(1000));
    }
    let long = "ä".repeat(300);
    lines.push(line!() + 1);
    info!(target: &format!("db{long}"), "a long target");
    drop(guard);

    let (mut found, mut spans) = (Vec::new(), Vec::new());
    let mut reader = Reader::new("trace", Input::open(&file).unwrap(), &ReadOptions::default()).unwrap();
    reader
        .for_each(|entry: &Entry<'_>| {
            if let (Some(Value::Str(message)), Some(Value::Integer(span))) = (entry.value(0), entry.value(1))
            {
                found.push((entry.schema.name.to_string(), String::from_utf8_lossy(message).into_owned()));
                spans.push(span);
            }
            Flow::Continue
        })
        .unwrap();
    let &[info, error, long] = lines.as_slice() else { unreachable!() };
    let (info, error) = (format!("log__info_{info}"), format!("db__log_rs_error_{error}"));
    let long = format!("db{}__log_rs_info_{long}", "_".repeat(127));
    let expected = [
        (&info, "plain"),
        (&error, "query 0 is slow"),
        (&info, "plain"),
        (&error, "query 1 is slow"),
        (&long, "a long target"),
    ];
    assert_eq!(found, expected.map(|(name, message)| (name.clone(), message.to_owned())));
    assert!(spans[0] != 0 && spans[0] == spans[1] && spans[2] == spans[3] && spans[4] == 0, "{spans:?}");
    let sites = reader.metadata().iter().filter_map(|piece| match piece {
        Metadata::Other(key, site) if key == SITE => Some(String::from_utf8_lossy(site).into_owned()),
        _ => None,
    });
    let site = format!("{error} ERROR db {}:", file!());
    assert!(sites.clone().any(|found| found.starts_with(&site)), "{:?}", Vec::from_iter(sites));
}
