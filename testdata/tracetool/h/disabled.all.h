/*
 * The probes of the group disabled.
 * Generated from disabled.events. Make changes there.
 */

#ifndef TRACE_DISABLED_GENERATED_TRACERS_H
#define TRACE_DISABLED_GENERATED_TRACERS_H

#include "trace/control.h"
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-disabled.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-disabled.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* disable never(int x, const char *name, void *p) "x=%d name=%s p=%p" */
extern TraceEvent _TRACE_NEVER_EVENT;
extern uint16_t _TRACE_NEVER_DSTATE;
#define TRACE_NEVER_ENABLED 0
#define TRACE_NEVER_BACKEND_DSTATE() (false)
#ifndef QEMU_NEVER_ENABLED
#define QEMU_NEVER_ENABLED() true
#endif
void _simple_trace_never(int x, const char *name, void *p);

static inline void trace_never(int x, const char *name, void *p)
{
    (void)x;
    (void)name;
    (void)p;
}

/* disable never_either(void) "nothing" */
extern TraceEvent _TRACE_NEVER_EITHER_EVENT;
extern uint16_t _TRACE_NEVER_EITHER_DSTATE;
#define TRACE_NEVER_EITHER_ENABLED 0
#define TRACE_NEVER_EITHER_BACKEND_DSTATE() (false)
#ifndef QEMU_NEVER_EITHER_ENABLED
#define QEMU_NEVER_EITHER_ENABLED() true
#endif
void _simple_trace_never_either(void);

static inline void trace_never_either(void)
{
}

/* disable match(int type) "%d" */
extern TraceEvent _TRACE_MATCH_EVENT;
extern uint16_t _TRACE_MATCH_DSTATE;
#define TRACE_MATCH_ENABLED 0
#define TRACE_MATCH_BACKEND_DSTATE() (false)
#ifndef QEMU_MATCH_ENABLED
#define QEMU_MATCH_ENABLED() true
#endif
void _simple_trace_match(int type);

static inline void trace_match(int type)
{
    (void)type;
}

/* between(int x) "x=%d" */
extern TraceEvent _TRACE_BETWEEN_EVENT;
extern uint16_t _TRACE_BETWEEN_DSTATE;
#define TRACE_BETWEEN_ENABLED 1
#define TRACE_BETWEEN_BACKEND_DSTATE() ( \
    QEMU_BETWEEN_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_BETWEEN) || \
    trace_event_get_state_dynamic_by_id(TRACE_BETWEEN) || \
    trace_event_get_state_dynamic_by_id(TRACE_BETWEEN) || \
    trace_event_get_state_dynamic_by_id(TRACE_BETWEEN) || \
    tracepoint_enabled(qemu, between) || \
    false)
#ifndef QEMU_BETWEEN_ENABLED
#define QEMU_BETWEEN_ENABLED() true
#endif
void _simple_trace_between(int x);

static inline void trace_between(int x)
{
    QEMU_BETWEEN(x);
    tracepoint(qemu, between, x);
    if (trace_event_get_state(TRACE_BETWEEN)) {
        #line 5 "disabled.events"
        ftrace_write("between " "x=%d" "\n", x);
        #line 100 "trace/trace-disabled.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "disabled.events"
            qemu_log("between " "x=%d" "\n", x);
            #line 104 "trace/trace-disabled.h"
        }
        _simple_trace_between(x);
        #line 5 "disabled.events"
        syslog(LOG_INFO, "between " "x=%d", x);
        #line 109 "trace/trace-disabled.h"
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_DISABLED_GENERATED_TRACERS_H */
