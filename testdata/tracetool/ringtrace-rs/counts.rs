// Probes of the group `counts`, generated from counts.events. Make changes there.

pub(crate) use ::ringtrace::span;

/// Records the event declared in counts.events:
///
/// ```text
/// of_0(void) ""
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_0() {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen) {
        ::ringtrace::probe::emit_seen(&events::of_0, seen, ());
    }
    let seen = events::of_0.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen);
    }
}

/// Whether `of_0` is on.
#[inline(always)]
pub fn of_0_enabled() -> bool {
    events::of_0.is_enabled()
}

pub(crate) use macros::__of_0 as of_0;

/// Records the event declared in counts.events:
///
/// ```text
/// of_1(int a0) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_1(a0: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a0: i32) {
        ::ringtrace::probe::emit_seen(&events::of_1, seen, (i64::from(a0).cast_unsigned(),));
    }
    let seen = events::of_1.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0);
    }
}

/// Whether `of_1` is on.
#[inline(always)]
pub fn of_1_enabled() -> bool {
    events::of_1.is_enabled()
}

pub(crate) use macros::__of_1 as of_1;

/// Records the event declared in counts.events:
///
/// ```text
/// of_2(int a0, int a1) "%d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_2(a0: i32, a1: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a0: i32, a1: i32) {
        ::ringtrace::probe::emit_seen(&events::of_2, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned()));
    }
    let seen = events::of_2.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1);
    }
}

/// Whether `of_2` is on.
#[inline(always)]
pub fn of_2_enabled() -> bool {
    events::of_2.is_enabled()
}

pub(crate) use macros::__of_2 as of_2;

/// Records the event declared in counts.events:
///
/// ```text
/// of_3(int a0, int a1, const char *s2) "%d %d %s"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_3(a0: i32, a1: i32, s2: impl ::ringtrace::probe::ToBytes) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, a0: i32, a1: i32, s2: &[u8]) {
        ::ringtrace::probe::emit_seen(&events::of_3, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2));
    }
    let seen = events::of_3.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes());
    }
}

/// Whether `of_3` is on.
#[inline(always)]
pub fn of_3_enabled() -> bool {
    events::of_3.is_enabled()
}

pub(crate) use macros::__of_3 as of_3;

/// Records the event declared in counts.events:
///
/// ```text
/// of_4(int a0, int a1, const char *s2, int a3) "%d %d %s %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_4(a0: i32, a1: i32, s2: impl ::ringtrace::probe::ToBytes, a3: i32) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, a0: i32, a1: i32, s2: &[u8], a3: i32) {
        ::ringtrace::probe::emit_seen(&events::of_4, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned()));
    }
    let seen = events::of_4.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3);
    }
}

/// Whether `of_4` is on.
#[inline(always)]
pub fn of_4_enabled() -> bool {
    events::of_4.is_enabled()
}

pub(crate) use macros::__of_4 as of_4;

/// Records the event declared in counts.events:
///
/// ```text
/// of_5(int a0, int a1, const char *s2, int a3, int a4) "%d %d %s %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_5(a0: i32, a1: i32, s2: impl ::ringtrace::probe::ToBytes, a3: i32, a4: i32) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, a0: i32, a1: i32, s2: &[u8], a3: i32, a4: i32) {
        ::ringtrace::probe::emit_seen(&events::of_5, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned()));
    }
    let seen = events::of_5.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4);
    }
}

/// Whether `of_5` is on.
#[inline(always)]
pub fn of_5_enabled() -> bool {
    events::of_5.is_enabled()
}

pub(crate) use macros::__of_5 as of_5;

/// Records the event declared in counts.events:
///
/// ```text
/// of_6(int a0, int a1, const char *s2, int a3, int a4, int a5) "%d %d %s %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_6(a0: i32, a1: i32, s2: impl ::ringtrace::probe::ToBytes, a3: i32, a4: i32, a5: i32) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_6, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned()));
    }
    let seen = events::of_6.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5);
    }
}

/// Whether `of_6` is on.
#[inline(always)]
pub fn of_6_enabled() -> bool {
    events::of_6.is_enabled()
}

pub(crate) use macros::__of_6 as of_6;

