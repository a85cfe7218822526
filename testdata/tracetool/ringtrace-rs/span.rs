// Probes of the group `span`, generated from span.events. Make changes there.

pub(crate) use ::ringtrace::span;

/// Records the event declared in span.events:
///
/// ```text
/// disk_begin(uint64_t req, uint64_t offset) "req=%" PRIu64 " offset=%" PRIu64
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn disk_begin(req: u64, offset: u64) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, req: u64, offset: u64) {
        ::ringtrace::probe::emit_seen(&events::disk_begin, seen, (req, offset));
    }
    let seen = events::disk_begin.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, req, offset);
    }
}

/// Whether `disk_begin` is on.
#[inline(always)]
pub fn disk_begin_enabled() -> bool {
    events::disk_begin.is_enabled()
}

pub(crate) use macros::__disk_begin as disk_begin;

/// Records the event declared in span.events:
///
/// ```text
/// disk_end(uint64_t req, int ret) "req=%" PRIu64 " ret=%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn disk_end(req: u64, ret: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, req: u64, ret: i32) {
        ::ringtrace::probe::emit_seen(&events::disk_end, seen, (req, i64::from(ret).cast_unsigned()));
    }
    let seen = events::disk_end.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, req, ret);
    }
}

/// Whether `disk_end` is on.
#[inline(always)]
pub fn disk_end_enabled() -> bool {
    events::disk_end.is_enabled()
}

pub(crate) use macros::__disk_end as disk_end;

/// Records the event declared in span.events:
///
/// ```text
/// job_begin(void *job, const char *name) "job=%p name=%s"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn job_begin(
    job: impl ::ringtrace::probe::ToAddress,
    name: impl ::ringtrace::probe::ToBytes,
) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, job: u64, name: &[u8]) {
        ::ringtrace::probe::emit_seen(&events::job_begin, seen, (job, name));
    }
    let seen = events::job_begin.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, job.to_address(), name.to_bytes());
    }
}

/// Whether `job_begin` is on.
#[inline(always)]
pub fn job_begin_enabled() -> bool {
    events::job_begin.is_enabled()
}

pub(crate) use macros::__job_begin as job_begin;

/// Records the event declared in span.events:
///
/// ```text
/// job_end(void *job, const char *name, int64_t took_ns, bool type) "job=%p name=%s took_ns=%" PRId64 " type=%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn job_end(
    job: impl ::ringtrace::probe::ToAddress,
    name: impl ::ringtrace::probe::ToBytes,
    took_ns: i64,
    r#type: bool,
) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, job: u64, name: &[u8], took_ns: i64, r#type: bool) {
        ::ringtrace::probe::emit_seen(&events::job_end, seen, (job, name, took_ns.cast_unsigned(), u64::from(r#type)));
    }
    let seen = events::job_end.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, job.to_address(), name.to_bytes(), took_ns, r#type);
    }
}

/// Whether `job_end` is on.
#[inline(always)]
pub fn job_end_enabled() -> bool {
    events::job_end.is_enabled()
}

pub(crate) use macros::__job_end as job_end;

/// Does nothing. The event is declared with `disable` in span.events:
///
/// ```text
/// disable idle_begin(uint64_t id) "%" PRIu64
/// ```
#[inline(always)]
#[allow(unused_variables)]
pub fn idle_begin(id: u64) {}

/// Returns false: `idle_begin` is declared with `disable`.
#[inline(always)]
pub fn idle_begin_enabled() -> bool {
    false
}

pub(crate) use macros::__idle_begin as idle_begin;

/// Records the event declared in span.events:
///
/// ```text
/// idle_end(uint64_t id) "%" PRIu64
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn idle_end(id: u64) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, id: u64) {
        ::ringtrace::probe::emit_seen(&events::idle_end, seen, (id,));
    }
    let seen = events::idle_end.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, id);
    }
}

/// Whether `idle_end` is on.
#[inline(always)]
pub fn idle_end_enabled() -> bool {
    events::idle_end.is_enabled()
}

pub(crate) use macros::__idle_end as idle_end;

