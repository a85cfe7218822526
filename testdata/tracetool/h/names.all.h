/*
 * The probes of the group names.
 * Generated from names.events. Make changes there.
 */

#ifndef TRACE_NAMES_GENERATED_TRACERS_H
#define TRACE_NAMES_GENERATED_TRACERS_H

#include "trace/control.h"
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-names.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-names.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* arguments(int type, int fn, int self, int Self, int crate, int super, int _, int gen, int size, int len) "%d %d %d %d %d %d %d %d %d %d" */
extern TraceEvent _TRACE_ARGUMENTS_EVENT;
extern uint16_t _TRACE_ARGUMENTS_DSTATE;
#define TRACE_ARGUMENTS_ENABLED 1
#define TRACE_ARGUMENTS_BACKEND_DSTATE() ( \
    QEMU_ARGUMENTS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_ARGUMENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_ARGUMENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_ARGUMENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_ARGUMENTS) || \
    tracepoint_enabled(qemu, arguments) || \
    false)
#ifndef QEMU_ARGUMENTS_ENABLED
#define QEMU_ARGUMENTS_ENABLED() true
#endif
void _simple_trace_arguments(int type, int fn, int self, int Self, int crate, int super, int _, int gen, int size, int len);

static inline void trace_arguments(int type, int fn, int self, int Self, int crate, int super, int _, int gen, int size, int len)
{
    QEMU_ARGUMENTS(type, fn, self, Self, crate, super, _, gen, size, len);
    tracepoint(qemu, arguments, type, fn, self, Self, crate, super, _, gen, size, len);
    if (trace_event_get_state(TRACE_ARGUMENTS)) {
        #line 2 "names.events"
        ftrace_write("arguments " "%d %d %d %d %d %d %d %d %d %d" "\n", type, fn, self, Self, crate, super, _, gen, size, len);
        #line 54 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 2 "names.events"
            qemu_log("arguments " "%d %d %d %d %d %d %d %d %d %d" "\n", type, fn, self, Self, crate, super, _, gen, size, len);
            #line 58 "trace/trace-names.h"
        }
        _simple_trace_arguments(type, fn, self, Self, crate, super, _, gen, size, len);
        #line 2 "names.events"
        syslog(LOG_INFO, "arguments " "%d %d %d %d %d %d %d %d %d %d", type, fn, self, Self, crate, super, _, gen, size, len);
        #line 63 "trace/trace-names.h"
    }
}

/* prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option) "%d %d %d %d %d %d %d" */
extern TraceEvent _TRACE_PRELUDE_EVENT;
extern uint16_t _TRACE_PRELUDE_DSTATE;
#define TRACE_PRELUDE_ENABLED 1
#define TRACE_PRELUDE_BACKEND_DSTATE() ( \
    QEMU_PRELUDE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_PRELUDE) || \
    trace_event_get_state_dynamic_by_id(TRACE_PRELUDE) || \
    trace_event_get_state_dynamic_by_id(TRACE_PRELUDE) || \
    trace_event_get_state_dynamic_by_id(TRACE_PRELUDE) || \
    tracepoint_enabled(qemu, prelude) || \
    false)
#ifndef QEMU_PRELUDE_ENABLED
#define QEMU_PRELUDE_ENABLED() true
#endif
void _simple_trace_prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option);

static inline void trace_prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option)
{
    QEMU_PRELUDE(None, Some, Ok, Err, u64, str, Option);
    tracepoint(qemu, prelude, None, Some, Ok, Err, u64, str, Option);
    if (trace_event_get_state(TRACE_PRELUDE)) {
        #line 3 "names.events"
        ftrace_write("prelude " "%d %d %d %d %d %d %d" "\n", None, Some, Ok, Err, u64, str, Option);
        #line 91 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "names.events"
            qemu_log("prelude " "%d %d %d %d %d %d %d" "\n", None, Some, Ok, Err, u64, str, Option);
            #line 95 "trace/trace-names.h"
        }
        _simple_trace_prelude(None, Some, Ok, Err, u64, str, Option);
        #line 3 "names.events"
        syslog(LOG_INFO, "prelude " "%d %d %d %d %d %d %d", None, Some, Ok, Err, u64, str, Option);
        #line 100 "trace/trace-names.h"
    }
}

/* bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core) "%d %d %d %d %d %d %d %d" */
extern TraceEvent _TRACE_BODIES_EVENT;
extern uint16_t _TRACE_BODIES_DSTATE;
#define TRACE_BODIES_ENABLED 1
#define TRACE_BODIES_BACKEND_DSTATE() ( \
    QEMU_BODIES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_BODIES) || \
    trace_event_get_state_dynamic_by_id(TRACE_BODIES) || \
    trace_event_get_state_dynamic_by_id(TRACE_BODIES) || \
    trace_event_get_state_dynamic_by_id(TRACE_BODIES) || \
    tracepoint_enabled(qemu, bodies) || \
    false)
#ifndef QEMU_BODIES_ENABLED
#define QEMU_BODIES_ENABLED() true
#endif
void _simple_trace_bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core);

static inline void trace_bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core)
{
    QEMU_BODIES(emit, emit_, events, macros, trace, record, ringtrace, core);
    tracepoint(qemu, bodies, emit, emit_, events, macros, trace, record, ringtrace, core);
    if (trace_event_get_state(TRACE_BODIES)) {
        #line 4 "names.events"
        ftrace_write("bodies " "%d %d %d %d %d %d %d %d" "\n", emit, emit_, events, macros, trace, record, ringtrace, core);
        #line 128 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "names.events"
            qemu_log("bodies " "%d %d %d %d %d %d %d %d" "\n", emit, emit_, events, macros, trace, record, ringtrace, core);
            #line 132 "trace/trace-names.h"
        }
        _simple_trace_bodies(emit, emit_, events, macros, trace, record, ringtrace, core);
        #line 4 "names.events"
        syslog(LOG_INFO, "bodies " "%d %d %d %d %d %d %d %d", emit, emit_, events, macros, trace, record, ringtrace, core);
        #line 137 "trace/trace-names.h"
    }
}

/* probes(int probes, int bodies, int GROUP, int ENTER, int event) "%d %d %d %d %d" */
extern TraceEvent _TRACE_PROBES_EVENT;
extern uint16_t _TRACE_PROBES_DSTATE;
#define TRACE_PROBES_ENABLED 1
#define TRACE_PROBES_BACKEND_DSTATE() ( \
    QEMU_PROBES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_PROBES) || \
    trace_event_get_state_dynamic_by_id(TRACE_PROBES) || \
    trace_event_get_state_dynamic_by_id(TRACE_PROBES) || \
    trace_event_get_state_dynamic_by_id(TRACE_PROBES) || \
    tracepoint_enabled(qemu, probes) || \
    false)
#ifndef QEMU_PROBES_ENABLED
#define QEMU_PROBES_ENABLED() true
#endif
void _simple_trace_probes(int probes, int bodies, int GROUP, int ENTER, int event);

