//! Measures parsing, checking and normalising all of QEMU's declarations.
//!
//! `cargo bench -p ringtrace-events --bench parse [FILE]` reads FILE. The default is
//! `trace-events-all` from the corpus or, without a corpus, a file from `testdata` repeated to
//! about the same size. The benchmark prints the median and the fastest of 200 runs.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program for a terminal")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ringtrace_events::SourceFile;
use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::spacing::normalise;

const RUNS: usize = 200;

fn main() {
    let bytes = input();
    let source = SourceFile::from_bytes("trace-events-all", &bytes);
    let events = parse(vec![source.clone()], Dialect::Read).declarations.events.len();
    println!("{events} events in {} bytes", bytes.len());
    time("from bytes", || SourceFile::from_bytes("trace-events-all", &bytes));
    time("parse for reading", || parse(vec![source.clone()], Dialect::Read));
    time("parse for generating", || parse(vec![source.clone()], Dialect::NEW));
    time("parse and lint", || {
        let mut parsed = parse(vec![source.clone()], Dialect::NEW);
        lint(&mut parsed, &Levels::default(), None);
        parsed
    });
    time("normalise", || normalise(source.text()));
}

fn input() -> Vec<u8> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Skip the options that Cargo adds to the command line.
    #[expect(clippy::disallowed_methods, reason = "a benchmark's arguments")]
    let given = std::env::args_os().skip(1).find(|argument| !argument.as_encoded_bytes().starts_with(b"--"));
    let file = given.map(PathBuf::from).or_else(|| ringtrace_corpus::find("qemu/trace-events-all"));
    file.and_then(|file| std::fs::read(file).ok()).unwrap_or_else(|| {
        let small = std::fs::read(manifest.join("../../testdata/boot-small.events")).unwrap();
        small.repeat(545_000 / small.len())
    })
}

fn time<T>(what: &str, mut work: impl FnMut() -> T) {
    let mut micros: Vec<u128> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            let result = black_box(work());
            let elapsed = start.elapsed();
            drop(result);
            elapsed.as_micros()
        })
        .collect();
    micros.sort_unstable();
    println!("{what:22} median {:6} us, fastest {:6} us", micros[RUNS / 2], micros[0]);
}
