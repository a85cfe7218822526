/*
 * The probes of the group locals.
 * Generated from locals.events. Make changes there.
 */

#ifndef TRACE_LOCALS_GENERATED_TRACERS_H
#define TRACE_LOCALS_GENERATED_TRACERS_H

#include "trace/control.h"
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-locals.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-locals.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* locals(int rec, const char *s, const char *len_s, const char *len_s_, int len_rec) "%d %s %s %s %d" */
extern TraceEvent _TRACE_LOCALS_EVENT;
extern uint16_t _TRACE_LOCALS_DSTATE;
#define TRACE_LOCALS_ENABLED 1
#define TRACE_LOCALS_BACKEND_DSTATE() ( \
    QEMU_LOCALS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_LOCALS) || \
    trace_event_get_state_dynamic_by_id(TRACE_LOCALS) || \
    trace_event_get_state_dynamic_by_id(TRACE_LOCALS) || \
    trace_event_get_state_dynamic_by_id(TRACE_LOCALS) || \
    tracepoint_enabled(qemu, locals) || \
    false)
#ifndef QEMU_LOCALS_ENABLED
#define QEMU_LOCALS_ENABLED() true
#endif
void _simple_trace_locals(int rec, const char *s, const char *len_s, const char *len_s_, int len_rec);

static inline void trace_locals(int rec, const char *s, const char *len_s, const char *len_s_, int len_rec)
{
    QEMU_LOCALS(rec, s, len_s, len_s_, len_rec);
    tracepoint(qemu, locals, rec, s, len_s, len_s_, len_rec);
    if (trace_event_get_state(TRACE_LOCALS)) {
        #line 2 "locals.events"
        ftrace_write("locals " "%d %s %s %s %d" "\n", rec, s, len_s, len_s_, len_rec);
        #line 54 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 2 "locals.events"
            qemu_log("locals " "%d %s %s %s %d" "\n", rec, s, len_s, len_s_, len_rec);
            #line 58 "trace/trace-locals.h"
        }
        _simple_trace_locals(rec, s, len_s, len_s_, len_rec);
        #line 2 "locals.events"
        syslog(LOG_INFO, "locals " "%d %s %s %s %d", rec, s, len_s, len_s_, len_rec);
        #line 63 "trace/trace-locals.h"
    }
}

/* functions(int qemu_log, int ftrace_write, int syslog, int trace_record_start, const char *strnlen) "%d %d %d %d %s" */
extern TraceEvent _TRACE_FUNCTIONS_EVENT;
extern uint16_t _TRACE_FUNCTIONS_DSTATE;
#define TRACE_FUNCTIONS_ENABLED 1
#define TRACE_FUNCTIONS_BACKEND_DSTATE() ( \
    QEMU_FUNCTIONS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_FUNCTIONS) || \
    trace_event_get_state_dynamic_by_id(TRACE_FUNCTIONS) || \
    trace_event_get_state_dynamic_by_id(TRACE_FUNCTIONS) || \
    trace_event_get_state_dynamic_by_id(TRACE_FUNCTIONS) || \
    tracepoint_enabled(qemu, functions) || \
    false)
#ifndef QEMU_FUNCTIONS_ENABLED
#define QEMU_FUNCTIONS_ENABLED() true
#endif
void _simple_trace_functions(int qemu_log_, int ftrace_write_, int syslog_, int trace_record_start_, const char *strnlen_);

static inline void trace_functions(int qemu_log_, int ftrace_write_, int syslog_, int trace_record_start_, const char *strnlen_)
{
    QEMU_FUNCTIONS(qemu_log_, ftrace_write_, syslog_, trace_record_start_, strnlen_);
    tracepoint(qemu, functions, qemu_log_, ftrace_write_, syslog_, trace_record_start_, strnlen_);
    if (trace_event_get_state(TRACE_FUNCTIONS)) {
        #line 3 "locals.events"
        ftrace_write("functions " "%d %d %d %d %s" "\n", qemu_log_, ftrace_write_, syslog_, trace_record_start_, strnlen_);
        #line 91 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "locals.events"
            qemu_log("functions " "%d %d %d %d %s" "\n", qemu_log_, ftrace_write_, syslog_, trace_record_start_, strnlen_);
            #line 95 "trace/trace-locals.h"
        }
        _simple_trace_functions(qemu_log_, ftrace_write_, syslog_, trace_record_start_, strnlen_);
        #line 3 "locals.events"
        syslog(LOG_INFO, "functions " "%d %d %d %d %s", qemu_log_, ftrace_write_, syslog_, trace_record_start_, strnlen_);
        #line 100 "trace/trace-locals.h"
    }
}