static inline void trace_probes(int probes, int bodies, int GROUP, int ENTER, int event)
{
    QEMU_PROBES(probes, bodies, GROUP, ENTER, event);
    tracepoint(qemu, probes, probes, bodies, GROUP, ENTER, event);
    if (trace_event_get_state(TRACE_PROBES)) {
        #line 5 "names.events"
        ftrace_write("probes " "%d %d %d %d %d" "\n", probes, bodies, GROUP, ENTER, event);
        #line 165 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "names.events"
            qemu_log("probes " "%d %d %d %d %d" "\n", probes, bodies, GROUP, ENTER, event);
            #line 169 "trace/trace-names.h"
        }
        _simple_trace_probes(probes, bodies, GROUP, ENTER, event);
        #line 5 "names.events"
        syslog(LOG_INFO, "probes " "%d %d %d %d %d", probes, bodies, GROUP, ENTER, event);
        #line 174 "trace/trace-names.h"
    }
}

/* twice(int a, int a, int a_) "%d %d %d" */
extern TraceEvent _TRACE_TWICE_EVENT;
extern uint16_t _TRACE_TWICE_DSTATE;
#define TRACE_TWICE_ENABLED 1
#define TRACE_TWICE_BACKEND_DSTATE() ( \
    QEMU_TWICE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_TWICE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TWICE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TWICE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TWICE) || \
    tracepoint_enabled(qemu, twice) || \
    false)
#ifndef QEMU_TWICE_ENABLED
#define QEMU_TWICE_ENABLED() true
#endif
void _simple_trace_twice(int a, int a__, int a_);

static inline void trace_twice(int a, int a__, int a_)
{
    QEMU_TWICE(a, a__, a_);
    tracepoint(qemu, twice, a, a__, a_);
    if (trace_event_get_state(TRACE_TWICE)) {
        #line 6 "names.events"
        ftrace_write("twice " "%d %d %d" "\n", a, a__, a_);
        #line 202 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "names.events"
            qemu_log("twice " "%d %d %d" "\n", a, a__, a_);
            #line 206 "trace/trace-names.h"
        }
        _simple_trace_twice(a, a__, a_);
        #line 6 "names.events"
        syslog(LOG_INFO, "twice " "%d %d %d", a, a__, a_);
        #line 211 "trace/trace-names.h"
    }
}

/* type(int type) "%d" */
extern TraceEvent _TRACE_TYPE_EVENT;
extern uint16_t _TRACE_TYPE_DSTATE;
#define TRACE_TYPE_ENABLED 1
#define TRACE_TYPE_BACKEND_DSTATE() ( \
    QEMU_TYPE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_TYPE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TYPE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TYPE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TYPE) || \
    tracepoint_enabled(qemu, type) || \
    false)
#ifndef QEMU_TYPE_ENABLED
#define QEMU_TYPE_ENABLED() true
#endif
void _simple_trace_type(int type);

static inline void trace_type(int type)
{
    QEMU_TYPE(type);
    tracepoint(qemu, type, type);
    if (trace_event_get_state(TRACE_TYPE)) {
        #line 7 "names.events"
        ftrace_write("type " "%d" "\n", type);
        #line 239 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 7 "names.events"
            qemu_log("type " "%d" "\n", type);
            #line 243 "trace/trace-names.h"
        }
        _simple_trace_type(type);
        #line 7 "names.events"
        syslog(LOG_INFO, "type " "%d", type);
        #line 248 "trace/trace-names.h"
    }
}

/* fn(int x) "%d" */
extern TraceEvent _TRACE_FN_EVENT;
extern uint16_t _TRACE_FN_DSTATE;
#define TRACE_FN_ENABLED 1
#define TRACE_FN_BACKEND_DSTATE() ( \
    QEMU_FN_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_FN) || \
    trace_event_get_state_dynamic_by_id(TRACE_FN) || \
    trace_event_get_state_dynamic_by_id(TRACE_FN) || \
    trace_event_get_state_dynamic_by_id(TRACE_FN) || \
    tracepoint_enabled(qemu, fn) || \
    false)
#ifndef QEMU_FN_ENABLED
#define QEMU_FN_ENABLED() true
#endif
void _simple_trace_fn(int x);

static inline void trace_fn(int x)
{
    QEMU_FN(x);
    tracepoint(qemu, fn, x);
    if (trace_event_get_state(TRACE_FN)) {
        #line 8 "names.events"
        ftrace_write("fn " "%d" "\n", x);
        #line 276 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "names.events"
            qemu_log("fn " "%d" "\n", x);
            #line 280 "trace/trace-names.h"
        }
        _simple_trace_fn(x);
        #line 8 "names.events"
        syslog(LOG_INFO, "fn " "%d", x);
        #line 285 "trace/trace-names.h"
    }
}

/* self(int x) "%d" */
extern TraceEvent _TRACE_SELF_EVENT;
extern uint16_t _TRACE_SELF_DSTATE;
#define TRACE_SELF_ENABLED 1
#define TRACE_SELF_BACKEND_DSTATE() ( \
    QEMU_SELF_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SELF) || \
    trace_event_get_state_dynamic_by_id(TRACE_SELF) || \
    trace_event_get_state_dynamic_by_id(TRACE_SELF) || \
    trace_event_get_state_dynamic_by_id(TRACE_SELF) || \
    tracepoint_enabled(qemu, self) || \
    false)
#ifndef QEMU_SELF_ENABLED
#define QEMU_SELF_ENABLED() true
#endif
void _simple_trace_self(int x);

static inline void trace_self(int x)
{
    QEMU_SELF(x);
    tracepoint(qemu, self, x);
    if (trace_event_get_state(TRACE_SELF)) {
        #line 9 "names.events"
        ftrace_write("self " "%d" "\n", x);
        #line 313 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "names.events"
            qemu_log("self " "%d" "\n", x);
            #line 317 "trace/trace-names.h"
        }
        _simple_trace_self(x);
        #line 9 "names.events"
        syslog(LOG_INFO, "self " "%d", x);
        #line 322 "trace/trace-names.h"
    }
}

/* Self(int x) "%d" */
extern TraceEvent _TRACE_SELF_EVENT;
extern uint16_t _TRACE_SELF_DSTATE;
#define TRACE_SELF_ENABLED 1
#define TRACE_SELF_BACKEND_DSTATE() ( \
    QEMU_SELF_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SELF) || \
    trace_event_get_state_dynamic_by_id(TRACE_SELF) || \
    trace_event_get_state_dynamic_by_id(TRACE_SELF) || \
    trace_event_get_state_dynamic_by_id(TRACE_SELF) || \
    tracepoint_enabled(qemu, Self) || \
    false)
#ifndef QEMU_SELF_ENABLED
#define QEMU_SELF_ENABLED() true
#endif
void _simple_trace_Self(int x);

static inline void trace_Self(int x)
{
    QEMU_SELF(x);
    tracepoint(qemu, Self, x);
    if (trace_event_get_state(TRACE_SELF)) {
        #line 10 "names.events"
        ftrace_write("Self " "%d" "\n", x);
        #line 350 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 10 "names.events"
            qemu_log("Self " "%d" "\n", x);
            #line 354 "trace/trace-names.h"
        }
        _simple_trace_Self(x);
        #line 10 "names.events"
        syslog(LOG_INFO, "Self " "%d", x);
        #line 359 "trace/trace-names.h"
    }
}

