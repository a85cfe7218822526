//! Expressions: their results, their errors, and their agreement with a simpler evaluator.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

#[path = "expression/naive.rs"]
mod naive;

use std::path::Path;

use proptest::prelude::*;
use ringtrace_events::CType;
use ringtrace_events::format::Value;
use ringtrace_tracefile::expression::{
    Expression, ExpressionError, MAX_BYTES, MAX_DEPTH, Parameter, Subject,
};

/// A sample record.
struct Record {
    event: &'static str,
    pid: Option<u32>,
    tid: Option<u32>,
    thread: Option<&'static str>,
    time_ns: i128,
    /// Names, types and values. A declared value can be missing, as in a truncated record.
    arguments: Vec<(&'static str, CType, Option<Value<'static>>)>,
}

impl Subject for Record {
    fn event_name(&self) -> &str {
        self.event
    }
    fn pid(&self) -> Option<u32> {
        self.pid
    }
    fn tid(&self) -> Option<u32> {
        self.tid
    }
    fn thread_name(&self) -> Option<&str> {
        self.thread
    }
    fn time_ns(&self) -> Option<i128> {
        Some(self.time_ns)
    }
    fn argument(&self, index: usize) -> Option<Value<'_>> {
        self.arguments.get(index)?.2
    }
}

impl Record {
    fn evaluate(&self, source: &str) -> Result<Option<bool>, ExpressionError> {
        let expression = Expression::parse(source)?;
        let bound = expression.bind(|name| {
            let index = self.arguments.iter().position(|argument| argument.0 == name)?;
            Some((index, self.arguments[index].1))
        });
        Ok(bound.evaluate(self))
    }

    fn parameters(&self) -> impl Iterator<Item = Parameter<'_>> {
        self.arguments.iter().map(|&(name, ctype, _)| Parameter {
            name,
            is_string: ctype == CType::Str,
            is_double: ctype == CType::Double,
        })
    }
}

const INT: CType = CType::Integer { bytes: 4, signed: true };
const U64: CType = CType::Integer { bytes: 8, signed: false };

/// Returns the sample record in `docs/expressions.md`.
fn blk_write() -> Record {
    Record {
        event: "blk_write",
        pid: Some(4711),
        tid: None,
        thread: None,
        time_ns: 1_500_000_000,
        arguments: vec![
            ("fd", INT, Some(Value::Integer(7))),
            ("ret", INT, Some(Value::Integer(u64::MAX - 4))),
            ("size", U64, Some(Value::Integer(8192))),
            ("filename", CType::Str, Some(Value::Str(b"/images/disk0.qcow2"))),
            ("fua", CType::Bool, Some(Value::Integer(1))),
            ("name", CType::Pointer, Some(Value::Integer(u64::MAX))),
        ],
    }
}

