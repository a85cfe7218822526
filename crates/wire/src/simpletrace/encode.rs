//! Writing: headers, mappings and records of any version, appended to a buffer.

use super::header::{HEADER_BYTES, encode_numbered};
use super::{DROPPED_ID, Version, rfc2011, v0, v2, v4};
use crate::ByteOrder;

/// A value to record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// An integer, as 64 bits.
    Integer(u64),
    /// A string; v0 cannot hold it.
    Str(&'a [u8]),
}

/// Appends the parts of a file of one version and byte order.
#[derive(Debug, Clone, Copy)]
pub struct Encoder {
    /// The version.
    pub version: Version,
    /// The byte order.
    pub order: ByteOrder,
}

/// Why something cannot be written in a version. What was given is not appended then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unholdable {
    /// v0 holds integers only.
    Str,
    /// v0 holds six arguments.
    Arguments(usize),
}

impl Encoder {
    /// Appends the file header. `pid` and `timestamp_ns` go into the RFC's header; the others have no place for
    /// them.
    pub fn header(&self, pid: u64, timestamp_ns: u64, out: &mut Vec<u8>) {
        match self.version {
            Version::V0 => encode_numbered(0, v0::RECORD_BYTES, self.order, out),
            Version::V2 => encode_numbered(2, HEADER_BYTES, self.order, out),
            Version::V3 => encode_numbered(3, HEADER_BYTES, self.order, out),
            Version::V4 => encode_numbered(4, HEADER_BYTES, self.order, out),
            Version::Rfc2011 => rfc2011::encode_header(pid, timestamp_ns, self.order, out),
        }
    }

    /// Appends a mapping record, if the version has such.
    pub fn mapping(&self, id: u64, name: &[u8], out: &mut Vec<u8>) {
        if self.version == Version::V4 {
            v4::encode_mapping(id, name, self.order, out);
        }
    }

    /// Appends an event.
    ///
    /// # Errors
    /// When the version cannot hold the values.
    pub fn record(
        &self,
        id: u64,
        timestamp_ns: u64,
        pid: u32,
        values: &[Value<'_>],
        out: &mut Vec<u8>,
    ) -> Result<(), Unholdable> {
        let order = self.order;
        match self.version {
            Version::V0 => {
                if values.len() > v0::MAX_ARGUMENTS {
                    return Err(Unholdable::Arguments(values.len()));
                }
                let mut words = [0; v0::MAX_ARGUMENTS];
                for (word, value) in words.iter_mut().zip(values) {
                    match value {
                        Value::Integer(value) => *word = *value,
                        Value::Str(_) => return Err(Unholdable::Str),
                    }
                }
                v0::encode_record(id, timestamp_ns, &words, order, out);
            }
            Version::Rfc2011 => {
                rfc2011::encode_record_header(id, timestamp_ns, values.len() as u64, order, out);
                for value in values {
                    match value {
                        Value::Integer(value) => rfc2011::encode_argument(&order.put_u64(*value), order, out),
                        Value::Str(bytes) => rfc2011::encode_str(bytes, order, out),
                    }
                }
            }
            Version::V2 | Version::V3 | Version::V4 => {
                if self.version == Version::V4 {
                    out.extend(order.put_u64(v4::EVENT_TYPE));
                }
                let pid = if self.version == Version::V2 { 0 } else { pid };
                let start = out.len();
                v2::encode_record_header(id, timestamp_ns, pid, order, out);
                for value in values {
                    match value {
                        Value::Integer(value) => out.extend(order.put_u64(*value)),
                        Value::Str(bytes) => {
                            out.extend(order.put_u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX)));
                            out.extend_from_slice(bytes);
                        }
                    }
                }
                v2::patch_length(&mut out[start..], order);
            }
        }
        Ok(())
    }

    /// Appends a dropped record.
    pub fn dropped(&self, count: u64, timestamp_ns: u64, pid: u32, out: &mut Vec<u8>) {
        // One integer fits every version.
        let _ = self.record(DROPPED_ID, timestamp_ns, pid, &[Value::Integer(count)], out);
    }
}
