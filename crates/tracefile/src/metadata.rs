//! What a trace says of itself: mapping records of ids that no event has.
//!
//! A mapping record whose id is `2^63 + n` (n below 2^32) and whose name is `ringtrace.KEY=VALUE` is a piece of
//! metadata. Readers that do not know it take it for an event that never happens. A key is made of letters and digits
//! of ASCII, `_`, `-` and `.`. The value is UTF-8; bytes that
//! are not, control characters and `\` are written `\xHH`. `docs/formats/simpletrace.md` lists the keys.

/// The first id of metadata.
pub const FIRST_ID: u64 = 1 << 63;

const IDS: u64 = 1 << 32;

/// No clock shows more, and what is added to it or taken from it is still an `i128`.
const MAX_REALTIME_NS: u128 = 1 << 96;

/// What the name of every piece of metadata begins with.
pub const PREFIX: &str = "ringtrace.";

/// One piece of metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Metadata {
    /// `version=1`: the trace describes itself, and its event ids are `thread << 32 | event`.
    Version(u64),
    /// `declaration=TEXT`: a line of the program's declarations.
    Declaration(String),
    /// `anchor=MONOTONIC_NS REALTIME_NS`: two clocks read at the same moment.
    Anchor(Anchor),
    /// `thread=TID NAME`.
    Thread(u32, String),
    /// Any other key: `host`, `command`, and what later versions add.
    Other(String, Vec<u8>),
}

/// The moment at which two clocks were read together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// The trace's clock, in nanoseconds.
    pub monotonic_ns: u64,
    /// Nanoseconds since 1970 (UTC).
    pub realtime_ns: i128,
}

impl Anchor {
    /// The wall-clock time of `timestamp_ns`, in nanoseconds since 1970.
    pub fn realtime_ns(&self, timestamp_ns: u64) -> i128 {
        self.realtime_ns + i128::from(timestamp_ns) - i128::from(self.monotonic_ns)
    }
}

impl Metadata {
    /// Understands a mapping record. `None`: it names an event; `Some(Err)`: it is metadata that makes no sense.
    pub fn parse(id: u64, name: &str) -> Option<Result<Metadata, String>> {
        if !(FIRST_ID..FIRST_ID + IDS).contains(&id) {
            return None;
        }
        let (key, value) = name.strip_prefix(PREFIX)?.split_once('=')?;
        Some(
            Metadata::parse_value(key, value)
                .ok_or_else(|| format!("metadata `{key}={value}` makes no sense")),
        )
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
            "declaration" => Metadata::Declaration(text()?),
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
            _ => Metadata::Other(key.to_owned(), bytes),
        })
    }

    /// The name of the mapping record that holds it.
    pub fn to_name(&self) -> String {
        match self {
            Metadata::Version(version) => format!("{PREFIX}version={version}"),
            Metadata::Declaration(text) => format!("{PREFIX}declaration={}", escape(text.as_bytes())),
            Metadata::Anchor(anchor) => {
                format!("{PREFIX}anchor={} {}", anchor.monotonic_ns, anchor.realtime_ns)
            }
            Metadata::Thread(tid, name) => format!("{PREFIX}thread={tid} {}", escape(name.as_bytes())),
            Metadata::Other(key, value) => format!("{PREFIX}{key}={}", escape(value)),
        }
    }
}

fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character == '\\' || character.is_ascii_control() {
                text.push_str(&format!("\\x{:02x}", u32::from(character)));
            } else {
                text.push(character);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
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
        fn any_name_is_understood_or_refused(id: u64, name: String) {
            let _ = Metadata::parse(id, &name);
            let _ = Metadata::parse(FIRST_ID, &format!("ringtrace.declaration={name}"));
        }
    }

    #[test]
    fn an_event_is_no_metadata() {
        assert_eq!(Metadata::parse(7, "ringtrace.version=1"), None);
        assert_eq!(Metadata::parse(FIRST_ID, "event"), None);
        assert_eq!(Metadata::parse(FIRST_ID, "ringtrace.version=1"), Some(Ok(Metadata::Version(1))));
    }

    #[test]
    fn an_anchor_that_no_clock_shows_makes_no_sense() {
        let parse =
            |value: &str| Metadata::parse(FIRST_ID, &format!("ringtrace.anchor={value}")).unwrap().ok();
        let anchor = Anchor { monotonic_ns: u64::MAX, realtime_ns: -5 };
        assert_eq!(parse("18446744073709551615 -5"), Some(Metadata::Anchor(anchor)));
        for value in ["1", "1 2 3", "-1 2", &format!("1 {}", i128::MAX), &format!("1 {}", i128::MIN)] {
            assert_eq!(parse(value), None, "{value}");
        }
    }
}