/* crate(int x) "%d" */
extern TraceEvent _TRACE_CRATE_EVENT;
extern uint16_t _TRACE_CRATE_DSTATE;
#define TRACE_CRATE_ENABLED 1
#define TRACE_CRATE_BACKEND_DSTATE() ( \
    QEMU_CRATE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_CRATE) || \
    trace_event_get_state_dynamic_by_id(TRACE_CRATE) || \
    trace_event_get_state_dynamic_by_id(TRACE_CRATE) || \
    trace_event_get_state_dynamic_by_id(TRACE_CRATE) || \
    tracepoint_enabled(qemu, crate) || \
    false)
#ifndef QEMU_CRATE_ENABLED
#define QEMU_CRATE_ENABLED() true
#endif
void _simple_trace_crate(int x);

static inline void trace_crate(int x)
{
    QEMU_CRATE(x);
    tracepoint(qemu, crate, x);
    if (trace_event_get_state(TRACE_CRATE)) {
        #line 11 "names.events"
        ftrace_write("crate " "%d" "\n", x);
        #line 387 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 11 "names.events"
            qemu_log("crate " "%d" "\n", x);
            #line 391 "trace/trace-names.h"
        }
        _simple_trace_crate(x);
        #line 11 "names.events"
        syslog(LOG_INFO, "crate " "%d", x);
        #line 396 "trace/trace-names.h"
    }
}

/* _(int x) "%d" */
extern TraceEvent _TRACE___EVENT;
extern uint16_t _TRACE___DSTATE;
#define TRACE___ENABLED 1
#define TRACE___BACKEND_DSTATE() ( \
    QEMU___ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE__) || \
    trace_event_get_state_dynamic_by_id(TRACE__) || \
    trace_event_get_state_dynamic_by_id(TRACE__) || \
    trace_event_get_state_dynamic_by_id(TRACE__) || \
    tracepoint_enabled(qemu, _) || \
    false)
#ifndef QEMU___ENABLED
#define QEMU___ENABLED() true
#endif
void _simple_trace__(int x);

static inline void trace__(int x)
{
    QEMU__(x);
    tracepoint(qemu, _, x);
    if (trace_event_get_state(TRACE__)) {
        #line 12 "names.events"
        ftrace_write("_ " "%d" "\n", x);
        #line 424 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 12 "names.events"
            qemu_log("_ " "%d" "\n", x);
            #line 428 "trace/trace-names.h"
        }
        _simple_trace__(x);
        #line 12 "names.events"
        syslog(LOG_INFO, "_ " "%d", x);
        #line 433 "trace/trace-names.h"
    }
}

/* 9p(int x) "%d" */
extern TraceEvent _TRACE_9P_EVENT;
extern uint16_t _TRACE_9P_DSTATE;
#define TRACE_9P_ENABLED 1
#define TRACE_9P_BACKEND_DSTATE() ( \
    QEMU_9P_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_9P) || \
    trace_event_get_state_dynamic_by_id(TRACE_9P) || \
    trace_event_get_state_dynamic_by_id(TRACE_9P) || \
    trace_event_get_state_dynamic_by_id(TRACE_9P) || \
    tracepoint_enabled(qemu, 9p) || \
    false)
#ifndef QEMU_9P_ENABLED
#define QEMU_9P_ENABLED() true
#endif
void _simple_trace_9p(int x);

static inline void trace_9p(int x)
{
    QEMU_9P(x);
    tracepoint(qemu, 9p, x);
    if (trace_event_get_state(TRACE_9P)) {
        #line 13 "names.events"
        ftrace_write("9p " "%d" "\n", x);
        #line 461 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 13 "names.events"
            qemu_log("9p " "%d" "\n", x);
            #line 465 "trace/trace-names.h"
        }
        _simple_trace_9p(x);
        #line 13 "names.events"
        syslog(LOG_INFO, "9p " "%d", x);
        #line 470 "trace/trace-names.h"
    }
}

/* Some(int x) "%d" */
extern TraceEvent _TRACE_SOME_EVENT;
extern uint16_t _TRACE_SOME_DSTATE;
#define TRACE_SOME_ENABLED 1
#define TRACE_SOME_BACKEND_DSTATE() ( \
    QEMU_SOME_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SOME) || \
    trace_event_get_state_dynamic_by_id(TRACE_SOME) || \
    trace_event_get_state_dynamic_by_id(TRACE_SOME) || \
    trace_event_get_state_dynamic_by_id(TRACE_SOME) || \
    tracepoint_enabled(qemu, Some) || \
    false)
#ifndef QEMU_SOME_ENABLED
#define QEMU_SOME_ENABLED() true
#endif
void _simple_trace_Some(int x);

static inline void trace_Some(int x)
{
    QEMU_SOME(x);
    tracepoint(qemu, Some, x);
    if (trace_event_get_state(TRACE_SOME)) {
        #line 14 "names.events"
        ftrace_write("Some " "%d" "\n", x);
        #line 498 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 14 "names.events"
            qemu_log("Some " "%d" "\n", x);
            #line 502 "trace/trace-names.h"
        }
        _simple_trace_Some(x);
        #line 14 "names.events"
        syslog(LOG_INFO, "Some " "%d", x);
        #line 507 "trace/trace-names.h"
    }
}

/* None(int x) "%d" */
extern TraceEvent _TRACE_NONE_EVENT;
extern uint16_t _TRACE_NONE_DSTATE;
#define TRACE_NONE_ENABLED 1
#define TRACE_NONE_BACKEND_DSTATE() ( \
    QEMU_NONE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_NONE) || \
    trace_event_get_state_dynamic_by_id(TRACE_NONE) || \
    trace_event_get_state_dynamic_by_id(TRACE_NONE) || \
    trace_event_get_state_dynamic_by_id(TRACE_NONE) || \
    tracepoint_enabled(qemu, None) || \
    false)
#ifndef QEMU_NONE_ENABLED
#define QEMU_NONE_ENABLED() true
#endif
void _simple_trace_None(int x);

static inline void trace_None(int x)
{
    QEMU_NONE(x);
    tracepoint(qemu, None, x);
    if (trace_event_get_state(TRACE_NONE)) {
        #line 15 "names.events"
        ftrace_write("None " "%d" "\n", x);
        #line 535 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 15 "names.events"
            qemu_log("None " "%d" "\n", x);
            #line 539 "trace/trace-names.h"
        }
        _simple_trace_None(x);
        #line 15 "names.events"
        syslog(LOG_INFO, "None " "%d", x);
        #line 544 "trace/trace-names.h"
    }
}

/* UPPER(int X) "%d" */
extern TraceEvent _TRACE_UPPER_EVENT;
extern uint16_t _TRACE_UPPER_DSTATE;
#define TRACE_UPPER_ENABLED 1
#define TRACE_UPPER_BACKEND_DSTATE() ( \
    QEMU_UPPER_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_UPPER) || \
    trace_event_get_state_dynamic_by_id(TRACE_UPPER) || \
    trace_event_get_state_dynamic_by_id(TRACE_UPPER) || \
    trace_event_get_state_dynamic_by_id(TRACE_UPPER) || \
    tracepoint_enabled(qemu, UPPER) || \
    false)
#ifndef QEMU_UPPER_ENABLED
#define QEMU_UPPER_ENABLED() true
#endif
void _simple_trace_UPPER(int X);

