//! Compares definitions with Python. Python 2.7 supports everything that definitions can contain.
//! The tests run `RINGTRACE_PYTHON2`, or `python2.7` in `PATH`. Without Python 2.7, they use Python
//! 3 for the features that are the same in both.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use ringtrace_kvmtrace::{Clock, Format, TimeNames, expression};
use ringtrace_kvmtrace::{Record, Words};

const CASES: usize = 4_000;

struct Python {
    program: String,
    major: u32,
}

impl Python {
    fn find() -> Option<Python> {
        let named = std::env::var("RINGTRACE_PYTHON2").ok();
        let programs = named.into_iter().chain(["python2.7", "python2", "python3"].map(String::from));
        programs.into_iter().find_map(|program| {
            let version = Command::new(&program)
                .args(["-c", "import sys; print(sys.version_info[0])"])
                .output()
                .ok()?;
            let major = String::from_utf8_lossy(&version.stdout).trim().parse().ok()?;
            Some(Python { program, major })
        })
    }

    /// Returns Python's results for `cases`: the output, or the name of the exception.
    fn answers(&self, cases: &[String]) -> Vec<Result<Vec<u8>, String>> {
        let oracle = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/oracle.py");
        let mut child = Command::new(&self.program)
            .arg(oracle)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let mut input = child.stdin.take().expect("piped");
        let text = cases.join("\n") + "\n";
        let writer =
            std::thread::spawn(move || input.write_all(text.as_bytes()).expect("Python reads all cases"));
        let output = child.wait_with_output().expect("Python exits");
        writer.join().expect("Python reads all cases");
        let answers: Vec<_> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| match line.split_once(' ') {
                Some(("error", name)) => Err(name.to_owned()),
                Some((_, hex)) => Ok(bytes(hex)),
                None => Err(format!("no answer: {line}")),
            })
            .collect();
        assert_eq!(answers.len(), cases.len());
        answers
    }
}

/// Encodes bytes in hexadecimal. The prefix `x` makes an empty string visible.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::from("x"), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

#[derive(Debug, Clone)]
struct Case {
    last: u64,
    now: u64,
    mhz: i32,
    record: Record,
    format: Vec<u8>,
}

impl Case {
    fn line(&self) -> String {
        let Case { last, now, mhz, record, format } = self;
        let Record { event, vcpu, pid, words, .. } = record;
        let words: Vec<String> = words.as_slice().iter().map(u32::to_string).collect();
        format!("text {last} {now} {mhz} {event} {vcpu} {pid} {} {}", words.join(" "), hex(format))
    }

    /// Returns the result of the code under test.
    fn rendered(&self) -> Result<Vec<u8>, String> {
        let mut clock = Clock::new(Some(self.mhz.into()), TimeNames::Tsc);
        clock.arguments(&Record { timestamp: Some(self.last), ..self.record });
        let arguments = clock.arguments(&Record { timestamp: Some(self.now), ..self.record });
        let mut out = Vec::new();
        Format::compile(&self.format).render(&arguments, &mut out).map_err(|error| error.to_string())?;
        assert_eq!(out.pop(), Some(b'\n'));
        Ok(out)
    }
}

const KEYS: &[&str] = &["tsc", "reltsc", "event", "vcpu", "pid", "1", "2", "3", "4", "5"];

/// Generates a typical conversion that has the same output in the given Python as in Python 2.
fn conversion(major: u32) -> BoxedStrategy<String> {
    let key = prop::sample::select(KEYS);
    let flags = prop::collection::vec(prop::sample::select(&["-", "+", " ", "#", "0"][..]), 0..3);
    let width = prop_oneof![Just(String::new()), (1..30u32).prop_map(|width| width.to_string())];
    let precision = prop_oneof![2 => Just(String::new()), 1 => Just(".".into()), 2 => (0..130u32).prop_map(|it| format!(".{it}"))];
    if major == 2 {
        let key = prop_oneof![
            8 => key.prop_map(|key| format!("({key})")),
            1 => Just(String::new()),
            1 => Just("(6)".to_owned())
        ];
        let width = prop_oneof![20 => width, 1 => Just("*".to_owned())];
        let precision = prop_oneof![20 => precision, 1 => Just(".*".to_owned())];
        let modifier = prop::sample::select(&["", "", "", "", "h", "l", "L"][..]);
        let letter = prop::sample::select(
            "diuxXodiuxXosreEfFgGc%y".split("").filter(|it| !it.is_empty()).collect::<Vec<_>>(),
        );
        (key, flags, width, precision, modifier, letter)
            .prop_map(|(key, flags, width, precision, modifier, letter)| {
                format!("%{key}{}{width}{precision}{modifier}{letter}", flags.concat())
            })
            .boxed()
    } else {
        let precision = prop_oneof![Just(String::new()), (1..100u32).prop_map(|it| format!(".{it}"))];
        let float = prop::sample::select(&["e", "E", "f", "F", "g", "G"][..]);
        let integer = prop::sample::select(&["d", "i", "u", "x", "X"][..]);
        let of_time = (Just("tsc"), prop_oneof![float.clone(), Just("d")]);
        let of_any = (prop::sample::select(&KEYS[1..]), prop_oneof![integer, float]);
        (prop_oneof![of_time, of_any], flags, width, precision)
            .prop_map(|((key, letter), flags, width, precision)| {
                // Without `#`, Python before 3.11 sometimes kept trailing zeros.
                let kept = if letter.eq_ignore_ascii_case("g") { "#" } else { "" };
                format!("%({key}){kept}{}{width}{precision}{letter}", flags.concat())
            })
            .boxed()
    }
}

