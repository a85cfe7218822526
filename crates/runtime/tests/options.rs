//! Tests the parsing of option strings. `options/texts.txt` contains option strings, each followed
//! by its meaning. `RINGTRACE_ACCEPT=1` rewrites the meanings.

#![cfg(feature = "monitor")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use ringtrace::monitor::{Address, Mode};
use ringtrace::options::KEYS;
use ringtrace::{Backends, Clock, FileFormat, LogLine, Options, OptionsError, Policy, Settings};

/// Replaces `\n` and `\xHH` by bytes.
fn unescape(text: &str) -> OsString {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (byte, length) = match rest.as_bytes()[at + 1] {
            b'n' => (b'\n', 2),
            b'x' => (u8::from_str_radix(&rest[at + 2..at + 4], 16).unwrap(), 4),
            other => unreachable!("\\{}", char::from(other)),
        };
        bytes.push(byte);
        rest = &rest[at + length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    OsString::from_vec(bytes)
}

fn options_of(lines: &[&str]) -> Result<Options, OptionsError> {
    let mut options = Options::new();
    for line in lines {
        let (name, text) = line.split_once(' ').unwrap_or((line, ""));
        options.extend(match name {
            "--trace" => Options::from_args([OsStr::new("--trace"), &unescape(text)])?.0,
            "--monitor" => Options::monitor_from_args([OsStr::new("--monitor"), &unescape(text)])?.0,
            "RINGTRACE_MONITOR" => Options::parse_monitor_variable(name, unescape(text))?,
            _ => Options::parse_variable(name, unescape(text))?,
        });
    }
    Ok(options)
}

/// Lists the options that differ from the defaults, one on each line.
fn shown(options: &Options) -> String {
    if options.is_empty() {
        return "    nothing\n".to_owned();
    }
    let mut text = String::new();
    for switch in options.switches() {
        writeln!(text, "    {} {}", if switch.enable { "on" } else { "off" }, switch.pattern).unwrap();
    }
    for (part, pattern) in options.contexts() {
        writeln!(text, "    {} {pattern}", part.name()).unwrap();
    }
    if options.asks_for_list() {
        text.push_str("    the list of events\n");
    }
    for Address { path, mode, directory } in options.monitors() {
        write!(text, "    a monitor at {path:?}").unwrap();
        if *mode != Mode::Auto {
            write!(text, ", {mode:?}").unwrap();
        }
        if let Some(directory) = directory {
            write!(text, ", files in {directory:?}").unwrap();
        }
        text.push('\n');
    }
    match options.settings() {
        Err(error) => writeln!(text, "    error: {error}").unwrap(),
        Ok(settings) => {
            let shown = format!("{settings:#?}");
            let default = format!("{:#?}", Settings::default());
            // Each field starts with four spaces. A field that differs is printed completely.
            let fields = |text: &str| {
                let lines = text.lines().skip(1).filter(|line| *line != "}").map(str::trim);
                lines
                    .collect::<Vec<_>>()
                    .join(" ")
                    .replace("( ", "(")
                    .replace(", )", ")")
                    .replace(", }", " }")
            };
            for (now, before) in split_fields(&fields(&shown)).iter().zip(split_fields(&fields(&default))) {
                if *now != before {
                    writeln!(text, "    {now}").unwrap();
                }
            }
        }
    }
    if text.is_empty() { "    start only\n".to_owned() } else { text }
}

/// Splits `a: X, b: Y { c: Z },` at the commas of the outermost level.
fn split_fields(text: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let (mut depth, mut in_text) = (0, false);
    for c in text.chars() {
        match c {
            '"' => in_text = !in_text,
            '{' | '(' if !in_text => depth += 1,
            '}' | ')' if !in_text => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 && !in_text {
            fields.push(String::new());
        } else {
            fields.last_mut().unwrap().push(c);
        }
    }
    fields.into_iter().map(|field| field.trim().to_owned()).collect()
}

#[test]
fn texts_have_the_accepted_meanings() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/options/texts.txt");
    let before = std::fs::read_to_string(&path).unwrap();
    let mut now = String::new();
    let mut cases = 0;
    for paragraph in before.split("\n\n") {
        let given: Vec<&str> = paragraph
            .lines()
            .filter(|line| line.starts_with("--") || line.starts_with("RINGTRACE"))
            .collect();
        for line in paragraph.lines().filter(|line| !line.starts_with("    ")) {
            writeln!(now, "{line}").unwrap();
        }
        if !given.is_empty() {
            cases += 1;
            match options_of(&given) {
                Ok(options) => now.push_str(&shown(&options)),
                Err(error) => writeln!(now, "    error: {error}").unwrap(),
            }
        }
        now.push('\n');
    }
    let now = format!("{}\n", now.trim_end());
    assert!(cases > 50, "only {cases} cases were found");
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        std::fs::write(&path, now).unwrap();
    } else {
        assert!(now == before, "RINGTRACE_ACCEPT=1 accepts\n--- accepted\n{before}\n--- now\n{now}");
    }
}