/* constants(int LOG_TRACE, int LOG_INFO, int NULL, int MAX_TRACE_STRLEN, int FILE) "%d %d %d %d %d" */
extern TraceEvent _TRACE_CONSTANTS_EVENT;
extern uint16_t _TRACE_CONSTANTS_DSTATE;
#define TRACE_CONSTANTS_ENABLED 1
#define TRACE_CONSTANTS_BACKEND_DSTATE() ( \
    QEMU_CONSTANTS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_CONSTANTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_CONSTANTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_CONSTANTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_CONSTANTS) || \
    tracepoint_enabled(qemu, constants) || \
    false)
#ifndef QEMU_CONSTANTS_ENABLED
#define QEMU_CONSTANTS_ENABLED() true
#endif
void _simple_trace_constants(int LOG_TRACE_, int LOG_INFO_, int NULL_, int MAX_TRACE_STRLEN_, int FILE_);

static inline void trace_constants(int LOG_TRACE_, int LOG_INFO_, int NULL_, int MAX_TRACE_STRLEN_, int FILE_)
{
    QEMU_CONSTANTS(LOG_TRACE_, LOG_INFO_, NULL_, MAX_TRACE_STRLEN_, FILE_);
    tracepoint(qemu, constants, LOG_TRACE_, LOG_INFO_, NULL_, MAX_TRACE_STRLEN_, FILE_);
    if (trace_event_get_state(TRACE_CONSTANTS)) {
        #line 4 "locals.events"
        ftrace_write("constants " "%d %d %d %d %d" "\n", LOG_TRACE_, LOG_INFO_, NULL_, MAX_TRACE_STRLEN_, FILE_);
        #line 128 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "locals.events"
            qemu_log("constants " "%d %d %d %d %d" "\n", LOG_TRACE_, LOG_INFO_, NULL_, MAX_TRACE_STRLEN_, FILE_);
            #line 132 "trace/trace-locals.h"
        }
        _simple_trace_constants(LOG_TRACE_, LOG_INFO_, NULL_, MAX_TRACE_STRLEN_, FILE_);
        #line 4 "locals.events"
        syslog(LOG_INFO, "constants " "%d %d %d %d %d", LOG_TRACE_, LOG_INFO_, NULL_, MAX_TRACE_STRLEN_, FILE_);
        #line 137 "trace/trace-locals.h"
    }
}

/* types(int uint8_t, uint8_t uint64_t, uint64_t uintptr_t, void *size_t) "%d %u %" PRIu64 " %p" */
extern TraceEvent _TRACE_TYPES_EVENT;
extern uint16_t _TRACE_TYPES_DSTATE;
#define TRACE_TYPES_ENABLED 1
#define TRACE_TYPES_BACKEND_DSTATE() ( \
    QEMU_TYPES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_TYPES) || \
    trace_event_get_state_dynamic_by_id(TRACE_TYPES) || \
    trace_event_get_state_dynamic_by_id(TRACE_TYPES) || \
    trace_event_get_state_dynamic_by_id(TRACE_TYPES) || \
    tracepoint_enabled(qemu, types) || \
    false)
#ifndef QEMU_TYPES_ENABLED
#define QEMU_TYPES_ENABLED() true
#endif
void _simple_trace_types(int uint8_t_, uint8_t uint64_t_, uint64_t uintptr_t_, void *size_t_);

static inline void trace_types(int uint8_t_, uint8_t uint64_t_, uint64_t uintptr_t_, void *size_t_)
{
    QEMU_TYPES(uint8_t_, uint64_t_, uintptr_t_, size_t_);
    tracepoint(qemu, types, uint8_t_, uint64_t_, uintptr_t_, size_t_);
    if (trace_event_get_state(TRACE_TYPES)) {
        #line 5 "locals.events"
        ftrace_write("types " "%d %u %" PRIu64 " %p" "\n", uint8_t_, uint64_t_, uintptr_t_, size_t_);
        #line 165 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "locals.events"
            qemu_log("types " "%d %u %" PRIu64 " %p" "\n", uint8_t_, uint64_t_, uintptr_t_, size_t_);
            #line 169 "trace/trace-locals.h"
        }
        _simple_trace_types(uint8_t_, uint64_t_, uintptr_t_, size_t_);
        #line 5 "locals.events"
        syslog(LOG_INFO, "types " "%d %u %" PRIu64 " %p", uint8_t_, uint64_t_, uintptr_t_, size_t_);
        #line 174 "trace/trace-locals.h"
    }
}

