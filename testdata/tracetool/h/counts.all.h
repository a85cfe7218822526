/*
 * The probes of the group counts.
 * Generated from counts.events. Make changes there.
 */

#ifndef TRACE_COUNTS_GENERATED_TRACERS_H
#define TRACE_COUNTS_GENERATED_TRACERS_H

#include "trace/control.h"
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-counts.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-counts.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* of_0(void) "" */
extern TraceEvent _TRACE_OF_0_EVENT;
extern uint16_t _TRACE_OF_0_DSTATE;
#define TRACE_OF_0_ENABLED 1
#define TRACE_OF_0_BACKEND_DSTATE() ( \
    QEMU_OF_0_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_0) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_0) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_0) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_0) || \
    tracepoint_enabled(qemu, of_0) || \
    false)
#ifndef QEMU_OF_0_ENABLED
#define QEMU_OF_0_ENABLED() true
#endif
void _simple_trace_of_0(void);

static inline void trace_of_0(void)
{
    QEMU_OF_0();
    tracepoint(qemu, of_0);
    if (trace_event_get_state(TRACE_OF_0)) {
        #line 3 "counts.events"
        ftrace_write("of_0 " "\n");
        #line 54 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "counts.events"
            qemu_log("of_0 " "\n");
            #line 58 "trace/trace-counts.h"
        }
        _simple_trace_of_0();
        #line 3 "counts.events"
        syslog(LOG_INFO, "of_0 ");
        #line 63 "trace/trace-counts.h"
    }
}

/* of_1(int a0) "%d" */
extern TraceEvent _TRACE_OF_1_EVENT;
extern uint16_t _TRACE_OF_1_DSTATE;
#define TRACE_OF_1_ENABLED 1
#define TRACE_OF_1_BACKEND_DSTATE() ( \
    QEMU_OF_1_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_1) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_1) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_1) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_1) || \
    tracepoint_enabled(qemu, of_1) || \
    false)
#ifndef QEMU_OF_1_ENABLED
#define QEMU_OF_1_ENABLED() true
#endif
void _simple_trace_of_1(int a0);

static inline void trace_of_1(int a0)
{
    QEMU_OF_1(a0);
    tracepoint(qemu, of_1, a0);
    if (trace_event_get_state(TRACE_OF_1)) {
        #line 4 "counts.events"
        ftrace_write("of_1 " "%d" "\n", a0);
        #line 91 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "counts.events"
            qemu_log("of_1 " "%d" "\n", a0);
            #line 95 "trace/trace-counts.h"
        }
        _simple_trace_of_1(a0);
        #line 4 "counts.events"
        syslog(LOG_INFO, "of_1 " "%d", a0);
        #line 100 "trace/trace-counts.h"
    }
}

/* of_2(int a0, int a1) "%d %d" */
extern TraceEvent _TRACE_OF_2_EVENT;
extern uint16_t _TRACE_OF_2_DSTATE;
#define TRACE_OF_2_ENABLED 1
#define TRACE_OF_2_BACKEND_DSTATE() ( \
    QEMU_OF_2_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_2) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_2) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_2) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_2) || \
    tracepoint_enabled(qemu, of_2) || \
    false)
#ifndef QEMU_OF_2_ENABLED
#define QEMU_OF_2_ENABLED() true
#endif
void _simple_trace_of_2(int a0, int a1);

static inline void trace_of_2(int a0, int a1)
{
    QEMU_OF_2(a0, a1);
    tracepoint(qemu, of_2, a0, a1);
    if (trace_event_get_state(TRACE_OF_2)) {
        #line 5 "counts.events"
        ftrace_write("of_2 " "%d %d" "\n", a0, a1);
        #line 128 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "counts.events"
            qemu_log("of_2 " "%d %d" "\n", a0, a1);
            #line 132 "trace/trace-counts.h"
        }
        _simple_trace_of_2(a0, a1);
        #line 5 "counts.events"
        syslog(LOG_INFO, "of_2 " "%d %d", a0, a1);
        #line 137 "trace/trace-counts.h"
    }
}

