// Probes of the group `names`, generated from names.events. Make changes there.

/// Records the event declared in names.events:
///
/// ```text
/// arguments(int type, int fn, int self, int Self, int crate, int super, int _, int gen, int size, int len) "%d %d %d %d %d %d %d %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn arguments(
    r#type: i32,
    r#fn: i32,
    self_: i32,
    Self_: i32,
    crate_: i32,
    super_: i32,
    __: i32,
    r#gen: i32,
    size: i32,
    len: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        r#type: i32,
        r#fn: i32,
        self_: i32,
        Self_: i32,
        crate_: i32,
        super_: i32,
        __: i32,
        r#gen: i32,
        size: i32,
        len: i32,
    ) {
        if usdt::arguments::SEMAPHORE.is_on() {
            usdt::arguments::fire(r#type, r#fn, self_, Self_, crate_, super_, __, r#gen, size, len);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::arguments, seen, (i64::from(r#type).cast_unsigned(), i64::from(r#fn).cast_unsigned(), i64::from(self_).cast_unsigned(), i64::from(Self_).cast_unsigned(), i64::from(crate_).cast_unsigned(), i64::from(super_).cast_unsigned(), i64::from(__).cast_unsigned(), i64::from(r#gen).cast_unsigned(), i64::from(size).cast_unsigned(), i64::from(len).cast_unsigned()));
        }
    }
    let seen = events::arguments.see();
    if seen.is_enabled() | usdt::arguments::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, r#type, r#fn, self_, Self_, crate_, super_, __, r#gen, size, len);
    }
}

/// Whether `arguments` is on or an external tracer listens.
#[inline(always)]
pub fn arguments_enabled() -> bool {
    events::arguments.is_enabled() | usdt::arguments::SEMAPHORE.is_on()
}

pub(crate) use macros::__arguments as arguments;

/// Records the event declared in names.events:
///
/// ```text
/// prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option) "%d %d %d %d %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn prelude(None_: i32, Some_: i32, Ok_: i32, Err_: i32, u64: i32, str: i32, Option: i32) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        None_: i32,
        Some_: i32,
        Ok_: i32,
        Err_: i32,
        u64: i32,
        str: i32,
        Option: i32,
    ) {
        if usdt::prelude::SEMAPHORE.is_on() {
            usdt::prelude::fire(None_, Some_, Ok_, Err_, u64, str, Option);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::prelude, seen, (i64::from(None_).cast_unsigned(), i64::from(Some_).cast_unsigned(), i64::from(Ok_).cast_unsigned(), i64::from(Err_).cast_unsigned(), i64::from(u64).cast_unsigned(), i64::from(str).cast_unsigned(), i64::from(Option).cast_unsigned()));
        }
    }
    let seen = events::prelude.see();
    if seen.is_enabled() | usdt::prelude::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, None_, Some_, Ok_, Err_, u64, str, Option);
    }
}

/// Whether `prelude` is on or an external tracer listens.
#[inline(always)]
pub fn prelude_enabled() -> bool {
    events::prelude.is_enabled() | usdt::prelude::SEMAPHORE.is_on()
}

pub(crate) use macros::__prelude as prelude;

/// Records the event declared in names.events:
///
/// ```text
/// bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core) "%d %d %d %d %d %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn bodies(
    emit_: i32,
    emit__: i32,
    events: i32,
    macros: i32,
    trace: i32,
    record: i32,
    ringtrace: i32,
    core: i32,
) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        emit_: i32,
        emit__: i32,
        events: i32,
        macros: i32,
        trace: i32,
        record: i32,
        ringtrace: i32,
        core: i32,
    ) {
        if usdt::bodies::SEMAPHORE.is_on() {
            usdt::bodies::fire(emit_, emit__, events, macros, trace, record, ringtrace, core);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::bodies, seen, (i64::from(emit_).cast_unsigned(), i64::from(emit__).cast_unsigned(), i64::from(events).cast_unsigned(), i64::from(macros).cast_unsigned(), i64::from(trace).cast_unsigned(), i64::from(record).cast_unsigned(), i64::from(ringtrace).cast_unsigned(), i64::from(core).cast_unsigned()));
        }
    }
    let seen = events::bodies.see();
    if seen.is_enabled() | usdt::bodies::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, emit_, emit__, events, macros, trace, record, ringtrace, core);
    }
}

/// Whether `bodies` is on or an external tracer listens.
#[inline(always)]
pub fn bodies_enabled() -> bool {
    events::bodies.is_enabled() | usdt::bodies::SEMAPHORE.is_on()
}

pub(crate) use macros::__bodies as bodies;

/// Records the event declared in names.events:
///
/// ```text
/// probes(int probes, int bodies, int GROUP, int ENTER, int event) "%d %d %d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn probes(probes: i32, bodies: i32, GROUP: i32, ENTER: i32, event: i32) {
    #[inline(never)]
    fn emit(
        seen: ::ringtrace::probe::Seen,
        probes: i32,
        bodies: i32,
        GROUP: i32,
        ENTER: i32,
        event: i32,
    ) {
        if usdt::probes::SEMAPHORE.is_on() {
            usdt::probes::fire(probes, bodies, GROUP, ENTER, event);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::probes, seen, (i64::from(probes).cast_unsigned(), i64::from(bodies).cast_unsigned(), i64::from(GROUP).cast_unsigned(), i64::from(ENTER).cast_unsigned(), i64::from(event).cast_unsigned()));
        }
    }
    let seen = events::probes.see();
    if seen.is_enabled() | usdt::probes::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, probes, bodies, GROUP, ENTER, event);
    }
}

/// Whether `probes` is on or an external tracer listens.
#[inline(always)]
pub fn probes_enabled() -> bool {
    events::probes.is_enabled() | usdt::probes::SEMAPHORE.is_on()
}

pub(crate) use macros::__probes as probes;

/// Records the event declared in names.events:
///
/// ```text
/// twice(int a, int a, int a_) "%d %d %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn twice(a: i32, a_: i32, a__: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, a: i32, a_: i32, a__: i32) {
        if usdt::twice::SEMAPHORE.is_on() {
            usdt::twice::fire(a, a_, a__);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::twice, seen, (i64::from(a).cast_unsigned(), i64::from(a_).cast_unsigned(), i64::from(a__).cast_unsigned()));
        }
    }
    let seen = events::twice.see();
    if seen.is_enabled() | usdt::twice::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, a, a_, a__);
    }
}

/// Whether `twice` is on or an external tracer listens.
#[inline(always)]
pub fn twice_enabled() -> bool {
    events::twice.is_enabled() | usdt::twice::SEMAPHORE.is_on()
}

pub(crate) use macros::__twice as twice;