static inline void trace_UPPER(int X)
{
    QEMU_UPPER(X);
    tracepoint(qemu, UPPER, X);
    if (trace_event_get_state(TRACE_UPPER)) {
        #line 16 "names.events"
        ftrace_write("UPPER " "%d" "\n", X);
        #line 572 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 16 "names.events"
            qemu_log("UPPER " "%d" "\n", X);
            #line 576 "trace/trace-names.h"
        }
        _simple_trace_UPPER(X);
        #line 16 "names.events"
        syslog(LOG_INFO, "UPPER " "%d", X);
        #line 581 "trace/trace-names.h"
    }
}

/* mixedCase(int argumentToo) "%d" */
extern TraceEvent _TRACE_MIXEDCASE_EVENT;
extern uint16_t _TRACE_MIXEDCASE_DSTATE;
#define TRACE_MIXEDCASE_ENABLED 1
#define TRACE_MIXEDCASE_BACKEND_DSTATE() ( \
    QEMU_MIXEDCASE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_MIXEDCASE) || \
    trace_event_get_state_dynamic_by_id(TRACE_MIXEDCASE) || \
    trace_event_get_state_dynamic_by_id(TRACE_MIXEDCASE) || \
    trace_event_get_state_dynamic_by_id(TRACE_MIXEDCASE) || \
    tracepoint_enabled(qemu, mixedCase) || \
    false)
#ifndef QEMU_MIXEDCASE_ENABLED
#define QEMU_MIXEDCASE_ENABLED() true
#endif
void _simple_trace_mixedCase(int argumentToo);

static inline void trace_mixedCase(int argumentToo)
{
    QEMU_MIXEDCASE(argumentToo);
    tracepoint(qemu, mixedCase, argumentToo);
    if (trace_event_get_state(TRACE_MIXEDCASE)) {
        #line 17 "names.events"
        ftrace_write("mixedCase " "%d" "\n", argumentToo);
        #line 609 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 17 "names.events"
            qemu_log("mixedCase " "%d" "\n", argumentToo);
            #line 613 "trace/trace-names.h"
        }
        _simple_trace_mixedCase(argumentToo);
        #line 17 "names.events"
        syslog(LOG_INFO, "mixedCase " "%d", argumentToo);
        #line 618 "trace/trace-names.h"
    }
}

/* _x(int x) "%d" */
extern TraceEvent _TRACE__X_EVENT;
extern uint16_t _TRACE__X_DSTATE;
#define TRACE__X_ENABLED 1
#define TRACE__X_BACKEND_DSTATE() ( \
    QEMU__X_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE__X) || \
    trace_event_get_state_dynamic_by_id(TRACE__X) || \
    trace_event_get_state_dynamic_by_id(TRACE__X) || \
    trace_event_get_state_dynamic_by_id(TRACE__X) || \
    tracepoint_enabled(qemu, _x) || \
    false)
#ifndef QEMU__X_ENABLED
#define QEMU__X_ENABLED() true
#endif
void _simple_trace__x(int x);

static inline void trace__x(int x)
{
    QEMU__X(x);
    tracepoint(qemu, _x, x);
    if (trace_event_get_state(TRACE__X)) {
        #line 18 "names.events"
        ftrace_write("_x " "%d" "\n", x);
        #line 646 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 18 "names.events"
            qemu_log("_x " "%d" "\n", x);
            #line 650 "trace/trace-names.h"
        }
        _simple_trace__x(x);
        #line 18 "names.events"
        syslog(LOG_INFO, "_x " "%d", x);
        #line 655 "trace/trace-names.h"
    }
}

/* __x(int x) "%d" */
extern TraceEvent _TRACE___X_EVENT;
extern uint16_t _TRACE___X_DSTATE;
#define TRACE___X_ENABLED 1
#define TRACE___X_BACKEND_DSTATE() ( \
    QEMU__X_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE___X) || \
    trace_event_get_state_dynamic_by_id(TRACE___X) || \
    trace_event_get_state_dynamic_by_id(TRACE___X) || \
    trace_event_get_state_dynamic_by_id(TRACE___X) || \
    tracepoint_enabled(qemu, __x) || \
    false)
#ifndef QEMU__X_ENABLED
#define QEMU__X_ENABLED() true
#endif
void _simple_trace___x(int x);

static inline void trace___x(int x)
{
    QEMU__X(x);
    tracepoint(qemu, __x, x);
    if (trace_event_get_state(TRACE___X)) {
        #line 19 "names.events"
        ftrace_write("__x " "%d" "\n", x);
        #line 683 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 19 "names.events"
            qemu_log("__x " "%d" "\n", x);
            #line 687 "trace/trace-names.h"
        }
        _simple_trace___x(x);
        #line 19 "names.events"
        syslog(LOG_INFO, "__x " "%d", x);
        #line 692 "trace/trace-names.h"
    }
}

/* x(int x) "%d" */
extern TraceEvent _TRACE_X_EVENT;
extern uint16_t _TRACE_X_DSTATE;
#define TRACE_X_ENABLED 1
#define TRACE_X_BACKEND_DSTATE() ( \
    QEMU_X_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_X) || \
    trace_event_get_state_dynamic_by_id(TRACE_X) || \
    trace_event_get_state_dynamic_by_id(TRACE_X) || \
    trace_event_get_state_dynamic_by_id(TRACE_X) || \
    tracepoint_enabled(qemu, x) || \
    false)
#ifndef QEMU_X_ENABLED
#define QEMU_X_ENABLED() true
#endif
void _simple_trace_x(int x);

static inline void trace_x(int x)
{
    QEMU_X(x);
    tracepoint(qemu, x, x);
    if (trace_event_get_state(TRACE_X)) {
        #line 20 "names.events"
        ftrace_write("x " "%d" "\n", x);
        #line 720 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 20 "names.events"
            qemu_log("x " "%d" "\n", x);
            #line 724 "trace/trace-names.h"
        }
        _simple_trace_x(x);
        #line 20 "names.events"
        syslog(LOG_INFO, "x " "%d", x);
        #line 729 "trace/trace-names.h"
    }
}

/* emit(int x) "%d" */
extern TraceEvent _TRACE_EMIT_EVENT;
extern uint16_t _TRACE_EMIT_DSTATE;
#define TRACE_EMIT_ENABLED 1
#define TRACE_EMIT_BACKEND_DSTATE() ( \
    QEMU_EMIT_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_EMIT) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMIT) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMIT) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMIT) || \
    tracepoint_enabled(qemu, emit) || \
    false)
#ifndef QEMU_EMIT_ENABLED
#define QEMU_EMIT_ENABLED() true
#endif
void _simple_trace_emit(int x);

static inline void trace_emit(int x)
{
    QEMU_EMIT(x);
    tracepoint(qemu, emit, x);
    if (trace_event_get_state(TRACE_EMIT)) {
        #line 21 "names.events"
        ftrace_write("emit " "%d" "\n", x);
        #line 757 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 21 "names.events"
            qemu_log("emit " "%d" "\n", x);
            #line 761 "trace/trace-names.h"
        }
        _simple_trace_emit(x);
        #line 21 "names.events"
        syslog(LOG_INFO, "emit " "%d", x);
        #line 766 "trace/trace-names.h"
    }
}

/* emit_x(int x) "%d" */
extern TraceEvent _TRACE_EMIT_X_EVENT;
extern uint16_t _TRACE_EMIT_X_DSTATE;
#define TRACE_EMIT_X_ENABLED 1
#define TRACE_EMIT_X_BACKEND_DSTATE() ( \
    QEMU_EMIT_X_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_EMIT_X) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMIT_X) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMIT_X) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMIT_X) || \
    tracepoint_enabled(qemu, emit_x) || \
    false)