/* of_3(int a0, int a1, const char *s2) "%d %d %s" */
extern TraceEvent _TRACE_OF_3_EVENT;
extern uint16_t _TRACE_OF_3_DSTATE;
#define TRACE_OF_3_ENABLED 1
#define TRACE_OF_3_BACKEND_DSTATE() ( \
    QEMU_OF_3_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_3) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_3) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_3) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_3) || \
    tracepoint_enabled(qemu, of_3) || \
    false)
#ifndef QEMU_OF_3_ENABLED
#define QEMU_OF_3_ENABLED() true
#endif
void _simple_trace_of_3(int a0, int a1, const char *s2);

static inline void trace_of_3(int a0, int a1, const char *s2)
{
    QEMU_OF_3(a0, a1, s2);
    tracepoint(qemu, of_3, a0, a1, s2);
    if (trace_event_get_state(TRACE_OF_3)) {
        #line 6 "counts.events"
        ftrace_write("of_3 " "%d %d %s" "\n", a0, a1, s2);
        #line 165 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "counts.events"
            qemu_log("of_3 " "%d %d %s" "\n", a0, a1, s2);
            #line 169 "trace/trace-counts.h"
        }
        _simple_trace_of_3(a0, a1, s2);
        #line 6 "counts.events"
        syslog(LOG_INFO, "of_3 " "%d %d %s", a0, a1, s2);
        #line 174 "trace/trace-counts.h"
    }
}

/* of_4(int a0, int a1, const char *s2, int a3) "%d %d %s %d" */
extern TraceEvent _TRACE_OF_4_EVENT;
extern uint16_t _TRACE_OF_4_DSTATE;
#define TRACE_OF_4_ENABLED 1
#define TRACE_OF_4_BACKEND_DSTATE() ( \
    QEMU_OF_4_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_4) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_4) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_4) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_4) || \
    tracepoint_enabled(qemu, of_4) || \
    false)
#ifndef QEMU_OF_4_ENABLED
#define QEMU_OF_4_ENABLED() true
#endif
void _simple_trace_of_4(int a0, int a1, const char *s2, int a3);

static inline void trace_of_4(int a0, int a1, const char *s2, int a3)
{
    QEMU_OF_4(a0, a1, s2, a3);
    tracepoint(qemu, of_4, a0, a1, s2, a3);
    if (trace_event_get_state(TRACE_OF_4)) {
        #line 7 "counts.events"
        ftrace_write("of_4 " "%d %d %s %d" "\n", a0, a1, s2, a3);
        #line 202 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 7 "counts.events"
            qemu_log("of_4 " "%d %d %s %d" "\n", a0, a1, s2, a3);
            #line 206 "trace/trace-counts.h"
        }
        _simple_trace_of_4(a0, a1, s2, a3);
        #line 7 "counts.events"
        syslog(LOG_INFO, "of_4 " "%d %d %s %d", a0, a1, s2, a3);
        #line 211 "trace/trace-counts.h"
    }
}

/* of_5(int a0, int a1, const char *s2, int a3, int a4) "%d %d %s %d %d" */
extern TraceEvent _TRACE_OF_5_EVENT;
extern uint16_t _TRACE_OF_5_DSTATE;
#define TRACE_OF_5_ENABLED 1
#define TRACE_OF_5_BACKEND_DSTATE() ( \
    QEMU_OF_5_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_5) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_5) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_5) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_5) || \
    tracepoint_enabled(qemu, of_5) || \
    false)
#ifndef QEMU_OF_5_ENABLED
#define QEMU_OF_5_ENABLED() true
#endif
void _simple_trace_of_5(int a0, int a1, const char *s2, int a3, int a4);

static inline void trace_of_5(int a0, int a1, const char *s2, int a3, int a4)
{
    QEMU_OF_5(a0, a1, s2, a3, a4);
    tracepoint(qemu, of_5, a0, a1, s2, a3, a4);
    if (trace_event_get_state(TRACE_OF_5)) {
        #line 8 "counts.events"
        ftrace_write("of_5 " "%d %d %s %d %d" "\n", a0, a1, s2, a3, a4);
        #line 239 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "counts.events"
            qemu_log("of_5 " "%d %d %s %d %d" "\n", a0, a1, s2, a3, a4);
            #line 243 "trace/trace-counts.h"
        }
        _simple_trace_of_5(a0, a1, s2, a3, a4);
        #line 8 "counts.events"
        syslog(LOG_INFO, "of_5 " "%d %d %s %d %d", a0, a1, s2, a3, a4);
        #line 248 "trace/trace-counts.h"
    }
}