/// Records the event declared in names.events:
///
/// ```text
/// type(int type) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn r#type(r#type: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, r#type: i32) {
        if usdt::r#type::SEMAPHORE.is_on() {
            usdt::r#type::fire(r#type);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::r#type, seen, (i64::from(r#type).cast_unsigned(),));
        }
    }
    let seen = events::r#type.see();
    if seen.is_enabled() | usdt::r#type::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, r#type);
    }
}

/// Whether `type` is on or an external tracer listens.
#[inline(always)]
pub fn type_enabled() -> bool {
    events::r#type.is_enabled() | usdt::r#type::SEMAPHORE.is_on()
}

pub(crate) use macros::__type as r#type;

/// Records the event declared in names.events:
///
/// ```text
/// fn(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn r#fn(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::r#fn::SEMAPHORE.is_on() {
            usdt::r#fn::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::r#fn, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::r#fn.see();
    if seen.is_enabled() | usdt::r#fn::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `fn` is on or an external tracer listens.
#[inline(always)]
pub fn fn_enabled() -> bool {
    events::r#fn.is_enabled() | usdt::r#fn::SEMAPHORE.is_on()
}

pub(crate) use macros::__fn as r#fn;

/// Records the event declared in names.events:
///
/// ```text
/// self(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn self_(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::self_::SEMAPHORE.is_on() {
            usdt::self_::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::self_, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::self_.see();
    if seen.is_enabled() | usdt::self_::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `self` is on or an external tracer listens.
#[inline(always)]
pub fn self_enabled() -> bool {
    events::self_.is_enabled() | usdt::self_::SEMAPHORE.is_on()
}

pub(crate) use macros::__self as self_;

/// Records the event declared in names.events:
///
/// ```text
/// Self(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn Self_(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::Self_::SEMAPHORE.is_on() {
            usdt::Self_::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::Self_, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::Self_.see();
    if seen.is_enabled() | usdt::Self_::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `Self` is on or an external tracer listens.
#[inline(always)]
pub fn Self_enabled() -> bool {
    events::Self_.is_enabled() | usdt::Self_::SEMAPHORE.is_on()
}

pub(crate) use macros::__Self as Self_;

/// Records the event declared in names.events:
///
/// ```text
/// crate(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn crate_(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::crate_::SEMAPHORE.is_on() {
            usdt::crate_::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::crate_, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::crate_.see();
    if seen.is_enabled() | usdt::crate_::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `crate` is on or an external tracer listens.
#[inline(always)]
pub fn crate_enabled() -> bool {
    events::crate_.is_enabled() | usdt::crate_::SEMAPHORE.is_on()
}

pub(crate) use macros::__crate as crate_;

/// Records the event declared in names.events:
///
/// ```text
/// _(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn __(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::__::SEMAPHORE.is_on() {
            usdt::__::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::__, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::__.see();
    if seen.is_enabled() | usdt::__::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `_` is on or an external tracer listens.
#[inline(always)]
pub fn __enabled() -> bool {
    events::__.is_enabled() | usdt::__::SEMAPHORE.is_on()
}

pub(crate) use macros::___ as __;

/// Records the event declared in names.events:
///
/// ```text
/// 9p(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn _9p(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::_9p::SEMAPHORE.is_on() {
            usdt::_9p::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::_9p, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::_9p.see();
    if seen.is_enabled() | usdt::_9p::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `9p` is on or an external tracer listens.
#[inline(always)]
pub fn _9p_enabled() -> bool {
    events::_9p.is_enabled() | usdt::_9p::SEMAPHORE.is_on()
}

pub(crate) use macros::___9p as _9p;

/// Records the event declared in names.events:
///
/// ```text
/// Some(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn Some_(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::Some_::SEMAPHORE.is_on() {
            usdt::Some_::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::Some_, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::Some_.see();
    if seen.is_enabled() | usdt::Some_::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `Some` is on or an external tracer listens.
#[inline(always)]
pub fn Some_enabled() -> bool {
    events::Some_.is_enabled() | usdt::Some_::SEMAPHORE.is_on()
}

pub(crate) use macros::__Some as Some_;

/// Records the event declared in names.events:
///
/// ```text
/// None(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn None_(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::None_::SEMAPHORE.is_on() {
            usdt::None_::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::None_, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::None_.see();
    if seen.is_enabled() | usdt::None_::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `None` is on or an external tracer listens.
#[inline(always)]
pub fn None_enabled() -> bool {
    events::None_.is_enabled() | usdt::None_::SEMAPHORE.is_on()
}

pub(crate) use macros::__None as None_;

/// Records the event declared in names.events:
///
/// ```text
/// UPPER(int X) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn UPPER(X: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, X: i32) {
        if usdt::UPPER::SEMAPHORE.is_on() {
            usdt::UPPER::fire(X);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::UPPER, seen, (i64::from(X).cast_unsigned(),));
        }
    }
    let seen = events::UPPER.see();
    if seen.is_enabled() | usdt::UPPER::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, X);
    }
}

/// Whether `UPPER` is on or an external tracer listens.
#[inline(always)]
pub fn UPPER_enabled() -> bool {
    events::UPPER.is_enabled() | usdt::UPPER::SEMAPHORE.is_on()
}

pub(crate) use macros::__UPPER as UPPER;

/// Records the event declared in names.events:
///
/// ```text
/// mixedCase(int argumentToo) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn mixedCase(argumentToo: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, argumentToo: i32) {
        if usdt::mixedCase::SEMAPHORE.is_on() {
            usdt::mixedCase::fire(argumentToo);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::mixedCase, seen, (i64::from(argumentToo).cast_unsigned(),));
        }
    }
    let seen = events::mixedCase.see();
    if seen.is_enabled() | usdt::mixedCase::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, argumentToo);
    }
}

/// Whether `mixedCase` is on or an external tracer listens.
#[inline(always)]
pub fn mixedCase_enabled() -> bool {
    events::mixedCase.is_enabled() | usdt::mixedCase::SEMAPHORE.is_on()
}

pub(crate) use macros::__mixedCase as mixedCase;

/// Records the event declared in names.events:
///
/// ```text
/// _x(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn _x(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::_x::SEMAPHORE.is_on() {
            usdt::_x::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::_x, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::_x.see();
    if seen.is_enabled() | usdt::_x::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `_x` is on or an external tracer listens.
#[inline(always)]
pub fn _x_enabled() -> bool {
    events::_x.is_enabled() | usdt::_x::SEMAPHORE.is_on()
}

pub(crate) use macros::___x as _x;

/// Records the event declared in names.events:
///
/// ```text
/// __x(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn __x(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::__x::SEMAPHORE.is_on() {
            usdt::__x::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::__x, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::__x.see();
    if seen.is_enabled() | usdt::__x::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `__x` is on or an external tracer listens.