/* states(int trace_events_enabled_count, int _TRACE_STATES_DSTATE, int _TRACE_STATES_EVENT) "%d %d %d" */
extern TraceEvent _TRACE_STATES_EVENT;
extern uint16_t _TRACE_STATES_DSTATE;
#define TRACE_STATES_ENABLED 1
#define TRACE_STATES_BACKEND_DSTATE() ( \
    QEMU_STATES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_STATES) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATES) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATES) || \
    trace_event_get_state_dynamic_by_id(TRACE_STATES) || \
    tracepoint_enabled(qemu, states) || \
    false)
#ifndef QEMU_STATES_ENABLED
#define QEMU_STATES_ENABLED() true
#endif
void _simple_trace_states(int trace_events_enabled_count_, int _TRACE_STATES_DSTATE_, int _TRACE_STATES_EVENT_);

static inline void trace_states(int trace_events_enabled_count_, int _TRACE_STATES_DSTATE_, int _TRACE_STATES_EVENT_)
{
    QEMU_STATES(trace_events_enabled_count_, _TRACE_STATES_DSTATE_, _TRACE_STATES_EVENT_);
    tracepoint(qemu, states, trace_events_enabled_count_, _TRACE_STATES_DSTATE_, _TRACE_STATES_EVENT_);
    if (trace_event_get_state(TRACE_STATES)) {
        #line 6 "locals.events"
        ftrace_write("states " "%d %d %d" "\n", trace_events_enabled_count_, _TRACE_STATES_DSTATE_, _TRACE_STATES_EVENT_);
        #line 202 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "locals.events"
            qemu_log("states " "%d %d %d" "\n", trace_events_enabled_count_, _TRACE_STATES_DSTATE_, _TRACE_STATES_EVENT_);
            #line 206 "trace/trace-locals.h"
        }
        _simple_trace_states(trace_events_enabled_count_, _TRACE_STATES_DSTATE_, _TRACE_STATES_EVENT_);
        #line 6 "locals.events"
        syslog(LOG_INFO, "states " "%d %d %d", trace_events_enabled_count_, _TRACE_STATES_DSTATE_, _TRACE_STATES_EVENT_);
        #line 211 "trace/trace-locals.h"
    }
}

/* macros(int errno, int linux, int unix, int EOF) "%d %d %d %d" */
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
void _simple_trace_macros(int errno_, int linux_, int unix_, int EOF_);

static inline void trace_macros(int errno_, int linux_, int unix_, int EOF_)
{
    QEMU_MACROS(errno_, linux_, unix_, EOF_);
    tracepoint(qemu, macros, errno_, linux_, unix_, EOF_);
    if (trace_event_get_state(TRACE_MACROS)) {
        #line 7 "locals.events"
        ftrace_write("macros " "%d %d %d %d" "\n", errno_, linux_, unix_, EOF_);
        #line 239 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 7 "locals.events"
            qemu_log("macros " "%d %d %d %d" "\n", errno_, linux_, unix_, EOF_);
            #line 243 "trace/trace-locals.h"
        }
        _simple_trace_macros(errno_, linux_, unix_, EOF_);
        #line 7 "locals.events"
        syslog(LOG_INFO, "macros " "%d %d %d %d", errno_, linux_, unix_, EOF_);
        #line 248 "trace/trace-locals.h"
    }
}

/* keywords(int if, int if_, int _Bool, const char *static, int typeof) "%d %d %d %s %d" */
extern TraceEvent _TRACE_KEYWORDS_EVENT;
extern uint16_t _TRACE_KEYWORDS_DSTATE;
#define TRACE_KEYWORDS_ENABLED 1
#define TRACE_KEYWORDS_BACKEND_DSTATE() ( \
    QEMU_KEYWORDS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_KEYWORDS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KEYWORDS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KEYWORDS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KEYWORDS) || \
    tracepoint_enabled(qemu, keywords) || \
    false)
#ifndef QEMU_KEYWORDS_ENABLED
#define QEMU_KEYWORDS_ENABLED() true
#endif
void _simple_trace_keywords(int if__, int if_, int _Bool_, const char *static_, int typeof_);