/// Records the event declared in counts.events:
///
/// ```text
/// of_7(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6) "%d %d %s %d %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_7(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_7, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned()));
    }
    let seen = events::of_7.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6);
    }
}

/// Whether `of_7` is on.
#[inline(always)]
pub fn of_7_enabled() -> bool {
    events::of_7.is_enabled()
}

pub(crate) use macros::__of_7 as of_7;

/// Records the event declared in counts.events:
///
/// ```text
/// of_8(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7) "%d %d %s %d %d %d %d %s"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_8(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
    ) {
        ::ringtrace::probe::emit_seen(&events::of_8, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7));
    }
    let seen = events::of_8.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes());
    }
}

/// Whether `of_8` is on.
#[inline(always)]
pub fn of_8_enabled() -> bool {
    events::of_8.is_enabled()
}

pub(crate) use macros::__of_8 as of_8;

/// Records the event declared in counts.events:
///
/// ```text
/// of_9(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8) "%d %d %s %d %d %d %d %s %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_9(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
    a8: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
        a8: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_9, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7, i64::from(a8).cast_unsigned()));
    }
    let seen = events::of_9.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes(), a8);
    }
}

/// Whether `of_9` is on.
#[inline(always)]
pub fn of_9_enabled() -> bool {
    events::of_9.is_enabled()
}

pub(crate) use macros::__of_9 as of_9;

/// Records the event declared in counts.events:
///
/// ```text
/// of_10(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9) "%d %d %s %d %d %d %d %s %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_10(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
    a8: i32,
    a9: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
        a8: i32,
        a9: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_10, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7, i64::from(a8).cast_unsigned(), i64::from(a9).cast_unsigned()));
    }
    let seen = events::of_10.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes(), a8, a9);
    }
}

/// Whether `of_10` is on.
#[inline(always)]
pub fn of_10_enabled() -> bool {
    events::of_10.is_enabled()
}

pub(crate) use macros::__of_10 as of_10;

/// Records the event declared in counts.events:
///
/// ```text
/// of_11(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10) "%d %d %s %d %d %d %d %s %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_11(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
    a8: i32,
    a9: i32,
    a10: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
        a8: i32,
        a9: i32,
        a10: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_11, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7, i64::from(a8).cast_unsigned(), i64::from(a9).cast_unsigned(), i64::from(a10).cast_unsigned()));
    }
    let seen = events::of_11.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes(), a8, a9, a10);
    }
}

/// Whether `of_11` is on.
#[inline(always)]
pub fn of_11_enabled() -> bool {
    events::of_11.is_enabled()
}

pub(crate) use macros::__of_11 as of_11;

/// Records the event declared in counts.events:
///
/// ```text
/// of_12(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11) "%d %d %s %d %d %d %d %s %d %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_12(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
    a8: i32,
    a9: i32,
    a10: i32,
    a11: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
        a8: i32,
        a9: i32,
        a10: i32,
        a11: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_12, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7, i64::from(a8).cast_unsigned(), i64::from(a9).cast_unsigned(), i64::from(a10).cast_unsigned(), i64::from(a11).cast_unsigned()));
    }
    let seen = events::of_12.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes(), a8, a9, a10, a11);
    }
}

/// Whether `of_12` is on.
#[inline(always)]
pub fn of_12_enabled() -> bool {
    events::of_12.is_enabled()
}

pub(crate) use macros::__of_12 as of_12;

/// Records the event declared in counts.events:
///
/// ```text
/// of_13(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12) "%d %d %s %d %d %d %d %s %d %d %d %d %s"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_13(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
    a8: i32,
    a9: i32,
    a10: i32,
    a11: i32,
    s12: impl ::ringtrace::probe::ToBytes,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
        a8: i32,
        a9: i32,
        a10: i32,
        a11: i32,
        s12: &[u8],
    ) {
        ::ringtrace::probe::emit_seen(&events::of_13, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7, i64::from(a8).cast_unsigned(), i64::from(a9).cast_unsigned(), i64::from(a10).cast_unsigned(), i64::from(a11).cast_unsigned(), s12));
    }
    let seen = events::of_13.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes(), a8, a9, a10, a11, s12.to_bytes());
    }
}

/// Whether `of_13` is on.
#[inline(always)]
pub fn of_13_enabled() -> bool {
    events::of_13.is_enabled()
}