#[inline(always)]
pub fn __x_enabled() -> bool {
    events::__x.is_enabled() | usdt::__x::SEMAPHORE.is_on()
}

pub(crate) use macros::____x as __x;

/// Records the event declared in names.events:
///
/// ```text
/// x(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn x(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::x::SEMAPHORE.is_on() {
            usdt::x::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::x, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::x.see();
    if seen.is_enabled() | usdt::x::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `x` is on or an external tracer listens.
#[inline(always)]
pub fn x_enabled() -> bool {
    events::x.is_enabled() | usdt::x::SEMAPHORE.is_on()
}

pub(crate) use macros::__x as x;

/// Records the event declared in names.events:
///
/// ```text
/// emit(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn emit(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::emit::SEMAPHORE.is_on() {
            usdt::emit::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::emit, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::emit.see();
    if seen.is_enabled() | usdt::emit::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `emit` is on or an external tracer listens.
#[inline(always)]
pub fn emit_enabled() -> bool {
    events::emit.is_enabled() | usdt::emit::SEMAPHORE.is_on()
}

pub(crate) use macros::__emit as emit;

/// Records the event declared in names.events:
///
/// ```text
/// emit_x(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn emit_x(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::emit_x::SEMAPHORE.is_on() {
            usdt::emit_x::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::emit_x, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::emit_x.see();
    if seen.is_enabled() | usdt::emit_x::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `emit_x` is on or an external tracer listens.
#[inline(always)]
pub fn emit_x_enabled() -> bool {
    events::emit_x.is_enabled() | usdt::emit_x::SEMAPHORE.is_on()
}

pub(crate) use macros::__emit_x as emit_x;

/// Records the event declared in names.events:
///
/// ```text
/// events(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn events(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::events::SEMAPHORE.is_on() {
            usdt::events::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::events, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::events.see();
    if seen.is_enabled() | usdt::events::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `events` is on or an external tracer listens.
#[inline(always)]
pub fn events_enabled() -> bool {
    events::events.is_enabled() | usdt::events::SEMAPHORE.is_on()
}

pub(crate) use macros::__events as events;

/// Records the event declared in names.events:
///
/// ```text
/// macros(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn macros(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::macros::SEMAPHORE.is_on() {
            usdt::macros::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::macros, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::macros.see();
    if seen.is_enabled() | usdt::macros::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `macros` is on or an external tracer listens.
#[inline(always)]
pub fn macros_enabled() -> bool {
    events::macros.is_enabled() | usdt::macros::SEMAPHORE.is_on()
}

pub(crate) use macros::__macros as macros;

/// Records the event declared in names.events:
///
/// ```text
/// trace(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn trace(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::trace::SEMAPHORE.is_on() {
            usdt::trace::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::trace, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::trace.see();
    if seen.is_enabled() | usdt::trace::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `trace` is on or an external tracer listens.
#[inline(always)]
pub fn trace_enabled() -> bool {
    events::trace.is_enabled() | usdt::trace::SEMAPHORE.is_on()
}

pub(crate) use macros::__trace as trace;

/// Records the event declared in names.events:
///
/// ```text
/// core(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn core(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::core::SEMAPHORE.is_on() {
            usdt::core::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::core, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::core.see();
    if seen.is_enabled() | usdt::core::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `core` is on or an external tracer listens.
#[inline(always)]
pub fn core_enabled() -> bool {
    events::core.is_enabled() | usdt::core::SEMAPHORE.is_on()
}

pub(crate) use macros::__core as core;

/// Records the event declared in names.events:
///
/// ```text
/// ringtrace(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn ringtrace(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::ringtrace::SEMAPHORE.is_on() {
            usdt::ringtrace::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::ringtrace, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::ringtrace.see();
    if seen.is_enabled() | usdt::ringtrace::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `ringtrace` is on or an external tracer listens.
#[inline(always)]
pub fn ringtrace_enabled() -> bool {
    events::ringtrace.is_enabled() | usdt::ringtrace::SEMAPHORE.is_on()
}

pub(crate) use macros::__ringtrace as ringtrace;

/// Records the event declared in names.events:
///
/// ```text
/// main(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn main(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::main::SEMAPHORE.is_on() {
            usdt::main::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::main, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::main.see();
    if seen.is_enabled() | usdt::main::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `main` is on or an external tracer listens.
#[inline(always)]
pub fn main_enabled() -> bool {
    events::main.is_enabled() | usdt::main::SEMAPHORE.is_on()
}

pub(crate) use macros::__main as main;

/// Records the event declared in names.events:
///
/// ```text
/// GROUP(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn GROUP(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::GROUP::SEMAPHORE.is_on() {
            usdt::GROUP::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::GROUP, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::GROUP.see();
    if seen.is_enabled() | usdt::GROUP::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `GROUP` is on or an external tracer listens.
#[inline(always)]
pub fn GROUP_enabled() -> bool {
    events::GROUP.is_enabled() | usdt::GROUP::SEMAPHORE.is_on()
}

pub(crate) use macros::__GROUP as GROUP;

/// Records the event declared in names.events:
///
/// ```text
/// include(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn include(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::include::SEMAPHORE.is_on() {
            usdt::include::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::include, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::include.see();
    if seen.is_enabled() | usdt::include::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `include` is on or an external tracer listens.
#[inline(always)]
pub fn include_enabled() -> bool {
    events::include.is_enabled() | usdt::include::SEMAPHORE.is_on()
}

pub(crate) use macros::__include as include;

/// Records the event declared in names.events:
///
/// ```text
/// concat(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn concat(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::concat::SEMAPHORE.is_on() {
            usdt::concat::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::concat, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::concat.see();
    if seen.is_enabled() | usdt::concat::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `concat` is on or an external tracer listens.
#[inline(always)]
pub fn concat_enabled() -> bool {
    events::concat.is_enabled() | usdt::concat::SEMAPHORE.is_on()
}

pub(crate) use macros::__concat as concat;

/// Records the event declared in names.events:
///
/// ```text
/// env(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn env(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::env::SEMAPHORE.is_on() {
            usdt::env::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::env, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::env.see();
    if seen.is_enabled() | usdt::env::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `env` is on or an external tracer listens.
#[inline(always)]
pub fn env_enabled() -> bool {
    events::env.is_enabled() | usdt::env::SEMAPHORE.is_on()
}

pub(crate) use macros::__env as env;

/// Records the event declared in names.events:
///
/// ```text
/// println(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn println(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::println::SEMAPHORE.is_on() {
            usdt::println::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::println, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::println.see();
    if seen.is_enabled() | usdt::println::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `println` is on or an external tracer listens.
#[inline(always)]
pub fn println_enabled() -> bool {
    events::println.is_enabled() | usdt::println::SEMAPHORE.is_on()
}

