//! Declarations of events in traces and arenas.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ringtrace_wire::assembly::ENCODER;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata;

use super::arena::Arena;
use crate::event::id_set::IdSet;
use crate::os;

/// The first number of the metadata records that contain declarations. Each event has two numbers
/// of its own, so that threads can write declarations to the arena without coordinating the
/// numbers. Other metadata records are numbered from 0.
const FIRST_NUMBER: u32 = 1 << 31;

/// Appends an event's declaration, the remark on it, if any, and the mapping of its id.
pub(crate) fn encode(id: u32, name: &str, text: &str, remark: Option<&str>, out: &mut Vec<u8>) {
    let number = FIRST_NUMBER.wrapping_add(id.wrapping_mul(2));
    metadata::encode_declaration(text, number, ORDER, out);
    if let Some(remark) = remark {
        metadata::encode_site(name, remark, number.wrapping_add(1), ORDER, out);
    }
    ENCODER.mapping(u64::from(id), name.as_bytes(), out);
}

/// The events that an arena declares.
#[derive(Debug)]
pub(super) struct ArenaDeclarations {
    ids: Mutex<IdSet>,
    is_full: AtomicBool,
}

impl ArenaDeclarations {
    pub(super) fn new() -> ArenaDeclarations {
        ArenaDeclarations { ids: Mutex::new(IdSet::default()), is_full: AtomicBool::new(false) }
    }

    /// Notes that the arena declares the events `ids`.
    pub(super) fn note(&self, ids: &IdSet) {
        os::lock(&self.ids).insert_all(ids);
    }

    /// Returns whether a declaration did not fit.
    pub(super) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Declares an event in `arena`, unless it is already declared there. Returns whether this is
    /// the first declaration that does not fit.
    pub(super) fn declare(
        &self,
        arena: &Arena,
        id: u32,
        name: &str,
        text: &str,
        remark: Option<&str>,
    ) -> bool {
        let mut ids = os::lock(&self.ids);
        if !ids.insert(id) {
            return false;
        }
        let mut bytes = Vec::new();
        encode(id, name, text, remark, &mut bytes);
        !arena.append_metadata(&bytes) && !self.is_full.swap(true, Ordering::Relaxed)
    }
}
