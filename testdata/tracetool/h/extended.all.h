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

/* enum disk_state { IDLE = 0, BUSY = 1, QUEUE_FULL = 0x10, FAILED = -1 } */
typedef enum {
    IDLE = 0,
    BUSY = 1,
    QUEUE_FULL = 16,
    FAILED = -1
} disk_state;

static inline const char *_trace_name_of_disk_state(int value)
{
    switch (value) {
    case 0: return "IDLE";
    case 1: return "BUSY";
    case 16: return "QUEUE_FULL";
    case -1: return "FAILED";
    default: return "(unknown)";
    }
}

/* enum Kind { READ, WRITE } */
typedef enum {
    READ = 0,
    WRITE = 1
} Kind;

static inline const char *_trace_name_of_Kind(int value)
{
    switch (value) {
    case 0: return "READ";
    case 1: return "WRITE";
    default: return "(unknown)";
    }
}

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
        #line 88 "trace/trace-extended.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "extended.events"
            qemu_log("measured " "seconds=%.3f name=%s share=%g n=%d" "\n", seconds, name, share, n);
            #line 92 "trace/trace-extended.h"
        }
        _simple_trace_measured(seconds, name, share, n);
        #line 3 "extended.events"
        syslog(LOG_INFO, "measured " "seconds=%.3f name=%s share=%g n=%d", seconds, name, share, n);
        #line 97 "trace/trace-extended.h"
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
        #line 125 "trace/trace-extended.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "extended.events"
            qemu_log("many_doubles " "%e %a %f %g %d" "\n", a, b, bits_a, d, rec);
            #line 129 "trace/trace-extended.h"
        }
        _simple_trace_many_doubles(a, b, bits_a, d, rec);
        #line 4 "extended.events"
        syslog(LOG_INFO, "many_doubles " "%e %a %f %g %d", a, b, bits_a, d, rec);
        #line 134 "trace/trace-extended.h"
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

/* state_changed(int disk, disk_state from, disk_state to) "disk %d: %s -> %s" */
extern TraceEvent _TRACE_STATE_CHANGED_EVENT;
extern uint16_t _TRACE_STATE_CHANGED_DSTATE;
#define TRACE_STATE_CHANGED_ENABLED 1
#define TRACE_STATE_CHANGED_BACKEND_DSTATE() ( \
    QEMU_STATE_CHANGED_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_STATE_CHANGED) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATE_CHANGED) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATE_CHANGED) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATE_CHANGED) || \
    tracepoint_enabled(qemu, state_changed) || \
    false)
#ifndef QEMU_STATE_CHANGED_ENABLED
#define QEMU_STATE_CHANGED_ENABLED() true
#endif
void _simple_trace_state_changed(int disk, int from, int to);

static inline void trace_state_changed(int disk, disk_state from, disk_state to)
{
    QEMU_STATE_CHANGED(disk, (int)from, (int)to);
    tracepoint(qemu, state_changed, disk, (int)from, (int)to);
    if (trace_event_get_state(TRACE_STATE_CHANGED)) {
        #line 8 "extended.events"
        ftrace_write("state_changed " "disk %d: %s -> %s" "\n", disk, _trace_name_of_disk_state((int)from), _trace_name_of_disk_state((int)to));
        #line 177 "trace/trace-extended.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "extended.events"
            qemu_log("state_changed " "disk %d: %s -> %s" "\n", disk, _trace_name_of_disk_state((int)from), _trace_name_of_disk_state((int)to));
            #line 181 "trace/trace-extended.h"
        }
        _simple_trace_state_changed(disk, (int)from, (int)to);
        #line 8 "extended.events"
        syslog(LOG_INFO, "state_changed " "disk %d: %s -> %s", disk, _trace_name_of_disk_state((int)from), _trace_name_of_disk_state((int)to));
        #line 186 "trace/trace-extended.h"
    }
}

/* queued(Kind kind, const char *name, disk_state state) "kind=%d name=%s state=%-12s|" */
extern TraceEvent _TRACE_QUEUED_EVENT;
extern uint16_t _TRACE_QUEUED_DSTATE;
#define TRACE_QUEUED_ENABLED 1
#define TRACE_QUEUED_BACKEND_DSTATE() ( \
    QEMU_QUEUED_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_QUEUED) || \
    trace_event_get_state_dynamic_by_id(TRACE_QUEUED) || \
    trace_event_get_state_dynamic_by_id(TRACE_QUEUED) || \
    trace_event_get_state_dynamic_by_id(TRACE_QUEUED) || \
    tracepoint_enabled(qemu, queued) || \
    false)
#ifndef QEMU_QUEUED_ENABLED
#define QEMU_QUEUED_ENABLED() true
#endif
void _simple_trace_queued(int kind, const char *name, int state);

static inline void trace_queued(Kind kind, const char *name, disk_state state)
{
    QEMU_QUEUED((int)kind, name, (int)state);
    tracepoint(qemu, queued, (int)kind, name, (int)state);
    if (trace_event_get_state(TRACE_QUEUED)) {
        #line 9 "extended.events"
        ftrace_write("queued " "kind=%d name=%s state=%-12s|" "\n", (int)kind, name, _trace_name_of_disk_state((int)state));
        #line 214 "trace/trace-extended.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "extended.events"
            qemu_log("queued " "kind=%d name=%s state=%-12s|" "\n", (int)kind, name, _trace_name_of_disk_state((int)state));
            #line 218 "trace/trace-extended.h"
        }
        _simple_trace_queued((int)kind, name, (int)state);
        #line 9 "extended.events"
        syslog(LOG_INFO, "queued " "kind=%d name=%s state=%-12s|", (int)kind, name, _trace_name_of_disk_state((int)state));
        #line 223 "trace/trace-extended.h"
    }
}

/* disable unused_kind(Kind kind) "%s" */
extern TraceEvent _TRACE_UNUSED_KIND_EVENT;
extern uint16_t _TRACE_UNUSED_KIND_DSTATE;
#define TRACE_UNUSED_KIND_ENABLED 0
#define TRACE_UNUSED_KIND_BACKEND_DSTATE() (false)
#ifndef QEMU_UNUSED_KIND_ENABLED
#define QEMU_UNUSED_KIND_ENABLED() true
#endif
void _simple_trace_unused_kind(int kind);

static inline void trace_unused_kind(Kind kind)
{
    (void)kind;
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_EXTENDED_GENERATED_TRACERS_H */
