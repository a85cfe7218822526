// Probes of the group `types`, generated from types.events. Make changes there.

pub(crate) use ::ringtrace::span;

/// Records the event declared in types.events:
///
/// ```text
/// signed_8(int8_t a, char b, signed char c) "%d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn signed_8(a: i8, b: i8, c: i8) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: i8, b: i8, c: i8) {
        if usdt::signed_8::SEMAPHORE.is_on() {
            usdt::signed_8::fire(a, b, c);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::signed_8, seen, (i64::from(a).cast_unsigned(), i64::from(b).cast_unsigned(), i64::from(c).cast_unsigned()));
        }
    }
    let seen = events::signed_8.see();
    if seen.is_enabled() | usdt::signed_8::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, c);
    }
}

/// Whether `signed_8` is on or an external tracer listens.
#[inline(always)]
pub fn signed_8_enabled() -> bool {
    events::signed_8.is_enabled() | usdt::signed_8::SEMAPHORE.is_on()
}

pub(crate) use macros::__signed_8 as signed_8;

/// Records the event declared in types.events:
///
/// ```text
/// signed_16(int16_t a, short b, short int c) "%d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn signed_16(a: i16, b: i16, c: i16) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: i16, b: i16, c: i16) {
        if usdt::signed_16::SEMAPHORE.is_on() {
            usdt::signed_16::fire(a, b, c);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::signed_16, seen, (i64::from(a).cast_unsigned(), i64::from(b).cast_unsigned(), i64::from(c).cast_unsigned()));
        }
    }
    let seen = events::signed_16.see();
    if seen.is_enabled() | usdt::signed_16::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, c);
    }
}

/// Whether `signed_16` is on or an external tracer listens.
#[inline(always)]
pub fn signed_16_enabled() -> bool {
    events::signed_16.is_enabled() | usdt::signed_16::SEMAPHORE.is_on()
}

pub(crate) use macros::__signed_16 as signed_16;

/// Records the event declared in types.events:
///
/// ```text
/// signed_32(int32_t a, int b, signed c, const int d) "%d %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn signed_32(a: i32, b: i32, c: i32, d: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: i32, b: i32, c: i32, d: i32) {
        if usdt::signed_32::SEMAPHORE.is_on() {
            usdt::signed_32::fire(a, b, c, d);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::signed_32, seen, (i64::from(a).cast_unsigned(), i64::from(b).cast_unsigned(), i64::from(c).cast_unsigned(), i64::from(d).cast_unsigned()));
        }
    }
    let seen = events::signed_32.see();
    if seen.is_enabled() | usdt::signed_32::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, c, d);
    }
}

/// Whether `signed_32` is on or an external tracer listens.
#[inline(always)]
pub fn signed_32_enabled() -> bool {
    events::signed_32.is_enabled() | usdt::signed_32::SEMAPHORE.is_on()
}

pub(crate) use macros::__signed_32 as signed_32;

/// Records the event declared in types.events:
///
/// ```text
/// signed_64(int64_t a, long b, long long c, long int d) "%" PRId64 " %ld %lld %ld"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn signed_64(a: i64, b: i64, c: i64, d: i64) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: i64, b: i64, c: i64, d: i64) {
        if usdt::signed_64::SEMAPHORE.is_on() {
            usdt::signed_64::fire(a, b, c, d);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::signed_64, seen, (a.cast_unsigned(), b.cast_unsigned(), c.cast_unsigned(), d.cast_unsigned()));
        }
    }
    let seen = events::signed_64.see();
    if seen.is_enabled() | usdt::signed_64::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, c, d);
    }
}

/// Whether `signed_64` is on or an external tracer listens.
#[inline(always)]
pub fn signed_64_enabled() -> bool {
    events::signed_64.is_enabled() | usdt::signed_64::SEMAPHORE.is_on()
}

pub(crate) use macros::__signed_64 as signed_64;

/// Records the event declared in types.events:
///
/// ```text
/// unsigned_8(uint8_t a, unsigned char b) "%u %u"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn unsigned_8(a: u8, b: u8) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: u8, b: u8) {
        if usdt::unsigned_8::SEMAPHORE.is_on() {
            usdt::unsigned_8::fire(a, b);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::unsigned_8, seen, (u64::from(a), u64::from(b)));
        }
    }
    let seen = events::unsigned_8.see();
    if seen.is_enabled() | usdt::unsigned_8::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b);
    }
}

