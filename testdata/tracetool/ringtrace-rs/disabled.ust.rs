// Probes of the group `disabled`, generated from disabled.events. Make changes there.

pub(crate) use ::ringtrace::span;

/// Does nothing. The event is declared with `disable` in disabled.events:
///
/// ```text
/// disable never(int x, const char *name, void *p) "x=%d name=%s p=%p"
/// ```
#[inline(always)]
#[allow(unused_variables)]
pub fn never(
    x: i32,
    name: impl ::ringtrace::probe::ToBytes,
    p: impl ::ringtrace::probe::ToAddress,
) {}

/// Returns false: `never` is declared with `disable`.
#[inline(always)]
pub fn never_enabled() -> bool {
    false
}

pub(crate) use macros::__never as never;

/// Does nothing. The event is declared with `disable` in disabled.events:
///
/// ```text
/// disable never_either(void) "nothing"
/// ```
#[inline(always)]
#[allow(unused_variables)]
pub fn never_either() {}

/// Returns false: `never_either` is declared with `disable`.
#[inline(always)]
pub fn never_either_enabled() -> bool {
    false
}

pub(crate) use macros::__never_either as never_either;

/// Does nothing. The event is declared with `disable` in disabled.events:
///
/// ```text
/// disable match(int type) "%d"
/// ```
#[inline(always)]
#[allow(unused_variables)]
pub fn r#match(r#type: i32) {}

/// Returns false: `match` is declared with `disable`.
#[inline(always)]
pub fn match_enabled() -> bool {
    false
}

pub(crate) use macros::__match as r#match;

/// Records the event declared in disabled.events:
///
/// ```text
/// between(int x) "x=%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn between(x: i32) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if ust::between::is_on() {
            ust::between::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::between, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::between.see();
    if seen.is_enabled() | ust::between::is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `between` is on or an external tracer listens.
#[inline(always)]
pub fn between_enabled() -> bool {
    events::between.is_enabled() | ust::between::is_on()
}

pub(crate) use macros::__between as between;

mod macros {
    macro_rules! __never {
        (@is_on) => {
            trace::never_enabled()
        };
        (@end $x:expr, $name:expr, $p:expr$(,)?) => {
            ::ringtrace::span_end!(trace::never, x = ::ringtrace::probe::Integer::<i32>::of($x).value(), name = ::ringtrace::probe::string($name), p = ::ringtrace::probe::Address::of($p))
        };
        ($x:expr, $name:expr, $p:expr$(,)?) => {
            if trace::never_enabled() {
                ::core::hint::cold_path();
                trace::never(::ringtrace::probe::Integer::<i32>::of($x).value(), $name, $p);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `never(x, name, p)`")
        };
    }
    pub(crate) use __never;
    macro_rules! __never_either {
        (@is_on) => {
            trace::never_either_enabled()
        };
        (@end $(,)?) => {
            ::ringtrace::span_end!(trace::never_either)
        };
        ($(,)?) => {
            if trace::never_either_enabled() {
                ::core::hint::cold_path();
                trace::never_either();
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `never_either()`")
        };
    }
    pub(crate) use __never_either;
    macro_rules! __match {
        (@is_on) => {
            trace::match_enabled()
        };
        (@end $type:expr$(,)?) => {
            ::ringtrace::span_end!(trace::r#match, r#type = ::ringtrace::probe::Integer::<i32>::of($type).value())
        };
        ($type:expr$(,)?) => {
            if trace::match_enabled() {
                ::core::hint::cold_path();
                trace::r#match(::ringtrace::probe::Integer::<i32>::of($type).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `match(type)`")
        };
    }
    pub(crate) use __match;
    macro_rules! __between {
        (@is_on) => {
            trace::between_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::between, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::between_enabled() {
                ::core::hint::cold_path();
                trace::between(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `between(x)`")
        };
    }
    pub(crate) use __between;
}

mod ust {
    ::ringtrace::ust_library! { "ringtrace_ust_disabled" }
    ::ringtrace::ust! {
        state: "ringtrace_ust_state_disabled___between",
        fire: "ringtrace_ust_fire_disabled___between",
        between(x: i32)
    }
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

    pub(super) static never: Event = Event::new(Declaration {
        name: "never",
        group: "disabled",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "name", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "p", ctype: "void *", kind: ArgumentKind::Pointer },
        ],
        format: Some(r#""x=%d name=%s p=%p""#),
        text: ::ringtrace::noted!("disabled", r#"disable never(int x, const char *name, void *p) "x=%d name=%s p=%p""#),
        traceable: false,
    });
    pub(super) static never_either: Event = Event::new(Declaration {
        name: "never_either",
        group: "disabled",
        arguments: &[],
        format: Some(r#""nothing""#),
        text: ::ringtrace::noted!("disabled", r#"disable never_either(void) "nothing""#),
        traceable: false,
    });
    pub(super) static r#match: Event = Event::new(Declaration {
        name: "match",
        group: "disabled",
        arguments: &[
            Argument { name: "type", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("disabled", r#"disable match(int type) "%d""#),
        traceable: false,
    });
    pub(super) static between: Event = Event::new(Declaration {
        name: "between",
        group: "disabled",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""x=%d""#),
        text: ::ringtrace::noted!("disabled", r#"between(int x) "x=%d""#),
        traceable: true,
    });
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "disabled", events: [
        &events::never,
        &events::never_either,
        &events::r#match,
        &events::between,
    ] }
}
