/*
 * The events of extended for LTTng-UST.
 * Generated from extended.events. Make changes there.
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER qemu

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace-ust.h"

#if !defined(TRACE_EXTENDED_GENERATED_UST_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TRACE_EXTENDED_GENERATED_UST_H

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
    qemu,
    measured,
    TP_ARGS(double, seconds, const char *, name, float, share, int, n),
    TP_FIELDS(
        ctf_float(double, seconds, seconds)
        ctf_string(name, name)
        ctf_float(float, share, share)
        ctf_integer(int, n, n)
    )
)

TRACEPOINT_EVENT(
    qemu,
    many_doubles,
    TP_ARGS(double, a, double, b, float, bits_a, const double, d, int, rec),
    TP_FIELDS(
        ctf_float(double, a, a)
        ctf_float(double, b, b)
        ctf_float(float, bits_a, bits_a)
        ctf_float(const double, d, d)
        ctf_integer(int, rec, rec)
    )
)

TRACEPOINT_EVENT(
    qemu,
    state_changed,
    TP_ARGS(int, disk, int, from, int, to),
    TP_FIELDS(
        ctf_integer(int, disk, disk)
        ctf_integer(int, from, from)
        ctf_integer(int, to, to)
    )
)

TRACEPOINT_EVENT(
    qemu,
    queued,
    TP_ARGS(int, kind, const char *, name, int, state),
    TP_FIELDS(
        ctf_integer(int, kind, kind)
        ctf_string(name, name)
        ctf_integer(int, state, state)
    )
)

#endif /* TRACE_EXTENDED_GENERATED_UST_H */

/* Outside of the guard, because it includes this header again. */
#include <lttng/tracepoint-event.h>
