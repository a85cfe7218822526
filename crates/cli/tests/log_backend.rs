//! Compares a program's log with the output of `print --style log` for its trace of the same
//! events.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::test_runner::{Config, TestRunner};
use proptest::{collection, prelude::*};
use ringtrace::probe::emit;
use ringtrace::{Argument, ArgumentKind, Backends, Declaration, Event, LogLine, Settings};

const fn argument(name: &'static str, ctype: &'static str, kind: ArgumentKind) -> Argument {
    Argument { name, ctype, kind }
}

macro_rules! event {
    ($name:ident, $event:literal, $arguments:expr, $format:expr, $text:literal) => {
        static $name: Event = Event::new(Declaration {
            name: $event,
            group: "test",
            arguments: $arguments,
            format: $format,
            text: $text,
            traceable: true,
        });
    };
}

event!(
    NUMBERS,
    "numbers",
    &[
        argument("a", "int", ArgumentKind::Integer),
        argument("b", "uint64_t", ArgumentKind::Integer),
        argument("c", "uint8_t", ArgumentKind::Integer),
        argument("d", "void *", ArgumentKind::Pointer),
    ],
    Some("\"a=%d b=%\" PRIu64 \" c=%02x %-6u| d=%p\""),
    "numbers(int a, uint64_t b, uint8_t c, void *d) \"a=%d b=%\" PRIu64 \" c=%02x %-6u| d=%p\""
);
event!(
    WORDS,
    "words",
    &[argument("s", "const char *", ArgumentKind::Str), argument("t", "const char *", ArgumentKind::Str)],
    Some("\"s='%s' t='%12s' 100%%\""),
    "words(const char *s, const char *t) \"s='%s' t='%12s' 100%%\""
);
event!(PLAIN, "plain", &[], None, "plain(void)");

ringtrace::group! { name: "test", events: [&NUMBERS, &WORDS, &PLAIN] }

/// Strings that programs log, including line breaks. (`print` escapes other control characters, but
/// only on a terminal.)
fn word() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        "[a-z0-9%\\\\\n\r]{0,30}".prop_map(String::into_bytes),
        "\\PC{0,20}".prop_map(String::into_bytes),
        collection::vec(128..=255_u8, 0..10),
        // A record contains at most 512 bytes of a string. Longer strings would be complete only in
        // the log.
        (480..=512_usize).prop_map(|length| vec![b'x'; length]),
    ]
}

fn printed(trace: &Path, style: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    let output = command.args(["print", "--style", style]).arg(trace).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Removes the start of each line, including the fraction of the second. The fractions differ,
/// because the two backends read the clock at different times.
fn without_times(text: &[u8], separator: u8) -> Vec<Vec<u8>> {
    let lines = text.split(|&byte| byte == b'\n');
    lines.map(|line| line.splitn(2, |&byte| byte == separator).last().unwrap().to_vec()).collect()
}

#[test]
fn print_of_a_trace_matches_the_log() {
    let folder = tempfile::tempdir().unwrap();
    for (line, style, separator) in [
        (LogLine::Plain, "log", None),
        (LogLine::Time, "log-time", Some(b' ')),
        (LogLine::Thread, "log-pid", Some(b':')),
    ] {
        let [trace, log] = ["trace", "log"].map(|name| folder.path().join(format!("{name}-{style}")));
        let settings = Settings {
            backends: Backends::SIMPLE | Backends::LOG,
            file: Some(trace.clone()),
            log_file: Some(log.clone()),
            log_line: line,
            directory: Some(folder.path().to_owned()),
            ..Settings::default()
        };
        let guard = ringtrace::session::start(settings).unwrap();
        ringtrace::set_enabled("*", true);
        let numbers = (any::<i32>(), any::<u64>(), any::<u8>(), any::<u64>());
        let mut runner =
            TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
        let run = runner.run(&(numbers, word(), word()), |((a, b, c, d), s, t)| {
            emit(&NUMBERS, (i64::from(a).cast_unsigned(), b, u64::from(c), d));
            emit(&WORDS, (&s[..], &t[..]));
            emit(&PLAIN, ());
            Ok(())
        });
        run.unwrap();
        drop(guard);
        let (printed, logged) = (printed(&trace, style), fs::read(log).unwrap());
        assert_eq!(logged.iter().filter(|&&byte| byte == b'\n').count(), 900);
        match separator {
            None => assert_eq!(
                String::from_utf8_lossy(&printed).lines().collect::<Vec<_>>(),
                String::from_utf8_lossy(&logged).lines().collect::<Vec<_>>()
            ),
            Some(separator) => {
                assert_eq!(without_times(&printed, separator), without_times(&logged, separator));
            }
        }
        // The removed parts must have the same format, apart from the digits, and contain the same
        // thread.
        let shape = |text: &[u8]| {
            let first = text.iter().take(25).map(|&b| if b.is_ascii_digit() { b'0' } else { b });
            first.collect::<Vec<u8>>()
        };
        assert_eq!(shape(&printed), shape(&logged), "{style}");
        if line == LogLine::Thread {
            let thread = |text: &[u8]| text.split(|&byte| byte == b'@').next().unwrap().to_vec();
            assert_eq!(thread(&printed), thread(&logged));
        }
    }
}