/// Records the event declared in span.events:
///
/// ```text
/// tick(void) ""
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn tick() {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen) {
        ::ringtrace::probe::emit_seen(&events::tick, seen, ());
    }
    let seen = events::tick.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen);
    }
}

/// Whether `tick` is on.
#[inline(always)]
pub fn tick_enabled() -> bool {
    events::tick.is_enabled()
}

pub(crate) use macros::__tick as tick;

mod macros {
    macro_rules! __disk_begin {
        (@is_on) => {
            trace::disk_begin_enabled()
        };
        (@end $req:expr, $offset:expr$(,)?) => {
            ::ringtrace::span_end!(trace::disk_begin, req = ::ringtrace::probe::Integer::<u64>::of($req).value(), offset = ::ringtrace::probe::Integer::<u64>::of($offset).value())
        };
        ($req:expr, $offset:expr$(,)?) => {
            if trace::disk_begin_enabled() {
                ::core::hint::cold_path();
                trace::disk_begin(::ringtrace::probe::Integer::<u64>::of($req).value(), ::ringtrace::probe::Integer::<u64>::of($offset).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `disk_begin(req, offset)`")
        };
    }
    pub(crate) use __disk_begin;
    macro_rules! __disk_end {
        (@is_on) => {
            trace::disk_end_enabled()
        };
        (@end $req:expr, $ret:expr$(,)?) => {
            ::ringtrace::span_end!(trace::disk_end, req = ::ringtrace::probe::Integer::<u64>::of($req).value(), ret = ::ringtrace::probe::Integer::<i32>::of($ret).value())
        };
        ($req:expr, $ret:expr$(,)?) => {
            if trace::disk_end_enabled() {
                ::core::hint::cold_path();
                trace::disk_end(::ringtrace::probe::Integer::<u64>::of($req).value(), ::ringtrace::probe::Integer::<i32>::of($ret).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `disk_end(req, ret)`")
        };
    }
    pub(crate) use __disk_end;
    macro_rules! __job_begin {
        (@is_on) => {
            trace::job_begin_enabled()
        };
        (@end $job:expr, $name:expr$(,)?) => {
            ::ringtrace::span_end!(trace::job_begin, job = ::ringtrace::probe::Address::of($job), name = ::ringtrace::probe::string($name))
        };
        ($job:expr, $name:expr$(,)?) => {
            if trace::job_begin_enabled() {
                ::core::hint::cold_path();
                trace::job_begin($job, $name);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `job_begin(job, name)`")
        };
    }
    pub(crate) use __job_begin;
    macro_rules! __job_end {
        (@is_on) => {
            trace::job_end_enabled()
        };
        (@end $job:expr, $name:expr, $took_ns:expr, $type:expr$(,)?) => {
            ::ringtrace::span_end!(trace::job_end, job = ::ringtrace::probe::Address::of($job), name = ::ringtrace::probe::string($name), took_ns = ::ringtrace::probe::Integer::<i64>::of($took_ns).value(), r#type = $type)
        };
        ($job:expr, $name:expr, $took_ns:expr, $type:expr$(,)?) => {
            if trace::job_end_enabled() {
                ::core::hint::cold_path();
                trace::job_end($job, $name, ::ringtrace::probe::Integer::<i64>::of($took_ns).value(), $type);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `job_end(job, name, took_ns, type)`")
        };
    }
    pub(crate) use __job_end;
    macro_rules! __idle_begin {
        (@is_on) => {
            trace::idle_begin_enabled()
        };
        (@end $id:expr$(,)?) => {
            ::ringtrace::span_end!(trace::idle_begin, id = ::ringtrace::probe::Integer::<u64>::of($id).value())
        };
        ($id:expr$(,)?) => {
            if trace::idle_begin_enabled() {
                ::core::hint::cold_path();
                trace::idle_begin(::ringtrace::probe::Integer::<u64>::of($id).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `idle_begin(id)`")
        };
    }
    pub(crate) use __idle_begin;
    macro_rules! __idle_end {
        (@is_on) => {
            trace::idle_end_enabled()
        };
        (@end $id:expr$(,)?) => {
            ::ringtrace::span_end!(trace::idle_end, id = ::ringtrace::probe::Integer::<u64>::of($id).value())
        };
        ($id:expr$(,)?) => {
            if trace::idle_end_enabled() {
                ::core::hint::cold_path();
                trace::idle_end(::ringtrace::probe::Integer::<u64>::of($id).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `idle_end(id)`")
        };
    }
    pub(crate) use __idle_end;
    macro_rules! __tick {
        (@is_on) => {
            trace::tick_enabled()
        };
        (@end $(,)?) => {
            ::ringtrace::span_end!(trace::tick)
        };
        ($(,)?) => {
            if trace::tick_enabled() {
                ::core::hint::cold_path();
                trace::tick();
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `tick()`")
        };
    }
    pub(crate) use __tick;
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

    pub(super) static disk_begin: Event = Event::new(Declaration {
        name: "disk_begin",
        group: "span",
        arguments: &[
            Argument { name: "req", ctype: "uint64_t", kind: ArgumentKind::Integer },
            Argument { name: "offset", ctype: "uint64_t", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""req=%" PRIu64 " offset=%" PRIu64"#),
        text: ::ringtrace::noted!("span", r#"disk_begin(uint64_t req, uint64_t offset) "req=%" PRIu64 " offset=%" PRIu64"#),
        traceable: true,
    });
    pub(super) static disk_end: Event = Event::new(Declaration {
        name: "disk_end",
        group: "span",
        arguments: &[
            Argument { name: "req", ctype: "uint64_t", kind: ArgumentKind::Integer },
            Argument { name: "ret", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""req=%" PRIu64 " ret=%d""#),
        text: ::ringtrace::noted!("span", r#"disk_end(uint64_t req, int ret) "req=%" PRIu64 " ret=%d""#),
        traceable: true,
    });
    pub(super) static job_begin: Event = Event::new(Declaration {
        name: "job_begin",
        group: "span",
        arguments: &[
            Argument { name: "job", ctype: "void *", kind: ArgumentKind::Pointer },
            Argument { name: "name", ctype: "const char *", kind: ArgumentKind::Str },
        ],
        format: Some(r#""job=%p name=%s""#),
        text: ::ringtrace::noted!("span", r#"job_begin(void *job, const char *name) "job=%p name=%s""#),
        traceable: true,
    });
    pub(super) static job_end: Event = Event::new(Declaration {
        name: "job_end",
        group: "span",
        arguments: &[
            Argument { name: "job", ctype: "void *", kind: ArgumentKind::Pointer },
            Argument { name: "name", ctype: "const char *", kind: ArgumentKind::Str },
            Argument { name: "took_ns", ctype: "int64_t", kind: ArgumentKind::Integer },
            Argument { name: "type", ctype: "bool", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""job=%p name=%s took_ns=%" PRId64 " type=%d""#),
        text: ::ringtrace::noted!("span", r#"job_end(void *job, const char *name, int64_t took_ns, bool type) "job=%p name=%s took_ns=%" PRId64 " type=%d""#),
        traceable: true,
    });
    pub(super) static idle_begin: Event = Event::new(Declaration {
        name: "idle_begin",
        group: "span",
        arguments: &[
            Argument { name: "id", ctype: "uint64_t", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%" PRIu64"#),
        text: ::ringtrace::noted!("span", r#"disable idle_begin(uint64_t id) "%" PRIu64"#),
        traceable: false,
    });
    pub(super) static idle_end: Event = Event::new(Declaration {
        name: "idle_end",
        group: "span",
        arguments: &[
            Argument { name: "id", ctype: "uint64_t", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%" PRIu64"#),
        text: ::ringtrace::noted!("span", r#"idle_end(uint64_t id) "%" PRIu64"#),
        traceable: true,
    });
    pub(super) static tick: Event = Event::new(Declaration {
        name: "tick",
        group: "span",
        arguments: &[],
        format: Some(r#""""#),
        text: ::ringtrace::noted!("span", r#"tick(void) """#),
        traceable: true,
    });
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "span", events: [
        &events::disk_begin,
        &events::disk_end,
        &events::job_begin,
        &events::job_end,
        &events::idle_begin,
        &events::idle_end,
        &events::tick,
    ] }
}
