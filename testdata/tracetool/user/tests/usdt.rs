//! Tracers from outside, the real ones, listen to the program `listened`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests may; clippy knows only functions marked as tests"
)]

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_listened");

/// The events of the program that are not `disable`d: their names, and how bpftrace prints their values.
///
/// bpftrace has words for six arguments (`arg0` to `arg5`). The others it reads where the note says that they are.
const EVENTS: &[(&str, &str)] = &[
    ("nothing", ""),
    ("signs", "dddddd"),
    ("widths", "uuuuuu"),
    ("pointers", "xxx"),
    ("strings", "sss"),
    ("lazy", "ds"),
    ("one", "d"),
    ("two", "dd"),
    ("three", "ddd"),
    ("four", "dddd"),
    ("five", "ddddd"),
    ("six", "dddddd"),
    ("seven", "ddddddd"),
    ("eight", "dddddddd"),
    ("nine", "ddddddddd"),
    ("ten", "duduSduSdu"),
    ("done", ""),
];

/// The program, waiting for words.
struct Listened {
    child: Child,
    words: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Listened {
    fn start() -> Listened {
        let mut command = Command::new(PROGRAM);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (words, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Listened { child, words, answers: BufReader::new(answers).lines() }
    }

    fn ask(&mut self, word: &str) -> String {
        writeln!(self.words, "{word}").unwrap();
        self.answers.next().unwrap().unwrap()
    }

    /// Waits until somebody listens to `count` events.
    fn wait_for_listeners(&mut self, count: usize) {
        let begin = Instant::now();
        let wanted = format!("{count} events are listened to");
        while self.ask("listened") != wanted {
            assert!(begin.elapsed() < Duration::from_secs(60), "{}", self.ask("listened"));
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Listened {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says why bpftrace cannot work here, if it cannot.
fn has_uprobes() -> bool {
    use std::os::unix::fs::MetadataExt;
    let is_root = Path::new("/proc/self").metadata().is_ok_and(|own| own.uid() == 0);
    let has = |path: &str| Path::new(path).exists();
    let able = is_root
        && has("/sys/bus/event_source/devices/uprobe/format/ref_ctr_offset")
        && has("/proc/sys/kernel/unprivileged_bpf_disabled");
    if !able {
        eprintln!("SKIPPED: no uprobes and BPF that we may use");
    }
    able
}

/// A script that prints what each event of [`EVENTS`] brings, a line each, and ends with `done`.
fn script() -> String {
    let mut script = String::new();
    for (name, values) in EVENTS {
        let mut format = (*name).to_owned();
        let mut arguments = String::new();
        for (index, conversion) in values.chars().enumerate() {
            let word = match index {
                0..6 => format!("arg{index}"),
                _ => beyond_six(index, conversion),
            };
            format += match conversion {
                'd' => " %ld",
                'u' => " %lu",
                'x' => " %lx",
                _ => " '%s'",
            };
            arguments += &match conversion {
                's' | 'S' => format!(", str({word})"),
                _ => format!(", {word}"),
            };
        }
        let end = if *name == "done" { "exit();" } else { "" };
        script += &format!(
            "usdt:{PROGRAM}:listened:{name} {{ printf(\"{format}\\n\"{arguments}); @count[\"{name}\"]++; {end} }}\n"
        );
    }
    script
}

/// An argument that bpftrace has no word for: in an array, to which a register points.
fn beyond_six(index: usize, conversion: char) -> String {
    let register = if cfg!(target_arch = "x86_64") { "ax" } else { "r0" };
    let sign = if conversion == 'd' { "int64" } else { "uint64" };
    format!("*({sign}*)(reg(\"{register}\")+{})", 8 * index)
}

#[test]
fn bpftrace_sees_every_value() {
    if !has_uprobes() {
        return;
    }
    let mut listened = Listened::start();
    assert_eq!(listened.ask("lazy"), "0 arguments were computed");
    let bpftrace = Command::new("bpftrace")
        .args(["-q", "-B", "line", "-p", &listened.child.id().to_string(), "-e", &script()])
        .env("BPFTRACE_STRLEN", "64")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(bpftrace) = bpftrace else {
        eprintln!("SKIPPED: no bpftrace (package bpftrace)");
        return;
    };
    listened.wait_for_listeners(EVENTS.len());
    assert_eq!(listened.ask("lazy"), "2 arguments were computed");
    listened.ask("extremes");
    listened.ask("numbers");
    listened.ask("done");
    let output = bpftrace.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));

    // What nobody listens to any more is not computed any more.
    listened.wait_for_listeners(0);
    assert_eq!(listened.ask("lazy"), "0 arguments were computed");

    let (lines, counts): (Vec<&str>, Vec<&str>) =
        printed.lines().filter(|line| !line.is_empty()).partition(|line| !line.starts_with('@'));
    let cut = "x".repeat(63);
    let expected = [
        "lazy 1 'computed'",
        "nothing",
        "signs -128 -32768 -2147483648 -9223372036854775808 -9223372036854775808 -1",
        "signs 127 32767 2147483647 9223372036854775807 9223372036854775807 0",
        "widths 255 65535 4294967295 18446744073709551615 18446744073709551615 1",
        "widths 0 1 2 9223372036854775808 4 0",
        "pointers deadbeef 0 0",
        "strings 'never touched' '' 'caf\u{fffd}'",
        &format!("strings '' 'one' '{cut}'"),
        "one -1",
        "two -1 2",
        "three -1 2 -3",
        "four -1 2 -3 4",
        "five -1 2 -3 4 -5",
        "six -1 2 -3 4 -5 6",
        "seven -1 2 -3 4 -5 6 -7",
        "eight -1 2 -3 4 -5 6 -7 8",
        "nine -1 2 -3 4 -5 6 -7 8 -9",
        "ten -9223372036854775808 18446744073709551615 -1 255 'fifth' -32768 65535 'eighth' -2147483648 9223372036854775808",
        "done",
    ];
    assert_eq!(lines, expected);
    let count_of = |name: &str| if ["signs", "widths", "strings"].contains(&name) { 2 } else { 1 };
    let mut expected: Vec<String> =
        EVENTS.iter().map(|(name, _)| format!("@count[{name}]: {}", count_of(name))).collect();
    let mut counts = counts;
    counts.sort_unstable();
    expected.sort_unstable();
    assert_eq!(counts, expected);
}

/// What `readelf` says of a note, in its order.
#[test]
fn readelf_understands_the_notes() {
    let output = Command::new("readelf").args(["--notes", "--wide", PROGRAM]).output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: no readelf (package binutils)");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let field = |name: &str| -> Vec<&str> {
        text.lines().filter_map(|line| line.split_once(name)).map(|(_, rest)| rest.trim()).collect()
    };
    let (names, arguments) = (field("Name: "), field("Arguments:"));
    assert!(field("Provider: ").iter().all(|provider| *provider == "listened"), "{text}");
    let mut names_sorted = names.clone();
    names_sorted.sort_unstable();
    let mut expected: Vec<&str> = EVENTS.iter().map(|(name, _)| *name).collect();
    expected.sort_unstable();
    assert_eq!(names_sorted, expected, "each once, and no disabled one");
    let of = |name: &str| arguments[names.iter().position(|other| *other == name).unwrap()];
    assert_eq!(of("nothing"), "");
    if cfg!(target_arch = "x86_64") {
        assert_eq!(of("signs"), "-1@0(%rax) -2@8(%rax) -4@16(%rax) -8@24(%rax) -8@32(%rax) -8@40(%rax)");
        assert_eq!(of("widths"), "1@0(%rax) 2@8(%rax) 4@16(%rax) 8@24(%rax) 8@32(%rax) 1@40(%rax)");
        assert_eq!(of("strings"), "8@0(%rax) 8@8(%rax) 8@16(%rax)");
    }
    for addresses in field("Location: ") {
        let numbers: Vec<&str> = addresses.split([' ', ',']).filter(|word| word.starts_with("0x")).collect();
        let [_location, base, semaphore] = numbers[..] else { panic!("{addresses}") };
        assert!(
            !base.ends_with("x0000000000000000") && !semaphore.ends_with("x0000000000000000"),
            "{addresses}"
        );
    }
}
