/*
 * The events of types for LTTng-UST.
 * Generated from trace-events. Make changes there.
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER types

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace-ust-types.h"

#if !defined(TRACE_TYPES_GENERATED_UST_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TRACE_TYPES_GENERATED_UST_H

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
    types,
    signed_8,
    TP_ARGS(int8_t, a, char, b, signed char, c),
    TP_FIELDS(
        ctf_integer(int8_t, a, a)
        ctf_integer(char, b, b)
        ctf_integer(signed char, c, c)
    )
)

TRACEPOINT_EVENT(
    types,
    signed_16,
    TP_ARGS(int16_t, a, short, b, short int, c),
    TP_FIELDS(
        ctf_integer(int16_t, a, a)
        ctf_integer(short, b, b)
        ctf_integer(short int, c, c)
    )
)

TRACEPOINT_EVENT(
    types,
    signed_32,
    TP_ARGS(int32_t, a, int, b, signed, c, const int, d),
    TP_FIELDS(
        ctf_integer(int32_t, a, a)
        ctf_integer(int, b, b)
        ctf_integer(signed, c, c)
        ctf_integer(const int, d, d)
    )
)

TRACEPOINT_EVENT(
    types,
    signed_64,
    TP_ARGS(int64_t, a, long, b, long long, c, long int, d),
    TP_FIELDS(
        ctf_integer(int64_t, a, a)
        ctf_integer(long, b, b)
        ctf_integer(long long, c, c)
        ctf_integer(long int, d, d)
    )
)

TRACEPOINT_EVENT(
    types,
    unsigned_8,
    TP_ARGS(uint8_t, a, unsigned char, b),
    TP_FIELDS(
        ctf_integer(uint8_t, a, a)
        ctf_integer(unsigned char, b, b)
    )
)

TRACEPOINT_EVENT(
    types,
    unsigned_16,
    TP_ARGS(uint16_t, a, unsigned short, b, unsigned short int, c),
    TP_FIELDS(
        ctf_integer(uint16_t, a, a)
        ctf_integer(unsigned short, b, b)
        ctf_integer(unsigned short int, c, c)
    )
)

TRACEPOINT_EVENT(
    types,
    unsigned_32,
    TP_ARGS(uint32_t, a, unsigned, b, unsigned int, c),
    TP_FIELDS(
        ctf_integer(uint32_t, a, a)
        ctf_integer(unsigned, b, b)
        ctf_integer(unsigned int, c, c)
    )
)

TRACEPOINT_EVENT(
    types,
    unsigned_64,
    TP_ARGS(uint64_t, a, unsigned long, b, unsigned long long, c, long unsigned int, d),
    TP_FIELDS(
        ctf_integer(uint64_t, a, a)
        ctf_integer(unsigned long, b, b)
        ctf_integer(unsigned long long, c, c)
        ctf_integer(long unsigned int, d, d)
    )
)

TRACEPOINT_EVENT(
    types,
    sizes,
    TP_ARGS(size_t, a, ssize_t, b, uintptr_t, c, ptrdiff_t, d, const size_t, e),
    TP_FIELDS(
        ctf_integer(size_t, a, a)
        ctf_integer(ssize_t, b, b)
        ctf_integer_hex(uintptr_t, c, c)
        ctf_integer_hex(ptrdiff_t, d, d)
        ctf_integer(const size_t, e, e)
    )
)

TRACEPOINT_EVENT(
    types,
    truth,
    TP_ARGS(bool, a),
    TP_FIELDS(
        ctf_integer(bool, a, a)
    )
)

TRACEPOINT_EVENT(
    types,
    pointers,
    TP_ARGS(void *, a, const void *, b, void **, c, int *, d, char **, e, const char **, f, uint8_t*, g),
    TP_FIELDS(
        ctf_integer_hex(void *, a, a)
        ctf_integer_hex(const void *, b, b)
        ctf_integer_hex(void **, c, c)
        ctf_integer_hex(int *, d, d)
        ctf_integer_hex(char **, e, e)
        ctf_integer_hex(const char **, f, f)
        ctf_integer_hex(uint8_t*, g, g)
    )
)

TRACEPOINT_EVENT(
    types,
    strings,
    TP_ARGS(const char *, a, char *, b, const char*, c, char*, d),
    TP_FIELDS(
        ctf_string(a, a)
        ctf_string(b, b)
        ctf_string(c, c)
        ctf_string(d, d)
    )
)

#endif /* TRACE_TYPES_GENERATED_UST_H */

/* Outside of the guard, because it includes this header again. */
#include <lttng/tracepoint-event.h>
