//! The identity of a trace in a dataset.

use ringtrace_tracefile::hash::Hash;
use ringtrace_tracefile::metadata::{HOST, Metadata, TRACE};
use ringtrace_tracefile::{Entry, Flow, Reader, Value};

/// The number of records of which the id of a trace without an id is made.
const HASHED_RECORDS: usize = 1000;

/// The length up to which an id is part of file names as it is.
const MAX_ID_BYTES: usize = 64;

/// The identity of a trace in a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The id, which consists of ASCII letters, digits, `-` and `_`.
    pub id: String,
    /// The process of the first record that contains one.
    pub pid: Option<u32>,
}

impl Identity {
    /// Determines the identity of the trace that `reader` reads. `reader` is not advanced.
    ///
    /// Returns `None` if the trace has no id, and is a stream, which cannot be read twice.
    pub fn of(reader: &Reader) -> Option<Identity> {
        let stated = text(reader.metadata(), TRACE);
        let Some(mut again) = reader.again() else {
            return Some(Identity { id: plain(&stated?), pid: None });
        };
        let (mut hash, mut count, mut pid) = (Hash::default(), 0, None);
        // Ignore errors: they are found and reported when the whole trace is read.
        let _ = again.for_each(|entry: &Entry<'_>| {
            // Process 0 means that it is unknown.
            pid = pid.or(Some(entry.pid).filter(|&pid| pid != 0));
            count += 1;
            add_record(&mut hash, entry);
            if count < HASHED_RECORDS { Flow::Continue } else { Flow::Stop }
        });
        // Streams state their id before the first record.
        if let Some(id) = stated.or_else(|| text(again.metadata(), TRACE)) {
            return Some(Identity { id: plain(&id), pid });
        }
        hash.add(text(again.metadata(), HOST).unwrap_or_default().as_bytes());
        for piece in again.metadata() {
            if let Metadata::Anchor(anchor) = piece {
                hash.add(&anchor.monotonic_ns.to_le_bytes());
                hash.add(&anchor.realtime_ns.to_le_bytes());
                break;
            }
        }
        hash.add(&pid.unwrap_or(0).to_le_bytes());
        Some(Identity { id: format!("h{}", hash.hex()), pid })
    }
}

/// Returns the first value of a key of the metadata.
pub(crate) fn text(metadata: &[Metadata], key: &str) -> Option<String> {
    let mut values = metadata.iter().filter_map(|piece| match piece {
        Metadata::Other(known, value) if known == key => Some(String::from_utf8_lossy(value).into_owned()),
        _ => None,
    });
    values.next()
}

/// Returns an id for file names. Ids that programs write are plain already.
fn plain(id: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !id.is_empty() && id.len() <= MAX_ID_BYTES && id.bytes().all(is_plain) {
        return id.to_owned();
    }
    let mut hash = Hash::default();
    hash.add(id.as_bytes());
    format!("h{}", hash.hex())
}

fn add_record(hash: &mut Hash, entry: &Entry<'_>) {
    hash.add(entry.schema.name.as_bytes());
    hash.add(&entry.timestamp_ns.to_le_bytes());
    hash.add(&entry.pid.to_le_bytes());
    hash.add(&entry.tid().unwrap_or(0).to_le_bytes());
    for value in entry.values() {
        match value {
            Value::Integer(bits) => hash.add(&bits.to_le_bytes()),
            Value::Str(bytes) => hash.add(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_safe_in_file_names() {
        assert_eq!(plain("00ff"), "00ff");
        for odd in ["", "../x", "a b", "\u{f6}", &"x".repeat(65)] {
            let id = plain(odd);
            assert!(id.len() == 33 && id.starts_with('h'), "{odd}: {id}");
        }
    }
}