#[test]
fn evaluation() {
    let (yes, no, neither) = (Some(true), Some(false), None);
    for (source, expected) in [
        // Arguments have their declared types.
        ("ret < 0", yes),
        ("ret == -5", yes),
        ("ret == 0xfffffffffffffffb", no),
        ("ret < size", yes),
        ("arg.name > ret", yes),
        ("arg.name == 0xffffffffffffffff", yes),
        ("arg.name == -1", no),
        ("fua == true && fua != false", yes),
        ("fua", yes),
        ("!fua", no),
        // Literals.
        ("size == 8192 && size == 0x2000 && size == 020000 && size == 0o20000 && size == 8K", yes),
        ("size < 1M && 1M < 1G && 1G < 1T && 0x10K == 16384 && 0b101 == 5", yes),
        ("fd == '\\x07' && 'A' == 0x41 && '\\n' + 1 == 11", yes),
        ("'a' < 'b' && 'a' < \"b\" && name > 'b'", yes),
        ("filename == \"/images/disk0.qcow2\" && filename == '/images/disk0.qcow2'", yes),
        ("\"\\x41\\\\\\\"\\'\" == 'A\\\\\"\\''", yes),
        // Patterns and strings.
        ("filename ~ \"*.qcow2\"", yes),
        ("filename !~ \"*.qcow2\"", no),
        ("filename ~ \"disk?\"", no),
        ("name ~ 'blk_*'", yes),
        ("filename > \"/images/disk\" && filename < \"/images/diskA\"", yes),
        ("filename ~ filename", yes),
        // Arithmetic.
        ("size / 512 == 16 && size % 5000 == 3192 && size * 2 - 1 == 16383", yes),
        ("ret / 2 == -2 && ret % 2 == -1 && -ret == 5 && --ret == ret", yes),
        ("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 10 - 3 - 2 == 5", yes),
        ("size & 0x2000 == 0x2000", yes),
        ("size & 1", no),
        ("ret & 0xff == 0xfb", yes),
        ("7 & 3 + 1 == 4", yes),
        ("size * size * size * size * size * size > 0", yes),
        ("size * size * size * size * size * size * size * size * size * size > 0", neither),
        ("fd / (size - 8192) == 0", neither),
        ("fd % (size - 8192) == 0", neither),
        // Times.
        ("time == 1.5 && time == 1500ms && time == 1500000us && time == 1500000000ns", yes),
        ("time > 1 && time < 2 && time < 0.5h && time < 2min", yes),
        ("time % 1 == 500ms && time - 500ms == 1 && time * 2 == 3 && time / 500ms == 3", yes),
        ("1 + time == 2.5 && -time < 0 && time > -1 && time / 3 == 0.5", yes),
        // Missing values.
        ("tid == 3", neither),
        ("!(tid == 3)", neither),
        ("tid == 3 || fd == 7", yes),
        ("tid == 3 && fd == 7", neither),
        ("tid == 3 && fd == 8", no),
        ("!(tid == 3 && fd == 8)", yes),
        ("nothing", neither),
        ("nothing ~ '*'", neither),
        ("nothing !~ '*'", neither),
        ("nothing == nothing", neither),
        ("filename == fd", neither),
        ("filename == 5 || filename ~ fd || filename", neither),
        // Precedence.
        ("fd == 7 || fd == 8 && fd == 9", yes),
        ("(fd == 7 || fd == 8) && fd == 9", no),
        ("!(fd == 7) || fd == 7", yes),
        ("!!fua", yes),
        ("!!!fua", no),
        (" \t\n fd\n==\t7 ", yes),
    ] {
        match blk_write().evaluate(source) {
            Ok(result) => assert_eq!(result, expected, "{source}"),
            Err(error) => panic!("{source}\n{error}"),
        }
    }
}

#[test]
fn floating_point_values_are_compared_exactly() {
    let record = |value: f64| Record {
        arguments: vec![
            ("x", CType::Double, Some(Value::Integer(value.to_bits()))),
            ("n", U64, Some(Value::Integer((1 << 53) + 1))),
        ],
        ..blk_write()
    };
    let big = 2_f64.powi(53);
    for (value, source, expected) in [
        (0.5, "x == 0.5 && x > 0.25 && x < 1 && x > 0 && x != 0 && 0.5 <= x && x", Some(true)),
        (0.1, "x == 0.1 && x == 1e-1 && x < 0.10000000000000001234567890123456789e1", Some(true)),
        (1e-12, "x > 0 && x < 1e-11 && x < 0.00000000001", Some(true)),
        (-1.5, "x < -1 && x > -2 && x == -1.5 && -x == 1.5 && x < -1.25", Some(true)),
        (big, "x < n && n > x && x == n - 1 && x != n", Some(true)),
        (2.5, "x * 2 == 5 && x / 2 < 2 && x + 1 > 3 && x - 3 < 0 && x % 2 < 1", Some(true)),
        (f64::INFINITY, "x > n && x > 1e308", Some(true)),
        (f64::NEG_INFINITY, "x < 0 && x < -1e308", Some(true)),
        (-0.0, "x == 0 && x == 0.0 && !x", Some(true)),
        (f64::NAN, "x == x", None),
        (f64::NAN, "!(x > 1)", None),
        (1.0, "x & 1 == 1", None),
        (1.0, "x / (x - 1) == 1", None),
    ] {
        match record(value).evaluate(source) {
            Ok(result) => assert_eq!(result, expected, "{value}: {source}"),
            Err(error) => panic!("{source}\n{error}"),
        }
    }
    let expression = Expression::parse("x > 0.5 && n == 0.5").unwrap();
    let found = expression.check(record(1.0).parameters()).unwrap_err();
    assert_eq!(
        (found.span.clone(), &*found.message),
        (11..12, "`n` is a whole number but is compared with a fraction")
    );
}

