//! Metadata that makes a trace self-describing: mapping records with ids that no event uses.
//!
//! A mapping record whose id is `2^63 + n` (n below 2^32) and whose name is `ringtrace.KEY=VALUE`
//! is a metadata record. Readers that do not support metadata treat it as an event that never
//! occurs. A key consists of ASCII letters and digits, `_`, `-` and `.`. The value is UTF-8; bytes
//! that are not UTF-8, control characters and `\` are written as `\xHH`.
//! `docs/formats/simpletrace.md` lists the keys.

use std::fmt::{self, Write};

use super::v4;
use crate::ByteOrder;

/// The first id of metadata records.
pub const FIRST_ID: u64 = 1 << 63;

const IDS: u64 = 1 << 32;

/// The maximum wall-clock time. It ensures that sums with timestamps fit an `i128`.
const MAX_REALTIME_NS: u128 = 1 << 96;

/// The prefix of every metadata record's name.
pub const PREFIX: &str = "ringtrace.";

/// The key of the machine's name.
pub const HOST: &str = "host";
/// The key of the kernel's id of this boot. Traces with the same id have the same clock.
pub const BOOT: &str = "boot";
/// The key of a hash of the machine's id. The id itself is confidential.
pub const MACHINE: &str = "machine";
/// The key of the path of the program's executable.
pub const EXECUTABLE: &str = "executable";
/// The key of the build id of the executable, in hex.
pub const BUILD_ID: &str = "build-id";
/// The key of the id of the process's trace. All files that the process writes have the same id.
pub const TRACE: &str = "trace";
/// The key of the program's command line: its arguments, separated by zero bytes.
pub const COMMAND: &str = "command";
/// The key of the policy for full rings: `discard`, `block`, `block:TIMEOUT` or `overwrite`.
pub const POLICY: &str = "policy";
/// The key of the name of the timestamps' clock, such as `exact (tsc)`.
pub const CLOCK: &str = "clock";
/// The key of the number of clock jumps, if there were any (the machine slept or migrated).
pub const CLOCK_JUMPS: &str = "clock-jumps";
/// The key of the number of records that were published late. These records follow newer records of
/// other threads. `--sort` orders them.
pub const LATE: &str = "late";

/// The key of the record that a program writes when it ends the trace. The value is empty.
pub const ENDED: &str = "ended";

/// The key for the source location that emits an event. The value is the event's name, a space, and
/// `LEVEL TARGET FILE:LINE`. Only events that are declared at run time can have this record.
pub const SITE: &str = "site";

/// The key of [`Metadata::Declaration`].
const DECLARATION: &str = "declaration";

/// The key for the name of the program that extracted this trace's records from another trace.
/// Totals still refer to all records.
pub const SELECTED: &str = "selected";

/// The key for the name of the program that created this trace from the rings of a running program.
pub const SNAPSHOT: &str = "snapshot";

/// The key for the name of the program that created this trace from the memory and the file of a
/// traced program, which was running or had been killed. If events are missing whose number is unknown,
/// [`MISSING`] and a description of them follow.
pub const RECOVERED: &str = "recovered";

/// Separates the name of the program in [`RECOVERED`] from a description of missing events.
pub const MISSING: &str = "; missing: ";

/// Returns a program's name from its [`COMMAND`]: the first word, without its folder.
pub fn program_name(command: &[u8]) -> Option<String> {
    let word = command.split(|&byte| byte == 0).next().filter(|word| !word.is_empty())?;
    let name = word.rsplit(|&byte| byte == b'/').next()?;
    Some(String::from_utf8_lossy(name).into_owned())
}

/// A metadata record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Metadata {
    /// `version=1`: the trace describes itself, and its event ids are `thread << 32 | event`.
    Version(u64),
    /// `declaration=TEXT`: a line of the program's declarations.
    Declaration(String),
    /// `anchor=MONOTONIC_NS REALTIME_NS`: two clocks read at the same moment.
    Anchor(Anchor),
    /// `thread=TID NAME`: the name of a thread.
    Thread(u32, String),
    /// `lost=TID CAUSE COUNT`: the thread and the cause of the loss that the next dropped record
    /// reports.
    Lost(Lost),
    /// `total=TID ISSUED RECORDED DROPPED OVERWRITTEN REFUSED`: a thread's totals at the end of the
    /// trace.
    Total(Total),
    /// `paused=MONOTONIC_NS`: the time, on the trace's clock, at which recording was switched off.
    Paused(u64),
    /// `resumed=MONOTONIC_NS`: the time at which recording was switched on again.
    Resumed(u64),
    /// `module=START END ADDRESS BUILD-ID PATH`: an executable segment in the program's memory.
    Module(Module),
    /// Any other key: [`HOST`], [`COMMAND`], [`POLICY`], [`CLOCK`], and keys of later versions.
    Other(String, Vec<u8>),
}