/* of_6(int a0, int a1, const char *s2, int a3, int a4, int a5) "%d %d %s %d %d %d" */
extern TraceEvent _TRACE_OF_6_EVENT;
extern uint16_t _TRACE_OF_6_DSTATE;
#define TRACE_OF_6_ENABLED 1
#define TRACE_OF_6_BACKEND_DSTATE() ( \
    QEMU_OF_6_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_6) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_6) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_6) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_6) || \
    tracepoint_enabled(qemu, of_6) || \
    false)
#ifndef QEMU_OF_6_ENABLED
#define QEMU_OF_6_ENABLED() true
#endif
void _simple_trace_of_6(int a0, int a1, const char *s2, int a3, int a4, int a5);

static inline void trace_of_6(int a0, int a1, const char *s2, int a3, int a4, int a5)
{
    QEMU_OF_6(a0, a1, s2, a3, a4, a5);
    tracepoint(qemu, of_6, a0, a1, s2, a3, a4, a5);
    if (trace_event_get_state(TRACE_OF_6)) {
        #line 9 "counts.events"
        ftrace_write("of_6 " "%d %d %s %d %d %d" "\n", a0, a1, s2, a3, a4, a5);
        #line 276 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "counts.events"
            qemu_log("of_6 " "%d %d %s %d %d %d" "\n", a0, a1, s2, a3, a4, a5);
            #line 280 "trace/trace-counts.h"
        }
        _simple_trace_of_6(a0, a1, s2, a3, a4, a5);
        #line 9 "counts.events"
        syslog(LOG_INFO, "of_6 " "%d %d %s %d %d %d", a0, a1, s2, a3, a4, a5);
        #line 285 "trace/trace-counts.h"
    }
}

/* of_7(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6) "%d %d %s %d %d %d %d" */
extern TraceEvent _TRACE_OF_7_EVENT;
extern uint16_t _TRACE_OF_7_DSTATE;
#define TRACE_OF_7_ENABLED 1
#define TRACE_OF_7_BACKEND_DSTATE() ( \
    QEMU_OF_7_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_7) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_7) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_7) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_7) || \
    tracepoint_enabled(qemu, of_7) || \
    false)
#ifndef QEMU_OF_7_ENABLED
#define QEMU_OF_7_ENABLED() true
#endif
void _simple_trace_of_7(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6);

static inline void trace_of_7(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6)
{
    QEMU_OF_7(a0, a1, s2, a3, a4, a5, a6);
    tracepoint(qemu, of_7, a0, a1, s2, a3, a4, a5, a6);
    if (trace_event_get_state(TRACE_OF_7)) {
        #line 10 "counts.events"
        ftrace_write("of_7 " "%d %d %s %d %d %d %d" "\n", a0, a1, s2, a3, a4, a5, a6);
        #line 313 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 10 "counts.events"
            qemu_log("of_7 " "%d %d %s %d %d %d %d" "\n", a0, a1, s2, a3, a4, a5, a6);
            #line 317 "trace/trace-counts.h"
        }
        _simple_trace_of_7(a0, a1, s2, a3, a4, a5, a6);
        #line 10 "counts.events"
        syslog(LOG_INFO, "of_7 " "%d %d %s %d %d %d %d", a0, a1, s2, a3, a4, a5, a6);
        #line 322 "trace/trace-counts.h"
    }
}

/* of_8(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7) "%d %d %s %d %d %d %d %s" */
extern TraceEvent _TRACE_OF_8_EVENT;
extern uint16_t _TRACE_OF_8_DSTATE;
#define TRACE_OF_8_ENABLED 1
#define TRACE_OF_8_BACKEND_DSTATE() ( \
    QEMU_OF_8_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_8) || \
    tracepoint_enabled(qemu, of_8) || \
    false)
