/*
 * The events of names for LTTng-UST.
 * Generated from trace-events. Make changes there.
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER names

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace-ust-names.h"

#if !defined(TRACE_NAMES_GENERATED_UST_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TRACE_NAMES_GENERATED_UST_H

#include <lttng/tracepoint.h>

/* LTTng 2.0 has no TP_ARGS(void), for events without arguments. */
#ifndef _TP_EXPROTO1
#define _TP_EXPROTO1(a) void
#endif
#ifndef _TP_EXDATA_PROTO1
#define _TP_EXDATA_PROTO1(a) void *__tp_data
#endif
#ifndef _TP_EXDATA_VAR1
#define _TP_EXDATA_VAR1(a) __tp_data
#endif
#ifndef _TP_EXVAR1
#define _TP_EXVAR1(a)
#endif

TRACEPOINT_EVENT(
    names,
    arguments,
    TP_ARGS(int, type, int, fn, int, self, int, Self, int, crate, int, super, int, _, int, gen, int, size, int, len),
    TP_FIELDS(
        ctf_integer(int, type, type)
        ctf_integer(int, fn, fn)
        ctf_integer(int, self, self)
        ctf_integer(int, Self, Self)
        ctf_integer(int, crate, crate)
        ctf_integer(int, super, super)
        ctf_integer(int, _, _)
        ctf_integer(int, gen, gen)
        ctf_integer(int, size, size)
        ctf_integer(int, len, len)
    )
)

TRACEPOINT_EVENT(
    names,
    prelude,
    TP_ARGS(int, None, int, Some, int, Ok, int, Err, int, u64, int, str, int, Option),
    TP_FIELDS(
        ctf_integer(int, None, None)
        ctf_integer(int, Some, Some)
        ctf_integer(int, Ok, Ok)
        ctf_integer(int, Err, Err)
        ctf_integer(int, u64, u64)
        ctf_integer(int, str, str)
        ctf_integer(int, Option, Option)
    )
)

TRACEPOINT_EVENT(
    names,
    bodies,
    TP_ARGS(int, emit, int, emit_, int, events, int, macros, int, trace, int, record, int, ringtrace, int, core),
    TP_FIELDS(
        ctf_integer(int, emit, emit)
        ctf_integer(int, emit_, emit_)
        ctf_integer(int, events, events)
        ctf_integer(int, macros, macros)
        ctf_integer(int, trace, trace)
        ctf_integer(int, record, record)
        ctf_integer(int, ringtrace, ringtrace)
        ctf_integer(int, core, core)
    )
)

TRACEPOINT_EVENT(
    names,
    probes,
    TP_ARGS(int, probes, int, bodies, int, GROUP, int, ENTER, int, event),
    TP_FIELDS(
        ctf_integer(int, probes, probes)
        ctf_integer(int, bodies, bodies)
        ctf_integer(int, GROUP, GROUP)
        ctf_integer(int, ENTER, ENTER)
        ctf_integer(int, event, event)
    )
)

TRACEPOINT_EVENT(
    names,
    twice,
    TP_ARGS(int, a, int, a__, int, a_),
    TP_FIELDS(
        ctf_integer(int, a, a)
        ctf_integer(int, a__, a__)
        ctf_integer(int, a_, a_)
    )
)

TRACEPOINT_EVENT(
    names,
    type,
    TP_ARGS(int, type),
    TP_FIELDS(
        ctf_integer(int, type, type)
    )
)

TRACEPOINT_EVENT(
    names,
    fn,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    self,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    Self,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    crate,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    _,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    9p,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    Some,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    None,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    UPPER,
    TP_ARGS(int, X),
    TP_FIELDS(
        ctf_integer(int, X, X)
    )
)

TRACEPOINT_EVENT(
    names,
    mixedCase,
    TP_ARGS(int, argumentToo),
    TP_FIELDS(
        ctf_integer(int, argumentToo, argumentToo)
    )
)

TRACEPOINT_EVENT(
    names,
    _x,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    __x,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    x,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    emit,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    emit_x,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    events,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    macros,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    trace,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    core,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    ringtrace,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    main,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    GROUP,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    include,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    concat,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    env,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    println,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    inline,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    allow,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    derive,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    macro_rules,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    group,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    u64,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    str,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    static_,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    drop,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    names,
    span,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

#endif /* TRACE_NAMES_GENERATED_UST_H */

/* Outside of the guard, because it includes this header again. */
#include <lttng/tracepoint-event.h>
