//! Mutation of memory orderings, which shows that each one is necessary.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use crate::model::{MODELS, explore};
use crate::os::sync::{Site, WEAKEN, sites};

/// Orderings that no model can test. Each entry contains the file, a part of the line, and the
/// reason.
const BEYOND: &[(&str, &str, &str)] = &[
    ("overflow.rs", "fence(Ordering::SeqCst);", "pairs with a system call at the end of a session"),
    ("without_slot.rs", "compare_exchange(USED, LEFT", "loom never orders an addition after a later swap"),
    ("producer.rs", "compare_exchange(looking, to, ", "the fence for all processors has the same effect"),
    ("quiesce.rs", "next.load(Ordering::Acquire)", "the fence for all processors has the same effect"),
    (
        "quiesce.rs",
        "compare_exchange(next, change(next), ",
        "the fence for all processors has the same effect",
    ),
    ("overflow.rs", "left.bytes.store(", "the fence before it has the same effect"),
];

/// Weakening any ordering of the ring's files makes a model fail.
#[test]
#[ignore = "takes minutes"]
fn every_ordering_is_needed() {
    let mut all: BTreeSet<Site> = BTreeSet::new();
    for &(_, model, interruptions) in MODELS {
        // Each model runs on a new thread, because loom's state is thread-local.
        let seen = std::thread::spawn(move || {
            explore(model, interruptions);
            sites()
        });
        all.extend(seen.join().unwrap());
    }
    let mut kept = Vec::new();
    for (file, line) in all {
        let weakened = format!("{file}:{line}");
        let source = std::fs::read_to_string(format!("src/ring/{file}")).unwrap();
        let text = source.lines().nth(line as usize - 1).unwrap().trim().to_owned();
        let found = MODELS.iter().find(|(model, ..)| !passes(model, &weakened));
        match found {
            Some((model, ..)) => eprintln!("{weakened}: {text}: {model}"),
            None if BEYOND.iter().any(|(of, part, _)| *of == file && text.contains(part)) => {}
            None => kept.push(format!("{weakened}: {text}")),
        }
    }
    assert!(kept.is_empty(), "every model passes although these were weakened: {kept:#?}");
}

/// Returns whether the model passes with an ordering weakened. Runs it in a new process, because
/// loom does not always survive a failure.
fn passes(model: &str, weakened: &str) -> bool {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("model::tried::{model}")])
        .env(WEAKEN, weakened)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.unwrap().success()
}