pub(crate) use macros::__println as println;

/// Records the event declared in names.events:
///
/// ```text
/// inline(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn inline(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::inline::SEMAPHORE.is_on() {
            usdt::inline::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::inline, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::inline.see();
    if seen.is_enabled() | usdt::inline::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `inline` is on or an external tracer listens.
#[inline(always)]
pub fn inline_enabled() -> bool {
    events::inline.is_enabled() | usdt::inline::SEMAPHORE.is_on()
}

pub(crate) use macros::__inline as inline;

/// Records the event declared in names.events:
///
/// ```text
/// allow(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn allow(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::allow::SEMAPHORE.is_on() {
            usdt::allow::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::allow, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::allow.see();
    if seen.is_enabled() | usdt::allow::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `allow` is on or an external tracer listens.
#[inline(always)]
pub fn allow_enabled() -> bool {
    events::allow.is_enabled() | usdt::allow::SEMAPHORE.is_on()
}

pub(crate) use macros::__allow as allow;

/// Records the event declared in names.events:
///
/// ```text
/// derive(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn derive(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::derive::SEMAPHORE.is_on() {
            usdt::derive::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::derive, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::derive.see();
    if seen.is_enabled() | usdt::derive::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `derive` is on or an external tracer listens.
#[inline(always)]
pub fn derive_enabled() -> bool {
    events::derive.is_enabled() | usdt::derive::SEMAPHORE.is_on()
}

pub(crate) use macros::__derive as derive;

/// Records the event declared in names.events:
///
/// ```text
/// macro_rules(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn macro_rules(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::macro_rules::SEMAPHORE.is_on() {
            usdt::macro_rules::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::macro_rules, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::macro_rules.see();
    if seen.is_enabled() | usdt::macro_rules::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `macro_rules` is on or an external tracer listens.
#[inline(always)]
pub fn macro_rules_enabled() -> bool {
    events::macro_rules.is_enabled() | usdt::macro_rules::SEMAPHORE.is_on()
}

pub(crate) use macros::__macro_rules as macro_rules;

/// Records the event declared in names.events:
///
/// ```text
/// group(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn group(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::group::SEMAPHORE.is_on() {
            usdt::group::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::group, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::group.see();
    if seen.is_enabled() | usdt::group::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `group` is on or an external tracer listens.
#[inline(always)]
pub fn group_enabled() -> bool {
    events::group.is_enabled() | usdt::group::SEMAPHORE.is_on()
}

pub(crate) use macros::__group as group;

/// Records the event declared in names.events:
///
/// ```text
/// u64(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn u64(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::u64::SEMAPHORE.is_on() {
            usdt::u64::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::u64, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::u64.see();
    if seen.is_enabled() | usdt::u64::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `u64` is on or an external tracer listens.
#[inline(always)]
pub fn u64_enabled() -> bool {
    events::u64.is_enabled() | usdt::u64::SEMAPHORE.is_on()
}

pub(crate) use macros::__u64 as u64;

/// Records the event declared in names.events:
///
/// ```text
/// str(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn str(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::str::SEMAPHORE.is_on() {
            usdt::str::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::str, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::str.see();
    if seen.is_enabled() | usdt::str::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `str` is on or an external tracer listens.
#[inline(always)]
pub fn str_enabled() -> bool {
    events::str.is_enabled() | usdt::str::SEMAPHORE.is_on()
}

pub(crate) use macros::__str as str;

/// Records the event declared in names.events:
///
/// ```text
/// static_(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn static_(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::static_::SEMAPHORE.is_on() {
            usdt::static_::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::static_, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::static_.see();
    if seen.is_enabled() | usdt::static_::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `static_` is on or an external tracer listens.
#[inline(always)]
pub fn static__enabled() -> bool {
    events::static_.is_enabled() | usdt::static_::SEMAPHORE.is_on()
}

pub(crate) use macros::__static_ as static_;

/// Records the event declared in names.events:
///
/// ```text
/// drop(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn drop(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::drop::SEMAPHORE.is_on() {
            usdt::drop::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::drop, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::drop.see();
    if seen.is_enabled() | usdt::drop::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `drop` is on or an external tracer listens.
#[inline(always)]
pub fn drop_enabled() -> bool {
    events::drop.is_enabled() | usdt::drop::SEMAPHORE.is_on()
}

pub(crate) use macros::__drop as drop;

/// Records the event declared in names.events:
///
/// ```text
/// span(int x) "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on or a tracer
/// listens, and converts narrower integers.
#[inline(always)]
pub fn span(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        if usdt::span::SEMAPHORE.is_on() {
            usdt::span::fire(x);
        }
        if seen.is_enabled() {
            ::ringtrace::probe::emit_seen(&events::span, seen, (i64::from(x).cast_unsigned(),));
        }
    }
    let seen = events::span.see();
    if seen.is_enabled() | usdt::span::SEMAPHORE.is_on() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `span` is on or an external tracer listens.
#[inline(always)]
pub fn span_enabled() -> bool {
    events::span.is_enabled() | usdt::span::SEMAPHORE.is_on()
}

pub(crate) use macros::__span as span;

