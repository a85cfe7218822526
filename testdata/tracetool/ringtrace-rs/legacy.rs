// Probes of the group `legacy`, generated from legacy.events. Make changes there.

pub(crate) use ::ringtrace::span;

/// Records the event declared in legacy.events:
///
/// ```text
/// vcpu guest_reset(int index) "index=%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn guest_reset(__cpu: impl ::ringtrace::probe::ToAddress, index: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, __cpu: u64, index: i32) {
        ::ringtrace::probe::emit_seen(&events::guest_reset, seen, (__cpu, i64::from(index).cast_unsigned()));
    }
    let seen = events::guest_reset.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, __cpu.to_address(), index);
    }
}

/// Whether `guest_reset` is on.
#[inline(always)]
pub fn guest_reset_enabled() -> bool {
    events::guest_reset.is_enabled()
}

pub(crate) use macros::__guest_reset as guest_reset;

/// Records the event declared in legacy.events:
///
/// ```text
/// vcpu guest_halt(void)
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn guest_halt(__cpu: impl ::ringtrace::probe::ToAddress) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, __cpu: u64) {
        ::ringtrace::probe::emit_seen(&events::guest_halt, seen, (__cpu,));
    }
    let seen = events::guest_halt.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, __cpu.to_address());
    }
}

/// Whether `guest_halt` is on.
#[inline(always)]
pub fn guest_halt_enabled() -> bool {
    events::guest_halt.is_enabled()
}

pub(crate) use macros::__guest_halt as guest_halt;

/// Records the event declared in legacy.events:
///
/// ```text
/// tcg guest_load(TCGv addr, uint8_t size) "size=%u", "addr=0x%"PRIx64" size=%u"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn guest_load_trans(size: u8) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, size: u8) {
        ::ringtrace::probe::emit_seen(&events::guest_load_trans, seen, (u64::from(size),));
    }
    let seen = events::guest_load_trans.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, size);
    }
}

/// Whether `guest_load_trans` is on.
#[inline(always)]
pub fn guest_load_trans_enabled() -> bool {
    events::guest_load_trans.is_enabled()
}

pub(crate) use macros::__guest_load_trans as guest_load_trans;

/// Records the event declared in legacy.events:
///
/// ```text
/// tcg guest_load(TCGv addr, uint8_t size) "size=%u", "addr=0x%"PRIx64" size=%u"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn guest_load_exec(addr: u64, size: u8) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, addr: u64, size: u8) {
        ::ringtrace::probe::emit_seen(&events::guest_load_exec, seen, (addr, u64::from(size)));
    }
    let seen = events::guest_load_exec.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, addr, size);
    }
}

/// Whether `guest_load_exec` is on.
#[inline(always)]
pub fn guest_load_exec_enabled() -> bool {
    events::guest_load_exec.is_enabled()
}

pub(crate) use macros::__guest_load_exec as guest_load_exec;

mod macros {
    macro_rules! __guest_reset {
        (@is_on) => {
            trace::guest_reset_enabled()
        };
        (@end $__cpu:expr, $index:expr$(,)?) => {
            ::ringtrace::span_end!(trace::guest_reset, __cpu = ::ringtrace::probe::Address::of($__cpu), index = ::ringtrace::probe::Integer::<i32>::of($index).value())
        };
        ($__cpu:expr, $index:expr$(,)?) => {
            if trace::guest_reset_enabled() {
                ::core::hint::cold_path();
                trace::guest_reset($__cpu, ::ringtrace::probe::Integer::<i32>::of($index).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `guest_reset(__cpu, index)`")
        };
    }
    pub(crate) use __guest_reset;
    macro_rules! __guest_halt {
        (@is_on) => {
            trace::guest_halt_enabled()
        };
        (@end $__cpu:expr$(,)?) => {
            ::ringtrace::span_end!(trace::guest_halt, __cpu = ::ringtrace::probe::Address::of($__cpu))
        };
        ($__cpu:expr$(,)?) => {
            if trace::guest_halt_enabled() {
                ::core::hint::cold_path();
                trace::guest_halt($__cpu);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `guest_halt(__cpu)`")
        };
    }
    pub(crate) use __guest_halt;
    macro_rules! __guest_load_trans {
        (@is_on) => {
            trace::guest_load_trans_enabled()
        };
        (@end $size:expr$(,)?) => {
            ::ringtrace::span_end!(trace::guest_load_trans, size = ::ringtrace::probe::Integer::<u8>::of($size).value())
        };
        ($size:expr$(,)?) => {
            if trace::guest_load_trans_enabled() {
                ::core::hint::cold_path();
                trace::guest_load_trans(::ringtrace::probe::Integer::<u8>::of($size).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `guest_load_trans(size)`")
        };
    }
    pub(crate) use __guest_load_trans;
    macro_rules! __guest_load_exec {
        (@is_on) => {
            trace::guest_load_exec_enabled()
        };
        (@end $addr:expr, $size:expr$(,)?) => {
            ::ringtrace::span_end!(trace::guest_load_exec, addr = ::ringtrace::probe::Integer::<u64>::of($addr).value(), size = ::ringtrace::probe::Integer::<u8>::of($size).value())
        };
        ($addr:expr, $size:expr$(,)?) => {
            if trace::guest_load_exec_enabled() {
                ::core::hint::cold_path();
                trace::guest_load_exec(::ringtrace::probe::Integer::<u64>::of($addr).value(), ::ringtrace::probe::Integer::<u8>::of($size).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `guest_load_exec(addr, size)`")
        };
    }
    pub(crate) use __guest_load_exec;
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

    pub(super) static guest_reset: Event = Event::new(Declaration {
        name: "guest_reset",
        group: "legacy",
        arguments: &[
            Argument { name: "__cpu", ctype: "void *", kind: ArgumentKind::Pointer },
            Argument { name: "index", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""cpu=%p " "index=%d""#),
        text: ::ringtrace::noted!("legacy", r#"vcpu guest_reset(int index) "index=%d""#),
        traceable: true,
    });
    pub(super) static guest_halt: Event = Event::new(Declaration {
        name: "guest_halt",
        group: "legacy",
        arguments: &[
            Argument { name: "__cpu", ctype: "void *", kind: ArgumentKind::Pointer },
        ],
        format: Some(r#""cpu=%p ""#),
        text: ::ringtrace::noted!("legacy", "vcpu guest_halt(void)"),
        traceable: true,
    });
    pub(super) static guest_load_trans: Event = Event::new(Declaration {
        name: "guest_load_trans",
        group: "legacy",
        arguments: &[
            Argument { name: "size", ctype: "uint8_t", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""size=%u""#),
        text: ::ringtrace::noted!("legacy", r#"tcg guest_load(TCGv addr, uint8_t size) "size=%u", "addr=0x%"PRIx64" size=%u""#),
        traceable: true,
    });
    pub(super) static guest_load_exec: Event = Event::new(Declaration {
        name: "guest_load_exec",
        group: "legacy",
        arguments: &[
            Argument { name: "addr", ctype: "uint64_t", kind: ArgumentKind::Integer },
            Argument { name: "size", ctype: "uint8_t", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""addr=0x%"PRIx64" size=%u""#),
        text: ::ringtrace::noted!("legacy", r#"tcg guest_load(TCGv addr, uint8_t size) "size=%u", "addr=0x%"PRIx64" size=%u""#),
        traceable: true,
    });
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "legacy", events: [
        &events::guest_reset,
        &events::guest_halt,
        &events::guest_load_trans,
        &events::guest_load_exec,
    ] }
}