#ifndef QEMU_EMIT_X_ENABLED
#define QEMU_EMIT_X_ENABLED() true
#endif
void _simple_trace_emit_x(int x);

static inline void trace_emit_x(int x)
{
    QEMU_EMIT_X(x);
    tracepoint(qemu, emit_x, x);
    if (trace_event_get_state(TRACE_EMIT_X)) {
        #line 22 "names.events"
        ftrace_write("emit_x " "%d" "\n", x);
        #line 794 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 22 "names.events"
            qemu_log("emit_x " "%d" "\n", x);
            #line 798 "trace/trace-names.h"
        }
        _simple_trace_emit_x(x);
        #line 22 "names.events"
        syslog(LOG_INFO, "emit_x " "%d", x);
        #line 803 "trace/trace-names.h"
    }
}

/* events(int x) "%d" */
extern TraceEvent _TRACE_EVENTS_EVENT;
extern uint16_t _TRACE_EVENTS_DSTATE;
#define TRACE_EVENTS_ENABLED 1
#define TRACE_EVENTS_BACKEND_DSTATE() ( \
    QEMU_EVENTS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_EVENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVENTS) || \
    tracepoint_enabled(qemu, events) || \
    false)
#ifndef QEMU_EVENTS_ENABLED
#define QEMU_EVENTS_ENABLED() true
#endif
void _simple_trace_events(int x);

static inline void trace_events(int x)
{
    QEMU_EVENTS(x);
    tracepoint(qemu, events, x);
    if (trace_event_get_state(TRACE_EVENTS)) {
        #line 23 "names.events"
        ftrace_write("events " "%d" "\n", x);
        #line 831 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 23 "names.events"
            qemu_log("events " "%d" "\n", x);
            #line 835 "trace/trace-names.h"
        }
        _simple_trace_events(x);
        #line 23 "names.events"
        syslog(LOG_INFO, "events " "%d", x);
        #line 840 "trace/trace-names.h"
    }
}

/* macros(int x) "%d" */
extern TraceEvent _TRACE_MACROS_EVENT;
extern uint16_t _TRACE_MACROS_DSTATE;
#define TRACE_MACROS_ENABLED 1
#define TRACE_MACROS_BACKEND_DSTATE() ( \
    QEMU_MACROS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS) || \
    tracepoint_enabled(qemu, macros) || \
    false)
#ifndef QEMU_MACROS_ENABLED
#define QEMU_MACROS_ENABLED() true
#endif
void _simple_trace_macros(int x);

static inline void trace_macros(int x)
{
    QEMU_MACROS(x);
    tracepoint(qemu, macros, x);
    if (trace_event_get_state(TRACE_MACROS)) {
        #line 24 "names.events"
        ftrace_write("macros " "%d" "\n", x);
        #line 868 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 24 "names.events"
            qemu_log("macros " "%d" "\n", x);
            #line 872 "trace/trace-names.h"
        }
        _simple_trace_macros(x);
        #line 24 "names.events"
        syslog(LOG_INFO, "macros " "%d", x);
        #line 877 "trace/trace-names.h"
    }
}

/* trace(int x) "%d" */
extern TraceEvent _TRACE_TRACE_EVENT;
extern uint16_t _TRACE_TRACE_DSTATE;
#define TRACE_TRACE_ENABLED 1
#define TRACE_TRACE_BACKEND_DSTATE() ( \
    QEMU_TRACE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_TRACE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRACE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRACE) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRACE) || \
    tracepoint_enabled(qemu, trace) || \
    false)
#ifndef QEMU_TRACE_ENABLED
#define QEMU_TRACE_ENABLED() true
#endif
void _simple_trace_trace(int x);

static inline void trace_trace(int x)
{
    QEMU_TRACE(x);
    tracepoint(qemu, trace, x);
    if (trace_event_get_state(TRACE_TRACE)) {
        #line 25 "names.events"
        ftrace_write("trace " "%d" "\n", x);
        #line 905 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 25 "names.events"
            qemu_log("trace " "%d" "\n", x);
            #line 909 "trace/trace-names.h"
        }
        _simple_trace_trace(x);
        #line 25 "names.events"
        syslog(LOG_INFO, "trace " "%d", x);
        #line 914 "trace/trace-names.h"
    }
}

/* core(int x) "%d" */
extern TraceEvent _TRACE_CORE_EVENT;
extern uint16_t _TRACE_CORE_DSTATE;
#define TRACE_CORE_ENABLED 1
#define TRACE_CORE_BACKEND_DSTATE() ( \
    QEMU_CORE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_CORE) || \
    trace_event_get_state_dynamic_by_id(TRACE_CORE) || \
    trace_event_get_state_dynamic_by_id(TRACE_CORE) || \
    trace_event_get_state_dynamic_by_id(TRACE_CORE) || \
    tracepoint_enabled(qemu, core) || \
    false)
#ifndef QEMU_CORE_ENABLED
#define QEMU_CORE_ENABLED() true
#endif
void _simple_trace_core(int x);

static inline void trace_core(int x)
{
    QEMU_CORE(x);
    tracepoint(qemu, core, x);
    if (trace_event_get_state(TRACE_CORE)) {
        #line 26 "names.events"
        ftrace_write("core " "%d" "\n", x);
        #line 942 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 26 "names.events"
            qemu_log("core " "%d" "\n", x);
            #line 946 "trace/trace-names.h"
        }
        _simple_trace_core(x);
        #line 26 "names.events"
        syslog(LOG_INFO, "core " "%d", x);
        #line 951 "trace/trace-names.h"
    }
}

/* ringtrace(int x) "%d" */
extern TraceEvent _TRACE_RINGTRACE_EVENT;
extern uint16_t _TRACE_RINGTRACE_DSTATE;
#define TRACE_RINGTRACE_ENABLED 1
#define TRACE_RINGTRACE_BACKEND_DSTATE() ( \
    QEMU_RINGTRACE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_RINGTRACE) || \
    trace_event_get_state_dynamic_by_id(TRACE_RINGTRACE) || \
    trace_event_get_state_dynamic_by_id(TRACE_RINGTRACE) || \
    trace_event_get_state_dynamic_by_id(TRACE_RINGTRACE) || \
    tracepoint_enabled(qemu, ringtrace) || \
    false)
#ifndef QEMU_RINGTRACE_ENABLED
#define QEMU_RINGTRACE_ENABLED() true
#endif
void _simple_trace_ringtrace(int x);

static inline void trace_ringtrace(int x)
{
    QEMU_RINGTRACE(x);
    tracepoint(qemu, ringtrace, x);
    if (trace_event_get_state(TRACE_RINGTRACE)) {
        #line 27 "names.events"
        ftrace_write("ringtrace " "%d" "\n", x);
        #line 979 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 27 "names.events"
            qemu_log("ringtrace " "%d" "\n", x);
            #line 983 "trace/trace-names.h"
        }
        _simple_trace_ringtrace(x);
        #line 27 "names.events"
        syslog(LOG_INFO, "ringtrace " "%d", x);
        #line 988 "trace/trace-names.h"
    }
}