/// Whether `unsigned_8` is on or an external tracer listens.
#[inline(always)]
pub fn unsigned_8_enabled() -> bool {
    events::unsigned_8.is_enabled() | usdt::unsigned_8::SEMAPHORE.is_on()
}

pub(crate) use macros::__unsigned_8 as unsigned_8;

/// Records the event declared in types.events:
///
/// ```text
/// unsigned_16(uint16_t a, unsigned short b, unsigned short int c) "%u %u %u"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn unsigned_16(a: u16, b: u16, c: u16) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: u16, b: u16, c: u16) {
        if usdt::unsigned_16::SEMAPHORE.is_on() {
            usdt::unsigned_16::fire(a, b, c);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::unsigned_16, seen, (u64::from(a), u64::from(b), u64::from(c)));
        }
    }
    let seen = events::unsigned_16.see();
    if seen.is_enabled() | usdt::unsigned_16::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, c);
    }
}

/// Whether `unsigned_16` is on or an external tracer listens.
#[inline(always)]
pub fn unsigned_16_enabled() -> bool {
    events::unsigned_16.is_enabled() | usdt::unsigned_16::SEMAPHORE.is_on()
}

pub(crate) use macros::__unsigned_16 as unsigned_16;

/// Records the event declared in types.events:
///
/// ```text
/// unsigned_32(uint32_t a, unsigned b, unsigned int c) "%u %u %u"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn unsigned_32(a: u32, b: u32, c: u32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: u32, b: u32, c: u32) {
        if usdt::unsigned_32::SEMAPHORE.is_on() {
            usdt::unsigned_32::fire(a, b, c);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::unsigned_32, seen, (u64::from(a), u64::from(b), u64::from(c)));
        }
    }
    let seen = events::unsigned_32.see();
    if seen.is_enabled() | usdt::unsigned_32::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, c);
    }
}

/// Whether `unsigned_32` is on or an external tracer listens.
#[inline(always)]
pub fn unsigned_32_enabled() -> bool {
    events::unsigned_32.is_enabled() | usdt::unsigned_32::SEMAPHORE.is_on()
}

pub(crate) use macros::__unsigned_32 as unsigned_32;

/// Records the event declared in types.events:
///
/// ```text
/// unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d) "%" PRIu64 " %lu %llu %lu"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn unsigned_64(a: u64, b: u64, c: u64, d: u64) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: u64, b: u64, c: u64, d: u64) {
        if usdt::unsigned_64::SEMAPHORE.is_on() {
            usdt::unsigned_64::fire(a, b, c, d);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::unsigned_64, seen, (a, b, c, d));
        }
    }
    let seen = events::unsigned_64.see();
    if seen.is_enabled() | usdt::unsigned_64::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, c, d);
    }
}

/// Whether `unsigned_64` is on or an external tracer listens.
#[inline(always)]
pub fn unsigned_64_enabled() -> bool {
    events::unsigned_64.is_enabled() | usdt::unsigned_64::SEMAPHORE.is_on()
}

pub(crate) use macros::__unsigned_64 as unsigned_64;

/// Records the event declared in types.events:
///
/// ```text
/// sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e) "%zu %zd %" PRIuPTR " %td %zu"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn sizes(a: usize, b: isize, c: usize, d: isize, e: usize) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, a: usize, b: isize, c: usize, d: isize, e: usize) {
        if usdt::sizes::SEMAPHORE.is_on() {
            usdt::sizes::fire(a, b, c, d, e);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::sizes, seen, (a as u64, b as u64, c as u64, d as u64, e as u64));
        }
    }
    let seen = events::sizes.see();
    if seen.is_enabled() | usdt::sizes::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, c, d, e);
    }
}

/// Whether `sizes` is on or an external tracer listens.
#[inline(always)]
pub fn sizes_enabled() -> bool {
    events::sizes.is_enabled() | usdt::sizes::SEMAPHORE.is_on()
}

pub(crate) use macros::__sizes as sizes;

