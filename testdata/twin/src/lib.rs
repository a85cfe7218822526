//! Emits the events of `crates/capi/tests/c/words.c` from Rust.

#![forbid(unsafe_code)]

ringtrace::include_trace!("words");

/// Emits all events in the same order as the C program. With `more`, also emits events whose values
/// are truncated.
pub fn emit_all(more: bool) {
    let none = std::ptr::null::<u8>();
    trace::words_wide(i8::MIN, 0, i16::MIN, 0, i32::MIN, 0, i64::MIN, 0, false, none);
    trace::words_wide(
        i8::MAX,
        u8::MAX,
        i16::MAX,
        u16::MAX,
        i32::MAX,
        u32::MAX,
        i64::MAX,
        u64::MAX,
        true,
        std::ptr::without_provenance::<u8>(usize::MAX),
    );
    trace::words_wide(-1, 1, -1, 1, -1, 1, -1, 1, true, std::ptr::without_provenance::<u8>(0x1000));
    trace::words_said("plain");
    trace::words_said("");
    trace::words_said("two\nlines\tand \x1b[31mred\x7f");
    trace::words_said(&b"caf\xc3\xa9, and \xff\xfe that is no UTF-8"[..]);
    trace::words_said("per %d %s %n cent");
    trace::words_said("y".repeat(512));
    trace::words_padded(-42, "abc");
    trace::words_padded(1_234_567, "longer than eight");
    trace::words_brief("abcdef");
    trace::words_long(i64::MIN, u64::MAX, usize::MAX, b'c'.cast_signed());
    trace::words_quiet();
    trace::words_state(trace::WordState::Idle, trace::WordState::Broken, 5);
    trace::words_measured(0.1, 0.25, -1e300);
    trace::words_measured(f64::NEG_INFINITY, -0.0, f64::from_bits(1));
    if more {
        trace::words_said(None::<&str>);
        trace::words_said("y".repeat(600));
    }
}