fn format(major: u32) -> impl Strategy<Value = Vec<u8>> {
    let text =
        prop::sample::select(&["", " ", "abc", "100%%", "\t", "(", ")", "\u{e9}"][..]).prop_map(String::from);
    // Parts of conversions, in random order.
    let bits = &[
        "%", "(", ")", "tsc", "(1)", "%(pid)", "d", "x", "s", "*", ".", "-", "+", "#", "0", "7", "h", "l",
        "%%", "c",
    ];
    let noise = prop::collection::vec(prop::sample::select(&bits[..]), 0..5).prop_map(|bits| bits.concat());
    let noise = if major == 2 { noise.boxed() } else { Just(String::new()).boxed() };
    prop::collection::vec(prop_oneof![6 => conversion(major), 2 => text, 1 => noise], 1..5)
        .prop_map(|pieces| pieces.concat().into_bytes())
}

fn case(major: u32) -> impl Strategy<Value = Case> {
    let edges = prop::sample::select(
        &[0, 1, 9, 10, 255, 256, 0x7fff_ffff, 0x8000_0000, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX][..],
    );
    let time = prop_oneof![edges.clone(), any::<u64>(), 0..100_000_000_000u64];
    let word = prop_oneof![edges.prop_map(|edge| edge as u32), any::<u32>(), 0..300u32];
    let mhz = prop_oneof![3 => Just(0), 1 => prop::sample::select(&[1, 2400, -7, 3333, i32::MAX][..])];
    let words = prop::collection::vec(word.clone(), 5);
    (time.clone(), time, mhz, 0..0x1000_0000u32, word.clone(), word, words, format(major)).prop_map(
        |(last, now, mhz, event, vcpu, pid, words, format)| {
            let mut case = Case {
                last,
                now,
                mhz,
                record: Record { event, pid, vcpu, timestamp: None, words: Words::new(&words) },
                format,
            };
            if case.format.contains(&b'*') {
                // Words can be used as the width, so keep them small. Otherwise, Python would print
                // gigabytes.
                let small: Vec<u32> = words.iter().map(|word| word % 300).collect();
                let words = Words::new(&small);
                case.record =
                    Record { event: event % 300, pid: pid % 300, vcpu: vcpu % 300, words, ..case.record };
                case.last %= 300;
                case.now %= 300;
            }
            case
        },
    )
}

fn draw<T: std::fmt::Debug>(strategy: &impl Strategy<Value = T>) -> Vec<T> {
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[7; 32]),
    );
    (0..CASES).map(|_| strategy.new_tree(&mut runner).expect("a valid strategy").current()).collect()
}

#[test]
fn texts_match_python() {
    let Some(python) = Python::find() else {
        eprintln!("SKIPPED: no Python to compare with");
        return;
    };
    let cases = draw(&case(python.major));
    let lines: Vec<String> = cases.iter().map(Case::line).collect();
    for (case, expected) in cases.iter().zip(python.answers(&lines)) {
        let ours = case.rendered();
        let same = match (&ours, &expected) {
            (Ok(ours), Ok(expected)) => ours == expected,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        assert!(
            same,
            "{case:?}\nformat: {}\nours: {:?}\nPython {}: {:?}",
            String::from_utf8_lossy(&case.format),
            ours.map(|it| String::from_utf8_lossy(&it).into_owned()),
            python.major,
            expected.map(|it| String::from_utf8_lossy(&it).into_owned()),
        );
    }
}

/// Generates integer expressions that have the same value in the given Python as in Python 2.
fn integers(major: u32) -> impl Strategy<Value = String> {
    let number = (0..0x4_0000u32, 0..6u8).prop_map(move |(value, notation)| match notation {
        0 => format!("{value:#x}"),
        1 => format!("{value:#o}"),
        2 => format!("{value:#b}"),
        3 if major == 2 => format!("0{value:o}"),
        4 if major == 2 => format!("{value}L"),
        _ => value.to_string(),
    });
    let operators = ["+", "-", "*", "//", "%", "&", "|", "^", "<<3<<", ">>1>>", "/"];
    let operators = &operators[..if major == 2 { 11 } else { 10 }];
    let operator = prop::sample::select(operators.to_vec());
    number.prop_recursive(4, 12, 3, move |inner| {
        prop_oneof![
            (inner.clone(), operator.clone(), inner.clone()).prop_map(|(a, operator, b)| match operator {
                // The shift is bounded, so that Python does not exhaust memory.
                "<<3<<" | ">>1>>" => format!("(({a}){}(({b})%9))", &operator[..2]),
                _ => format!("{a}{operator}{b}"),
            }),
            (prop::sample::select(&["-", "+", "~"][..]), inner.clone())
                .prop_map(|(sign, a)| format!("{sign}{a}")),
            (inner.clone(), 0..3u8).prop_map(|(a, power)| format!("({a})**{power}")),
            (0..9u8, 0..4u8, 0..3u8).prop_map(|(a, b, c)| format!("{a}**{b}**{c}")),
            inner.prop_map(|a| format!("({a})")),
        ]
    })
}

#[test]
fn ids_match_python() {
    let Some(python) = Python::find() else {
        eprintln!("SKIPPED: no Python to compare with");
        return;
    };
    let cases = draw(&integers(python.major));
    let lines: Vec<String> = cases.iter().map(|case| format!("id {}", hex(case.as_bytes()))).collect();
    for (case, expected) in cases.iter().zip(python.answers(&lines)) {
        let ours = expression::evaluate(case.as_bytes()).map(|value| value.to_string().into_bytes());
        let same = match (&ours, &expected) {
            (Ok(ours), Ok(expected)) => ours == expected,
            // 128 bits suffice for ids, but not for everything that Python computes.
            (Err(error), _) if error.kind == expression::ExpressionErrorKind::Overflow => true,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        assert!(same, "{case}\nours: {ours:?}\nPython {}: {expected:?}", python.major);
    }
}
