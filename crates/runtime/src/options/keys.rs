//! The keys of an option, and the parsing of their values.

use std::ffi::{OsStr, OsString};
use std::time::Duration;

use ringtrace_events::nearest::nearest;

use super::error::OptionsErrorKind;
use super::events_file;
use super::{Clock, ContextPart, ExistingFile, FileFormat, LogLine, Policy, Settings, Switch};
use super::{EventSwitch, OptionItem};

/// A key of an option.
#[derive(Debug)]
pub struct Key {
    /// The name of the key.
    pub name: &'static str,
    /// The placeholder for its value in help texts; empty if it needs no value.
    pub value: &'static str,
    /// A short description, for help texts.
    pub about: &'static str,
    /// The default value, if there is one.
    pub default: Option<&'static str>,
    pub(super) take: fn(&OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind>,
}

/// All keys, in the order of help texts. The first key may be omitted at the start of an option.
pub static KEYS: &[Key] = &[
    key("enable", "PATTERN", "enable events; `-PATTERN` disables events", None, enable),
    key("events", "FILE", "read patterns from a file, one per line", None, events),
    key("file", "FILE", "trace file", Some("trace-PID"), file),
    key("format", "FORMAT", "format of the trace file: v4, compact", Some("v4"), format),
    key("compress", "NAME", "compression of `format=compact`: zstd, none", Some("none"), compress),
    key("backend", "NAME+...", "simple, log, syslog, ftrace", Some("simple"), backend),
    key("logfile", "FILE", "output of the backend `log`", None, logfile),
    key("logline", "BEGIN", "start of its lines: plain, time, thread", Some("plain"), logline),
    key("policy", "POLICY", "full buffers: discard, block[:TIME], overwrite", Some("discard"), policy),
    key("buffer", "SIZE", "buffer size per thread, 128K to 512M", Some("1M"), buffer),
    key("threads", "COUNT", "number of buffers created at the start", Some("32"), threads),
    key("clock", "CLOCK", "exact, coarse, gettime", Some("exact"), clock),
    key("snapshot", "SIGNAL", "signal that writes a snapshot: USR1, USR2, ...", None, snapshot),
    key("dir", "DIR", "folder for the buffers", None, dir),
    key("exists", "WHAT", "existing trace file: replace, keep, rename", Some("replace"), exists),
    key("stack", "", "record the call stack of the events that this option enables", None, stack),
    key("cpu", "", "record the CPU of the events that this option enables", None, cpu),
    key("rotate", "LIMIT", "start another file at a size or age: 1G, 1h", None, rotate),
    key("keep", "COUNT", "number of files to keep with `rotate`", None, keep),
    key("announce", "FILE", "append the name of each new trace to this file", None, announce),
];

const fn key(
    name: &'static str,
    value: &'static str,
    about: &'static str,
    default: Option<&'static str>,
    take: fn(&OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind>,
) -> Key {
    Key { name, value, about, default, take }
}

impl Key {
    /// Returns the key as it is written in an option: `NAME=VALUE` or `NAME`.
    pub fn usage(&self) -> String {
        if self.value.is_empty() { self.name.to_owned() } else { format!("{}={}", self.name, self.value) }
    }
}

/// Returns a help text of at most 80 columns that lists all keys and their defaults, for programs
/// that print their own help.
pub fn help() -> String {
    let mut text = String::new();
    for key in KEYS {
        text.push_str(&format!("  {:<17} {}\n", key.usage(), key.about));
    }
    let defaults = KEYS.iter().filter_map(|key| Some(format!("{}={}", key.name, key.default?)));
    text.push_str(&format!("\nDefaults: {}\n", defaults.collect::<Vec<_>>().join(", ")));
    text
}

const LOG_LINES: [(&str, LogLine); 3] =
    [("plain", LogLine::Plain), ("time", LogLine::Time), ("thread", LogLine::Thread)];

const CLOCKS: [(&str, Clock); 3] =
    [("exact", Clock::Exact), ("coarse", Clock::Coarse), ("gettime", Clock::Gettime)];

fn text(value: &OsStr) -> Result<&str, OptionsErrorKind> {
    value.to_str().ok_or_else(|| OptionsErrorKind::NotText { shown: value.to_string_lossy().into_owned() })
}

fn bad_value(key: &'static str, value: &str, expected: impl Into<String>) -> OptionsErrorKind {
    OptionsErrorKind::Value { key, value: value.to_owned(), expected: expected.into() }
}

fn one_of(value: &str, words: &[&str]) -> String {
    let near = nearest(value, words.iter().copied());
    let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
    format!("one of {}{near}", words.join(", "))
}

fn choice<T: Copy, const N: usize>(
    key: &'static str,
    value: &OsStr,
    choices: &[(&str, T); N],
) -> Result<T, OptionsErrorKind> {
    let word = text(value)?;
    match choices.iter().find(|(name, _)| *name == word) {
        Some((_, meaning)) => Ok(*meaning),
        None => Err(bad_value(key, word, one_of(word, &choices.map(|(name, _)| name)))),
    }
}

/// Parses a pattern, or a word that requests the list of events.
pub(super) fn item_of(word: &str, location: Option<(std::path::PathBuf, usize)>) -> OptionItem {
    match word {
        "help" | "?" => OptionItem::List,
        _ => OptionItem::Switch(EventSwitch { switch: Switch::parse(word), location }),
    }
}

fn enable(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let word = text(value)?;
    Ok(if word.is_empty() { Vec::new() } else { vec![item_of(word, None)] })
}

fn events(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    events_file::read(named("events", value)?.as_ref())
}

fn named(key: &'static str, value: &OsStr) -> Result<OsString, OptionsErrorKind> {
    if value.is_empty() { Err(bad_value(key, "", "a name")) } else { Ok(value.to_owned()) }
}

fn file(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    Ok(vec![OptionItem::File(named("file", value)?.into())])
}

fn format(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let formats = [FileFormat::V4, FileFormat::Compact].map(|format| (format.name(), format));
    Ok(vec![OptionItem::Format(choice("format", value, &formats)?)])
}

/// Values of `compress`: whether the trace is compressed.
const COMPRESSIONS: [(&str, bool); 2] = [("zstd", true), ("none", false)];

fn compress(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    Ok(vec![OptionItem::Compress(choice("compress", value, &COMPRESSIONS)?)])
}

fn logfile(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    Ok(vec![OptionItem::LogFile(named("logfile", value)?.into())])
}

fn dir(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    Ok(vec![OptionItem::Directory(named("dir", value)?.into())])
}

/// Values of `exists`.
const EXISTS: [(&str, ExistingFile); 3] =
    [("replace", ExistingFile::Replace), ("keep", ExistingFile::Keep), ("rename", ExistingFile::Rename)];

fn exists(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    choice("exists", value, &EXISTS).map(|existing| vec![OptionItem::Existing(existing)])
}

/// An uppercase unit makes the value a size, a lowercase unit a time: `1M` is a mebibyte, and `1m` is
/// a minute.
fn rotate(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let word = text(value)?;
    let is_time = word.ends_with(|last: char| last.is_ascii_lowercase());
    let size = parse_size(word).filter(|_| !is_time).filter(|size| *size >= MIN_FILE_BYTES);
    let time = parse_duration(word).filter(|time| ROTATION_TIMES.contains(time));
    match (size, time) {
        (Some(size), _) => Ok(vec![OptionItem::RotateSize(size as u64)]),
        (_, Some(time)) => Ok(vec![OptionItem::RotateTime(time)]),
        _ => Err(bad_value(
            "rotate",
            word,
            "a size from 1M, such as 100M or 1G, or a time from 1s to 8760h, such as 30m or 1h",
        )),
    }
}

/// The smallest size of a file. Files are written in pieces of a few hundred KiB.
const MIN_FILE_BYTES: usize = 1 << 20;

const ROTATION_TIMES: std::ops::RangeInclusive<Duration> =
    Duration::from_secs(1)..=Duration::from_hours(8760);

fn keep(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let word = text(value)?;
    match parse_digits(word).filter(|count| *count > 0) {
        Some(count) => Ok(vec![OptionItem::Keep(count)]),
        None => Err(bad_value("keep", word, "a number from 1")),
    }
}

fn announce(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    Ok(vec![OptionItem::Announce(named("announce", value)?.into())])
}

/// Values of keys that need no value.
const SWITCHES: [(&str, bool); 2] = [("on", true), ("off", false)];

fn stack(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    context(ContextPart::Stack, value)
}

fn cpu(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    context(ContextPart::Cpu, value)
}

fn context(part: ContextPart, value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let value = if value.is_empty() { OsStr::new("on") } else { value };
    // The patterns are added when the whole option is known.
    let is_on = choice(part.name(), value, &SWITCHES)?;
    Ok(if is_on { vec![OptionItem::Context(part, Vec::new())] } else { Vec::new() })
}

/// Signals that are free for programs to use, and that the system does not send by itself.
const SIGNALS: [(&str, i32); 4] =
    [("USR1", libc::SIGUSR1), ("USR2", libc::SIGUSR2), ("HUP", libc::SIGHUP), ("WINCH", libc::SIGWINCH)];

fn snapshot(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let word = text(value)?;
    let short = OsStr::new(word.strip_prefix("SIG").unwrap_or(word));
    Ok(vec![OptionItem::SnapshotSignal(choice("snapshot", short, &SIGNALS)?)])
}

fn backend(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    text(value)?
        .parse()
        .map(|backends| vec![OptionItem::Backends(backends)])
        .map_err(OptionsErrorKind::Backend)
}

fn clock(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    Ok(vec![OptionItem::Clock(choice("clock", value, &CLOCKS)?)])
}

fn policy(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let word = text(value)?;
    let policy = match word.split_once(':') {
        None if word == "discard" => Policy::Discard,
        None if word == "block" => Policy::Block { timeout: None },
        None if word == "overwrite" => Policy::Overwrite,
        Some(("block", time)) => match parse_time(time) {
            Some(timeout) => Policy::Block { timeout: Some(timeout) },
            None => {
                return Err(bad_value(
                    "policy",
                    word,
                    "a time of up to an hour after `block:`, such as 500us, 20ms or 2s",
                ));
            }
        },
        _ => {
            let name = word.split(':').next().unwrap_or(word);
            return Err(bad_value(
                "policy",
                word,
                one_of(name, &["discard", "block", "block:TIME", "overwrite"]),
            ));
        }
    };
    Ok(vec![OptionItem::Policy(policy)])
}

fn buffer(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let word = text(value)?;
    match parse_size(word).and_then(usize::checked_next_power_of_two) {
        Some(size) if Settings::BUFFER_BYTES.contains(&size) => Ok(vec![OptionItem::Buffer(size)]),
        _ => Err(bad_value("buffer", word, "a size from 128K to 512M, such as 256K or 4M")),
    }
}

fn threads(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let word = text(value)?;
    match parse_digits(word).filter(|count| Settings::THREADS.contains(count)) {
        Some(count) => Ok(vec![OptionItem::Threads(count)]),
        None => Err(bad_value("threads", word, "a number from 1 to 4096")),
    }
}

fn logline(value: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    Ok(vec![OptionItem::LogLine(choice("logline", value, &LOG_LINES)?)])
}

/// Parses a number that consists of digits only. `str::parse` would also accept a sign.
fn parse_digits(text: &str) -> Option<usize> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Parses a number of bytes, or a number of KiB, MiB or GiB if it ends with `K`, `M` or `G`.
fn parse_size(text: &str) -> Option<usize> {
    let (digits, shift) = match text.char_indices().next_back()? {
        (at, 'k' | 'K') => (&text[..at], 10),
        (at, 'm' | 'M') => (&text[..at], 20),
        (at, 'g' | 'G') => (&text[..at], 30),
        _ => (text, 0),
    };
    parse_digits(digits)?.checked_mul(1 << shift)
}

/// Parses a time with a unit, between 1 us and one hour.
fn parse_time(text: &str) -> Option<Duration> {
    let time = parse_duration(text).filter(|_| !text.ends_with('m'))?;
    (Duration::from_micros(1)..=Duration::from_secs(3600)).contains(&time).then_some(time)
}

fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    Some(match unit {
        "ns" => Duration::from_nanos(number),
        "us" => Duration::from_micros(number),
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        "min" | "m" => Duration::from_secs(number.checked_mul(60)?),
        "h" => Duration::from_secs(number.checked_mul(3600)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{KEYS, parse_size};
    use crate::{Options, Settings};

    /// The limits and defaults in the help texts agree with [`Settings`].
    #[test]
    fn texts_state_the_actual_limits_and_defaults() {
        let key = |name: &str| KEYS.iter().find(|key| key.name == name).unwrap();
        let settings = Settings::default();
        assert_eq!(parse_size("128K"), Some(*Settings::BUFFER_BYTES.start()));
        assert_eq!(parse_size("512M"), Some(*Settings::BUFFER_BYTES.end()));
        assert!(key("buffer").about.contains("128K to 512M"));
        assert_eq!(Settings::THREADS, 1..=4096);
        for key in KEYS.iter().filter(|key| key.name != "file") {
            let Some(default) = key.default else { continue };
            let options = Options::parse(format!("{}={default}", key.name)).unwrap();
            assert_eq!(options.settings().unwrap(), settings, "{}={default}", key.name);
        }
    }
}