/// Two clocks read at the same moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// The time on the trace's clock, in nanoseconds.
    pub monotonic_ns: u64,
    /// The wall-clock time, in nanoseconds since 1970 (UTC).
    pub realtime_ns: i128,
}

impl Anchor {
    /// Returns the wall-clock time of `timestamp_ns`, in nanoseconds since 1970.
    pub fn realtime_ns(&self, timestamp_ns: u64) -> i128 {
        self.realtime_ns + i128::from(timestamp_ns) - i128::from(self.monotonic_ns)
    }
}

/// An executable segment of an ELF file, as it is mapped into the program's memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Module {
    /// The first address in memory.
    pub start: u64,
    /// The end of the addresses in memory.
    pub end: u64,
    /// The address of `start` in the ELF file, as in its symbol table.
    pub address: u64,
    /// The build id of the file; empty if it has none.
    pub build_id: Vec<u8>,
    /// The path of the file.
    pub path: Vec<u8>,
}

impl Module {
    /// Returns the address in the ELF file that is mapped at `address`, if the segment contains it.
    pub fn file_address(&self, address: u64) -> Option<u64> {
        let offset = (self.start..self.end).contains(&address).then(|| address - self.start)?;
        self.address.checked_add(offset)
    }

    /// Returns the build id in hex.
    pub fn build_id_text(&self) -> String {
        self.build_id.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Lost events of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost {
    /// The thread.
    pub tid: u32,
    /// The reason for the loss.
    pub cause: Cause,
    /// The number of lost events, as in the dropped record.
    pub count: u64,
}

/// The reason why events are not in the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The ring was full.
    Dropped,
    /// Newer events overwrote them in the ring.
    Overwritten,
    /// They occurred in a signal handler while the thread was recording another event.
    Refused,
}

/// All causes, in the order of [`Total`]'s fields.
pub const CAUSES: [Cause; 3] = [Cause::Dropped, Cause::Overwritten, Cause::Refused];

impl Cause {
    /// Returns the word for the cause, in files and in output.
    pub fn word(self) -> &'static str {
        match self {
            Cause::Dropped => "dropped",
            Cause::Overwritten => "overwritten",
            Cause::Refused => "refused",
        }
    }
}

/// The number of events of a thread, and how many were recorded or lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// The thread.
    pub tid: u32,
    /// The number of events that occurred while tracing was on: the sum of the other counts.
    pub issued: u64,
    /// The number of events in the trace.
    pub recorded: u64,
    /// The number of events lost because the ring was full.
    pub dropped: u64,
    /// The number of events lost because newer ones overwrote them.
    pub overwritten: u64,
    /// The number of events lost because they occurred while the thread was recording another
    /// event.
    pub refused: u64,
}

impl Metadata {
    /// Returns whether this marks a trace that was recovered or extracted, and is not the file that a program
    /// writes.
    pub fn marks_copy(&self) -> bool {
        matches!(self, Metadata::Other(key, _) if [SNAPSHOT, RECOVERED, SELECTED].contains(&key.as_str()))
    }

    /// Returns whether this marks a file to which nothing will be added.
    pub fn marks_end(&self) -> bool {
        self.marks_copy() || matches!(self, Metadata::Other(key, _) if key == ENDED)
    }

    /// Parses the name of a mapping record. Returns `None` if it names an event, and
    /// `Some(Err(message))` if it is invalid metadata.
    pub fn parse(id: u64, name: &str) -> Option<Result<Metadata, String>> {
        if !(FIRST_ID..FIRST_ID + IDS).contains(&id) {
            return None;
        }
        let (key, value) = name.strip_prefix(PREFIX)?.split_once('=')?;
        Some(Metadata::parse_value(key, value).ok_or_else(|| format!("metadata `{key}={value}` is invalid")))
    }