#[test]
fn expressions_with_time_are_recognized() {
    assert!(Expression::parse("time > 1").unwrap().uses_time());
    assert!(!Expression::parse("arg.time > 1").unwrap().uses_time());
}

/// Returns the error in `source`, whose names are checked against the arguments of [`blk_write`].
fn error(source: &str) -> Option<ExpressionError> {
    let record = blk_write();
    // Omit `name`, so that the sample errors include an unknown `arg.name`.
    let parameters = record.parameters().filter(|parameter| parameter.name != "name");
    Expression::parse(source).and_then(|expression| expression.check(parameters)).err()
}

#[test]
fn errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expression");
    let sources = std::fs::read_to_string(folder.join("mistakes.txt")).unwrap();
    let mut shown = String::new();
    for source in sources.lines() {
        let error = error(source).map_or("accepted".to_owned(), |error| error.to_string());
        shown += &format!("{source}\n    {}\n\n", error.replace('\n', "\n    "));
    }
    let expected = folder.join("mistakes.expected");
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|accept| accept == "1") {
        std::fs::write(expected, shown).unwrap();
    } else {
        let expected = std::fs::read_to_string(expected).unwrap_or_default();
        assert!(shown == expected, "run again with RINGTRACE_ACCEPT=1 to accept:\n{shown}");
    }
}

#[test]
fn messages_are_escaped_and_short() {
    for source in ["name == \"\u{1b}[31m\n\" = 3", "fd == 3 \"\u{1b}[31m\n\"", "\u{1b}", "\u{9b}31m"] {
        let shown = error(source).unwrap().to_string();
        assert!(!shown.contains(['\u{1b}', '\u{9b}']), "{shown:?}");
    }
    let long = "x".repeat(5000);
    for source in
        [format!("{long} == {long}"), format!("{long} = 3"), format!("3 '{long}'"), format!("3{long}")]
    {
        let shown = error(&source).unwrap().to_string();
        assert!(shown.lines().all(|line| line.len() < 150), "{shown}");
    }
}

/// Deep nesting and long chains are either rejected, or evaluated with little stack space.
#[test]
fn nesting_is_bounded() {
    let small_stack = std::thread::Builder::new().stack_size(1 << 18);
    small_stack.spawn(check_nesting).unwrap().join().unwrap();
}

fn check_nesting() {
    let parentheses = |count| "(".repeat(count) + "fd == 7" + &")".repeat(count);
    let nots = |count| "!".repeat(count) + "fd";
    let sums = |count| "1 < fd".to_owned() + &" + fd".repeat(count);
    let negatives = |count| "fd > 1 + ".to_owned() + &"-(fd - ".repeat(count) + "1" + &")".repeat(count);
    let mixed = |count| "fd == 7 && (fd == 8 || ".repeat(count) + "fd" + &")".repeat(count);
    for source in [
        parentheses(1),
        parentheses((MAX_BYTES - 10) / 2),
        nots(MAX_DEPTH - 2),
        sums(MAX_DEPTH - 2),
        negatives(MAX_DEPTH / 2 - 2),
        mixed(MAX_DEPTH / 2 - 1),
        // Chains of conditions and of constants do not count as deep nesting.
        "fd == 8 || ".repeat(5000) + "fd == 7",
        "fd == 7 && ".repeat(5000) + "fd == 7",
        format!("fd == 0{} - 9993", "+1".repeat(10_000)),
    ] {
        assert_eq!(blk_write().evaluate(&source), Ok(Some(true)), "{source}");
        assert_eq!(error(&source), None);
    }
    for source in [
        nots(MAX_DEPTH),
        nots(MAX_BYTES - 2),
        sums(MAX_DEPTH),
        sums(10_000),
        negatives(MAX_DEPTH),
        mixed(MAX_DEPTH),
    ] {
        let error = error(&source).unwrap();
        assert_eq!(error.message, "expression is nested too deeply (limit 100)", "{error}");
    }
    for source in ["(".repeat(MAX_BYTES), "-".repeat(MAX_BYTES), " ".repeat(MAX_BYTES + 1)] {
        assert!(error(&source).is_some());
    }
}

