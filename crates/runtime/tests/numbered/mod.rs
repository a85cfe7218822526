//! An event whose records contain a check value.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::sync::Mutex;

use ringtrace::probe::emit;
use ringtrace::{Argument, ArgumentKind, Declaration, Event};
use ringtrace_wire::simpletrace::Record;

pub static NUMBERED: Event = Event::new(Declaration {
    name: "numbered",
    group: "test",
    arguments: &[
        Argument { name: "number", ctype: "uint64_t", kind: ArgumentKind::Integer },
        Argument { name: "check", ctype: "uint64_t", kind: ArgumentKind::Integer },
    ],
    format: Some("\"number=%\"PRIu64\" check=%\"PRIu64"),
    text: "numbered(uint64_t number, uint64_t check) \"number=%\"PRIu64\" check=%\"PRIu64",
    traceable: true,
});

ringtrace::group! { name: "test", events: [&NUMBERED] }

#[allow(dead_code, reason = "not every test uses it")]
pub static TURN: Mutex<()> = Mutex::new(());

pub fn record(number: u64) {
    emit(&NUMBERED, (number, number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
}

pub fn check(record: &Record<'_>) {
    let word = |at: usize| u64::from_le_bytes(record.payload[at..at + 8].try_into().unwrap());
    assert_eq!(word(8), word(0).wrapping_mul(0x9e37_79b9_7f4a_7c15), "the record is torn");
}
