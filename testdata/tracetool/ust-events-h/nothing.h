/*
 * What LTTng-UST is told of the events of nothing.
 * Generated from nothing.events: changes belong there.
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER qemu

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace-ust.h"

#if !defined(TRACE_NOTHING_GENERATED_UST_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TRACE_NOTHING_GENERATED_UST_H

#include <lttng/tracepoint.h>

/* For events without arguments: LTTng 2.0 does not know TP_ARGS(void). */
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

#endif /* TRACE_NOTHING_GENERATED_UST_H */

/* Outside of the guard: this is what reads the header again. */
#include <lttng/tracepoint-event.h>
