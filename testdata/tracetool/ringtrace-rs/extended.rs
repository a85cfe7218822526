// Probes of the group `extended`, generated from extended.events. Make changes there.

pub(crate) use ::ringtrace::span;

/// Declared in extended.events:
///
/// ```text
/// enum disk_state { IDLE = 0, BUSY = 1, QUEUE_FULL = 0x10, FAILED = -1 }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum DiskState {
    /// `IDLE`
    Idle = 0,
    /// `BUSY`
    Busy = 1,
    /// `QUEUE_FULL`
    QueueFull = 16,
    /// `FAILED`
    Failed = -1,
}

/// Declared in extended.events:
///
/// ```text
/// enum Kind { READ, WRITE }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Kind {
    /// `READ`
    Read = 0,
    /// `WRITE`
    Write = 1,
}

/// Records the event declared in extended.events:
///
/// ```text
/// measured(double seconds, const char *name, float share, int n) "seconds=%.3f name=%s share=%g n=%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn measured(seconds: f64, name: impl ::ringtrace::probe::ToBytes, share: f32, n: i32) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, seconds: f64, name: &[u8], share: f32, n: i32) {
        ::ringtrace::probe::emit_seen(&events::measured, seen, (seconds.to_bits(), name, f64::from(share).to_bits(), i64::from(n).cast_unsigned()));
    }
    let seen = events::measured.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, seconds, name.to_bytes(), share, n);
    }
}

/// Whether `measured` is on.
#[inline(always)]
pub fn measured_enabled() -> bool {
    events::measured.is_enabled()
}

pub(crate) use macros::__measured as measured;

/// Records the event declared in extended.events:
///
/// ```text
/// many_doubles(double a, double b, float bits_a, const double d, int rec) "%e %a %f %g %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn many_doubles(a: f64, b: f64, bits_a: f32, d: f64, rec: i32) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, a: f64, b: f64, bits_a: f32, d: f64, rec: i32) {
        ::ringtrace::probe::emit_seen(&events::many_doubles, seen, (a.to_bits(), b.to_bits(), f64::from(bits_a).to_bits(), d.to_bits(), i64::from(rec).cast_unsigned()));
    }
    let seen = events::many_doubles.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, a, b, bits_a, d, rec);
    }
}

/// Whether `many_doubles` is on.
#[inline(always)]
pub fn many_doubles_enabled() -> bool {
    events::many_doubles.is_enabled()
}

pub(crate) use macros::__many_doubles as many_doubles;

/// Does nothing. The event is declared with `disable` in extended.events:
///
/// ```text
/// disable idle(double load) "%f"
/// ```
#[inline(always)]
#[allow(unused_variables)]
pub fn idle(load: f64) {}

/// Returns false: `idle` is declared with `disable`.
#[inline(always)]
pub fn idle_enabled() -> bool {
    false
}

pub(crate) use macros::__idle as idle;

/// Records the event declared in extended.events:
///
/// ```text
/// state_changed(int disk, disk_state from, disk_state to) "disk %d: %s -> %s"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn state_changed(disk: i32, from: DiskState, to: DiskState) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, disk: i32, from: i32, to: i32) {
        ::ringtrace::probe::emit_seen(&events::state_changed, seen, (i64::from(disk).cast_unsigned(), i64::from(from).cast_unsigned(), i64::from(to).cast_unsigned()));
    }
    let seen = events::state_changed.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, disk, from as i32, to as i32);
    }
}

/// Whether `state_changed` is on.
#[inline(always)]
pub fn state_changed_enabled() -> bool {
    events::state_changed.is_enabled()
}

pub(crate) use macros::__state_changed as state_changed;

/// Records the event declared in extended.events:
///
/// ```text
/// queued(Kind kind, const char *name, disk_state state) "kind=%d name=%s state=%-12s|"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn queued(kind: Kind, name: impl ::ringtrace::probe::ToBytes, state: DiskState) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, kind: i32, name: &[u8], state: i32) {
        ::ringtrace::probe::emit_seen(&events::queued, seen, (i64::from(kind).cast_unsigned(), name, i64::from(state).cast_unsigned()));
    }
    let seen = events::queued.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, kind as i32, name.to_bytes(), state as i32);
    }
}