static inline void trace_keywords(int if__, int if_, int _Bool_, const char *static_, int typeof_)
{
    QEMU_KEYWORDS(if__, if_, _Bool_, static_, typeof_);
    tracepoint(qemu, keywords, if__, if_, _Bool_, static_, typeof_);
    if (trace_event_get_state(TRACE_KEYWORDS)) {
        #line 8 "locals.events"
        ftrace_write("keywords " "%d %d %d %s %d" "\n", if__, if_, _Bool_, static_, typeof_);
        #line 276 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "locals.events"
            qemu_log("keywords " "%d %d %d %s %d" "\n", if__, if_, _Bool_, static_, typeof_);
            #line 280 "trace/trace-locals.h"
        }
        _simple_trace_keywords(if__, if_, _Bool_, static_, typeof_);
        #line 8 "locals.events"
        syslog(LOG_INFO, "keywords " "%d %d %d %s %d", if__, if_, _Bool_, static_, typeof_);
        #line 285 "trace/trace-locals.h"
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
        #line 9 "locals.events"
        ftrace_write("twice " "%d %d %d" "\n", a, a__, a_);
        #line 313 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "locals.events"
            qemu_log("twice " "%d %d %d" "\n", a, a__, a_);
            #line 317 "trace/trace-locals.h"
        }
        _simple_trace_twice(a, a__, a_);
        #line 9 "locals.events"
        syslog(LOG_INFO, "twice " "%d %d %d", a, a__, a_);
        #line 322 "trace/trace-locals.h"
    }
}

/* a__b(int x) "%d" */
extern TraceEvent _TRACE_A__B_EVENT;
extern uint16_t _TRACE_A__B_DSTATE;
#define TRACE_A__B_ENABLED 1
#define TRACE_A__B_BACKEND_DSTATE() ( \
    QEMU_A_B_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_A__B) || \
    trace_event_get_state_dynamic_by_id(TRACE_A__B) || \
    trace_event_get_state_dynamic_by_id(TRACE_A__B) || \
    trace_event_get_state_dynamic_by_id(TRACE_A__B) || \
    tracepoint_enabled(qemu, a__b) || \
    false)
#ifndef QEMU_A_B_ENABLED
#define QEMU_A_B_ENABLED() true
#endif
void _simple_trace_a__b(int x);

static inline void trace_a__b(int x)
{
    QEMU_A_B(x);
    tracepoint(qemu, a__b, x);
    if (trace_event_get_state(TRACE_A__B)) {
        #line 10 "locals.events"
        ftrace_write("a__b " "%d" "\n", x);
        #line 350 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 10 "locals.events"
            qemu_log("a__b " "%d" "\n", x);
            #line 354 "trace/trace-locals.h"
        }
        _simple_trace_a__b(x);
        #line 10 "locals.events"
        syslog(LOG_INFO, "a__b " "%d", x);
        #line 359 "trace/trace-locals.h"
    }
}

/* rec(const char *rec) "%s" */
extern TraceEvent _TRACE_REC_EVENT;
extern uint16_t _TRACE_REC_DSTATE;
#define TRACE_REC_ENABLED 1
#define TRACE_REC_BACKEND_DSTATE() ( \
    QEMU_REC_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_REC) || \
    trace_event_get_state_dynamic_by_id(TRACE_REC) || \
    trace_event_get_state_dynamic_by_id(TRACE_REC) || \
    trace_event_get_state_dynamic_by_id(TRACE_REC) || \
    tracepoint_enabled(qemu, rec) || \
    false)
#ifndef QEMU_REC_ENABLED
#define QEMU_REC_ENABLED() true
#endif
void _simple_trace_rec(const char *rec);

static inline void trace_rec(const char *rec)
{
    QEMU_REC(rec);
    tracepoint(qemu, rec, rec);
    if (trace_event_get_state(TRACE_REC)) {
        #line 11 "locals.events"
        ftrace_write("rec " "%s" "\n", rec);
        #line 387 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 11 "locals.events"
            qemu_log("rec " "%s" "\n", rec);
            #line 391 "trace/trace-locals.h"
        }
        _simple_trace_rec(rec);
        #line 11 "locals.events"
        syslog(LOG_INFO, "rec " "%s", rec);
        #line 396 "trace/trace-locals.h"
    }
}

/* comments(int x) "* / / * // %d * /" */
extern TraceEvent _TRACE_COMMENTS_EVENT;
extern uint16_t _TRACE_COMMENTS_DSTATE;
#define TRACE_COMMENTS_ENABLED 1
#define TRACE_COMMENTS_BACKEND_DSTATE() ( \
    QEMU_COMMENTS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_COMMENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_COMMENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_COMMENTS) || \
    trace_event_get_state_dynamic_by_id(TRACE_COMMENTS) || \
    tracepoint_enabled(qemu, comments) || \
    false)