    fn parse_value(key: &str, value: &str) -> Option<Metadata> {
        let is_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if key.is_empty() || !key.bytes().all(is_key) {
            return None;
        }
        let bytes = unescape(value)?;
        let text = || String::from_utf8(bytes.clone()).ok();
        Some(match key {
            "version" => Metadata::Version(value.parse().ok()?),
            DECLARATION => Metadata::Declaration(text()?),
            "anchor" => {
                let (monotonic, realtime) = value.split_once(' ')?;
                let (monotonic_ns, realtime_ns) = (monotonic.parse().ok()?, realtime.parse::<i128>().ok()?);
                if realtime_ns.unsigned_abs() > MAX_REALTIME_NS {
                    return None;
                }
                Metadata::Anchor(Anchor { monotonic_ns, realtime_ns })
            }
            "thread" => {
                let text = text()?;
                let (tid, name) = text.split_once(' ')?;
                Metadata::Thread(tid.parse().ok()?, name.to_owned())
            }
            "lost" => Metadata::Lost(parse_lost(value)?),
            "total" => Metadata::Total(parse_total(value)?),
            "module" => Metadata::Module(parse_module(&bytes)?),
            "paused" => Metadata::Paused(value.parse().ok()?),
            "resumed" => Metadata::Resumed(value.parse().ok()?),
            _ => Metadata::Other(key.to_owned(), bytes),
        })
    }

    /// Returns the name of the mapping record with this metadata.
    pub fn to_name(&self) -> String {
        let mut name = String::new();
        // Writing to a string does not fail.
        let _ = self.write_name(&mut name);
        name
    }

    /// Appends the mapping record with this metadata. Each metadata record of a trace has a
    /// different `number`, usually counted from 0.
    pub fn encode(&self, number: u32, order: ByteOrder, out: &mut Vec<u8>) {
        v4::encode_mapping_with(FIRST_ID + u64::from(number), order, out, |out| {
            let _ = self.write_name(&mut Utf8(out));
        });
    }

    fn write_name(&self, out: &mut impl Write) -> fmt::Result {
        out.write_str(PREFIX)?;
        match self {
            Metadata::Version(version) => write!(out, "version={version}"),
            Metadata::Declaration(text) => {
                write!(out, "{DECLARATION}=")?;
                escape(text.as_bytes(), out)
            }
            Metadata::Anchor(anchor) => write!(out, "anchor={} {}", anchor.monotonic_ns, anchor.realtime_ns),
            Metadata::Thread(tid, name) => {
                write!(out, "thread={tid} ")?;
                escape(name.as_bytes(), out)
            }
            Metadata::Lost(Lost { tid, cause, count }) => write!(out, "lost={tid} {} {count}", cause.word()),
            Metadata::Total(Total { tid, issued, recorded, dropped, overwritten, refused }) => {
                write!(out, "total={tid} {issued} {recorded} {dropped} {overwritten} {refused}")
            }
            Metadata::Paused(time_ns) => write!(out, "paused={time_ns}"),
            Metadata::Resumed(time_ns) => write!(out, "resumed={time_ns}"),
            Metadata::Module(module) => {
                let Module { start, end, address, path, .. } = module;
                let build_id = if module.build_id.is_empty() { "-" } else { &module.build_id_text() };
                write!(out, "module={start:x} {end:x} {address:x} {build_id} ")?;
                escape(path, out)
            }
            Metadata::Other(key, value) => {
                write!(out, "{key}=")?;
                escape(value, out)
            }
        }
    }
}

fn parse_lost(value: &str) -> Option<Lost> {
    let mut words = value.split(' ');
    let tid = words.next()?.parse().ok()?;
    let word = words.next()?;
    let cause = CAUSES.into_iter().find(|cause| cause.word() == word)?;
    let count = words.next()?.parse().ok()?;
    words.next().is_none().then_some(Lost { tid, cause, count })
}

fn parse_total(value: &str) -> Option<Total> {
    let (tid, counts) = value.split_once(' ')?;
    let tid = tid.parse().ok()?;
    let mut counts = counts.split(' ');
    let mut count = || counts.next()?.parse().ok();
    let (issued, recorded) = (count()?, count()?);
    let (dropped, overwritten, refused) = (count()?, count()?, count()?);
    counts.next().is_none().then_some(Total { tid, issued, recorded, dropped, overwritten, refused })
}