#ifndef QEMU_OF_8_ENABLED
#define QEMU_OF_8_ENABLED() true
#endif
void _simple_trace_of_8(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7);

static inline void trace_of_8(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7)
{
    QEMU_OF_8(a0, a1, s2, a3, a4, a5, a6, s7);
    tracepoint(qemu, of_8, a0, a1, s2, a3, a4, a5, a6, s7);
    if (trace_event_get_state(TRACE_OF_8)) {
        #line 11 "counts.events"
        ftrace_write("of_8 " "%d %d %s %d %d %d %d %s" "\n", a0, a1, s2, a3, a4, a5, a6, s7);
        #line 350 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 11 "counts.events"
            qemu_log("of_8 " "%d %d %s %d %d %d %d %s" "\n", a0, a1, s2, a3, a4, a5, a6, s7);
            #line 354 "trace/trace-counts.h"
        }
        _simple_trace_of_8(a0, a1, s2, a3, a4, a5, a6, s7);
        #line 11 "counts.events"
        syslog(LOG_INFO, "of_8 " "%d %d %s %d %d %d %d %s", a0, a1, s2, a3, a4, a5, a6, s7);
        #line 359 "trace/trace-counts.h"
    }
}

/* of_9(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8) "%d %d %s %d %d %d %d %s %d" */
extern TraceEvent _TRACE_OF_9_EVENT;
extern uint16_t _TRACE_OF_9_DSTATE;
#define TRACE_OF_9_ENABLED 1
#define TRACE_OF_9_BACKEND_DSTATE() ( \
    QEMU_OF_9_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_9) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_9) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_9) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_9) || \
    tracepoint_enabled(qemu, of_9) || \
    false)
#ifndef QEMU_OF_9_ENABLED
#define QEMU_OF_9_ENABLED() true
#endif
void _simple_trace_of_9(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8);

static inline void trace_of_9(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8)
{
    QEMU_OF_9(a0, a1, s2, a3, a4, a5, a6, s7, a8);
    tracepoint(qemu, of_9, a0, a1, s2, a3, a4, a5, a6, s7, a8);
    if (trace_event_get_state(TRACE_OF_9)) {
        #line 12 "counts.events"
        ftrace_write("of_9 " "%d %d %s %d %d %d %d %s %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8);
        #line 387 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 12 "counts.events"
            qemu_log("of_9 " "%d %d %s %d %d %d %d %s %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8);
            #line 391 "trace/trace-counts.h"
        }
        _simple_trace_of_9(a0, a1, s2, a3, a4, a5, a6, s7, a8);
        #line 12 "counts.events"
        syslog(LOG_INFO, "of_9 " "%d %d %s %d %d %d %d %s %d", a0, a1, s2, a3, a4, a5, a6, s7, a8);
        #line 396 "trace/trace-counts.h"
    }
}

/* of_10(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9) "%d %d %s %d %d %d %d %s %d %d" */
extern TraceEvent _TRACE_OF_10_EVENT;
extern uint16_t _TRACE_OF_10_DSTATE;
#define TRACE_OF_10_ENABLED 1
#define TRACE_OF_10_BACKEND_DSTATE() ( \
    QEMU_OF_10_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_10) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_10) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_10) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_10) || \
    tracepoint_enabled(qemu, of_10) || \
    false)
#ifndef QEMU_OF_10_ENABLED
#define QEMU_OF_10_ENABLED() true
#endif
void _simple_trace_of_10(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9);

static inline void trace_of_10(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9)
{
    QEMU_OF_10(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9);
    tracepoint(qemu, of_10, a0, a1, s2, a3, a4, a5, a6, s7, a8, a9);
    if (trace_event_get_state(TRACE_OF_10)) {
        #line 13 "counts.events"
        ftrace_write("of_10 " "%d %d %s %d %d %d %d %s %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9);
        #line 424 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 13 "counts.events"
            qemu_log("of_10 " "%d %d %s %d %d %d %d %s %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9);
            #line 428 "trace/trace-counts.h"
        }
        _simple_trace_of_10(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9);
        #line 13 "counts.events"
        syslog(LOG_INFO, "of_10 " "%d %d %s %d %d %d %d %s %d %d", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9);
        #line 433 "trace/trace-counts.h"
    }
}

/* of_11(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10) "%d %d %s %d %d %d %d %s %d %d %d" */
extern TraceEvent _TRACE_OF_11_EVENT;
extern uint16_t _TRACE_OF_11_DSTATE;
#define TRACE_OF_11_ENABLED 1
#define TRACE_OF_11_BACKEND_DSTATE() ( \
    QEMU_OF_11_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_11) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_11) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_11) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_11) || \
    tracepoint_enabled(qemu, of_11) || \
    false)