#ifndef QEMU_COMMENTS_ENABLED
#define QEMU_COMMENTS_ENABLED() true
#endif
void _simple_trace_comments(int x);

static inline void trace_comments(int x)
{
    QEMU_COMMENTS(x);
    tracepoint(qemu, comments, x);
    if (trace_event_get_state(TRACE_COMMENTS)) {
        #line 13 "locals.events"
        ftrace_write("comments " "*/ /* // %d */" "\n", x);
        #line 424 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 13 "locals.events"
            qemu_log("comments " "*/ /* // %d */" "\n", x);
            #line 428 "trace/trace-locals.h"
        }
        _simple_trace_comments(x);
        #line 13 "locals.events"
        syslog(LOG_INFO, "comments " "*/ /* // %d */", x);
        #line 433 "trace/trace-locals.h"
    }
}

/* trigraphs(int x) "what??! ??/ %d??" */
extern TraceEvent _TRACE_TRIGRAPHS_EVENT;
extern uint16_t _TRACE_TRIGRAPHS_DSTATE;
#define TRACE_TRIGRAPHS_ENABLED 1
#define TRACE_TRIGRAPHS_BACKEND_DSTATE() ( \
    QEMU_TRIGRAPHS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_TRIGRAPHS) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRIGRAPHS) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRIGRAPHS) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRIGRAPHS) || \
    tracepoint_enabled(qemu, trigraphs) || \
    false)
#ifndef QEMU_TRIGRAPHS_ENABLED
#define QEMU_TRIGRAPHS_ENABLED() true
#endif
void _simple_trace_trigraphs(int x);

static inline void trace_trigraphs(int x)
{
    QEMU_TRIGRAPHS(x);
    tracepoint(qemu, trigraphs, x);
    if (trace_event_get_state(TRACE_TRIGRAPHS)) {
        #line 14 "locals.events"
        ftrace_write("trigraphs " "what?\?! ?\?/ %d?\?" "\n", x);
        #line 461 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 14 "locals.events"
            qemu_log("trigraphs " "what?\?! ?\?/ %d?\?" "\n", x);
            #line 465 "trace/trace-locals.h"
        }
        _simple_trace_trigraphs(x);
        #line 14 "locals.events"
        syslog(LOG_INFO, "trigraphs " "what?\?! ?\?/ %d?\?", x);
        #line 470 "trace/trace-locals.h"
    }
}

/* format_comment(int x) "%d" / * of x * / "." */
extern TraceEvent _TRACE_FORMAT_COMMENT_EVENT;
extern uint16_t _TRACE_FORMAT_COMMENT_DSTATE;
#define TRACE_FORMAT_COMMENT_ENABLED 1
#define TRACE_FORMAT_COMMENT_BACKEND_DSTATE() ( \
    QEMU_FORMAT_COMMENT_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_FORMAT_COMMENT) || \
    trace_event_get_state_dynamic_by_id(TRACE_FORMAT_COMMENT) || \
    trace_event_get_state_dynamic_by_id(TRACE_FORMAT_COMMENT) || \
    trace_event_get_state_dynamic_by_id(TRACE_FORMAT_COMMENT) || \
    tracepoint_enabled(qemu, format_comment) || \
    false)
#ifndef QEMU_FORMAT_COMMENT_ENABLED
#define QEMU_FORMAT_COMMENT_ENABLED() true
#endif
void _simple_trace_format_comment(int x);

static inline void trace_format_comment(int x)
{
    QEMU_FORMAT_COMMENT(x);
    tracepoint(qemu, format_comment, x);
    if (trace_event_get_state(TRACE_FORMAT_COMMENT)) {
        #line 15 "locals.events"
        ftrace_write("format_comment " "%d" /* of x */ "." "\n", x);
        #line 498 "trace/trace-locals.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 15 "locals.events"
            qemu_log("format_comment " "%d" /* of x */ "." "\n", x);
            #line 502 "trace/trace-locals.h"
        }
        _simple_trace_format_comment(x);
        #line 15 "locals.events"
        syslog(LOG_INFO, "format_comment " "%d" /* of x */ ".", x);
        #line 507 "trace/trace-locals.h"
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_LOCALS_GENERATED_TRACERS_H */
