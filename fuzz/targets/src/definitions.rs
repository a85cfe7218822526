//! Definitions of kvmtrace records, and Python's `%` formatting.
//!
//! An input is a definitions file. The target renders records with extreme values, and with the ids
//! in the file.

use ringtrace_kvmtrace::format::MAX_LINE_BYTES;
use ringtrace_kvmtrace::{Arguments, Clock, Definitions};
use ringtrace_kvmtrace::{Record, Words};

use crate::Target;

pub(crate) const TARGET: Target = Target {
    name: "definitions",
    about: "errors have a line; output is bounded; failed calls append nothing",
    max_bytes: 1024,
    run,
};

fn run(data: &[u8]) {
    let definitions = match Definitions::parse("fuzz", data) {
        Ok(definitions) => definitions,
        Err(problems) => {
            assert!(!problems.is_empty());
            for problem in problems {
                let line =
                    data.split(|&byte| byte == b'\n').nth(problem.line - 1).expect("a line of the text");
                assert!((1..=line.len() + 1).contains(&problem.column), "{problem:?}");
                let _ = problem.to_string();
            }
            return;
        }
    };
    for problem in definitions.diagnostics() {
        let _ = problem.to_string();
    }
    for mhz in [None, Some(2400.0), Some(1e-300), Some(-0.5), Some(f64::NAN)] {
        let mut clock = Clock::new(mhz, definitions.time_names());
        for record in records() {
            let arguments = clock.arguments(&record);
            // Id 0 stands for all events without a definition of their own.
            for event in [record.event, 1, 0] {
                check_line(&definitions, event, &arguments, data.len());
            }
        }
    }
}

fn records() -> impl Iterator<Item = Record> {
    let timestamps = [None, Some(1), Some(u64::MAX), Some(i64::MAX.cast_unsigned()), Some(0)];
    let words: [&[u32]; 3] = [&[], &[u32::MAX, 0, 1 << 31, 9, 200], &[65, 10, 255, 256, 1, 2, 3]];
    timestamps.into_iter().zip(words.into_iter().cycle()).map(|(timestamp, words)| Record {
        event: 0x0001_0001,
        pid: u32::MAX,
        vcpu: 0,
        timestamp,
        words: Words::new(words),
    })
}

fn check_line(definitions: &Definitions, event: u32, arguments: &Arguments, text_bytes: usize) {
    let mut out = b"before\n".to_vec();
    let before = out.len();
    match definitions.render(event, arguments, &mut out) {
        Err(_) => assert_eq!(out.len(), before, "a failed call appended something"),
        Ok(()) => assert!(out.len() - before <= MAX_LINE_BYTES + text_bytes + 1024, "{} bytes", out.len()),
    }
    assert!(out.starts_with(b"before\n"));
}