/// Records the event declared in types.events:
///
/// ```text
/// truth(bool a) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn truth(a: bool) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: bool) {
        if usdt::truth::SEMAPHORE.is_on() {
            usdt::truth::fire(a);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::truth, seen, (u64::from(a),));
        }
    }
    let seen = events::truth.see();
    if seen.is_enabled() | usdt::truth::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a);
    }
}

/// Whether `truth` is on or an external tracer listens.
#[inline(always)]
pub fn truth_enabled() -> bool {
    events::truth.is_enabled() | usdt::truth::SEMAPHORE.is_on()
}

pub(crate) use macros::__truth as truth;

/// Records the event declared in types.events:
///
/// ```text
/// pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g) "%p %p %p %p %p %p %p"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn pointers(
    a: impl ::ringtrace::probe::ToAddress,
    b: impl ::ringtrace::probe::ToAddress,
    c: impl ::ringtrace::probe::ToAddress,
    d: impl ::ringtrace::probe::ToAddress,
    e: impl ::ringtrace::probe::ToAddress,
    f: impl ::ringtrace::probe::ToAddress,
    g: impl ::ringtrace::probe::ToAddress,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        a: u64,
        b: u64,
        c: u64,
        d: u64,
        e: u64,
        f: u64,
        g: u64,
    ) {
        if usdt::pointers::SEMAPHORE.is_on() {
            usdt::pointers::fire(a, b, c, d, e, f, g);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::pointers, seen, (a, b, c, d, e, f, g));
        }
    }
    let seen = events::pointers.see();
    if seen.is_enabled() | usdt::pointers::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a.to_address(), b.to_address(), c.to_address(), d.to_address(), e.to_address(), f.to_address(), g.to_address());
    }
}

/// Whether `pointers` is on or an external tracer listens.
#[inline(always)]
pub fn pointers_enabled() -> bool {
    events::pointers.is_enabled() | usdt::pointers::SEMAPHORE.is_on()
}

pub(crate) use macros::__pointers as pointers;

/// Records the event declared in types.events:
///
/// ```text
/// strings(const char *a, char *b, const char*c, char*d) "%s %s %s %s"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn strings(
    a: impl ::ringtrace::probe::ToBytes,
    b: impl ::ringtrace::probe::ToBytes,
    c: impl ::ringtrace::probe::ToBytes,
    d: impl ::ringtrace::probe::ToBytes,
) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, a: &[u8], b: &[u8], c: &[u8], d: &[u8]) {
        if usdt::strings::SEMAPHORE.is_on() {
            usdt::strings::fire(a, b, c, d);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::strings, seen, (a, b, c, d));
        }
    }
    let seen = events::strings.see();
    if seen.is_enabled() | usdt::strings::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a.to_bytes(), b.to_bytes(), c.to_bytes(), d.to_bytes());
    }
}

/// Whether `strings` is on or an external tracer listens.
#[inline(always)]
pub fn strings_enabled() -> bool {
    events::strings.is_enabled() | usdt::strings::SEMAPHORE.is_on()
}

pub(crate) use macros::__strings as strings;

