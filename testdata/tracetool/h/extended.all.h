/*
 * The probes of the group extended.
 * Generated from extended.events. Make changes there.
 */

#ifndef TRACE_EXTENDED_GENERATED_TRACERS_H
#define TRACE_EXTENDED_GENERATED_TRACERS_H

#include "trace/control.h"
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-extended.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-extended.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* measured(double seconds, const char *name, float share, int n) "seconds=%.3f name=%s share=%g n=%d" */
extern TraceEvent _TRACE_MEASURED_EVENT;
extern uint16_t _TRACE_MEASURED_DSTATE;
#define TRACE_MEASURED_ENABLED 1
#define TRACE_MEASURED_BACKEND_DSTATE() ( \
    QEMU_MEASURED_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_MEASURED) || \
    trace_event_get_state_dynamic_by_id(TRACE_MEASURED) || \
    trace_event_get_state_dynamic_by_id(TRACE_MEASURED) || \
    trace_event_get_state_dynamic_by_id(TRACE_MEASURED) || \
    tracepoint_enabled(qemu, measured) || \
    false)
#ifndef QEMU_MEASURED_ENABLED
#define QEMU_MEASURED_ENABLED() true
#endif
void _simple_trace_measured(double seconds, const char *name, float share, int n);

static inline void trace_measured(double seconds, const char *name, float share, int n)
{
    QEMU_MEASURED(seconds, name, share, n);
    tracepoint(qemu, measured, seconds, name, share, n);
    if (trace_event_get_state(TRACE_MEASURED)) {
        #line 3 "extended.events"
        ftrace_write("measured " "seconds=%.3f name=%s share=%g n=%d" "\n", seconds, name, share, n);
        #line 54 "trace/trace-extended.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "extended.events"
            qemu_log("measured " "seconds=%.3f name=%s share=%g n=%d" "\n", seconds, name, share, n);
            #line 58 "trace/trace-extended.h"
        }
        _simple_trace_measured(seconds, name, share, n);
        #line 3 "extended.events"
        syslog(LOG_INFO, "measured " "seconds=%.3f name=%s share=%g n=%d", seconds, name, share, n);
        #line 63 "trace/trace-extended.h"
    }
}

/* many_doubles(double a, double b, float bits_a, const double d, int rec) "%e %a %f %g %d" */
extern TraceEvent _TRACE_MANY_DOUBLES_EVENT;
extern uint16_t _TRACE_MANY_DOUBLES_DSTATE;
#define TRACE_MANY_DOUBLES_ENABLED 1
#define TRACE_MANY_DOUBLES_BACKEND_DSTATE() ( \
    QEMU_MANY_DOUBLES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_MANY_DOUBLES) || \
    trace_event_get_state_dynamic_by_id(TRACE_MANY_DOUBLES) || \
    trace_event_get_state_dynamic_by_id(TRACE_MANY_DOUBLES) || \
    trace_event_get_state_dynamic_by_id(TRACE_MANY_DOUBLES) || \
    tracepoint_enabled(qemu, many_doubles) || \
    false)
#ifndef QEMU_MANY_DOUBLES_ENABLED
#define QEMU_MANY_DOUBLES_ENABLED() true
#endif
void _simple_trace_many_doubles(double a, double b, float bits_a, const double d, int rec);

static inline void trace_many_doubles(double a, double b, float bits_a, const double d, int rec)
{
    QEMU_MANY_DOUBLES(a, b, bits_a, d, rec);
    tracepoint(qemu, many_doubles, a, b, bits_a, d, rec);
    if (trace_event_get_state(TRACE_MANY_DOUBLES)) {
        #line 4 "extended.events"
        ftrace_write("many_doubles " "%e %a %f %g %d" "\n", a, b, bits_a, d, rec);
        #line 91 "trace/trace-extended.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "extended.events"
            qemu_log("many_doubles " "%e %a %f %g %d" "\n", a, b, bits_a, d, rec);
            #line 95 "trace/trace-extended.h"
        }
        _simple_trace_many_doubles(a, b, bits_a, d, rec);
        #line 4 "extended.events"
        syslog(LOG_INFO, "many_doubles " "%e %a %f %g %d", a, b, bits_a, d, rec);
        #line 100 "trace/trace-extended.h"
    }
}

/* disable idle(double load) "%f" */
extern TraceEvent _TRACE_IDLE_EVENT;
extern uint16_t _TRACE_IDLE_DSTATE;
#define TRACE_IDLE_ENABLED 0
#define TRACE_IDLE_BACKEND_DSTATE() (false)
#ifndef QEMU_IDLE_ENABLED
#define QEMU_IDLE_ENABLED() true
#endif
void _simple_trace_idle(double load);

static inline void trace_idle(double load)
{
    (void)load;
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_EXTENDED_GENERATED_TRACERS_H */
