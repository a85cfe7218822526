//! Sample entries for tests.

use ringtrace_events::SourceFile;
use ringtrace_events::ctype::StringRule;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;

use crate::RecordContext;
use crate::entry::{Entry, Modules, Schema, Schemas, Threads, Value};

/// Declarations, and entries of their events.
pub struct Sample {
    pub schemas: Schemas,
    pub threads: Threads,
    pub modules: Modules,
}

/// The fields of a sample entry that matter to a test.
#[derive(Debug, Clone, Default)]
pub struct Made {
    pub name: &'static str,
    pub timestamp_ns: u64,
    pub pid: u32,
    pub tid: u32,
    pub payload: Vec<u8>,
}

impl Made {
    pub fn new(name: &'static str, timestamp_ns: u64, values: &[Value<'_>]) -> Made {
        let mut payload = Vec::new();
        for value in values {
            match value {
                Value::Integer(bits) => payload.extend_from_slice(&bits.to_le_bytes()),
                Value::Str(bytes) => {
                    payload.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
                    payload.extend_from_slice(bytes);
                }
            }
        }
        Made { name, timestamp_ns, payload, ..Made::default() }
    }

    pub fn dropped(count: u64) -> Made {
        Made::new("", 0, &[Value::Integer(count)])
    }
}

impl Sample {
    pub fn new(declarations: &str) -> Sample {
        let parsed = parse(vec![SourceFile::new("sample", declarations)], Dialect::Read);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let schemas = Schemas::new(&parsed.declarations, StringRule::OneStar);
        Sample { schemas, threads: Threads::default(), modules: Modules::default() }
    }

    /// Returns the entry that `made` describes, which is a dropped record if `made` has no name.
    pub fn entry<'a>(&'a self, made: &'a Made) -> Entry<'a> {
        let schema_index =
            if made.name.is_empty() { Schema::DROPPED } else { self.schemas.find(made.name).unwrap() };
        Entry {
            number: 1,
            offset: 0,
            timestamp_ns: made.timestamp_ns,
            id: u64::from(made.tid) << 32 | u64::from(schema_index),
            pid: made.pid,
            schema: self.schemas.get(schema_index),
            schema_index,
            payload: &made.payload,
            record_bytes: 0,
            version: Version::V4,
            order: ByteOrder::Little,
            threaded: made.tid != 0,
            lost: None,
            threads: &self.threads,
            context: RecordContext::default(),
            modules: &self.modules,
            trace: 0,
            scope: 0,
            date_shift_ns: 0,
        }
    }
}
