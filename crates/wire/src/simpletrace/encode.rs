//! Encoding of headers, mappings and records in any version. The bytes are appended to a buffer.

use super::header::{HEADER_BYTES, encode_numbered};
use super::{DROPPED_ID, Version, rfc2011, v0, v2, v4};
use crate::ByteOrder;

/// A value to encode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// An integer, as 64 bits.
    Integer(u64),
    /// A string, which v0 cannot contain.
    Str(&'a [u8]),
}

/// An encoder for the parts of a file of one version and byte order.
#[derive(Debug, Clone, Copy)]
pub struct Encoder {
    /// The version.
    pub version: Version,
    /// The byte order.
    pub order: ByteOrder,
}

/// The reason why a version cannot represent a record. The record is not appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodeError {
    /// A string in v0, which supports only integers.
    Str,
    /// This number of arguments in v0, which supports at most six.
    Arguments(usize),
}

impl Encoder {
    /// Appends the file header. `pid` and `timestamp_ns` are written only for [`Version::Rfc2011`].
    pub fn header(&self, pid: u64, timestamp_ns: u64, out: &mut Vec<u8>) {
        match self.version {
            Version::V0 => encode_numbered(0, v0::RECORD_BYTES, self.order, out),
            Version::V2 => encode_numbered(2, HEADER_BYTES, self.order, out),
            Version::V3 => encode_numbered(3, HEADER_BYTES, self.order, out),
            Version::V4 => encode_numbered(4, HEADER_BYTES, self.order, out),
            Version::Rfc2011 => rfc2011::encode_header(pid, timestamp_ns, self.order, out),
        }
    }

    /// Appends a mapping record in v4. Does nothing in other versions.
    pub fn mapping(&self, id: u64, name: &[u8], out: &mut Vec<u8>) {
        if self.version == Version::V4 {
            v4::encode_mapping(id, name, self.order, out);
        }
    }

    /// Appends an event.
    ///
    /// # Errors
    /// Returns an error if the version cannot represent the values.
    pub fn record(
        &self,
        id: u64,
        timestamp_ns: u64,
        pid: u32,
        values: &[Value<'_>],
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        if self.version == Version::V0 {
            if values.len() > v0::MAX_ARGUMENTS {
                return Err(EncodeError::Arguments(values.len()));
            }
            if values.iter().any(|value| matches!(value, Value::Str(_))) {
                return Err(EncodeError::Str);
            }
        }
        let mut record = self.begin(id, timestamp_ns, pid, values.len(), out);
        for value in values {
            match value {
                Value::Integer(value) => record.integer(*value),
                Value::Str(bytes) => record.str(bytes),
            }
        }
        record.finish();
        Ok(())
    }

    /// Starts an event with `arguments` values, which the caller appends one by one.
    #[inline]
    pub fn begin<'o>(
        &self,
        id: u64,
        timestamp_ns: u64,
        pid: u32,
        arguments: usize,
        out: &'o mut Vec<u8>,
    ) -> OpenRecord<'o> {
        let Encoder { version, order } = *self;
        if version == Version::V4 {
            out.extend_from_slice(&order.put_u64(v4::EVENT_TYPE));
        }
        let start = out.len();
        match version {
            Version::V0 => v0::encode_record_header(id, timestamp_ns, order, out),
            Version::Rfc2011 => {
                rfc2011::encode_record_header(id, timestamp_ns, arguments as u64, order, out);
            }
            Version::V2 => out.extend_from_slice(&v2::header(id, timestamp_ns, 0, 0, order)),
            Version::V3 | Version::V4 => {
                out.extend_from_slice(&v2::header(id, timestamp_ns, 0, pid, order));
            }
        }
        OpenRecord { encoder: *self, start, out }
    }

    /// Appends a dropped record.
    pub fn dropped(&self, count: u64, timestamp_ns: u64, pid: u32, out: &mut Vec<u8>) {
        // This cannot fail, because every version supports a record with one integer.
        let _ = self.record(DROPPED_ID, timestamp_ns, pid, &[Value::Integer(count)], out);
    }
}

/// An event whose values are being appended.
#[derive(Debug)]
pub struct OpenRecord<'o> {
    encoder: Encoder,
    start: usize,
    out: &'o mut Vec<u8>,
}

impl OpenRecord<'_> {
    /// Appends an integer. In v0, values after the sixth are ignored.
    #[inline]
    pub fn integer(&mut self, value: u64) {
        let order = self.encoder.order;
        match self.encoder.version {
            Version::V0 if self.out.len() >= self.start + v0::RECORD_BYTES => {}
            Version::Rfc2011 => rfc2011::encode_argument(&order.put_u64(value), order, self.out),
            _ => self.out.extend_from_slice(&order.put_u64(value)),
        }
    }

    /// Appends a string. In v0, appends zero instead.
    #[inline]
    pub fn str(&mut self, bytes: &[u8]) {
        let order = self.encoder.order;
        match self.encoder.version {
            Version::V0 => self.integer(0),
            Version::Rfc2011 => rfc2011::encode_str(bytes, order, self.out),
            Version::V2 | Version::V3 | Version::V4 => {
                let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                self.out.extend_from_slice(&order.put_u32(length));
                self.out.extend_from_slice(bytes);
            }
        }
    }

    /// Appends all values at once, already encoded. They must have this encoder's byte order, and
    /// come from a version that encodes payloads in the same way (see [`Version::has_payload_of`]).
    #[inline]
    pub fn payload(&mut self, payload: &[u8]) {
        self.out.extend_from_slice(payload);
    }

    /// Finishes the record: pads it in v0, and sets its length field in v2, v3 and v4.
    #[inline]
    pub fn finish(self) {
        match self.encoder.version {
            Version::V0 => self.out.resize(self.start + v0::RECORD_BYTES, 0),
            Version::Rfc2011 => {}
            Version::V2 | Version::V3 | Version::V4 => {
                v2::patch_length(&mut self.out[self.start..], self.encoder.order);
            }
        }
    }
}