#ifndef QEMU_OF_11_ENABLED
#define QEMU_OF_11_ENABLED() true
#endif
void _simple_trace_of_11(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10);

static inline void trace_of_11(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10)
{
    QEMU_OF_11(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10);
    tracepoint(qemu, of_11, a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10);
    if (trace_event_get_state(TRACE_OF_11)) {
        #line 14 "counts.events"
        ftrace_write("of_11 " "%d %d %s %d %d %d %d %s %d %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10);
        #line 461 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 14 "counts.events"
            qemu_log("of_11 " "%d %d %s %d %d %d %d %s %d %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10);
            #line 465 "trace/trace-counts.h"
        }
        _simple_trace_of_11(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10);
        #line 14 "counts.events"
        syslog(LOG_INFO, "of_11 " "%d %d %s %d %d %d %d %s %d %d %d", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10);
        #line 470 "trace/trace-counts.h"
    }
}

/* of_12(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11) "%d %d %s %d %d %d %d %s %d %d %d %d" */
extern TraceEvent _TRACE_OF_12_EVENT;
extern uint16_t _TRACE_OF_12_DSTATE;
#define TRACE_OF_12_ENABLED 1
#define TRACE_OF_12_BACKEND_DSTATE() ( \
    QEMU_OF_12_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_12) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_12) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_12) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_12) || \
    tracepoint_enabled(qemu, of_12) || \
    false)
#ifndef QEMU_OF_12_ENABLED
#define QEMU_OF_12_ENABLED() true
#endif
void _simple_trace_of_12(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11);

static inline void trace_of_12(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11)
{
    QEMU_OF_12(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11);
    tracepoint(qemu, of_12, a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11);
    if (trace_event_get_state(TRACE_OF_12)) {
        #line 15 "counts.events"
        ftrace_write("of_12 " "%d %d %s %d %d %d %d %s %d %d %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11);
        #line 498 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 15 "counts.events"
            qemu_log("of_12 " "%d %d %s %d %d %d %d %s %d %d %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11);
            #line 502 "trace/trace-counts.h"
        }
        _simple_trace_of_12(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11);
        #line 15 "counts.events"
        syslog(LOG_INFO, "of_12 " "%d %d %s %d %d %d %d %s %d %d %d %d", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11);
        #line 507 "trace/trace-counts.h"
    }
}

/* of_13(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12) "%d %d %s %d %d %d %d %s %d %d %d %d %s" */
extern TraceEvent _TRACE_OF_13_EVENT;
extern uint16_t _TRACE_OF_13_DSTATE;
#define TRACE_OF_13_ENABLED 1
#define TRACE_OF_13_BACKEND_DSTATE() ( \
    QEMU_OF_13_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_13) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_13) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_13) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_13) || \
    tracepoint_enabled(qemu, of_13) || \
    false)
#ifndef QEMU_OF_13_ENABLED
#define QEMU_OF_13_ENABLED() true
#endif
void _simple_trace_of_13(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12);

static inline void trace_of_13(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12)
{
    QEMU_OF_13(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12);
    tracepoint(qemu, of_13, a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12);
    if (trace_event_get_state(TRACE_OF_13)) {
        #line 16 "counts.events"
        ftrace_write("of_13 " "%d %d %s %d %d %d %d %s %d %d %d %d %s" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12);
        #line 535 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 16 "counts.events"
            qemu_log("of_13 " "%d %d %s %d %d %d %d %s %d %d %d %d %s" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12);
            #line 539 "trace/trace-counts.h"
        }
        _simple_trace_of_13(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12);
        #line 16 "counts.events"
        syslog(LOG_INFO, "of_13 " "%d %d %s %d %d %d %d %s %d %d %d %d %s", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12);
        #line 544 "trace/trace-counts.h"
    }
}

