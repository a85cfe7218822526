/*
 * The events of conversions for LTTng-UST.
 * Generated from conversions.events. Make changes there.
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER qemu

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace-ust.h"

#if !defined(TRACE_CONVERSIONS_GENERATED_UST_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TRACE_CONVERSIONS_GENERATED_UST_H

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
    lengths,
    TP_ARGS(signed char, a, short, b, long, c, long long, d, size_t, e, ptrdiff_t, f, int64_t, g),
    TP_FIELDS(
        ctf_integer(signed char, a, a)
        ctf_integer(short, b, b)
        ctf_integer(long, c, c)
        ctf_integer(long long, d, d)
        ctf_integer(size_t, e, e)
        ctf_integer_hex(ptrdiff_t, f, f)
        ctf_integer(int64_t, g, g)
    )
)

TRACEPOINT_EVENT(
    qemu,
    macros,
    TP_ARGS(uint8_t, a, uint16_t, b, uint32_t, c, uint64_t, d, uintptr_t, e, uint64_t, f),
    TP_FIELDS(
        ctf_integer_hex(uint8_t, a, a)
        ctf_integer(uint16_t, b, b)
        ctf_integer_hex(uint32_t, c, c)
        ctf_integer(uint64_t, d, d)
        ctf_integer_hex(uintptr_t, e, e)
        ctf_integer(uint64_t, f, f)
    )
)

TRACEPOINT_EVENT(
    qemu,
    flags,
    TP_ARGS(int, a, int, b, int, c, unsigned, d, unsigned, e, unsigned, f),
    TP_FIELDS(
        ctf_integer(int, a, a)
        ctf_integer(int, b, b)
        ctf_integer(int, c, c)
        ctf_integer_hex(unsigned, d, d)
        ctf_integer_hex(unsigned, e, e)
        ctf_integer(unsigned, f, f)
    )
)

TRACEPOINT_EVENT(
    qemu,
    two_flags,
    TP_ARGS(int, a, int, b, unsigned, c, unsigned, d, int, e, int, f),
    TP_FIELDS(
        ctf_integer(int, a, a)
        ctf_integer(int, b, b)
        ctf_integer_hex(unsigned, c, c)
        ctf_integer_hex(unsigned, d, d)
        ctf_integer(int, e, e)
        ctf_integer(int, f, f)
    )
)

TRACEPOINT_EVENT(
    qemu,
    amounts,
    TP_ARGS(int, w, int, p, uint64_t, v, const char *, s, int, n, const char *, t),
    TP_FIELDS(
        ctf_integer(int, w, w)
        ctf_integer(int, p, p)
        ctf_integer_hex(uint64_t, v, v)
        ctf_string(s, s)
        ctf_integer(int, n, n)
        ctf_string(t, t)
    )
)

TRACEPOINT_EVENT(
    qemu,
    star_flags,
    TP_ARGS(int, w, unsigned, a, int, v, unsigned, b),
    TP_FIELDS(
        ctf_integer(int, w, w)
        ctf_integer_hex(unsigned, a, a)
        ctf_integer(int, v, v)
        ctf_integer_hex(unsigned, b, b)
    )
)

TRACEPOINT_EVENT(
    qemu,
    narrowed,
    TP_ARGS(int, a, int, b, uint64_t, c, unsigned, d, uint8_t, e, bool, f),
    TP_FIELDS(
        ctf_integer_hex(int, a, a)
        ctf_integer(int, b, b)
        ctf_integer(uint64_t, c, c)
        ctf_integer(unsigned, d, d)
        ctf_integer(uint8_t, e, e)
        ctf_integer_hex(bool, f, f)
    )
)

TRACEPOINT_EVENT(
    qemu,
    signs,
    TP_ARGS(int, a, unsigned, b, int64_t, c, uint16_t, d, int, e),
    TP_FIELDS(
        ctf_integer(int, a, a)
        ctf_integer(unsigned, b, b)
        ctf_integer_hex(int64_t, c, c)
        ctf_integer(uint16_t, d, d)
        ctf_integer(int, e, e)
    )
)

TRACEPOINT_EVENT(
    qemu,
    letters,
    TP_ARGS(char, a, int, b, const char *, c, void *, d, unsigned char *, e),
    TP_FIELDS(
        ctf_integer(char, a, a)
        ctf_integer(int, b, b)
        ctf_string(c, c)
        ctf_integer_hex(void *, d, d)
        ctf_integer_hex(unsigned char *, e, e)
    )
)

TRACEPOINT_EVENT(
    qemu,
    texts,
    TP_ARGS(int, x),
    TP_FIELDS(
        ctf_integer(int, x, x)
    )
)

TRACEPOINT_EVENT(
    qemu,
    x_is_no_conversion,
    TP_ARGS(int, x, int, y),
    TP_FIELDS(
        ctf_integer(int, x, x)
        ctf_integer(int, y, y)
    )
)

TRACEPOINT_EVENT(
    qemu,
    fewer,
    TP_ARGS(int, a, int, b, const char *, s),
    TP_FIELDS(
        ctf_integer(int, a, a)
        ctf_integer(int, b, b)
        ctf_string(s, s)
    )
)

TRACEPOINT_EVENT(
    qemu,
    more,
    TP_ARGS(int, a),
    TP_FIELDS(
        ctf_integer(int, a, a)
    )
)

TRACEPOINT_EVENT(
    qemu,
    unprinted,
    TP_ARGS(int, a, void *, p, const char *, s),
    TP_FIELDS(
        ctf_integer(int, a, a)
        ctf_integer_hex(void *, p, p)
        ctf_string(s, s)
    )
)

#endif /* TRACE_CONVERSIONS_GENERATED_UST_H */

/* Outside of the guard, because it includes this header again. */
#include <lttng/tracepoint-event.h>
