//! Templates of the output.

pub(super) const HEAD: &str = "
// Probes of the group `{group}`, generated from {sources}. Make changes there.
";

pub(super) const SPAN: &str = "

    pub(crate) use ::ringtrace::span;
";

pub(super) const FUNCTIONS: &str = r"

    /// Records the event declared in {sources}:
    ///
    /// ```text
    /// {declaration}
    /// ```
    ///
    /// The macro of the same name evaluates its arguments only while the event is on, and converts
    /// narrower integers.
    #[inline(always)]
    pub fn {name}({parameters}) {
        #[inline({inline})]
        fn emit({plain_parameters}) {
            ::ringtrace::probe::emit_seen(&events::{name}, seen, {fields});
        }
        let seen = events::{name}.see();
        if seen.is_enabled() {
            ::core::hint::cold_path();
            emit({plain_values});
        }
    }

    /// Whether `{event}` is on.
    #[inline(always)]
    pub fn {stem}_enabled() -> bool {
        events::{name}.is_enabled()
    }

    pub(crate) use macros::__{stem} as {name};
";

/// The variant for external tracers, which enable events themselves.
pub(super) const FUNCTIONS_FOR_OUTSIDE: &str = r"

    /// Records the event declared in {sources}:
    ///
    /// ```text
    /// {declaration}
    /// ```
    ///
    /// The macro of the same name evaluates its arguments only while the event is on or a tracer
    /// listens, and converts narrower integers.
    #[inline(always)]
    pub fn {name}({parameters}) {
        #[inline({inline})]
        fn emit({plain_parameters}) {
            {fire}
            if seen.is_enabled() {
                ::ringtrace::probe::emit_seen(&events::{name}, seen, {fields});
            }
        }
        let seen = events::{name}.see();
        if seen.is_enabled() | {is_listening} {
            ::core::hint::cold_path();
            emit({plain_values});
        }
    }

    /// Whether `{event}` is on or an external tracer listens.
    #[inline(always)]
    pub fn {stem}_enabled() -> bool {
        events::{name}.is_enabled() | {is_listening}
    }

    pub(crate) use macros::__{stem} as {name};
";

pub(super) const DISABLED_FUNCTIONS: &str = r"

    /// Does nothing. The event is declared with `disable` in {sources}:
    ///
    /// ```text
    /// {declaration}
    /// ```
    #[inline(always)]
    #[allow(unused_variables)]
    pub fn {name}({parameters}) {}

    /// Returns false: `{event}` is declared with `disable`.
    #[inline(always)]
    pub fn {stem}_enabled() -> bool {
        false
    }

    pub(crate) use macros::__{stem} as {name};
";

pub(super) const LAZY_MACRO: &str = r"
    macro_rules! __{stem} {
        (@is_on) => {
            trace::{stem}_enabled()
        };
        (@end {patterns}$(,)?) => {
            ::ringtrace::span_end!(trace::{name}{kept})
        };
        ({patterns}$(,)?) => {
            if trace::{stem}_enabled() {
                ::core::hint::cold_path();
                trace::{name}({given});
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!({usage})
        };
    }
    pub(crate) use __{stem};
";

pub(super) const EVENTS: &str = r"
    #[allow(non_upper_case_globals)]
    mod events {
        use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

";

pub(super) const EVENT: &str = r"
    pub(super) static {name}: Event = Event::new(Declaration {
        name: {event},
        group: {group},
        arguments: &[{arguments}],
        format: {format},
        text: ::ringtrace::noted!({group}, {declaration}),
        traceable: {traceable},
    });
";

pub(super) const GROUP: &str = r"
    mod group {
        use super::events;

";

pub(super) const REGISTRATION: &str = r"
    ::ringtrace::group! { name: {group}, events: [{events}] }
";