/// The tables in docs/options.md contain every key, and its examples are valid or invalid as
/// stated.
#[test]
fn the_document_agrees_with_the_parser() {
    let document = include_str!("../../../docs/options.md");
    for key in KEYS {
        let row = format!("| `{}` |", key.usage());
        let line = document.lines().find(|line| line.starts_with(&row));
        let default = line.and_then(|line| line.trim_end_matches([' ', '|']).rsplit(" | ").next());
        assert!(line.is_some(), "docs/options.md has no row {row}");
        assert!(default.unwrap().contains(key.default.unwrap_or_default()), "docs/options.md, {row}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("list.txt"), "blk_*\n").unwrap();
    let list = format!("events={}", folder.path().join("list.txt").display());
    let mut examples = 0;
    for (mark, are_right) in [("```options\n", true), ("```mistaken-options\n", false)] {
        let block = document.split_once(mark).unwrap().1.split("```").next().unwrap();
        for line in block.lines() {
            let options = options_of(&[&line.replace("events=list.txt", &list)]);
            let is_right = options.is_ok_and(|options| options.settings().is_ok());
            assert_eq!(is_right, are_right, "docs/options.md: {line}");
            examples += 1;
        }
    }
    assert!(examples > 10);
}

#[test]
fn the_document_agrees_about_addresses() {
    let document = include_str!("../../../docs/control.md");
    for (mark, are_right) in [("```addresses\n", true), ("```mistaken-addresses\n", false)] {
        let block = document.split_once(mark).unwrap().1.split("```").next().unwrap();
        for line in block.lines() {
            assert_eq!(line.parse::<Address>().is_ok(), are_right, "docs/control.md: {line}");
        }
    }
    for line in Address::help().lines().take_while(|line| !line.is_empty()) {
        let part = line.split_whitespace().next().unwrap();
        assert!(document.contains(&format!("\n| `{part}` |")), "docs/control.md has no row for {part}");
    }
}

#[test]
fn every_key_has_a_case() {
    let texts = include_str!("options/texts.txt");
    for key in KEYS {
        let written = if key.value.is_empty() { key.name.to_owned() } else { format!("{}=", key.name) };
        let is_first_or_after_a_comma = |line: &str| {
            let given = line.starts_with("--") || line.starts_with("RINGTRACE");
            given && (line.contains(&format!(" {written}")) || line.contains(&format!(",{written}")))
        };
        assert!(
            texts.lines().any(is_first_or_after_a_comma),
            "no line of options/texts.txt contains {written}"
        );
    }
}

#[test]
fn other_arguments_are_kept() {
    let cases: [(&[&str], &[&str], &[&str]); 6] = [
        (&["prog", "a", "-v"], &[], &["prog", "a", "-v"]),
        (&["prog", "--trace", "x", "a"], &["x"], &["prog", "a"]),
        (&["prog", "--trace=x", "a", "--trace", "y"], &["x", "y"], &["prog", "a"]),
        (&["prog", "--", "--trace", "x"], &[], &["prog", "--", "--trace", "x"]),
        (&["prog", "--tracer", "x", "--trac", "-trace"], &[], &["prog", "--tracer", "x", "--trac", "-trace"]),
        (&["prog", "--trace", "--", "a"], &["-"], &["prog", "a"]),
    ];
    for (arguments, patterns, expected) in cases {
        let (options, rest) = Options::from_args(arguments).unwrap();
        assert_eq!(rest, expected, "{arguments:?}");
        let found: Vec<&str> = options.switches().map(|switch| switch.pattern.as_str()).collect();
        assert_eq!(found, patterns, "{arguments:?}");
    }
    let error = Options::from_args(["prog", "--trace"]).unwrap_err();
    assert_eq!(error.to_string(), "--trace: a value is missing, such as '*' for all events");
}

#[test]
fn monitor_options_are_taken_from_the_arguments() {
    let cases: [(&[&str], &[&str], &[&str]); 4] = [
        (&["prog", "--monitor", "unix:m", "a"], &["m"], &["prog", "a"]),
        (
            &["prog", "--monitor=unix:m", "--trace", "x", "--monitor", "unix:n"],
            &["m", "n"],
            &["prog", "--trace", "x"],
        ),
        (&["prog", "--", "--monitor", "unix:m"], &[], &["prog", "--", "--monitor", "unix:m"]),
        (&["prog", "--monitors", "unix:m", "-monitor"], &[], &["prog", "--monitors", "unix:m", "-monitor"]),
    ];
    for (arguments, sockets, expected) in cases {
        let (options, rest) = Options::monitor_from_args(arguments).unwrap();
        assert_eq!(rest, expected, "{arguments:?}");
        let found: Vec<PathBuf> = options.monitors().map(Address::socket).collect();
        assert_eq!(found, sockets.iter().map(PathBuf::from).collect::<Vec<_>>(), "{arguments:?}");
    }
    let error = Options::monitor_from_args(["prog", "--monitor"]).unwrap_err();
    assert_eq!(error.to_string(), "--monitor: a value is missing, such as unix:monitor.sock");
}

#[test]
fn a_socket_name_can_contain_the_process_id() {
    let address: Address = "unix:%d/%x%%d-%d".parse().unwrap();
    let pid = std::process::id();
    assert_eq!(address.socket(), PathBuf::from(format!("{pid}/%x%{pid}-{pid}")));
}

fn bytes() -> impl Strategy<Value = OsString> {
    let any_bytes = proptest::collection::vec(any::<u8>(), 0..64);
    // Use parts of valid options, so that some of the strings are valid. The letters cannot form
    // `events=` with a file name.
    let likely = proptest::string::string_regex(
        "(enable|file|backend|policy|buffer|clock|[,=;:*?+\\-aKMs0-9@%]|simple|log|block|mode|qmp|unix:){0,12}",
    );
    prop_oneof![any_bytes.prop_map(OsString::from_vec), likely.unwrap().prop_map(OsString::from)]
}

fn settings() -> impl Strategy<Value = Settings> {
    let path = proptest::collection::vec(1..=255_u8, 1..20)
        .prop_map(|bytes| PathBuf::from(OsString::from_vec(bytes)));
    let path = || proptest::option::of(path.clone());
    let policy = prop_oneof![
        Just(Policy::Discard),
        Just(Policy::Overwrite),
        proptest::option::of(1..3_600_000_000_u64)
            .prop_map(|us| Policy::Block { timeout: us.map(Duration::from_micros) }),
    ];
    let clock = prop_oneof![Just(Clock::Exact), Just(Clock::Coarse), Just(Clock::Gettime)];
    let line = prop_oneof![Just(LogLine::Plain), Just(LogLine::Time), Just(LogLine::Thread)];
    let backends = (1..8_u8).prop_map(|bits| Backends::from_bits(bits * 2) | Backends::SIMPLE);
    let format = proptest::sample::select(&FileFormat::ALL);
    (path(), path(), path(), line, backends, policy, 17..=29_u32, 1..=4096_usize, clock, format).prop_map(
        |(file, log_file, directory, log_line, backends, policy, shift, threads, clock, format)| Settings {
            file,
            format,
            log_file,
            log_line,
            backends,
            policy,
            buffer_bytes: 1 << shift,
            threads,
            clock,
            directory,
            ..Settings::default()
        },
    )
}

fn text_of(settings: &Settings) -> OsString {
    let mut text = OsString::from("*");
    let mut put = |key: &str, value: &OsStr| {
        text.push(format!(",{key}="));
        let bytes = value.as_encoded_bytes().iter();
        let doubled = bytes.flat_map(|&byte| std::iter::repeat_n(byte, if byte == b',' { 2 } else { 1 }));
        text.push(OsString::from_vec(doubled.collect()));
    };
    let paths = [("file", &settings.file), ("logfile", &settings.log_file), ("dir", &settings.directory)];
    for (key, path) in paths {
        path.iter().for_each(|path| put(key, path.as_os_str()));
    }
    let policy = match settings.policy {
        Policy::Discard => "discard".to_owned(),
        Policy::Block { timeout: None } => "block".to_owned(),
        Policy::Block { timeout: Some(timeout) } => format!("block:{}us", timeout.as_micros()),
        Policy::Overwrite => "overwrite".to_owned(),
    };
    let clock = match settings.clock {
        Clock::Exact => "exact",
        Clock::Coarse => "coarse",
        Clock::Gettime => "gettime",
    };
    let line = match settings.log_line {
        LogLine::Plain => "plain",
        LogLine::Time => "time",
        LogLine::Thread => "thread",
    };
    put("logline", line.as_ref());
    put("backend", settings.backends.to_string().as_ref());
    put("policy", policy.as_ref());
    put("clock", clock.as_ref());
    put("format", settings.format.name().as_ref());
    put("compress", settings.format.compression().unwrap_or("none").as_ref());
    put("buffer", settings.buffer_bytes.to_string().as_ref());
    put("threads", settings.threads.to_string().as_ref());
    text
}

proptest! {
    #[test]
    fn any_text_is_valid_or_an_error(text in bytes()) {
        // Error messages must be safe for a terminal.
        let calm = |error: OptionsError| assert!(!error.to_string().contains(char::is_control), "{error}");
        match Options::parse(&text) {
            Ok(options) => drop(options.settings().map_err(calm)),
            Err(error) => calm(error),
        }
        let _ = Options::parse_variable("RINGTRACE", &text).map_err(calm);
    }

    #[test]
    fn any_address_is_valid_or_an_error(text in bytes()) {
        let mut text = text.into_vec();
        for text in [text.clone(), { text.splice(..0, *b"unix:"); text }] {
            let parsed = Address::parse(OsStr::from_bytes(&text)).map_err(|error| error.to_string());
            assert!(!parsed.is_err_and(|error| error.contains(char::is_control)));
        }
    }

    #[test]
    fn a_formatted_address_is_parsed_back(
        path in proptest::collection::vec(1..=255_u8, 1..100),
        files in proptest::collection::vec(1..=255_u8, 1..20),
    ) {
        prop_assume!(path[0] != b'@' && !path.contains(&b'%'));
        let doubled = |bytes: &[u8]| bytes.iter().flat_map(|&byte| vec![byte; 1 + usize::from(byte == b',')]).collect();
        let parts: [Vec<u8>; 4] = [b"unix:".to_vec(), doubled(&path), b",mode=hmp,files=".to_vec(), doubled(&files)];
        let address = Address::parse(OsString::from_vec(parts.concat())).unwrap();
        let bytes = |path: PathBuf| path.into_os_string().into_vec();
        prop_assert_eq!(bytes(address.socket()), path);
        prop_assert_eq!(address.directory.map(bytes), Some(files));
        prop_assert_eq!(address.mode, Mode::Hmp);
    }

    #[test]
    fn formatted_settings_are_parsed_back(settings in settings()) {
        prop_assert_eq!(Options::parse(text_of(&settings)).unwrap().settings().unwrap(), settings);
    }

    #[test]
    fn no_argument_is_lost(arguments in proptest::collection::vec("(--trace|--trace=a|--|a|-v)", 0..12)) {
        // An error means that the last option lacks its value, or that an argument taken as an
        // option's value is invalid.
        let Ok((options, rest)) = Options::from_args(&arguments) else { return Ok(()) };
        // A switch takes one or two arguments.
        let switches = options.switches().count();
        prop_assert!((rest.len() + switches..=rest.len() + 2 * switches).contains(&arguments.len()));
    }
}