pub(crate) use macros::__of_13 as of_13;

/// Records the event declared in counts.events:
///
/// ```text
/// of_14(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_14(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
    a8: i32,
    a9: i32,
    a10: i32,
    a11: i32,
    s12: impl ::ringtrace::probe::ToBytes,
    a13: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
        a8: i32,
        a9: i32,
        a10: i32,
        a11: i32,
        s12: &[u8],
        a13: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_14, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7, i64::from(a8).cast_unsigned(), i64::from(a9).cast_unsigned(), i64::from(a10).cast_unsigned(), i64::from(a11).cast_unsigned(), s12, i64::from(a13).cast_unsigned()));
    }
    let seen = events::of_14.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes(), a8, a9, a10, a11, s12.to_bytes(), a13);
    }
}

/// Whether `of_14` is on.
#[inline(always)]
pub fn of_14_enabled() -> bool {
    events::of_14.is_enabled()
}

pub(crate) use macros::__of_14 as of_14;

/// Records the event declared in counts.events:
///
/// ```text
/// of_15(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_15(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
    a8: i32,
    a9: i32,
    a10: i32,
    a11: i32,
    s12: impl ::ringtrace::probe::ToBytes,
    a13: i32,
    a14: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
        a8: i32,
        a9: i32,
        a10: i32,
        a11: i32,
        s12: &[u8],
        a13: i32,
        a14: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_15, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7, i64::from(a8).cast_unsigned(), i64::from(a9).cast_unsigned(), i64::from(a10).cast_unsigned(), i64::from(a11).cast_unsigned(), s12, i64::from(a13).cast_unsigned(), i64::from(a14).cast_unsigned()));
    }
    let seen = events::of_15.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes(), a8, a9, a10, a11, s12.to_bytes(), a13, a14);
    }
}

/// Whether `of_15` is on.
#[inline(always)]
pub fn of_15_enabled() -> bool {
    events::of_15.is_enabled()
}

pub(crate) use macros::__of_15 as of_15;

/// Records the event declared in counts.events:
///
/// ```text
/// of_16(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14, int a15) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn of_16(
    a0: i32,
    a1: i32,
    s2: impl ::ringtrace::probe::ToBytes,
    a3: i32,
    a4: i32,
    a5: i32,
    a6: i32,
    s7: impl ::ringtrace::probe::ToBytes,
    a8: i32,
    a9: i32,
    a10: i32,
    a11: i32,
    s12: impl ::ringtrace::probe::ToBytes,
    a13: i32,
    a14: i32,
    a15: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a0: i32,
        a1: i32,
        s2: &[u8],
        a3: i32,
        a4: i32,
        a5: i32,
        a6: i32,
        s7: &[u8],
        a8: i32,
        a9: i32,
        a10: i32,
        a11: i32,
        s12: &[u8],
        a13: i32,
        a14: i32,
        a15: i32,
    ) {
        ::ringtrace::probe::emit_seen(&events::of_16, seen, (i64::from(a0).cast_unsigned(), i64::from(a1).cast_unsigned(), s2, i64::from(a3).cast_unsigned(), i64::from(a4).cast_unsigned(), i64::from(a5).cast_unsigned(), i64::from(a6).cast_unsigned(), s7, i64::from(a8).cast_unsigned(), i64::from(a9).cast_unsigned(), i64::from(a10).cast_unsigned(), i64::from(a11).cast_unsigned(), s12, i64::from(a13).cast_unsigned(), i64::from(a14).cast_unsigned(), i64::from(a15).cast_unsigned()));
    }
    let seen = events::of_16.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a0, a1, s2.to_bytes(), a3, a4, a5, a6, s7.to_bytes(), a8, a9, a10, a11, s12.to_bytes(), a13, a14, a15);
    }
}

/// Whether `of_16` is on.
#[inline(always)]
pub fn of_16_enabled() -> bool {
    events::of_16.is_enabled()
}

pub(crate) use macros::__of_16 as of_16;

