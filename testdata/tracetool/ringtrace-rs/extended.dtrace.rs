// Probes of the group `extended`, generated from extended.events. Make changes there.

/// Records the event declared in extended.events:
///
/// ```text
/// measured(double seconds, const char *name, float share, int n) "seconds=%.3f name=%s share=%g n=%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer listens.
#[inline(always)]
pub fn measured(seconds: f64, name: impl ::ringtrace::probe::ToBytes, share: f32, n: i32) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, seconds: f64, name: &[u8], share: f32, n: i32) {
        if usdt::measured::SEMAPHORE.is_on() {
            usdt::measured::fire(seconds, name, share, n);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::measured, seen, (seconds.to_bits(), name, f64::from(share).to_bits(), i64::from(n).cast_unsigned()));
        }
    }
    let seen = events::measured.see();
    if seen.is_enabled() | usdt::measured::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, seconds, name.to_bytes(), share, n);
    }
}

/// Whether `measured` is on or an external tracer listens.
#[inline(always)]
pub fn measured_enabled() -> bool {
    events::measured.is_enabled() | usdt::measured::SEMAPHORE.is_on()
}

pub(crate) use macros::__measured as measured;

/// Records the event declared in extended.events:
///
/// ```text
/// many_doubles(double a, double b, float bits_a, const double d, int rec) "%e %a %f %g %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer listens.
#[inline(always)]
pub fn many_doubles(a: f64, b: f64, bits_a: f32, d: f64, rec: i32) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, a: f64, b: f64, bits_a: f32, d: f64, rec: i32) {
        if usdt::many_doubles::SEMAPHORE.is_on() {
            usdt::many_doubles::fire(a, b, bits_a, d, rec);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::many_doubles, seen, (a.to_bits(), b.to_bits(), f64::from(bits_a).to_bits(), d.to_bits(), i64::from(rec).cast_unsigned()));
        }
    }
    let seen = events::many_doubles.see();
    if seen.is_enabled() | usdt::many_doubles::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, b, bits_a, d, rec);
    }
}

/// Whether `many_doubles` is on or an external tracer listens.
#[inline(always)]
pub fn many_doubles_enabled() -> bool {
    events::many_doubles.is_enabled() | usdt::many_doubles::SEMAPHORE.is_on()
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

mod macros {
    macro_rules! __measured {
        ($($argument:expr),* $(,)?) => {
            if trace::measured_enabled() {
                ::core::hint::cold_path();
                trace::measured($($argument),*);
            }
        };
    }
    pub(crate) use __measured;
    macro_rules! __many_doubles {
        ($($argument:expr),* $(,)?) => {
            if trace::many_doubles_enabled() {
                ::core::hint::cold_path();
                trace::many_doubles($($argument),*);
            }
        };
    }
    pub(crate) use __many_doubles;
    macro_rules! __idle {
        ($($argument:expr),* $(,)?) => {
            if trace::idle_enabled() {
                ::core::hint::cold_path();
                trace::idle($($argument),*);
            }
        };
    }
    pub(crate) use __idle;
}

mod usdt {
    ::ringtrace::usdt! { provider: "extended", name: "measured", measured(seconds: f64, name: &[u8], share: f32, n: i32) }
    ::ringtrace::usdt! { provider: "extended", name: "many_doubles", many_doubles(a: f64, b: f64, bits_a: f32, d: f64, rec: i32) }
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
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "extended", events: [
        &events::measured,
        &events::many_doubles,
        &events::idle,
    ] }
}