/// Whether `queued` is on.
#[inline(always)]
pub fn queued_enabled() -> bool {
    events::queued.is_enabled()
}

pub(crate) use macros::__queued as queued;

/// Does nothing. The event is declared with `disable` in extended.events:
///
/// ```text
/// disable unused_kind(Kind kind) "%s"
/// ```
#[inline(always)]
#[allow(unused_variables)]
pub fn unused_kind(kind: Kind) {}

/// Returns false: `unused_kind` is declared with `disable`.
#[inline(always)]
pub fn unused_kind_enabled() -> bool {
    false
}

pub(crate) use macros::__unused_kind as unused_kind;

mod macros {
    macro_rules! __measured {
        (@is_on) => {
            trace::measured_enabled()
        };
        (@end $seconds:expr, $name:expr, $share:expr, $n:expr$(,)?) => {
            ::ringtrace::span_end!(trace::measured, seconds = $seconds, name = ::ringtrace::probe::string($name), share = $share, n = ::ringtrace::probe::Integer::<i32>::of($n).value())
        };
        ($seconds:expr, $name:expr, $share:expr, $n:expr$(,)?) => {
            if trace::measured_enabled() {
                ::core::hint::cold_path();
                trace::measured($seconds, $name, $share, ::ringtrace::probe::Integer::<i32>::of($n).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `measured(seconds, name, share, n)`")
        };
    }
    pub(crate) use __measured;
    macro_rules! __many_doubles {
        (@is_on) => {
            trace::many_doubles_enabled()
        };
        (@end $a:expr, $b:expr, $bits_a:expr, $d:expr, $rec:expr$(,)?) => {
            ::ringtrace::span_end!(trace::many_doubles, a = $a, b = $b, bits_a = $bits_a, d = $d, rec = ::ringtrace::probe::Integer::<i32>::of($rec).value())
        };
        ($a:expr, $b:expr, $bits_a:expr, $d:expr, $rec:expr$(,)?) => {
            if trace::many_doubles_enabled() {
                ::core::hint::cold_path();
                trace::many_doubles($a, $b, $bits_a, $d, ::ringtrace::probe::Integer::<i32>::of($rec).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `many_doubles(a, b, bits_a, d, rec)`")
        };
    }
    pub(crate) use __many_doubles;
    macro_rules! __idle {
        (@is_on) => {
            trace::idle_enabled()
        };
        (@end $load:expr$(,)?) => {
            ::ringtrace::span_end!(trace::idle, load = $load)
        };
        ($load:expr$(,)?) => {
            if trace::idle_enabled() {
                ::core::hint::cold_path();
                trace::idle($load);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `idle(load)`")
        };
    }
    pub(crate) use __idle;
    macro_rules! __state_changed {
        (@is_on) => {
            trace::state_changed_enabled()
        };
        (@end $disk:expr, $from:expr, $to:expr$(,)?) => {
            ::ringtrace::span_end!(trace::state_changed, disk = ::ringtrace::probe::Integer::<i32>::of($disk).value(), from = $from, to = $to)
        };
        ($disk:expr, $from:expr, $to:expr$(,)?) => {
            if trace::state_changed_enabled() {
                ::core::hint::cold_path();
                trace::state_changed(::ringtrace::probe::Integer::<i32>::of($disk).value(), $from, $to);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `state_changed(disk, from, to)`")
        };
    }
    pub(crate) use __state_changed;
    macro_rules! __queued {
        (@is_on) => {
            trace::queued_enabled()
        };
        (@end $kind:expr, $name:expr, $state:expr$(,)?) => {
            ::ringtrace::span_end!(trace::queued, kind = $kind, name = ::ringtrace::probe::string($name), state = $state)
        };
        ($kind:expr, $name:expr, $state:expr$(,)?) => {
            if trace::queued_enabled() {
                ::core::hint::cold_path();
                trace::queued($kind, $name, $state);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `queued(kind, name, state)`")
        };
    }
    pub(crate) use __queued;
    macro_rules! __unused_kind {
        (@is_on) => {
            trace::unused_kind_enabled()
        };
        (@end $kind:expr$(,)?) => {
            ::ringtrace::span_end!(trace::unused_kind, kind = $kind)
        };
        ($kind:expr$(,)?) => {
            if trace::unused_kind_enabled() {
                ::core::hint::cold_path();
                trace::unused_kind($kind);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `unused_kind(kind)`")
        };
    }
    pub(crate) use __unused_kind;
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

    pub(super) static measured: Event = Event::new(Declaration {
        name: "measured",
        group: "extended",
        arguments: &[
            Argument { name: "seconds", ctype: "double", kind: ArgumentKind::Integer },
            Argument { name: "name", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "share", ctype: "float", kind: ArgumentKind::Integer },
            Argument { name: "n", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""seconds=%.3f name=%s share=%g n=%d""#),
        text: ::ringtrace::noted!("extended", r#"measured(double seconds, const char *name, float share, int n) "seconds=%.3f name=%s share=%g n=%d""#),
        traceable: true,
    });
    pub(super) static many_doubles: Event = Event::new(Declaration {
        name: "many_doubles",
        group: "extended",
        arguments: &[
            Argument { name: "a", ctype: "double", kind: ArgumentKind::Integer },
            Argument { name: "b", ctype: "double", kind: ArgumentKind::Integer },
            Argument { name: "bits_a", ctype: "float", kind: ArgumentKind::Integer },
            Argument { name: "d", ctype: "const double", kind: ArgumentKind::Integer },
            Argument { name: "rec", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%e %a %f %g %d""#),
        text: ::ringtrace::noted!("extended", r#"many_doubles(double a, double b, float bits_a, const double d, int rec) "%e %a %f %g %d""#),
        traceable: true,
    });
    pub(super) static idle: Event = Event::new(Declaration {
        name: "idle",
        group: "extended",
        arguments: &[
            Argument { name: "load", ctype: "double", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%f""#),
        text: ::ringtrace::noted!("extended", r#"disable idle(double load) "%f""#),
        traceable: false,
    });
    pub(super) static state_changed: Event = Event::new(Declaration {
        name: "state_changed",
        group: "extended",
        arguments: &[
            Argument { name: "disk", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "from", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "to", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""disk %d: %s -> %s""#),
        text: ::ringtrace::noted!("extended", "enum disk_state { IDLE = 0, BUSY = 1, QUEUE_FULL = 0x10, FAILED = -1 }\u{a}state_changed(int disk, disk_state from, disk_state to) \"disk %d: %s -> %s\""),
        traceable: true,
    });
    pub(super) static queued: Event = Event::new(Declaration {
        name: "queued",
        group: "extended",
        arguments: &[
            Argument { name: "kind", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "name", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "state", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""kind=%d name=%s state=%-12s|""#),
        text: ::ringtrace::noted!("extended", "enum Kind { READ, WRITE }\u{a}enum disk_state { IDLE = 0, BUSY = 1, QUEUE_FULL = 0x10, FAILED = -1 }\u{a}queued(Kind kind, const char *name, disk_state state) \"kind=%d name=%s state=%-12s|\""),
        traceable: true,
    });
    pub(super) static unused_kind: Event = Event::new(Declaration {
        name: "unused_kind",
        group: "extended",
        arguments: &[
            Argument { name: "kind", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%s""#),
        text: ::ringtrace::noted!("extended", "enum Kind { READ, WRITE }\u{a}disable unused_kind(Kind kind) \"%s\""),
        traceable: false,
    });
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "extended", events: [
        &events::measured,
        &events::many_doubles,
        &events::idle,
        &events::state_changed,
        &events::queued,
        &events::unused_kind,
    ] }
}