fn parse_module(value: &[u8]) -> Option<Module> {
    let mut words = value.splitn(5, |&byte| byte == b' ');
    let mut word = || std::str::from_utf8(words.next()?).ok();
    let mut number = || u64::from_str_radix(word()?, 16).ok();
    let (start, end, address) = (number()?, number()?, number()?);
    let build_id = match word()? {
        "-" => Vec::new(),
        digits => parse_hex(digits)?,
    };
    let path = words.next()?.to_vec();
    (start <= end).then_some(Module { start, end, address, build_id, path })
}

fn parse_hex(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

struct Utf8<'o>(&'o mut Vec<u8>);

impl Write for Utf8<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Appends the mapping record of [`Metadata::Declaration`] with this text, without a copy of it.
pub fn encode_declaration(text: &str, number: u32, order: ByteOrder, out: &mut Vec<u8>) {
    encode_texts(DECLARATION, &[text], number, order, out);
}

/// Appends the mapping record of [`Metadata::Other`] with the key [`SITE`], without a copy of its value.
pub fn encode_site(event: &str, site: &str, number: u32, order: ByteOrder, out: &mut Vec<u8>) {
    encode_texts(SITE, &[event, " ", site], number, order, out);
}

/// Appends the mapping record of a key and its value, which consists of `texts`.
fn encode_texts(key: &str, texts: &[&str], number: u32, order: ByteOrder, out: &mut Vec<u8>) {
    v4::encode_mapping_with(FIRST_ID + u64::from(number), order, out, |out| {
        for text in [PREFIX, key, "="] {
            out.extend_from_slice(text.as_bytes());
        }
        for text in texts {
            match is_plain(text.as_bytes()) {
                true => out.extend_from_slice(text.as_bytes()),
                false => {
                    let _ = escape(text.as_bytes(), &mut Utf8(out));
                }
            }
        }
    });
}

/// Returns whether `bytes` contain nothing to escape, if they are UTF-8.
fn is_plain(bytes: &[u8]) -> bool {
    // Without a branch for each byte, the compiler uses vector instructions.
    bytes.iter().fold(true, |plain, &byte| plain & (byte != b'\\') & !byte.is_ascii_control())
}