mod macros {
    macro_rules! __arguments {
        (@is_on) => {
            trace::arguments_enabled()
        };
        (@end $type:expr, $fn:expr, $self_:expr, $Self_:expr, $crate_:expr, $super_:expr, $__:expr, $gen:expr, $size:expr, $len:expr$(,)?) => {
            ::ringtrace::span_end!(trace::arguments, r#type = ::ringtrace::probe::Integer::<i32>::of($type).value(), r#fn = ::ringtrace::probe::Integer::<i32>::of($fn).value(), self_ = ::ringtrace::probe::Integer::<i32>::of($self_).value(), Self_ = ::ringtrace::probe::Integer::<i32>::of($Self_).value(), crate_ = ::ringtrace::probe::Integer::<i32>::of($crate_).value(), super_ = ::ringtrace::probe::Integer::<i32>::of($super_).value(), __ = ::ringtrace::probe::Integer::<i32>::of($__).value(), r#gen = ::ringtrace::probe::Integer::<i32>::of($gen).value(), size = ::ringtrace::probe::Integer::<i32>::of($size).value(), len = ::ringtrace::probe::Integer::<i32>::of($len).value())
        };
        ($type:expr, $fn:expr, $self_:expr, $Self_:expr, $crate_:expr, $super_:expr, $__:expr, $gen:expr, $size:expr, $len:expr$(,)?) => {
            if trace::arguments_enabled() {
                ::core::hint::cold_path();
                trace::arguments(::ringtrace::probe::Integer::<i32>::of($type).value(), ::ringtrace::probe::Integer::<i32>::of($fn).value(), ::ringtrace::probe::Integer::<i32>::of($self_).value(), ::ringtrace::probe::Integer::<i32>::of($Self_).value(), ::ringtrace::probe::Integer::<i32>::of($crate_).value(), ::ringtrace::probe::Integer::<i32>::of($super_).value(), ::ringtrace::probe::Integer::<i32>::of($__).value(), ::ringtrace::probe::Integer::<i32>::of($gen).value(), ::ringtrace::probe::Integer::<i32>::of($size).value(), ::ringtrace::probe::Integer::<i32>::of($len).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `arguments(type, fn, self_, Self_, crate_, super_, __, gen, size, len)`")
        };
    }
    pub(crate) use __arguments;
    macro_rules! __prelude {
        (@is_on) => {
            trace::prelude_enabled()
        };
        (@end $None_:expr, $Some_:expr, $Ok_:expr, $Err_:expr, $u64:expr, $str:expr, $Option:expr$(,)?) => {
            ::ringtrace::span_end!(trace::prelude, None_ = ::ringtrace::probe::Integer::<i32>::of($None_).value(), Some_ = ::ringtrace::probe::Integer::<i32>::of($Some_).value(), Ok_ = ::ringtrace::probe::Integer::<i32>::of($Ok_).value(), Err_ = ::ringtrace::probe::Integer::<i32>::of($Err_).value(), u64 = ::ringtrace::probe::Integer::<i32>::of($u64).value(), str = ::ringtrace::probe::Integer::<i32>::of($str).value(), Option = ::ringtrace::probe::Integer::<i32>::of($Option).value())
        };
        ($None_:expr, $Some_:expr, $Ok_:expr, $Err_:expr, $u64:expr, $str:expr, $Option:expr$(,)?) => {
            if trace::prelude_enabled() {
                ::core::hint::cold_path();
                trace::prelude(::ringtrace::probe::Integer::<i32>::of($None_).value(), ::ringtrace::probe::Integer::<i32>::of($Some_).value(), ::ringtrace::probe::Integer::<i32>::of($Ok_).value(), ::ringtrace::probe::Integer::<i32>::of($Err_).value(), ::ringtrace::probe::Integer::<i32>::of($u64).value(), ::ringtrace::probe::Integer::<i32>::of($str).value(), ::ringtrace::probe::Integer::<i32>::of($Option).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `prelude(None_, Some_, Ok_, Err_, u64, str, Option)`")
        };
    }
    pub(crate) use __prelude;
    macro_rules! __bodies {
        (@is_on) => {
            trace::bodies_enabled()
        };
        (@end $emit_:expr, $emit__:expr, $events:expr, $macros:expr, $trace:expr, $record:expr, $ringtrace:expr, $core:expr$(,)?) => {
            ::ringtrace::span_end!(trace::bodies, emit_ = ::ringtrace::probe::Integer::<i32>::of($emit_).value(), emit__ = ::ringtrace::probe::Integer::<i32>::of($emit__).value(), events = ::ringtrace::probe::Integer::<i32>::of($events).value(), macros = ::ringtrace::probe::Integer::<i32>::of($macros).value(), trace = ::ringtrace::probe::Integer::<i32>::of($trace).value(), record = ::ringtrace::probe::Integer::<i32>::of($record).value(), ringtrace = ::ringtrace::probe::Integer::<i32>::of($ringtrace).value(), core = ::ringtrace::probe::Integer::<i32>::of($core).value())
        };
        ($emit_:expr, $emit__:expr, $events:expr, $macros:expr, $trace:expr, $record:expr, $ringtrace:expr, $core:expr$(,)?) => {
            if trace::bodies_enabled() {
                ::core::hint::cold_path();
                trace::bodies(::ringtrace::probe::Integer::<i32>::of($emit_).value(), ::ringtrace::probe::Integer::<i32>::of($emit__).value(), ::ringtrace::probe::Integer::<i32>::of($events).value(), ::ringtrace::probe::Integer::<i32>::of($macros).value(), ::ringtrace::probe::Integer::<i32>::of($trace).value(), ::ringtrace::probe::Integer::<i32>::of($record).value(), ::ringtrace::probe::Integer::<i32>::of($ringtrace).value(), ::ringtrace::probe::Integer::<i32>::of($core).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `bodies(emit_, emit__, events, macros, trace, record, ringtrace, core)`")
        };
    }
    pub(crate) use __bodies;
    macro_rules! __probes {
        (@is_on) => {
            trace::probes_enabled()
        };
        (@end $probes:expr, $bodies:expr, $GROUP:expr, $ENTER:expr, $event:expr$(,)?) => {
            ::ringtrace::span_end!(trace::probes, probes = ::ringtrace::probe::Integer::<i32>::of($probes).value(), bodies = ::ringtrace::probe::Integer::<i32>::of($bodies).value(), GROUP = ::ringtrace::probe::Integer::<i32>::of($GROUP).value(), ENTER = ::ringtrace::probe::Integer::<i32>::of($ENTER).value(), event = ::ringtrace::probe::Integer::<i32>::of($event).value())
        };
        ($probes:expr, $bodies:expr, $GROUP:expr, $ENTER:expr, $event:expr$(,)?) => {
            if trace::probes_enabled() {
                ::core::hint::cold_path();
                trace::probes(::ringtrace::probe::Integer::<i32>::of($probes).value(), ::ringtrace::probe::Integer::<i32>::of($bodies).value(), ::ringtrace::probe::Integer::<i32>::of($GROUP).value(), ::ringtrace::probe::Integer::<i32>::of($ENTER).value(), ::ringtrace::probe::Integer::<i32>::of($event).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `probes(probes, bodies, GROUP, ENTER, event)`")
        };
    }
    pub(crate) use __probes;
    macro_rules! __twice {
        (@is_on) => {
            trace::twice_enabled()
        };
        (@end $a:expr, $a_:expr, $a__:expr$(,)?) => {
            ::ringtrace::span_end!(trace::twice, a = ::ringtrace::probe::Integer::<i32>::of($a).value(), a_ = ::ringtrace::probe::Integer::<i32>::of($a_).value(), a__ = ::ringtrace::probe::Integer::<i32>::of($a__).value())
        };
        ($a:expr, $a_:expr, $a__:expr$(,)?) => {
            if trace::twice_enabled() {
                ::core::hint::cold_path();
                trace::twice(::ringtrace::probe::Integer::<i32>::of($a).value(), ::ringtrace::probe::Integer::<i32>::of($a_).value(), ::ringtrace::probe::Integer::<i32>::of($a__).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `twice(a, a_, a__)`")
        };
    }
    pub(crate) use __twice;
    macro_rules! __type {
        (@is_on) => {
            trace::type_enabled()
        };
        (@end $type:expr$(,)?) => {
            ::ringtrace::span_end!(trace::r#type, r#type = ::ringtrace::probe::Integer::<i32>::of($type).value())
        };
        ($type:expr$(,)?) => {
            if trace::type_enabled() {
                ::core::hint::cold_path();
                trace::r#type(::ringtrace::probe::Integer::<i32>::of($type).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `type(type)`")
        };
    }
    pub(crate) use __type;
    macro_rules! __fn {
        (@is_on) => {
            trace::fn_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::r#fn, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::fn_enabled() {
                ::core::hint::cold_path();
                trace::r#fn(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `fn(x)`")
        };
    }
    pub(crate) use __fn;
    macro_rules! __self {
        (@is_on) => {
            trace::self_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::self_, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::self_enabled() {
                ::core::hint::cold_path();
                trace::self_(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `self(x)`")
        };
    }
    pub(crate) use __self;
    macro_rules! __Self {
        (@is_on) => {
            trace::Self_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::Self_, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::Self_enabled() {
                ::core::hint::cold_path();
                trace::Self_(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `Self(x)`")
        };
    }
    pub(crate) use __Self;
    macro_rules! __crate {
        (@is_on) => {
            trace::crate_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::crate_, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::crate_enabled() {
                ::core::hint::cold_path();
                trace::crate_(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `crate(x)`")
        };
    }
    pub(crate) use __crate;
    macro_rules! ___ {
        (@is_on) => {
            trace::__enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::__, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::__enabled() {
                ::core::hint::cold_path();
                trace::__(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `_(x)`")
        };
    }
    pub(crate) use ___;
    macro_rules! ___9p {
        (@is_on) => {
            trace::_9p_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::_9p, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::_9p_enabled() {
                ::core::hint::cold_path();
                trace::_9p(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `9p(x)`")
        };
    }
    pub(crate) use ___9p;
    macro_rules! __Some {
        (@is_on) => {
            trace::Some_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::Some_, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::Some_enabled() {
                ::core::hint::cold_path();
                trace::Some_(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `Some(x)`")
        };
    }
    pub(crate) use __Some;
    macro_rules! __None {
        (@is_on) => {
            trace::None_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::None_, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::None_enabled() {
                ::core::hint::cold_path();
                trace::None_(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `None(x)`")
        };
    }
    pub(crate) use __None;
    macro_rules! __UPPER {
        (@is_on) => {
            trace::UPPER_enabled()
        };
        (@end $X:expr$(,)?) => {
            ::ringtrace::span_end!(trace::UPPER, X = ::ringtrace::probe::Integer::<i32>::of($X).value())
        };
        ($X:expr$(,)?) => {
            if trace::UPPER_enabled() {
                ::core::hint::cold_path();
                trace::UPPER(::ringtrace::probe::Integer::<i32>::of($X).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `UPPER(X)`")
        };
    }
    pub(crate) use __UPPER;
    macro_rules! __mixedCase {
        (@is_on) => {
            trace::mixedCase_enabled()
        };
        (@end $argumentToo:expr$(,)?) => {
            ::ringtrace::span_end!(trace::mixedCase, argumentToo = ::ringtrace::probe::Integer::<i32>::of($argumentToo).value())
        };
        ($argumentToo:expr$(,)?) => {
            if trace::mixedCase_enabled() {
                ::core::hint::cold_path();
                trace::mixedCase(::ringtrace::probe::Integer::<i32>::of($argumentToo).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `mixedCase(argumentToo)`")
        };
    }
    pub(crate) use __mixedCase;
    macro_rules! ___x {
        (@is_on) => {
            trace::_x_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::_x, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::_x_enabled() {
                ::core::hint::cold_path();
                trace::_x(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `_x(x)`")
        };
    }
    pub(crate) use ___x;
    macro_rules! ____x {
        (@is_on) => {
            trace::__x_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::__x, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::__x_enabled() {
                ::core::hint::cold_path();
                trace::__x(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `__x(x)`")
        };
    }
    pub(crate) use ____x;
    macro_rules! __x {
        (@is_on) => {
            trace::x_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::x, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::x_enabled() {
                ::core::hint::cold_path();
                trace::x(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `x(x)`")
        };
    }
    pub(crate) use __x;
    macro_rules! __emit {
        (@is_on) => {
            trace::emit_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::emit, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::emit_enabled() {
                ::core::hint::cold_path();
                trace::emit(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `emit(x)`")
        };
    }
    pub(crate) use __emit;
    macro_rules! __emit_x {
        (@is_on) => {
            trace::emit_x_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::emit_x, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::emit_x_enabled() {
                ::core::hint::cold_path();
                trace::emit_x(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `emit_x(x)`")
        };
    }
    pub(crate) use __emit_x;
    macro_rules! __events {
        (@is_on) => {
            trace::events_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::events, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::events_enabled() {
                ::core::hint::cold_path();
                trace::events(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `events(x)`")
        };
    }
    pub(crate) use __events;
    macro_rules! __macros {
        (@is_on) => {
            trace::macros_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::macros, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::macros_enabled() {
                ::core::hint::cold_path();
                trace::macros(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `macros(x)`")
        };
    }
    pub(crate) use __macros;
    macro_rules! __trace {
        (@is_on) => {
            trace::trace_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::trace, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::trace_enabled() {
                ::core::hint::cold_path();
                trace::trace(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `trace(x)`")
        };
    }
    pub(crate) use __trace;
    macro_rules! __core {
        (@is_on) => {
            trace::core_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::core, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::core_enabled() {
                ::core::hint::cold_path();
                trace::core(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `core(x)`")
        };
    }
    pub(crate) use __core;
    macro_rules! __ringtrace {
        (@is_on) => {
            trace::ringtrace_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::ringtrace, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::ringtrace_enabled() {
                ::core::hint::cold_path();
                trace::ringtrace(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `ringtrace(x)`")
        };
    }
    pub(crate) use __ringtrace;
    macro_rules! __main {
        (@is_on) => {
            trace::main_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::main, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::main_enabled() {
                ::core::hint::cold_path();
                trace::main(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `main(x)`")
        };
    }
    pub(crate) use __main;
    macro_rules! __GROUP {
        (@is_on) => {
            trace::GROUP_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::GROUP, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::GROUP_enabled() {
                ::core::hint::cold_path();
                trace::GROUP(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `GROUP(x)`")
        };
    }
    pub(crate) use __GROUP;
    macro_rules! __include {
        (@is_on) => {
            trace::include_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::include, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::include_enabled() {
                ::core::hint::cold_path();
                trace::include(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `include(x)`")
        };
    }
    pub(crate) use __include;
    macro_rules! __concat {
        (@is_on) => {
            trace::concat_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::concat, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::concat_enabled() {
                ::core::hint::cold_path();
                trace::concat(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `concat(x)`")
        };
    }
    pub(crate) use __concat;
    macro_rules! __env {
        (@is_on) => {
            trace::env_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::env, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::env_enabled() {
                ::core::hint::cold_path();
                trace::env(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `env(x)`")
        };
    }
    pub(crate) use __env;
    macro_rules! __println {
        (@is_on) => {
            trace::println_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::println, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::println_enabled() {
                ::core::hint::cold_path();
                trace::println(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `println(x)`")
        };
    }
    pub(crate) use __println;
    macro_rules! __inline {
        (@is_on) => {
            trace::inline_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::inline, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::inline_enabled() {
                ::core::hint::cold_path();
                trace::inline(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `inline(x)`")
        };
    }
    pub(crate) use __inline;
    macro_rules! __allow {
        (@is_on) => {
            trace::allow_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::allow, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::allow_enabled() {
                ::core::hint::cold_path();
                trace::allow(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `allow(x)`")
        };
    }
    pub(crate) use __allow;
    macro_rules! __derive {
        (@is_on) => {
            trace::derive_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::derive, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::derive_enabled() {
                ::core::hint::cold_path();
                trace::derive(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `derive(x)`")
        };
    }
    pub(crate) use __derive;
    macro_rules! __macro_rules {
        (@is_on) => {
            trace::macro_rules_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::macro_rules, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::macro_rules_enabled() {
                ::core::hint::cold_path();
                trace::macro_rules(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `macro_rules(x)`")
        };
    }
    pub(crate) use __macro_rules;
    macro_rules! __group {
        (@is_on) => {
            trace::group_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::group, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::group_enabled() {
                ::core::hint::cold_path();
                trace::group(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `group(x)`")
        };
    }
    pub(crate) use __group;
    macro_rules! __u64 {
        (@is_on) => {
            trace::u64_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::u64, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::u64_enabled() {
                ::core::hint::cold_path();
                trace::u64(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `u64(x)`")
        };
    }
    pub(crate) use __u64;
    macro_rules! __str {
        (@is_on) => {
            trace::str_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::str, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::str_enabled() {
                ::core::hint::cold_path();
                trace::str(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `str(x)`")
        };
    }
    pub(crate) use __str;
    macro_rules! __static_ {
        (@is_on) => {
            trace::static__enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::static_, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::static__enabled() {
                ::core::hint::cold_path();
                trace::static_(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `static_(x)`")
        };
    }
    pub(crate) use __static_;
    macro_rules! __drop {
        (@is_on) => {
            trace::drop_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::drop, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::drop_enabled() {
                ::core::hint::cold_path();
                trace::drop(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `drop(x)`")
        };
    }
    pub(crate) use __drop;
    macro_rules! __span {
        (@is_on) => {
            trace::span_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::span, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::span_enabled() {
                ::core::hint::cold_path();
                trace::span(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `span(x)`")
        };
    }
    pub(crate) use __span;
}

mod usdt {
    ::ringtrace::usdt! { provider: "names", name: "arguments", arguments(r#type: i32, r#fn: i32, self_: i32, Self_: i32, crate_: i32, super_: i32, __: i32, r#gen: i32, size: i32, len: i32) }
    ::ringtrace::usdt! { provider: "names", name: "prelude", prelude(None_: i32, Some_: i32, Ok_: i32, Err_: i32, u64: i32, str: i32, Option: i32) }
    ::ringtrace::usdt! { provider: "names", name: "bodies", bodies(emit_: i32, emit__: i32, events: i32, macros: i32, trace: i32, record: i32, ringtrace: i32, core: i32) }
    ::ringtrace::usdt! { provider: "names", name: "probes", probes(probes: i32, bodies: i32, GROUP: i32, ENTER: i32, event: i32) }
    ::ringtrace::usdt! { provider: "names", name: "twice", twice(a: i32, a_: i32, a__: i32) }
    ::ringtrace::usdt! { provider: "names", name: "type", r#type(r#type: i32) }
    ::ringtrace::usdt! { provider: "names", name: "fn", r#fn(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "self", self_(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "Self", Self_(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "crate", crate_(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "_", __(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "9p", _9p(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "Some", Some_(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "None", None_(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "UPPER", UPPER(X: i32) }
    ::ringtrace::usdt! { provider: "names", name: "mixedCase", mixedCase(argumentToo: i32) }
    ::ringtrace::usdt! { provider: "names", name: "_x", _x(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "__x", __x(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "x", x(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "emit", emit(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "emit_x", emit_x(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "events", events(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "macros", macros(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "trace", trace(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "core", core(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "ringtrace", ringtrace(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "main", main(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "GROUP", GROUP(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "include", include(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "concat", concat(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "env", env(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "println", println(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "inline", inline(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "allow", allow(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "derive", derive(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "macro_rules", macro_rules(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "group", group(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "u64", u64(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "str", str(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "static_", static_(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "drop", drop(x: i32) }
    ::ringtrace::usdt! { provider: "names", name: "span", span(x: i32) }
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

    pub(super) static arguments: Event = Event::new(Declaration {
        name: "arguments",
        group: "names",
        arguments: &[
            Argument { name: "type", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "fn", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "self", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "Self", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "crate", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "super", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "_", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "gen", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "size", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "len", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %d %d %d %d %d %d %d %d""#),
        text: ::ringtrace::noted!("names", r#"arguments(int type, int fn, int self, int Self, int crate, int super, int _, int gen, int size, int len) "%d %d %d %d %d %d %d %d %d %d""#),
        traceable: true,
    });
    pub(super) static prelude: Event = Event::new(Declaration {
        name: "prelude",
        group: "names",
        arguments: &[
            Argument { name: "None", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "Some", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "Ok", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "Err", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "u64", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "str", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "Option", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %d %d %d %d %d""#),
        text: ::ringtrace::noted!("names", r#"prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option) "%d %d %d %d %d %d %d""#),
        traceable: true,
    });
    pub(super) static bodies: Event = Event::new(Declaration {
        name: "bodies",
        group: "names",
        arguments: &[
            Argument { name: "emit", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "emit_", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "events", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "macros", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "trace", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "record", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "ringtrace", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "core", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %d %d %d %d %d %d""#),
        text: ::ringtrace::noted!("names", r#"bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core) "%d %d %d %d %d %d %d %d""#),
        traceable: true,
    });
    pub(super) static probes: Event = Event::new(Declaration {
        name: "probes",
        group: "names",
        arguments: &[
            Argument { name: "probes", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "bodies", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "GROUP", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "ENTER", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "event", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %d %d %d""#),
        text: ::ringtrace::noted!("names", r#"probes(int probes, int bodies, int GROUP, int ENTER, int event) "%d %d %d %d %d""#),
        traceable: true,
    });
    pub(super) static twice: Event = Event::new(Declaration {
        name: "twice",
        group: "names",
        arguments: &[
            Argument { name: "a", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "a_", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d %d %d""#),
        text: ::ringtrace::noted!("names", r#"twice(int a, int a, int a_) "%d %d %d""#),
        traceable: true,
    });
    pub(super) static r#type: Event = Event::new(Declaration {
        name: "type",
        group: "names",
        arguments: &[
            Argument { name: "type", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"type(int type) "%d""#),
        traceable: true,
    });
    pub(super) static r#fn: Event = Event::new(Declaration {
        name: "fn",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"fn(int x) "%d""#),
        traceable: true,
    });
    pub(super) static self_: Event = Event::new(Declaration {
        name: "self",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"self(int x) "%d""#),
        traceable: true,
    });
    pub(super) static Self_: Event = Event::new(Declaration {
        name: "Self",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"Self(int x) "%d""#),
        traceable: true,
    });
    pub(super) static crate_: Event = Event::new(Declaration {
        name: "crate",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"crate(int x) "%d""#),
        traceable: true,
    });
    pub(super) static __: Event = Event::new(Declaration {
        name: "_",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"_(int x) "%d""#),
        traceable: true,
    });
    pub(super) static _9p: Event = Event::new(Declaration {
        name: "9p",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"9p(int x) "%d""#),
        traceable: true,
    });
    pub(super) static Some_: Event = Event::new(Declaration {
        name: "Some",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"Some(int x) "%d""#),
        traceable: true,
    });
    pub(super) static None_: Event = Event::new(Declaration {
        name: "None",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"None(int x) "%d""#),
        traceable: true,
    });
    pub(super) static UPPER: Event = Event::new(Declaration {
        name: "UPPER",
        group: "names",
        arguments: &[
            Argument { name: "X", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"UPPER(int X) "%d""#),
        traceable: true,
    });
    pub(super) static mixedCase: Event = Event::new(Declaration {
        name: "mixedCase",
        group: "names",
        arguments: &[
            Argument { name: "argumentToo", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"mixedCase(int argumentToo) "%d""#),
        traceable: true,
    });
    pub(super) static _x: Event = Event::new(Declaration {
        name: "_x",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"_x(int x) "%d""#),
        traceable: true,
    });
    pub(super) static __x: Event = Event::new(Declaration {
        name: "__x",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"__x(int x) "%d""#),
        traceable: true,
    });
    pub(super) static x: Event = Event::new(Declaration {
        name: "x",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"x(int x) "%d""#),
        traceable: true,
    });
    pub(super) static emit: Event = Event::new(Declaration {
        name: "emit",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"emit(int x) "%d""#),
        traceable: true,
    });
    pub(super) static emit_x: Event = Event::new(Declaration {
        name: "emit_x",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"emit_x(int x) "%d""#),
        traceable: true,
    });
    pub(super) static events: Event = Event::new(Declaration {
        name: "events",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"events(int x) "%d""#),
        traceable: true,
    });
    pub(super) static macros: Event = Event::new(Declaration {
        name: "macros",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"macros(int x) "%d""#),
        traceable: true,
    });
    pub(super) static trace: Event = Event::new(Declaration {
        name: "trace",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"trace(int x) "%d""#),
        traceable: true,
    });
    pub(super) static core: Event = Event::new(Declaration {
        name: "core",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"core(int x) "%d""#),
        traceable: true,
    });
    pub(super) static ringtrace: Event = Event::new(Declaration {
        name: "ringtrace",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"ringtrace(int x) "%d""#),
        traceable: true,
    });
    pub(super) static main: Event = Event::new(Declaration {
        name: "main",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"main(int x) "%d""#),
        traceable: true,
    });
    pub(super) static GROUP: Event = Event::new(Declaration {
        name: "GROUP",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"GROUP(int x) "%d""#),
        traceable: true,
    });
    pub(super) static include: Event = Event::new(Declaration {
        name: "include",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"include(int x) "%d""#),
        traceable: true,
    });
    pub(super) static concat: Event = Event::new(Declaration {
        name: "concat",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"concat(int x) "%d""#),
        traceable: true,
    });
    pub(super) static env: Event = Event::new(Declaration {
        name: "env",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"env(int x) "%d""#),
        traceable: true,
    });
    pub(super) static println: Event = Event::new(Declaration {
        name: "println",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"println(int x) "%d""#),
        traceable: true,
    });
    pub(super) static inline: Event = Event::new(Declaration {
        name: "inline",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"inline(int x) "%d""#),
        traceable: true,
    });
    pub(super) static allow: Event = Event::new(Declaration {
        name: "allow",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"allow(int x) "%d""#),
        traceable: true,
    });
    pub(super) static derive: Event = Event::new(Declaration {
        name: "derive",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"derive(int x) "%d""#),
        traceable: true,
    });
    pub(super) static macro_rules: Event = Event::new(Declaration {
        name: "macro_rules",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"macro_rules(int x) "%d""#),
        traceable: true,
    });
    pub(super) static group: Event = Event::new(Declaration {
        name: "group",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"group(int x) "%d""#),
        traceable: true,
    });
    pub(super) static u64: Event = Event::new(Declaration {
        name: "u64",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"u64(int x) "%d""#),
        traceable: true,
    });
    pub(super) static str: Event = Event::new(Declaration {
        name: "str",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"str(int x) "%d""#),
        traceable: true,
    });
    pub(super) static static_: Event = Event::new(Declaration {
        name: "static_",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"static_(int x) "%d""#),
        traceable: true,
    });
    pub(super) static drop: Event = Event::new(Declaration {
        name: "drop",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"drop(int x) "%d""#),
        traceable: true,
    });
    pub(super) static span: Event = Event::new(Declaration {
        name: "span",
        group: "names",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d""#),
        text: ::ringtrace::noted!("names", r#"span(int x) "%d""#),
        traceable: true,
    });
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "names", events: [
        &events::arguments,
        &events::prelude,
        &events::bodies,
        &events::probes,
        &events::twice,
        &events::r#type,
        &events::r#fn,
        &events::self_,
        &events::Self_,
        &events::crate_,
        &events::__,
        &events::_9p,
        &events::Some_,
        &events::None_,
        &events::UPPER,
        &events::mixedCase,
        &events::_x,
        &events::__x,
        &events::x,
        &events::emit,
        &events::emit_x,
        &events::events,
        &events::macros,
        &events::trace,
        &events::core,
        &events::ringtrace,
        &events::main,
        &events::GROUP,
        &events::include,
        &events::concat,
        &events::env,
        &events::println,
        &events::inline,
        &events::allow,
        &events::derive,
        &events::macro_rules,
        &events::group,
        &events::u64,
        &events::str,
        &events::static_,
        &events::drop,
        &events::span,
    ] }
}