/* main(int x) "%d" */
extern TraceEvent _TRACE_MAIN_EVENT;
extern uint16_t _TRACE_MAIN_DSTATE;
#define TRACE_MAIN_ENABLED 1
#define TRACE_MAIN_BACKEND_DSTATE() ( \
    QEMU_MAIN_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_MAIN) || \
    trace_event_get_state_dynamic_by_id(TRACE_MAIN) || \
    trace_event_get_state_dynamic_by_id(TRACE_MAIN) || \
    trace_event_get_state_dynamic_by_id(TRACE_MAIN) || \
    tracepoint_enabled(qemu, main) || \
    false)
#ifndef QEMU_MAIN_ENABLED
#define QEMU_MAIN_ENABLED() true
#endif
void _simple_trace_main(int x);

static inline void trace_main(int x)
{
    QEMU_MAIN(x);
    tracepoint(qemu, main, x);
    if (trace_event_get_state(TRACE_MAIN)) {
        #line 28 "names.events"
        ftrace_write("main " "%d" "\n", x);
        #line 1016 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 28 "names.events"
            qemu_log("main " "%d" "\n", x);
            #line 1020 "trace/trace-names.h"
        }
        _simple_trace_main(x);
        #line 28 "names.events"
        syslog(LOG_INFO, "main " "%d", x);
        #line 1025 "trace/trace-names.h"
    }
}

/* GROUP(int x) "%d" */
extern TraceEvent _TRACE_GROUP_EVENT;
extern uint16_t _TRACE_GROUP_DSTATE;
#define TRACE_GROUP_ENABLED 1
#define TRACE_GROUP_BACKEND_DSTATE() ( \
    QEMU_GROUP_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_GROUP) || \
    trace_event_get_state_dynamic_by_id(TRACE_GROUP) || \
    trace_event_get_state_dynamic_by_id(TRACE_GROUP) || \
    trace_event_get_state_dynamic_by_id(TRACE_GROUP) || \
    tracepoint_enabled(qemu, GROUP) || \
    false)
#ifndef QEMU_GROUP_ENABLED
#define QEMU_GROUP_ENABLED() true
#endif
void _simple_trace_GROUP(int x);

static inline void trace_GROUP(int x)
{
    QEMU_GROUP(x);
    tracepoint(qemu, GROUP, x);
    if (trace_event_get_state(TRACE_GROUP)) {
        #line 29 "names.events"
        ftrace_write("GROUP " "%d" "\n", x);
        #line 1053 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 29 "names.events"
            qemu_log("GROUP " "%d" "\n", x);
            #line 1057 "trace/trace-names.h"
        }
        _simple_trace_GROUP(x);
        #line 29 "names.events"
        syslog(LOG_INFO, "GROUP " "%d", x);
        #line 1062 "trace/trace-names.h"
    }
}

/* include(int x) "%d" */
extern TraceEvent _TRACE_INCLUDE_EVENT;
extern uint16_t _TRACE_INCLUDE_DSTATE;
#define TRACE_INCLUDE_ENABLED 1
#define TRACE_INCLUDE_BACKEND_DSTATE() ( \
    QEMU_INCLUDE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_INCLUDE) || \
    trace_event_get_state_dynamic_by_id(TRACE_INCLUDE) || \
    trace_event_get_state_dynamic_by_id(TRACE_INCLUDE) || \
    trace_event_get_state_dynamic_by_id(TRACE_INCLUDE) || \
    tracepoint_enabled(qemu, include) || \
    false)
#ifndef QEMU_INCLUDE_ENABLED
#define QEMU_INCLUDE_ENABLED() true
#endif
void _simple_trace_include(int x);

static inline void trace_include(int x)
{
    QEMU_INCLUDE(x);
    tracepoint(qemu, include, x);
    if (trace_event_get_state(TRACE_INCLUDE)) {
        #line 30 "names.events"
        ftrace_write("include " "%d" "\n", x);
        #line 1090 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 30 "names.events"
            qemu_log("include " "%d" "\n", x);
            #line 1094 "trace/trace-names.h"
        }
        _simple_trace_include(x);
        #line 30 "names.events"
        syslog(LOG_INFO, "include " "%d", x);
        #line 1099 "trace/trace-names.h"
    }
}

/* concat(int x) "%d" */
extern TraceEvent _TRACE_CONCAT_EVENT;
extern uint16_t _TRACE_CONCAT_DSTATE;
#define TRACE_CONCAT_ENABLED 1
#define TRACE_CONCAT_BACKEND_DSTATE() ( \
    QEMU_CONCAT_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_CONCAT) || \
    trace_event_get_state_dynamic_by_id(TRACE_CONCAT) || \
    trace_event_get_state_dynamic_by_id(TRACE_CONCAT) || \
    trace_event_get_state_dynamic_by_id(TRACE_CONCAT) || \
    tracepoint_enabled(qemu, concat) || \
    false)
#ifndef QEMU_CONCAT_ENABLED
#define QEMU_CONCAT_ENABLED() true
#endif
void _simple_trace_concat(int x);

static inline void trace_concat(int x)
{
    QEMU_CONCAT(x);
    tracepoint(qemu, concat, x);
    if (trace_event_get_state(TRACE_CONCAT)) {
        #line 31 "names.events"
        ftrace_write("concat " "%d" "\n", x);
        #line 1127 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 31 "names.events"
            qemu_log("concat " "%d" "\n", x);
            #line 1131 "trace/trace-names.h"
        }
        _simple_trace_concat(x);
        #line 31 "names.events"
        syslog(LOG_INFO, "concat " "%d", x);
        #line 1136 "trace/trace-names.h"
    }
}

/* env(int x) "%d" */
extern TraceEvent _TRACE_ENV_EVENT;
extern uint16_t _TRACE_ENV_DSTATE;
#define TRACE_ENV_ENABLED 1
#define TRACE_ENV_BACKEND_DSTATE() ( \
    QEMU_ENV_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_ENV) || \
    trace_event_get_state_dynamic_by_id(TRACE_ENV) || \
    trace_event_get_state_dynamic_by_id(TRACE_ENV) || \
    trace_event_get_state_dynamic_by_id(TRACE_ENV) || \
    tracepoint_enabled(qemu, env) || \
    false)
#ifndef QEMU_ENV_ENABLED
#define QEMU_ENV_ENABLED() true
#endif
void _simple_trace_env(int x);

static inline void trace_env(int x)
{
    QEMU_ENV(x);
    tracepoint(qemu, env, x);
    if (trace_event_get_state(TRACE_ENV)) {
        #line 32 "names.events"
        ftrace_write("env " "%d" "\n", x);
        #line 1164 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 32 "names.events"
            qemu_log("env " "%d" "\n", x);
            #line 1168 "trace/trace-names.h"
        }
        _simple_trace_env(x);
        #line 32 "names.events"
        syslog(LOG_INFO, "env " "%d", x);
        #line 1173 "trace/trace-names.h"
    }
}

/* println(int x) "%d" */
extern TraceEvent _TRACE_PRINTLN_EVENT;
extern uint16_t _TRACE_PRINTLN_DSTATE;
#define TRACE_PRINTLN_ENABLED 1
#define TRACE_PRINTLN_BACKEND_DSTATE() ( \
    QEMU_PRINTLN_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_PRINTLN) || \
    trace_event_get_state_dynamic_by_id(TRACE_PRINTLN) || \
    trace_event_get_state_dynamic_by_id(TRACE_PRINTLN) || \
    trace_event_get_state_dynamic_by_id(TRACE_PRINTLN) || \
    tracepoint_enabled(qemu, println) || \
    false)