/* of_14(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d" */
extern TraceEvent _TRACE_OF_14_EVENT;
extern uint16_t _TRACE_OF_14_DSTATE;
#define TRACE_OF_14_ENABLED 1
#define TRACE_OF_14_BACKEND_DSTATE() ( \
    QEMU_OF_14_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_14) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_14) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_14) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_14) || \
    tracepoint_enabled(qemu, of_14) || \
    false)
#ifndef QEMU_OF_14_ENABLED
#define QEMU_OF_14_ENABLED() true
#endif
void _simple_trace_of_14(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13);

static inline void trace_of_14(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13)
{
    QEMU_OF_14(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13);
    tracepoint(qemu, of_14, a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13);
    if (trace_event_get_state(TRACE_OF_14)) {
        #line 17 "counts.events"
        ftrace_write("of_14 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13);
        #line 572 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 17 "counts.events"
            qemu_log("of_14 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13);
            #line 576 "trace/trace-counts.h"
        }
        _simple_trace_of_14(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13);
        #line 17 "counts.events"
        syslog(LOG_INFO, "of_14 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13);
        #line 581 "trace/trace-counts.h"
    }
}

/* of_15(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d" */
extern TraceEvent _TRACE_OF_15_EVENT;
extern uint16_t _TRACE_OF_15_DSTATE;
#define TRACE_OF_15_ENABLED 1
#define TRACE_OF_15_BACKEND_DSTATE() ( \
    QEMU_OF_15_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_15) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_15) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_15) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_15) || \
    tracepoint_enabled(qemu, of_15) || \
    false)
#ifndef QEMU_OF_15_ENABLED
#define QEMU_OF_15_ENABLED() true
#endif
void _simple_trace_of_15(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14);

static inline void trace_of_15(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14)
{
    QEMU_OF_15(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14);
    tracepoint(qemu, of_15, a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14);
    if (trace_event_get_state(TRACE_OF_15)) {
        #line 18 "counts.events"
        ftrace_write("of_15 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14);
        #line 609 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 18 "counts.events"
            qemu_log("of_15 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14);
            #line 613 "trace/trace-counts.h"
        }
        _simple_trace_of_15(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14);
        #line 18 "counts.events"
        syslog(LOG_INFO, "of_15 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14);
        #line 618 "trace/trace-counts.h"
    }
}

/* of_16(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14, int a15) "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d %d" */
extern TraceEvent _TRACE_OF_16_EVENT;
extern uint16_t _TRACE_OF_16_DSTATE;
#define TRACE_OF_16_ENABLED 1
#define TRACE_OF_16_BACKEND_DSTATE() ( \
    QEMU_OF_16_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_OF_16) || \
    tracepoint_enabled(qemu, of_16) || \
    false)
#ifndef QEMU_OF_16_ENABLED
#define QEMU_OF_16_ENABLED() true
#endif
void _simple_trace_of_16(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14, int a15);

static inline void trace_of_16(int a0, int a1, const char *s2, int a3, int a4, int a5, int a6, const char *s7, int a8, int a9, int a10, int a11, const char *s12, int a13, int a14, int a15)
{
    QEMU_OF_16(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14, a15);
    tracepoint(qemu, of_16, a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14, a15);
    if (trace_event_get_state(TRACE_OF_16)) {
        #line 19 "counts.events"
        ftrace_write("of_16 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14, a15);
        #line 646 "trace/trace-counts.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 19 "counts.events"
            qemu_log("of_16 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d %d" "\n", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14, a15);
            #line 650 "trace/trace-counts.h"
        }
        _simple_trace_of_16(a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14, a15);
        #line 19 "counts.events"
        syslog(LOG_INFO, "of_16 " "%d %d %s %d %d %d %d %s %d %d %d %d %s %d %d %d", a0, a1, s2, a3, a4, a5, a6, s7, a8, a9, a10, a11, s12, a13, a14, a15);
        #line 655 "trace/trace-counts.h"
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_COUNTS_GENERATED_TRACERS_H */