mod macros {
    macro_rules! __of_0 {
        (@is_on) => {
            trace::of_0_enabled()
        };
        (@end $(,)?) => {
            ::ringtrace::span_end!(trace::of_0)
        };
        ($(,)?) => {
            if trace::of_0_enabled() {
                ::core::hint::cold_path();
                trace::of_0();
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_0()`")
        };
    }
    pub(crate) use __of_0;
    macro_rules! __of_1 {
        (@is_on) => {
            trace::of_1_enabled()
        };
        (@end $a0:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_1, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value())
        };
        ($a0:expr$(,)?) => {
            if trace::of_1_enabled() {
                ::core::hint::cold_path();
                trace::of_1(::ringtrace::probe::Integer::<i32>::of($a0).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_1(a0)`")
        };
    }
    pub(crate) use __of_1;
    macro_rules! __of_2 {
        (@is_on) => {
            trace::of_2_enabled()
        };
        (@end $a0:expr, $a1:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_2, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value())
        };
        ($a0:expr, $a1:expr$(,)?) => {
            if trace::of_2_enabled() {
                ::core::hint::cold_path();
                trace::of_2(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_2(a0, a1)`")
        };
    }
    pub(crate) use __of_2;
    macro_rules! __of_3 {
        (@is_on) => {
            trace::of_3_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_3, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2))
        };
        ($a0:expr, $a1:expr, $s2:expr$(,)?) => {
            if trace::of_3_enabled() {
                ::core::hint::cold_path();
                trace::of_3(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_3(a0, a1, s2)`")
        };
    }
    pub(crate) use __of_3;
    macro_rules! __of_4 {
        (@is_on) => {
            trace::of_4_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_4, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr$(,)?) => {
            if trace::of_4_enabled() {
                ::core::hint::cold_path();
                trace::of_4(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_4(a0, a1, s2, a3)`")
        };
    }
    pub(crate) use __of_4;
    macro_rules! __of_5 {
        (@is_on) => {
            trace::of_5_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_5, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr$(,)?) => {
            if trace::of_5_enabled() {
                ::core::hint::cold_path();
                trace::of_5(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_5(a0, a1, s2, a3, a4)`")
        };
    }
    pub(crate) use __of_5;
    macro_rules! __of_6 {
        (@is_on) => {
            trace::of_6_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_6, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr$(,)?) => {
            if trace::of_6_enabled() {
                ::core::hint::cold_path();
                trace::of_6(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_6(a0, a1, s2, a3, a4, a5)`")
        };
    }
    pub(crate) use __of_6;
    macro_rules! __of_7 {
        (@is_on) => {
            trace::of_7_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_7, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr$(,)?) => {
            if trace::of_7_enabled() {
                ::core::hint::cold_path();
                trace::of_7(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_7(a0, a1, s2, a3, a4, a5, a6)`")
        };
    }
    pub(crate) use __of_7;
    macro_rules! __of_8 {
        (@is_on) => {
            trace::of_8_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_8, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7))
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr$(,)?) => {
            if trace::of_8_enabled() {
                ::core::hint::cold_path();
                trace::of_8(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_8(a0, a1, s2, a3, a4, a5, a6, s7)`")
        };
    }
    pub(crate) use __of_8;
    macro_rules! __of_9 {
        (@is_on) => {
            trace::of_9_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_9, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7), a8 = ::ringtrace::probe::Integer::<i32>::of($a8).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr$(,)?) => {
            if trace::of_9_enabled() {
                ::core::hint::cold_path();
                trace::of_9(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7, ::ringtrace::probe::Integer::<i32>::of($a8).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_9(a0, a1, s2, a3, a4, a5, a6, s7, a8)`")
        };
    }
    pub(crate) use __of_9;
    macro_rules! __of_10 {
        (@is_on) => {
            trace::of_10_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_10, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7), a8 = ::ringtrace::probe::Integer::<i32>::of($a8).value(), a9 = ::ringtrace::probe::Integer::<i32>::of($a9).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr$(,)?) => {
            if trace::of_10_enabled() {
                ::core::hint::cold_path();
                trace::of_10(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7, ::ringtrace::probe::Integer::<i32>::of($a8).value(), ::ringtrace::probe::Integer::<i32>::of($a9).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_10(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9)`")
        };
    }
    pub(crate) use __of_10;
    macro_rules! __of_11 {
        (@is_on) => {
            trace::of_11_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_11, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7), a8 = ::ringtrace::probe::Integer::<i32>::of($a8).value(), a9 = ::ringtrace::probe::Integer::<i32>::of($a9).value(), a10 = ::ringtrace::probe::Integer::<i32>::of($a10).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr$(,)?) => {
            if trace::of_11_enabled() {
                ::core::hint::cold_path();
                trace::of_11(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7, ::ringtrace::probe::Integer::<i32>::of($a8).value(), ::ringtrace::probe::Integer::<i32>::of($a9).value(), ::ringtrace::probe::Integer::<i32>::of($a10).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_11(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10)`")
        };
    }
    pub(crate) use __of_11;
    macro_rules! __of_12 {
        (@is_on) => {
            trace::of_12_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_12, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7), a8 = ::ringtrace::probe::Integer::<i32>::of($a8).value(), a9 = ::ringtrace::probe::Integer::<i32>::of($a9).value(), a10 = ::ringtrace::probe::Integer::<i32>::of($a10).value(), a11 = ::ringtrace::probe::Integer::<i32>::of($a11).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr$(,)?) => {
            if trace::of_12_enabled() {
                ::core::hint::cold_path();
                trace::of_12(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7, ::ringtrace::probe::Integer::<i32>::of($a8).value(), ::ringtrace::probe::Integer::<i32>::of($a9).value(), ::ringtrace::probe::Integer::<i32>::of($a10).value(), ::ringtrace::probe::Integer::<i32>::of($a11).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_12(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11)`")
        };
    }
    pub(crate) use __of_12;
    macro_rules! __of_13 {
        (@is_on) => {
            trace::of_13_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr, $s12:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_13, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7), a8 = ::ringtrace::probe::Integer::<i32>::of($a8).value(), a9 = ::ringtrace::probe::Integer::<i32>::of($a9).value(), a10 = ::ringtrace::probe::Integer::<i32>::of($a10).value(), a11 = ::ringtrace::probe::Integer::<i32>::of($a11).value(), s12 = ::ringtrace::probe::string($s12))
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr, $s12:expr$(,)?) => {
            if trace::of_13_enabled() {
                ::core::hint::cold_path();
                trace::of_13(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7, ::ringtrace::probe::Integer::<i32>::of($a8).value(), ::ringtrace::probe::Integer::<i32>::of($a9).value(), ::ringtrace::probe::Integer::<i32>::of($a10).value(), ::ringtrace::probe::Integer::<i32>::of($a11).value(), $s12);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_13(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12)`")
        };
    }
    pub(crate) use __of_13;
    macro_rules! __of_14 {
        (@is_on) => {
            trace::of_14_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr, $s12:expr, $a13:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_14, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7), a8 = ::ringtrace::probe::Integer::<i32>::of($a8).value(), a9 = ::ringtrace::probe::Integer::<i32>::of($a9).value(), a10 = ::ringtrace::probe::Integer::<i32>::of($a10).value(), a11 = ::ringtrace::probe::Integer::<i32>::of($a11).value(), s12 = ::ringtrace::probe::string($s12), a13 = ::ringtrace::probe::Integer::<i32>::of($a13).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr, $s12:expr, $a13:expr$(,)?) => {
            if trace::of_14_enabled() {
                ::core::hint::cold_path();
                trace::of_14(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7, ::ringtrace::probe::Integer::<i32>::of($a8).value(), ::ringtrace::probe::Integer::<i32>::of($a9).value(), ::ringtrace::probe::Integer::<i32>::of($a10).value(), ::ringtrace::probe::Integer::<i32>::of($a11).value(), $s12, ::ringtrace::probe::Integer::<i32>::of($a13).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_14(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13)`")
        };
    }
    pub(crate) use __of_14;
    macro_rules! __of_15 {
        (@is_on) => {
            trace::of_15_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr, $s12:expr, $a13:expr, $a14:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_15, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7), a8 = ::ringtrace::probe::Integer::<i32>::of($a8).value(), a9 = ::ringtrace::probe::Integer::<i32>::of($a9).value(), a10 = ::ringtrace::probe::Integer::<i32>::of($a10).value(), a11 = ::ringtrace::probe::Integer::<i32>::of($a11).value(), s12 = ::ringtrace::probe::string($s12), a13 = ::ringtrace::probe::Integer::<i32>::of($a13).value(), a14 = ::ringtrace::probe::Integer::<i32>::of($a14).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr, $s12:expr, $a13:expr, $a14:expr$(,)?) => {
            if trace::of_15_enabled() {
                ::core::hint::cold_path();
                trace::of_15(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7, ::ringtrace::probe::Integer::<i32>::of($a8).value(), ::ringtrace::probe::Integer::<i32>::of($a9).value(), ::ringtrace::probe::Integer::<i32>::of($a10).value(), ::ringtrace::probe::Integer::<i32>::of($a11).value(), $s12, ::ringtrace::probe::Integer::<i32>::of($a13).value(), ::ringtrace::probe::Integer::<i32>::of($a14).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_15(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14)`")
        };
    }
    pub(crate) use __of_15;
    macro_rules! __of_16 {
        (@is_on) => {
            trace::of_16_enabled()
        };
        (@end $a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr, $s12:expr, $a13:expr, $a14:expr, $a15:expr$(,)?) => {
            ::ringtrace::span_end!(trace::of_16, a0 = ::ringtrace::probe::Integer::<i32>::of($a0).value(), a1 = ::ringtrace::probe::Integer::<i32>::of($a1).value(), s2 = ::ringtrace::probe::string($s2), a3 = ::ringtrace::probe::Integer::<i32>::of($a3).value(), a4 = ::ringtrace::probe::Integer::<i32>::of($a4).value(), a5 = ::ringtrace::probe::Integer::<i32>::of($a5).value(), a6 = ::ringtrace::probe::Integer::<i32>::of($a6).value(), s7 = ::ringtrace::probe::string($s7), a8 = ::ringtrace::probe::Integer::<i32>::of($a8).value(), a9 = ::ringtrace::probe::Integer::<i32>::of($a9).value(), a10 = ::ringtrace::probe::Integer::<i32>::of($a10).value(), a11 = ::ringtrace::probe::Integer::<i32>::of($a11).value(), s12 = ::ringtrace::probe::string($s12), a13 = ::ringtrace::probe::Integer::<i32>::of($a13).value(), a14 = ::ringtrace::probe::Integer::<i32>::of($a14).value(), a15 = ::ringtrace::probe::Integer::<i32>::of($a15).value())
        };
        ($a0:expr, $a1:expr, $s2:expr, $a3:expr, $a4:expr, $a5:expr, $a6:expr, $s7:expr, $a8:expr, $a9:expr, $a10:expr, $a11:expr, $s12:expr, $a13:expr, $a14:expr, $a15:expr$(,)?) => {
            if trace::of_16_enabled() {
                ::core::hint::cold_path();
                trace::of_16(::ringtrace::probe::Integer::<i32>::of($a0).value(), ::ringtrace::probe::Integer::<i32>::of($a1).value(), $s2, ::ringtrace::probe::Integer::<i32>::of($a3).value(), ::ringtrace::probe::Integer::<i32>::of($a4).value(), ::ringtrace::probe::Integer::<i32>::of($a5).value(), ::ringtrace::probe::Integer::<i32>::of($a6).value(), $s7, ::ringtrace::probe::Integer::<i32>::of($a8).value(), ::ringtrace::probe::Integer::<i32>::of($a9).value(), ::ringtrace::probe::Integer::<i32>::of($a10).value(), ::ringtrace::probe::Integer::<i32>::of($a11).value(), $s12, ::ringtrace::probe::Integer::<i32>::of($a13).value(), ::ringtrace::probe::Integer::<i32>::of($a14).value(), ::ringtrace::probe::Integer::<i32>::of($a15).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `of_16(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14, a15)`")
        };
    }
    pub(crate) use __of_16;
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

    pub(super) static of_0: Event = Event::new(Declaration {
        name: "of_0",
        group: "counts",
        arguments: &[],
        format: Some(r#""""#),
        text: ::ringtrace::noted!("counts", r#"of_0(void) """#),
        traceable: true,
    });
    pub(super) static of_1: Event = Event::new(Declaration {
        name: "of_1",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("counts", r#"of_1(int a0) "%d""#),
        traceable: true,
    });
    pub(super) static of_2: Event = Event::new(Declaration {
        name: "of_2",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_2(int a0, int a1) "%d %d""#),
        traceable: true,
    });
    pub(super) static of_3: Event = Event::new(Declaration {
        name: "of_3",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
        ],
        format: Some(r#""%d %d %s""#),
        text: ::ringtrace::noted!("counts", r#"of_3(int a0, int a1, const char *s2) "%d %d %s""#),
        traceable: true,
    });
    pub(super) static of_4: Event = Event::new(Declaration {
        name: "of_4",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d""#),
        text: ::ringtrace::noted!("counts", r#"of_4(int a0, int a1, const char *s2, int a3) "%d %d %s %d""#),
        traceable: true,
    });
    pub(super) static of_5: Event = Event::new(Declaration {
        name: "of_5",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_5(int a0, int a1, const char *s2, int a3, int a4) "%d %d %s %d %d""#),
        traceable: true,
    });
    pub(super) static of_6: Event = Event::new(Declaration {
        name: "of_6",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_6(int a0, int a1, const char *s2, int a3, int a4, int a5) "%d %d %s %d %d %d""#),
        traceable: true,
    });
    pub(super) static of_7: Event = Event::new(Declaration {
        name: "of_7",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_7(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6) "%d %d %s %d %d %d %d""#),
        traceable: true,
    });
    pub(super) static of_8: Event = Event::new(Declaration {
        name: "of_8",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s""#),
        text: ::ringtrace::noted!("counts", r#"of_8(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7) "%d %d %s %d %d %d %d %s""#),
        traceable: true,
    });
    pub(super) static of_9: Event = Event::new(Declaration {
        name: "of_9",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a8", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s %d""#),
        text: ::ringtrace::noted!("counts", r#"of_9(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8) "%d %d %s %d %d %d %d %s %d""#),
        traceable: true,
    });
    pub(super) static of_10: Event = Event::new(Declaration {
        name: "of_10",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a8", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a9", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s %d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_10(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9) "%d %d %s %d %d %d %d %s %d %d""#),
        traceable: true,
    });
    pub(super) static of_11: Event = Event::new(Declaration {
        name: "of_11",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a8", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a9", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a10", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s %d %d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_11(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10) "%d %d %s %d %d %d %d %s %d %d %d""#),
        traceable: true,
    });
    pub(super) static of_12: Event = Event::new(Declaration {
        name: "of_12",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a8", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a9", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a10", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a11", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s %d %d %d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_12(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11) "%d %d %s %d %d %d %d %s %d %d %d %d""#),
        traceable: true,
    });
    pub(super) static of_13: Event = Event::new(Declaration {
        name: "of_13",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a8", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a9", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a10", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a11", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s12", ctype: "const char *", kind: ArgumentKind::Str },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s %d %d %d %d %s""#),
        text: ::ringtrace::noted!("counts", r#"of_13(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12) "%d %d %s %d %d %d %d %s %d %d %d %d %s""#),
        traceable: true,
    });
    pub(super) static of_14: Event = Event::new(Declaration {
        name: "of_14",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a8", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a9", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a10", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a11", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s12", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a13", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s %d %d %d %d %s %d""#),
        text: ::ringtrace::noted!("counts", r#"of_14(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d""#),
        traceable: true,
    });
    pub(super) static of_15: Event = Event::new(Declaration {
        name: "of_15",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a8", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a9", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a10", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a11", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s12", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a13", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a14", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_15(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d""#),
        traceable: true,
    });
    pub(super) static of_16: Event = Event::new(Declaration {
        name: "of_16",
        group: "counts",
        arguments: &[
            Argument { name: "a0", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a1", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s2", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a3", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a4", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a5", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a6", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s7", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a8", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a9", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a10", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a11", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "s12", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "a13", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a14", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a15", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d %d""#),
        text: ::ringtrace::noted!("counts", r#"of_16(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14, int a15) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d %d""#),
        traceable: true,
    });
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "counts", events: [
        &events::of_0,
        &events::of_1,
        &events::of_2,
        &events::of_3,
        &events::of_4,
        &events::of_5,
        &events::of_6,
        &events::of_7,
        &events::of_8,
        &events::of_9,
        &events::of_10,
        &events::of_11,
        &events::of_12,
        &events::of_13,
        &events::of_14,
        &events::of_15,
        &events::of_16,
    ] }
}