#ifndef QEMU_PRINTLN_ENABLED
#define QEMU_PRINTLN_ENABLED() true
#endif
void _simple_trace_println(int x);

static inline void trace_println(int x)
{
    QEMU_PRINTLN(x);
    tracepoint(qemu, println, x);
    if (trace_event_get_state(TRACE_PRINTLN)) {
        #line 33 "names.events"
        ftrace_write("println " "%d" "\n", x);
        #line 1201 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 33 "names.events"
            qemu_log("println " "%d" "\n", x);
            #line 1205 "trace/trace-names.h"
        }
        _simple_trace_println(x);
        #line 33 "names.events"
        syslog(LOG_INFO, "println " "%d", x);
        #line 1210 "trace/trace-names.h"
    }
}

/* inline(int x) "%d" */
extern TraceEvent _TRACE_INLINE_EVENT;
extern uint16_t _TRACE_INLINE_DSTATE;
#define TRACE_INLINE_ENABLED 1
#define TRACE_INLINE_BACKEND_DSTATE() ( \
    QEMU_INLINE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_INLINE) || \
    trace_event_get_state_dynamic_by_id(TRACE_INLINE) || \
    trace_event_get_state_dynamic_by_id(TRACE_INLINE) || \
    trace_event_get_state_dynamic_by_id(TRACE_INLINE) || \
    tracepoint_enabled(qemu, inline) || \
    false)
#ifndef QEMU_INLINE_ENABLED
#define QEMU_INLINE_ENABLED() true
#endif
void _simple_trace_inline(int x);

static inline void trace_inline(int x)
{
    QEMU_INLINE(x);
    tracepoint(qemu, inline, x);
    if (trace_event_get_state(TRACE_INLINE)) {
        #line 34 "names.events"
        ftrace_write("inline " "%d" "\n", x);
        #line 1238 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 34 "names.events"
            qemu_log("inline " "%d" "\n", x);
            #line 1242 "trace/trace-names.h"
        }
        _simple_trace_inline(x);
        #line 34 "names.events"
        syslog(LOG_INFO, "inline " "%d", x);
        #line 1247 "trace/trace-names.h"
    }
}

/* allow(int x) "%d" */
extern TraceEvent _TRACE_ALLOW_EVENT;
extern uint16_t _TRACE_ALLOW_DSTATE;
#define TRACE_ALLOW_ENABLED 1
#define TRACE_ALLOW_BACKEND_DSTATE() ( \
    QEMU_ALLOW_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_ALLOW) || \
    trace_event_get_state_dynamic_by_id(TRACE_ALLOW) || \
    trace_event_get_state_dynamic_by_id(TRACE_ALLOW) || \
    trace_event_get_state_dynamic_by_id(TRACE_ALLOW) || \
    tracepoint_enabled(qemu, allow) || \
    false)
#ifndef QEMU_ALLOW_ENABLED
#define QEMU_ALLOW_ENABLED() true
#endif
void _simple_trace_allow(int x);

static inline void trace_allow(int x)
{
    QEMU_ALLOW(x);
    tracepoint(qemu, allow, x);
    if (trace_event_get_state(TRACE_ALLOW)) {
        #line 35 "names.events"
        ftrace_write("allow " "%d" "\n", x);
        #line 1275 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 35 "names.events"
            qemu_log("allow " "%d" "\n", x);
            #line 1279 "trace/trace-names.h"
        }
        _simple_trace_allow(x);
        #line 35 "names.events"
        syslog(LOG_INFO, "allow " "%d", x);
        #line 1284 "trace/trace-names.h"
    }
}

/* derive(int x) "%d" */
extern TraceEvent _TRACE_DERIVE_EVENT;
extern uint16_t _TRACE_DERIVE_DSTATE;
#define TRACE_DERIVE_ENABLED 1
#define TRACE_DERIVE_BACKEND_DSTATE() ( \
    QEMU_DERIVE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_DERIVE) || \
    trace_event_get_state_dynamic_by_id(TRACE_DERIVE) || \
    trace_event_get_state_dynamic_by_id(TRACE_DERIVE) || \
    trace_event_get_state_dynamic_by_id(TRACE_DERIVE) || \
    tracepoint_enabled(qemu, derive) || \
    false)
#ifndef QEMU_DERIVE_ENABLED
#define QEMU_DERIVE_ENABLED() true
#endif
void _simple_trace_derive(int x);

static inline void trace_derive(int x)
{
    QEMU_DERIVE(x);
    tracepoint(qemu, derive, x);
    if (trace_event_get_state(TRACE_DERIVE)) {
        #line 36 "names.events"
        ftrace_write("derive " "%d" "\n", x);
        #line 1312 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 36 "names.events"
            qemu_log("derive " "%d" "\n", x);
            #line 1316 "trace/trace-names.h"
        }
        _simple_trace_derive(x);
        #line 36 "names.events"
        syslog(LOG_INFO, "derive " "%d", x);
        #line 1321 "trace/trace-names.h"
    }
}

/* macro_rules(int x) "%d" */
extern TraceEvent _TRACE_MACRO_RULES_EVENT;
extern uint16_t _TRACE_MACRO_RULES_DSTATE;
#define TRACE_MACRO_RULES_ENABLED 1
#define TRACE_MACRO_RULES_BACKEND_DSTATE() ( \
    QEMU_MACRO_RULES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_MACRO_RULES) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACRO_RULES) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACRO_RULES) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACRO_RULES) || \
    tracepoint_enabled(qemu, macro_rules) || \
    false)
#ifndef QEMU_MACRO_RULES_ENABLED
#define QEMU_MACRO_RULES_ENABLED() true
#endif
void _simple_trace_macro_rules(int x);

static inline void trace_macro_rules(int x)
{
    QEMU_MACRO_RULES(x);
    tracepoint(qemu, macro_rules, x);
    if (trace_event_get_state(TRACE_MACRO_RULES)) {
        #line 37 "names.events"
        ftrace_write("macro_rules " "%d" "\n", x);
        #line 1349 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 37 "names.events"
            qemu_log("macro_rules " "%d" "\n", x);
            #line 1353 "trace/trace-names.h"
        }
        _simple_trace_macro_rules(x);
        #line 37 "names.events"
        syslog(LOG_INFO, "macro_rules " "%d", x);
        #line 1358 "trace/trace-names.h"
    }
}

/* group(int x) "%d" */
extern TraceEvent _TRACE_GROUP_EVENT;
extern uint16_t _TRACE_GROUP_DSTATE;
#define TRACE_GROUP_ENABLED 1
#define TRACE_GROUP_BACKEND_DSTATE() ( \
    QEMU_GROUP_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_GROUP) || \
    trace_event_get_state_dynamic_by_id(TRACE_GROUP) || \
    trace_event_get_state_dynamic_by_id(TRACE_GROUP) || \
    trace_event_get_state_dynamic_by_id(TRACE_GROUP) || \
    tracepoint_enabled(qemu, group) || \
    false)
