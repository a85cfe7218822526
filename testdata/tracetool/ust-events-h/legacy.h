/*
 * The events of legacy for LTTng-UST.
 * Generated from legacy.events. Make changes there.
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER qemu

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace-ust.h"

#if !defined(TRACE_LEGACY_GENERATED_UST_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TRACE_LEGACY_GENERATED_UST_H

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
    guest_reset,
    TP_ARGS(void *, __cpu, int, index),
    TP_FIELDS(
        ctf_integer_hex(void *, __cpu, __cpu)
        ctf_integer(int, index, index)
    )
)

TRACEPOINT_EVENT(
    qemu,
    guest_halt,
    TP_ARGS(void *, __cpu),
    TP_FIELDS(
        ctf_integer_hex(void *, __cpu, __cpu)
    )
)

TRACEPOINT_EVENT(
    qemu,
    guest_load_trans,
    TP_ARGS(uint8_t, size),
    TP_FIELDS(
        ctf_integer(uint8_t, size, size)
    )
)

TRACEPOINT_EVENT(
    qemu,
    guest_load_exec,
    TP_ARGS(uint64_t, addr, uint8_t, size),
    TP_FIELDS(
        ctf_integer_hex(uint64_t, addr, addr)
        ctf_integer(uint8_t, size, size)
    )
)

#endif /* TRACE_LEGACY_GENERATED_UST_H */

/* Outside of the guard, because it includes this header again. */
#include <lttng/tracepoint-event.h>