fn escape(bytes: &[u8], out: &mut impl Write) -> fmt::Result {
    if is_plain(bytes)
        && let Ok(text) = str::from_utf8(bytes)
    {
        return out.write_str(text);
    }
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character == '\\' || character.is_ascii_control() {
                write!(out, "\\x{:02x}", u32::from(character))?;
            } else {
                out.write_char(character)?;
            }
        }
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}")?;
        }
    }
    Ok(())
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let digits = rest.get(at + 1..)?.strip_prefix('x')?.get(..2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = rest.get(at + 4..)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn names_round_trip(key in "[a-z]{1,8}", value: Vec<u8>) {
            let metadata = Metadata::Other(format!("x{key}"), value);
            let name = metadata.to_name();
            prop_assert_eq!(Metadata::parse(FIRST_ID + 7, &name), Some(Ok(metadata)));
        }

        #[test]
        fn texts_are_encoded_like_owned_ones(name: String, text: String, number: u32, big: bool) {
            let order = if big { ByteOrder::Big } else { ByteOrder::Little };
            let site = Metadata::Other(SITE.to_owned(), format!("{name} {text}").into_bytes());
            let (mut expected, mut out) = (Vec::new(), Vec::new());
            Metadata::Declaration(text.clone()).encode(number, order, &mut expected);
            site.encode(number, order, &mut expected);
            encode_declaration(&text, number, order, &mut out);
            encode_site(&name, &text, number, order, &mut out);
            prop_assert_eq!(out, expected);
        }

        #[test]
        fn any_name_is_parsed_or_rejected(id: u64, name: String) {
            let _ = Metadata::parse(id, &name);
            let _ = Metadata::parse(FIRST_ID, &format!("ringtrace.declaration={name}"));
        }
    }

    #[test]
    fn losses_and_totals_are_written_as_documented() {
        let lost = |cause| Metadata::Lost(Lost { tid: 7, cause, count: 3 });
        let total = Total { tid: 7, issued: 15, recorded: 1, dropped: 2, overwritten: 4, refused: 8 };
        for (metadata, name) in [
            (lost(Cause::Dropped), "ringtrace.lost=7 dropped 3"),
            (lost(Cause::Overwritten), "ringtrace.lost=7 overwritten 3"),
            (lost(Cause::Refused), "ringtrace.lost=7 refused 3"),
            (Metadata::Total(total), "ringtrace.total=7 15 1 2 4 8"),
            (Metadata::Paused(12), "ringtrace.paused=12"),
            (Metadata::Resumed(u64::MAX), "ringtrace.resumed=18446744073709551615"),
        ] {
            assert_eq!(metadata.to_name(), name);
            assert_eq!(Metadata::parse(FIRST_ID, name), Some(Ok(metadata)));
        }
        for odd in [
            "lost=7 mislaid 3",
            "lost=7 dropped",
            "lost=7 dropped 3 4",
            "lost=-1 dropped 3",
            "total=7 15 1 2 4",
            "total=7 15 1 2 4 8 16",
            "total=7",
            "total=7 15 1 2 4 many",
            "paused=",
            "resumed=12 13",
        ] {
            let parsed = Metadata::parse(FIRST_ID, &format!("{PREFIX}{odd}"));
            assert!(matches!(parsed, Some(Err(_))), "{odd}");
        }
    }

    #[test]
    fn modules_are_written_as_documented() {
        let module = Module {
            start: 0x7f00_0000_1000,
            end: 0x7f00_0000_2000,
            address: 0x1000,
            build_id: vec![0xab, 0],
            path: b"/lib/a b\n\xff.so".to_vec(),
        };
        assert_eq!(module.file_address(0x7f00_0000_1010), Some(0x1010));
        assert_eq!(module.file_address(0x7f00_0000_2000), None);
        let without = Module { build_id: Vec::new(), ..module.clone() };
        for (module, name) in [
            (module, r"ringtrace.module=7f0000001000 7f0000002000 1000 ab00 /lib/a b\x0a\xff.so"),
            (without, r"ringtrace.module=7f0000001000 7f0000002000 1000 - /lib/a b\x0a\xff.so"),
        ] {
            let metadata = Metadata::Module(module);
            assert_eq!(metadata.to_name(), name);
            assert_eq!(Metadata::parse(FIRST_ID, name), Some(Ok(metadata)));
        }
        for odd in
            ["module=", "module=1 2 3 -", "module=2 1 0 - /x", "module=1 2 3 abc /x", "module=1 2 g - /x"]
        {
            let parsed = Metadata::parse(FIRST_ID, &format!("{PREFIX}{odd}"));
            assert!(matches!(parsed, Some(Err(_))), "{odd}");
        }
    }

    #[test]
    fn metadata_is_encoded_as_a_mapping_record() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let metadata = Metadata::Other("command".to_owned(), b"cp\0a\xff\0".to_vec());
            let mut expected = b"before".to_vec();
            v4::encode_mapping(FIRST_ID + 9, br"ringtrace.command=cp\x00a\xff\x00", order, &mut expected);
            let mut encoded = b"before".to_vec();
            metadata.encode(9, order, &mut encoded);
            assert_eq!(encoded, expected);
        }
    }

    #[test]
    fn an_event_is_not_metadata() {
        assert_eq!(Metadata::parse(7, "ringtrace.version=1"), None);
        assert_eq!(Metadata::parse(FIRST_ID, "event"), None);
        assert_eq!(Metadata::parse(FIRST_ID, "ringtrace.version=1"), Some(Ok(Metadata::Version(1))));
    }

    #[test]
    fn an_anchor_out_of_range_is_invalid() {
        let parse =
            |value: &str| Metadata::parse(FIRST_ID, &format!("ringtrace.anchor={value}")).unwrap().ok();
        let anchor = Anchor { monotonic_ns: u64::MAX, realtime_ns: -5 };
        assert_eq!(parse("18446744073709551615 -5"), Some(Metadata::Anchor(anchor)));
        for value in ["1", "1 2 3", "-1 2", &format!("1 {}", i128::MAX), &format!("1 {}", i128::MIN)] {
            assert_eq!(parse(value), None, "{value}");
        }
    }
}