#ifndef QEMU_GROUP_ENABLED
#define QEMU_GROUP_ENABLED() true
#endif
void _simple_trace_group(int x);

static inline void trace_group(int x)
{
    QEMU_GROUP(x);
    tracepoint(qemu, group, x);
    if (trace_event_get_state(TRACE_GROUP)) {
        #line 38 "names.events"
        ftrace_write("group " "%d" "\n", x);
        #line 1386 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 38 "names.events"
            qemu_log("group " "%d" "\n", x);
            #line 1390 "trace/trace-names.h"
        }
        _simple_trace_group(x);
        #line 38 "names.events"
        syslog(LOG_INFO, "group " "%d", x);
        #line 1395 "trace/trace-names.h"
    }
}

/* u64(int x) "%d" */
extern TraceEvent _TRACE_U64_EVENT;
extern uint16_t _TRACE_U64_DSTATE;
#define TRACE_U64_ENABLED 1
#define TRACE_U64_BACKEND_DSTATE() ( \
    QEMU_U64_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_U64) || \
    trace_event_get_state_dynamic_by_id(TRACE_U64) || \
    trace_event_get_state_dynamic_by_id(TRACE_U64) || \
    trace_event_get_state_dynamic_by_id(TRACE_U64) || \
    tracepoint_enabled(qemu, u64) || \
    false)
#ifndef QEMU_U64_ENABLED
#define QEMU_U64_ENABLED() true
#endif
void _simple_trace_u64(int x);

static inline void trace_u64(int x)
{
    QEMU_U64(x);
    tracepoint(qemu, u64, x);
    if (trace_event_get_state(TRACE_U64)) {
        #line 39 "names.events"
        ftrace_write("u64 " "%d" "\n", x);
        #line 1423 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 39 "names.events"
            qemu_log("u64 " "%d" "\n", x);
            #line 1427 "trace/trace-names.h"
        }
        _simple_trace_u64(x);
        #line 39 "names.events"
        syslog(LOG_INFO, "u64 " "%d", x);
        #line 1432 "trace/trace-names.h"
    }
}

/* str(int x) "%d" */
extern TraceEvent _TRACE_STR_EVENT;
extern uint16_t _TRACE_STR_DSTATE;
#define TRACE_STR_ENABLED 1
#define TRACE_STR_BACKEND_DSTATE() ( \
    QEMU_STR_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_STR) || \
    trace_event_get_state_dynamic_by_id(TRACE_STR) || \
    trace_event_get_state_dynamic_by_id(TRACE_STR) || \
    trace_event_get_state_dynamic_by_id(TRACE_STR) || \
    tracepoint_enabled(qemu, str) || \
    false)
#ifndef QEMU_STR_ENABLED
#define QEMU_STR_ENABLED() true
#endif
void _simple_trace_str(int x);

static inline void trace_str(int x)
{
    QEMU_STR(x);
    tracepoint(qemu, str, x);
    if (trace_event_get_state(TRACE_STR)) {
        #line 40 "names.events"
        ftrace_write("str " "%d" "\n", x);
        #line 1460 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 40 "names.events"
            qemu_log("str " "%d" "\n", x);
            #line 1464 "trace/trace-names.h"
        }
        _simple_trace_str(x);
        #line 40 "names.events"
        syslog(LOG_INFO, "str " "%d", x);
        #line 1469 "trace/trace-names.h"
    }
}

/* static_(int x) "%d" */
extern TraceEvent _TRACE_STATIC__EVENT;
extern uint16_t _TRACE_STATIC__DSTATE;
#define TRACE_STATIC__ENABLED 1
#define TRACE_STATIC__BACKEND_DSTATE() ( \
    QEMU_STATIC__ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_STATIC_) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATIC_) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATIC_) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATIC_) || \
    tracepoint_enabled(qemu, static_) || \
    false)
#ifndef QEMU_STATIC__ENABLED
#define QEMU_STATIC__ENABLED() true
#endif
void _simple_trace_static_(int x);

static inline void trace_static_(int x)
{
    QEMU_STATIC_(x);
    tracepoint(qemu, static_, x);
    if (trace_event_get_state(TRACE_STATIC_)) {
        #line 41 "names.events"
        ftrace_write("static_ " "%d" "\n", x);
        #line 1497 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 41 "names.events"
            qemu_log("static_ " "%d" "\n", x);
            #line 1501 "trace/trace-names.h"
        }
        _simple_trace_static_(x);
        #line 41 "names.events"
        syslog(LOG_INFO, "static_ " "%d", x);
        #line 1506 "trace/trace-names.h"
    }
}

/* drop(int x) "%d" */
extern TraceEvent _TRACE_DROP_EVENT;
extern uint16_t _TRACE_DROP_DSTATE;
#define TRACE_DROP_ENABLED 1
#define TRACE_DROP_BACKEND_DSTATE() ( \
    QEMU_DROP_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_DROP) || \
    trace_event_get_state_dynamic_by_id(TRACE_DROP) || \
    trace_event_get_state_dynamic_by_id(TRACE_DROP) || \
    trace_event_get_state_dynamic_by_id(TRACE_DROP) || \
    tracepoint_enabled(qemu, drop) || \
    false)
#ifndef QEMU_DROP_ENABLED
#define QEMU_DROP_ENABLED() true
#endif
void _simple_trace_drop(int x);

static inline void trace_drop(int x)
{
    QEMU_DROP(x);
    tracepoint(qemu, drop, x);
    if (trace_event_get_state(TRACE_DROP)) {
        #line 42 "names.events"
        ftrace_write("drop " "%d" "\n", x);
        #line 1534 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 42 "names.events"
            qemu_log("drop " "%d" "\n", x);
            #line 1538 "trace/trace-names.h"
        }
        _simple_trace_drop(x);
        #line 42 "names.events"
        syslog(LOG_INFO, "drop " "%d", x);
        #line 1543 "trace/trace-names.h"
    }
}

/* span(int x) "%d" */
extern TraceEvent _TRACE_SPAN_EVENT;
extern uint16_t _TRACE_SPAN_DSTATE;
#define TRACE_SPAN_ENABLED 1
#define TRACE_SPAN_BACKEND_DSTATE() ( \
    QEMU_SPAN_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SPAN) || \
    trace_event_get_state_dynamic_by_id(TRACE_SPAN) || \
    trace_event_get_state_dynamic_by_id(TRACE_SPAN) || \
    trace_event_get_state_dynamic_by_id(TRACE_SPAN) || \
    tracepoint_enabled(qemu, span) || \
    false)
#ifndef QEMU_SPAN_ENABLED
#define QEMU_SPAN_ENABLED() true
#endif
void _simple_trace_span(int x);

static inline void trace_span(int x)
{
    QEMU_SPAN(x);
    tracepoint(qemu, span, x);
    if (trace_event_get_state(TRACE_SPAN)) {
        #line 43 "names.events"
        ftrace_write("span " "%d" "\n", x);
        #line 1571 "trace/trace-names.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 43 "names.events"
            qemu_log("span " "%d" "\n", x);
            #line 1575 "trace/trace-names.h"
        }
        _simple_trace_span(x);
        #line 43 "names.events"
        syslog(LOG_INFO, "span " "%d", x);
        #line 1580 "trace/trace-names.h"
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_NAMES_GENERATED_TRACERS_H */