mod macros {
    macro_rules! __signed_8 {
        (@is_on) => {
            trace::signed_8_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr$(,)?) => {
            ::ringtrace::span_end!(trace::signed_8, a = ::ringtrace::probe::Integer::<i8>::of($a).value(), b = ::ringtrace::probe::Integer::<i8>::of($b).value(), c = ::ringtrace::probe::Integer::<i8>::of($c).value())
        };
        ($a:expr, $b:expr, $c:expr$(,)?) => {
            if trace::signed_8_enabled() {
                ::core::hint::cold_path();
                trace::signed_8(::ringtrace::probe::Integer::<i8>::of($a).value(), ::ringtrace::probe::Integer::<i8>::of($b).value(), ::ringtrace::probe::Integer::<i8>::of($c).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `signed_8(a, b, c)`")
        };
    }
    pub(crate) use __signed_8;
    macro_rules! __signed_16 {
        (@is_on) => {
            trace::signed_16_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr$(,)?) => {
            ::ringtrace::span_end!(trace::signed_16, a = ::ringtrace::probe::Integer::<i16>::of($a).value(), b = ::ringtrace::probe::Integer::<i16>::of($b).value(), c = ::ringtrace::probe::Integer::<i16>::of($c).value())
        };
        ($a:expr, $b:expr, $c:expr$(,)?) => {
            if trace::signed_16_enabled() {
                ::core::hint::cold_path();
                trace::signed_16(::ringtrace::probe::Integer::<i16>::of($a).value(), ::ringtrace::probe::Integer::<i16>::of($b).value(), ::ringtrace::probe::Integer::<i16>::of($c).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `signed_16(a, b, c)`")
        };
    }
    pub(crate) use __signed_16;
    macro_rules! __signed_32 {
        (@is_on) => {
            trace::signed_32_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr, $d:expr$(,)?) => {
            ::ringtrace::span_end!(trace::signed_32, a = ::ringtrace::probe::Integer::<i32>::of($a).value(), b = ::ringtrace::probe::Integer::<i32>::of($b).value(), c = ::ringtrace::probe::Integer::<i32>::of($c).value(), d = ::ringtrace::probe::Integer::<i32>::of($d).value())
        };
        ($a:expr, $b:expr, $c:expr, $d:expr$(,)?) => {
            if trace::signed_32_enabled() {
                ::core::hint::cold_path();
                trace::signed_32(::ringtrace::probe::Integer::<i32>::of($a).value(), ::ringtrace::probe::Integer::<i32>::of($b).value(), ::ringtrace::probe::Integer::<i32>::of($c).value(), ::ringtrace::probe::Integer::<i32>::of($d).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `signed_32(a, b, c, d)`")
        };
    }
    pub(crate) use __signed_32;
    macro_rules! __signed_64 {
        (@is_on) => {
            trace::signed_64_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr, $d:expr$(,)?) => {
            ::ringtrace::span_end!(trace::signed_64, a = ::ringtrace::probe::Integer::<i64>::of($a).value(), b = ::ringtrace::probe::Integer::<i64>::of($b).value(), c = ::ringtrace::probe::Integer::<i64>::of($c).value(), d = ::ringtrace::probe::Integer::<i64>::of($d).value())
        };
        ($a:expr, $b:expr, $c:expr, $d:expr$(,)?) => {
            if trace::signed_64_enabled() {
                ::core::hint::cold_path();
                trace::signed_64(::ringtrace::probe::Integer::<i64>::of($a).value(), ::ringtrace::probe::Integer::<i64>::of($b).value(), ::ringtrace::probe::Integer::<i64>::of($c).value(), ::ringtrace::probe::Integer::<i64>::of($d).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `signed_64(a, b, c, d)`")
        };
    }
    pub(crate) use __signed_64;
    macro_rules! __unsigned_8 {
        (@is_on) => {
            trace::unsigned_8_enabled()
        };
        (@end $a:expr, $b:expr$(,)?) => {
            ::ringtrace::span_end!(trace::unsigned_8, a = ::ringtrace::probe::Integer::<u8>::of($a).value(), b = ::ringtrace::probe::Integer::<u8>::of($b).value())
        };
        ($a:expr, $b:expr$(,)?) => {
            if trace::unsigned_8_enabled() {
                ::core::hint::cold_path();
                trace::unsigned_8(::ringtrace::probe::Integer::<u8>::of($a).value(), ::ringtrace::probe::Integer::<u8>::of($b).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `unsigned_8(a, b)`")
        };
    }
    pub(crate) use __unsigned_8;
    macro_rules! __unsigned_16 {
        (@is_on) => {
            trace::unsigned_16_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr$(,)?) => {
            ::ringtrace::span_end!(trace::unsigned_16, a = ::ringtrace::probe::Integer::<u16>::of($a).value(), b = ::ringtrace::probe::Integer::<u16>::of($b).value(), c = ::ringtrace::probe::Integer::<u16>::of($c).value())
        };
        ($a:expr, $b:expr, $c:expr$(,)?) => {
            if trace::unsigned_16_enabled() {
                ::core::hint::cold_path();
                trace::unsigned_16(::ringtrace::probe::Integer::<u16>::of($a).value(), ::ringtrace::probe::Integer::<u16>::of($b).value(), ::ringtrace::probe::Integer::<u16>::of($c).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `unsigned_16(a, b, c)`")
        };
    }
    pub(crate) use __unsigned_16;
    macro_rules! __unsigned_32 {
        (@is_on) => {
            trace::unsigned_32_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr$(,)?) => {
            ::ringtrace::span_end!(trace::unsigned_32, a = ::ringtrace::probe::Integer::<u32>::of($a).value(), b = ::ringtrace::probe::Integer::<u32>::of($b).value(), c = ::ringtrace::probe::Integer::<u32>::of($c).value())
        };
        ($a:expr, $b:expr, $c:expr$(,)?) => {
            if trace::unsigned_32_enabled() {
                ::core::hint::cold_path();
                trace::unsigned_32(::ringtrace::probe::Integer::<u32>::of($a).value(), ::ringtrace::probe::Integer::<u32>::of($b).value(), ::ringtrace::probe::Integer::<u32>::of($c).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `unsigned_32(a, b, c)`")
        };
    }
    pub(crate) use __unsigned_32;
    macro_rules! __unsigned_64 {
        (@is_on) => {
            trace::unsigned_64_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr, $d:expr$(,)?) => {
            ::ringtrace::span_end!(trace::unsigned_64, a = ::ringtrace::probe::Integer::<u64>::of($a).value(), b = ::ringtrace::probe::Integer::<u64>::of($b).value(), c = ::ringtrace::probe::Integer::<u64>::of($c).value(), d = ::ringtrace::probe::Integer::<u64>::of($d).value())
        };
        ($a:expr, $b:expr, $c:expr, $d:expr$(,)?) => {
            if trace::unsigned_64_enabled() {
                ::core::hint::cold_path();
                trace::unsigned_64(::ringtrace::probe::Integer::<u64>::of($a).value(), ::ringtrace::probe::Integer::<u64>::of($b).value(), ::ringtrace::probe::Integer::<u64>::of($c).value(), ::ringtrace::probe::Integer::<u64>::of($d).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `unsigned_64(a, b, c, d)`")
        };
    }
    pub(crate) use __unsigned_64;
    macro_rules! __sizes {
        (@is_on) => {
            trace::sizes_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr, $d:expr, $e:expr$(,)?) => {
            ::ringtrace::span_end!(trace::sizes, a = ::ringtrace::probe::Integer::<usize>::of($a).value(), b = ::ringtrace::probe::Integer::<isize>::of($b).value(), c = ::ringtrace::probe::Integer::<usize>::of($c).value(), d = ::ringtrace::probe::Integer::<isize>::of($d).value(), e = ::ringtrace::probe::Integer::<usize>::of($e).value())
        };
        ($a:expr, $b:expr, $c:expr, $d:expr, $e:expr$(,)?) => {
            if trace::sizes_enabled() {
                ::core::hint::cold_path();
                trace::sizes(::ringtrace::probe::Integer::<usize>::of($a).value(), ::ringtrace::probe::Integer::<isize>::of($b).value(), ::ringtrace::probe::Integer::<usize>::of($c).value(), ::ringtrace::probe::Integer::<isize>::of($d).value(), ::ringtrace::probe::Integer::<usize>::of($e).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `sizes(a, b, c, d, e)`")
        };
    }
    pub(crate) use __sizes;
    macro_rules! __truth {
        (@is_on) => {
            trace::truth_enabled()
        };
        (@end $a:expr$(,)?) => {
            ::ringtrace::span_end!(trace::truth, a = $a)
        };
        ($a:expr$(,)?) => {
            if trace::truth_enabled() {
                ::core::hint::cold_path();
                trace::truth($a);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `truth(a)`")
        };
    }
    pub(crate) use __truth;
    macro_rules! __pointers {
        (@is_on) => {
            trace::pointers_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr$(,)?) => {
            ::ringtrace::span_end!(trace::pointers, a = ::ringtrace::probe::Address::of($a), b = ::ringtrace::probe::Address::of($b), c = ::ringtrace::probe::Address::of($c), d = ::ringtrace::probe::Address::of($d), e = ::ringtrace::probe::Address::of($e), f = ::ringtrace::probe::Address::of($f), g = ::ringtrace::probe::Address::of($g))
        };
        ($a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr$(,)?) => {
            if trace::pointers_enabled() {
                ::core::hint::cold_path();
                trace::pointers($a, $b, $c, $d, $e, $f, $g);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `pointers(a, b, c, d, e, f, g)`")
        };
    }
    pub(crate) use __pointers;
    macro_rules! __strings {
        (@is_on) => {
            trace::strings_enabled()
        };
        (@end $a:expr, $b:expr, $c:expr, $d:expr$(,)?) => {
            ::ringtrace::span_end!(trace::strings, a = ::ringtrace::probe::string($a), b = ::ringtrace::probe::string($b), c = ::ringtrace::probe::string($c), d = ::ringtrace::probe::string($d))
        };
        ($a:expr, $b:expr, $c:expr, $d:expr$(,)?) => {
            if trace::strings_enabled() {
                ::core::hint::cold_path();
                trace::strings($a, $b, $c, $d);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `strings(a, b, c, d)`")
        };
    }
    pub(crate) use __strings;
}

mod usdt {
    ::ringtrace::usdt! { provider: "types", name: "signed_8", signed_8(a: i8, b: i8, c: i8) }
    ::ringtrace::usdt! { provider: "types", name: "signed_16", signed_16(a: i16, b: i16, c: i16) }
    ::ringtrace::usdt! { provider: "types", name: "signed_32", signed_32(a: i32, b: i32, c: i32, d: i32) }
    ::ringtrace::usdt! { provider: "types", name: "signed_64", signed_64(a: i64, b: i64, c: i64, d: i64) }
    ::ringtrace::usdt! { provider: "types", name: "unsigned_8", unsigned_8(a: u8, b: u8) }
    ::ringtrace::usdt! { provider: "types", name: "unsigned_16", unsigned_16(a: u16, b: u16, c: u16) }
    ::ringtrace::usdt! { provider: "types", name: "unsigned_32", unsigned_32(a: u32, b: u32, c: u32) }
    ::ringtrace::usdt! { provider: "types", name: "unsigned_64", unsigned_64(a: u64, b: u64, c: u64, d: u64) }
    ::ringtrace::usdt! { provider: "types", name: "sizes", sizes(a: usize, b: isize, c: usize, d: isize, e: usize) }
    ::ringtrace::usdt! { provider: "types", name: "truth", truth(a: bool) }
    ::ringtrace::usdt! { provider: "types", name: "pointers", pointers(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64) }
    ::ringtrace::usdt! { provider: "types", name: "strings", strings(a: &[u8], b: &[u8], c: &[u8], d: &[u8]) }
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

    pub(super) static signed_8: Event = Event::new(Declaration {
        name: "signed_8",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "int8_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "char", kind: ArgumentKind::Integer },
            Argument { name: "c", ctype: "signed char", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %d""#),
        text: ::ringtrace::noted!("types", r#"signed_8(int8_t a, char b, signed char c) "%d %d %d""#),
        traceable: true,
    });
    pub(super) static signed_16: Event = Event::new(Declaration {
        name: "signed_16",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "int16_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "short", kind: ArgumentKind::Integer },
            Argument { name: "c", ctype: "short int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %d""#),
        text: ::ringtrace::noted!("types", r#"signed_16(int16_t a, short b, short int c) "%d %d %d""#),
        traceable: true,
    });
    pub(super) static signed_32: Event = Event::new(Declaration {
        name: "signed_32",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "int32_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "c", ctype: "signed", kind: ArgumentKind::Integer },
            Argument { name: "d", ctype: "const int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %d %d""#),
        text: ::ringtrace::noted!("types", r#"signed_32(int32_t a, int b, signed c, const int d) "%d %d %d %d""#),
        traceable: true,
    });
    pub(super) static signed_64: Event = Event::new(Declaration {
        name: "signed_64",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "int64_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "long", kind: ArgumentKind::Integer },
            Argument { name: "c", ctype: "long long", kind: ArgumentKind::Integer },
            Argument { name: "d", ctype: "long int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%" PRId64 " %ld %lld %ld""#),
        text: ::ringtrace::noted!("types", r#"signed_64(int64_t a, long b, long long c, long int d) "%" PRId64 " %ld %lld %ld""#),
        traceable: true,
    });
    pub(super) static unsigned_8: Event = Event::new(Declaration {
        name: "unsigned_8",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "uint8_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "unsigned char", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%u %u""#),
        text: ::ringtrace::noted!("types", r#"unsigned_8(uint8_t a, unsigned char b) "%u %u""#),
        traceable: true,
    });
    pub(super) static unsigned_16: Event = Event::new(Declaration {
        name: "unsigned_16",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "uint16_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "unsigned short", kind: ArgumentKind::Integer },
            Argument { name: "c", ctype: "unsigned short int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%u %u %u""#),
        text: ::ringtrace::noted!("types", r#"unsigned_16(uint16_t a, unsigned short b, unsigned short int c) "%u %u %u""#),
        traceable: true,
    });
    pub(super) static unsigned_32: Event = Event::new(Declaration {
        name: "unsigned_32",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "uint32_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "unsigned", kind: ArgumentKind::Integer },
            Argument { name: "c", ctype: "unsigned int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%u %u %u""#),
        text: ::ringtrace::noted!("types", r#"unsigned_32(uint32_t a, unsigned b, unsigned int c) "%u %u %u""#),
        traceable: true,
    });
    pub(super) static unsigned_64: Event = Event::new(Declaration {
        name: "unsigned_64",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "uint64_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "unsigned long", kind: ArgumentKind::Integer },
            Argument { name: "c", ctype: "unsigned long long", kind: ArgumentKind::Integer },
            Argument { name: "d", ctype: "long unsigned int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%" PRIu64 " %lu %llu %lu""#),
        text: ::ringtrace::noted!("types", r#"unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d) "%" PRIu64 " %lu %llu %lu""#),
        traceable: true,
    });
    pub(super) static sizes: Event = Event::new(Declaration {
        name: "sizes",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "size_t", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "ssize_t", kind: ArgumentKind::Integer },
            Argument { name: "c", ctype: "uintptr_t", kind: ArgumentKind::Integer },
            Argument { name: "d", ctype: "ptrdiff_t", kind: ArgumentKind::Integer },
            Argument { name: "e", ctype: "const size_t", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%zu %zd %" PRIuPTR " %td %zu""#),
        text: ::ringtrace::noted!("types", r#"sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e) "%zu %zd %" PRIuPTR " %td %zu""#),
        traceable: true,
    });
    pub(super) static truth: Event = Event::new(Declaration {
        name: "truth",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "bool", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("types", r#"truth(bool a) "%d""#),
        traceable: true,
    });
    pub(super) static pointers: Event = Event::new(Declaration {
        name: "pointers",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "void *", kind: ArgumentKind::Pointer },
            Argument { name: "b", ctype: "const void *", kind: ArgumentKind::Pointer },
            Argument { name: "c", ctype: "void **", kind: ArgumentKind::Pointer },
            Argument { name: "d", ctype: "int *", kind: ArgumentKind::Pointer },
            Argument { name: "e", ctype: "char **", kind: ArgumentKind::Pointer },
            Argument { name: "f", ctype: "const char **", kind: ArgumentKind::Pointer },
            Argument { name: "g", ctype: "uint8_t*", kind: ArgumentKind::Pointer },
        ],
        format: Some(r#""%p %p %p %p %p %p %p""#),
        text: ::ringtrace::noted!("types", r#"pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g) "%p %p %p %p %p %p %p""#),
        traceable: true,
    });
    pub(super) static strings: Event = Event::new(Declaration {
        name: "strings",
        group: "types",
        arguments: &[
            Argument { name: "a", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "b", ctype: "char *", kind: ArgumentKind::Str },
            Argument { name: "c", ctype: "const char*", kind: ArgumentKind::Str },
            Argument { name: "d", ctype: "char*", kind: ArgumentKind::Str },
        ],
        format: Some(r#""%s %s %s %s""#),
        text: ::ringtrace::noted!("types", r#"strings(const char *a, char *b, const char*c, char*d) "%s %s %s %s""#),
        traceable: true,
    });
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "types", events: [
        &events::signed_8,
        &events::signed_16,
        &events::signed_32,
        &events::signed_64,
        &events::unsigned_8,
        &events::unsigned_16,
        &events::unsigned_32,
        &events::unsigned_64,
        &events::sizes,
        &events::truth,
        &events::pointers,
        &events::strings,
    ] }
}
