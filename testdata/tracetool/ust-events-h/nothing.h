/*
 * The events of nothing for LTTng-UST.
 * Generated from nothing.events. Make changes there.
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER qemu

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace-ust.h"

#if !defined(TRACE_NOTHING_GENERATED_UST_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TRACE_NOTHING_GENERATED_UST_H

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

#endif /* TRACE_NOTHING_GENERATED_UST_H */

/* Outside of the guard, because it includes this header again. */
#include <lttng/tracepoint-event.h>
