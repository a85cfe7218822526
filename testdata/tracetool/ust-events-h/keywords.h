/*
 * The events of keywords for LTTng-UST.
 * Generated from keywords.events. Make changes there.
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER qemu

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace-ust.h"

#if !defined(TRACE_KEYWORDS_GENERATED_UST_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TRACE_KEYWORDS_GENERATED_UST_H

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
    of_all,
    TP_ARGS(int, if_, int, long_, int, return_, int, while_, int, for_),
    TP_FIELDS(
        ctf_integer(int, if_, if_)
        ctf_integer(int, long_, long_)
        ctf_integer(int, return_, return_)
        ctf_integer(int, while_, while_)
        ctf_integer(int, for_, for_)
    )
)

TRACEPOINT_EVENT(
    qemu,
    of_c,
    TP_ARGS(int, typeof_, int, _Bool_, int, nullptr_, int, alignas_),
    TP_FIELDS(
        ctf_integer(int, typeof_, typeof_)
        ctf_integer(int, _Bool_, _Bool_)
        ctf_integer(int, nullptr_, nullptr_)
        ctf_integer(int, alignas_, alignas_)
    )
)

TRACEPOINT_EVENT(
    qemu,
    of_d,
    TP_ARGS(int, counter, int, probe, int, provider, int, self, int, string, int, stringof, int, this, int, translator, int, xlate),
    TP_FIELDS(
        ctf_integer(int, counter, counter)
        ctf_integer(int, probe, probe)
        ctf_integer(int, provider, provider)
        ctf_integer(int, self, self)
        ctf_integer(int, string, string)
        ctf_integer(int, stringof, stringof)
        ctf_integer(int, this, this)
        ctf_integer(int, translator, translator)
        ctf_integer(int, xlate, xlate)
    )
)

TRACEPOINT_EVENT(
    qemu,
    of_systemtap,
    TP_ARGS(int, catch, int, delete, int, foreach, int, function, int, global, int, in, int, limit, int, next, int, private, int, try),
    TP_FIELDS(
        ctf_integer(int, catch, catch)
        ctf_integer(int, delete, delete)
        ctf_integer(int, foreach, foreach)
        ctf_integer(int, function, function)
        ctf_integer(int, global, global)
        ctf_integer(int, in, in)
        ctf_integer(int, limit, limit)
        ctf_integer(int, next, next)
        ctf_integer(int, private, private)
        ctf_integer(int, try, try)
    )
)

TRACEPOINT_EVENT(
    qemu,
    renamed,
    TP_ARGS(int, if__, int, if_, int, in, int, in_),
    TP_FIELDS(
        ctf_integer(int, if__, if__)
        ctf_integer(int, if_, if_)
        ctf_integer(int, in, in)
        ctf_integer(int, in_, in_)
    )
)

TRACEPOINT_EVENT(
    qemu,
    twice,
    TP_ARGS(int, a, int, a__, int, a_),
    TP_FIELDS(
        ctf_integer(int, a, a)
        ctf_integer(int, a__, a__)
        ctf_integer(int, a_, a_)
    )
)

TRACEPOINT_EVENT(
    qemu,
    beside_strings,
    TP_ARGS(const char *, s, int, args_str, int, args_len, int, event_id, int, pid),
    TP_FIELDS(
        ctf_string(s, s)
        ctf_integer(int, args_str, args_str)
        ctf_integer(int, args_len, args_len)
        ctf_integer(int, event_id, event_id)
        ctf_integer(int, pid, pid)
    )
)

TRACEPOINT_EVENT(
    qemu,
    next,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    qemu,
    probe,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

#endif /* TRACE_KEYWORDS_GENERATED_UST_H */

/* Outside of the guard, because it includes this header again. */
#include <lttng/tracepoint-event.h>
