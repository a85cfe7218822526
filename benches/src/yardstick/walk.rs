//! Walks from record to record, which is the minimum work that every reader of a trace does.

use crate::layout::{
    EVENT_BYTES, EVENT_LENGTH_AT, HEADER_BYTES, MAPPING_BYTES, MAPPING_LENGTH_AT, TYPE_BYTES, u32_at, u64_at,
};

/// Counts the events of `trace`.
pub fn walk(trace: &[u8]) -> Result<u64, String> {
    let mut records = 0;
    let mut at = HEADER_BYTES;
    while let Some(kind) = u64_at(trace, at) {
        if kind == 0 {
            let Some(length) = u32_at(trace, at + MAPPING_LENGTH_AT) else { break };
            at += MAPPING_BYTES + length as usize;
            continue;
        }
        let Some(length) = u32_at(trace, at + EVENT_LENGTH_AT) else { break };
        if (length as usize) < EVENT_BYTES - TYPE_BYTES {
            return Err(format!("invalid record of {length} bytes at offset {at:#x}"));
        }
        at += TYPE_BYTES + length as usize;
        records += 1;
    }
    if at == trace.len() { Ok(records) } else { Err(format!("the trace ends within the record at {at:#x}")) }
}