/// Every sample in docs/expressions.md has the documented result.
#[test]
fn documented_samples() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/expressions.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (mut samples, mut mistakes) = (0, 0);
    let blocks = page.split("\n```").skip(1).step_by(2);
    for block in blocks {
        let (language, body) = block.split_once('\n').unwrap();
        match language {
            "where" => {
                for line in body.lines().filter(|line| !line.trim().is_empty()) {
                    let (source, result) = line.rsplit_once(" # ").unwrap();
                    let result = match result.trim() {
                        "true" => Some(true),
                        "false" => Some(false),
                        "neither" => None,
                        other => panic!("{line}: unknown result {other}"),
                    };
                    assert_eq!(blk_write().evaluate(source), Ok(result), "{source}");
                    samples += 1;
                }
            }
            "mistake" => {
                let (source, shown) = body.split_once("\n\n").unwrap();
                assert_eq!(error(source).unwrap().to_string(), shown, "{source}");
                mistakes += 1;
            }
            _ => {}
        }
    }
    assert!(
        samples >= 20 && mistakes >= 2,
        "only {samples} samples and {mistakes} errors were found in the document"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// For random records and expressions, the result is the same as in the naive evaluator.
    #[test]
    fn agrees_with_the_naive_evaluator(
        condition in naive::condition(),
        (a, b, c, d) in (naive::bits(), naive::bits(), naive::bits(), naive::bits()),
        event in proptest::sample::select(&["blk_write", "a", ""][..]),
        (pid, tid) in any::<(Option<u32>, Option<u32>)>(),
        thread in proptest::option::of(proptest::sample::select(&["", "abc", "vcpu 0"][..])),
        time_ns in 0..5_000_000_000i128,
        text in proptest::sample::select(&["", "a", "abc", "disk.qcow2", "\u{e9}"][..]),
    ) {
        let integer = |bytes, signed| CType::Integer { bytes, signed };
        let record = Record {
            event,
            pid,
            tid,
            thread,
            time_ns,
            arguments: vec![
                ("a", integer(4, true), Some(Value::Integer(a))),
                ("b", integer(1, false), Some(Value::Integer(b))),
                ("c", integer(8, false), Some(Value::Integer(c))),
                ("pid", integer(8, true), Some(Value::Integer(d))),
                ("text", CType::Str, Some(Value::Str(text.as_bytes()))),
                ("cut", integer(4, true), None),
            ],
        };
        let source = condition.source();
        match record.evaluate(&source) {
            Ok(result) => prop_assert_eq!(result, condition.evaluate(&record), "{}", source),
            // Constants are evaluated during parsing. There, a missing value is an error.
            Err(error) => prop_assert!(
                error.message == "division by zero" || error.message == "the number is too large",
                "{}\n{}", source, error
            ),
        }
    }

    /// Words in random order form an expression, or cause an error with a valid position.
    #[test]
    fn any_words(words in proptest::collection::vec(proptest::sample::select(&[
        "fd", "name", "time", "pid", "thread", "arg", ".", "arg.fd", "ret", "filename", "(", ")", "(", ")", "!", "-", "&&", "||", "==",
        "<", "~", "!~", "&", "+", "*", "/", "%", "1", "0", "10ms", "1.5", "\"x\"", "'x'", "'", "\"", "0x", "4K",
        "\\", "=", "\u{e9}", "\u{0}", "99999999999999999999", "18446744073709551615", "true",
    ][..]), 0..24), glue in proptest::sample::select(&["", " "][..])) {
        let source = words.join(glue);
        match blk_write().evaluate(&source) {
            Ok(_) => {}
            Err(found) => {
                prop_assert!(source.get(found.span.clone()).is_some(), "{:?} in {:?}", found.span, source);
                prop_assert!(found.to_string().lines().count() >= 4);
            }
        }
        let _ = error(&source);
    }

    #[test]
    fn any_text(source in "\\PC{0,60}") {
        let _ = error(&source).map(|error| error.to_string());
    }
}
