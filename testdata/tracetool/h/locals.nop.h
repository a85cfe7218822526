/*
 * The probes of the group locals.
 * Generated from locals.events. Make changes there.
 */

#ifndef TRACE_LOCALS_GENERATED_TRACERS_H
#define TRACE_LOCALS_GENERATED_TRACERS_H

#include "trace/control.h"

#ifdef __cplusplus
extern "C" {
#endif

/* locals(int rec, const char *s, const char *len_s, const char *len_s_, int len_rec) "%d %s %s %s %d" */
extern TraceEvent _TRACE_LOCALS_EVENT;
extern uint16_t _TRACE_LOCALS_DSTATE;
#define TRACE_LOCALS_ENABLED 1
#define TRACE_LOCALS_BACKEND_DSTATE() ( \
    false)

static inline void trace_locals(int rec, const char *s, const char *len_s, const char *len_s_, int len_rec)
{
    (void)rec;
    (void)s;
    (void)len_s;
    (void)len_s_;
    (void)len_rec;
}

/* functions(int qemu_log, int ftrace_write, int syslog, int trace_record_start, const char *strnlen) "%d %d %d %d %s" */
extern TraceEvent _TRACE_FUNCTIONS_EVENT;
extern uint16_t _TRACE_FUNCTIONS_DSTATE;
#define TRACE_FUNCTIONS_ENABLED 1
#define TRACE_FUNCTIONS_BACKEND_DSTATE() ( \
    false)

static inline void trace_functions(int qemu_log_, int ftrace_write_, int syslog_, int trace_record_start_, const char *strnlen_)
{
    (void)qemu_log_;
    (void)ftrace_write_;
    (void)syslog_;
    (void)trace_record_start_;
    (void)strnlen_;
}

/* constants(int LOG_TRACE, int LOG_INFO, int NULL, int MAX_TRACE_STRLEN, int FILE) "%d %d %d %d %d" */
extern TraceEvent _TRACE_CONSTANTS_EVENT;
extern uint16_t _TRACE_CONSTANTS_DSTATE;
#define TRACE_CONSTANTS_ENABLED 1
#define TRACE_CONSTANTS_BACKEND_DSTATE() ( \
    false)

static inline void trace_constants(int LOG_TRACE_, int LOG_INFO_, int NULL_, int MAX_TRACE_STRLEN_, int FILE_)
{
    (void)LOG_TRACE_;
    (void)LOG_INFO_;
    (void)NULL_;
    (void)MAX_TRACE_STRLEN_;
    (void)FILE_;
}

/* types(int uint8_t, uint8_t uint64_t, uint64_t uintptr_t, void *size_t) "%d %u %" PRIu64 " %p" */
extern TraceEvent _TRACE_TYPES_EVENT;
extern uint16_t _TRACE_TYPES_DSTATE;
#define TRACE_TYPES_ENABLED 1
#define TRACE_TYPES_BACKEND_DSTATE() ( \
    false)

static inline void trace_types(int uint8_t_, uint8_t uint64_t_, uint64_t uintptr_t_, void *size_t_)
{
    (void)uint8_t_;
    (void)uint64_t_;
    (void)uintptr_t_;
    (void)size_t_;
}

/* states(int trace_events_enabled_count, int _TRACE_STATES_DSTATE, int _TRACE_STATES_EVENT) "%d %d %d" */
extern TraceEvent _TRACE_STATES_EVENT;
extern uint16_t _TRACE_STATES_DSTATE;
#define TRACE_STATES_ENABLED 1
#define TRACE_STATES_BACKEND_DSTATE() ( \
    false)

static inline void trace_states(int trace_events_enabled_count_, int _TRACE_STATES_DSTATE_, int _TRACE_STATES_EVENT_)
{
    (void)trace_events_enabled_count_;
    (void)_TRACE_STATES_DSTATE_;
    (void)_TRACE_STATES_EVENT_;
}

/* macros(int errno, int linux, int unix, int EOF) "%d %d %d %d" */
extern TraceEvent _TRACE_MACROS_EVENT;
extern uint16_t _TRACE_MACROS_DSTATE;
#define TRACE_MACROS_ENABLED 1
#define TRACE_MACROS_BACKEND_DSTATE() ( \
    false)

static inline void trace_macros(int errno_, int linux_, int unix_, int EOF_)
{
    (void)errno_;
    (void)linux_;
    (void)unix_;
    (void)EOF_;
}

/* keywords(int if, int if_, int _Bool, const char *static, int typeof) "%d %d %d %s %d" */
extern TraceEvent _TRACE_KEYWORDS_EVENT;
extern uint16_t _TRACE_KEYWORDS_DSTATE;
#define TRACE_KEYWORDS_ENABLED 1
#define TRACE_KEYWORDS_BACKEND_DSTATE() ( \
    false)

static inline void trace_keywords(int if__, int if_, int _Bool_, const char *static_, int typeof_)
{
    (void)if__;
    (void)if_;
    (void)_Bool_;
    (void)static_;
    (void)typeof_;
}

/* twice(int a, int a, int a_) "%d %d %d" */
extern TraceEvent _TRACE_TWICE_EVENT;
extern uint16_t _TRACE_TWICE_DSTATE;
#define TRACE_TWICE_ENABLED 1
#define TRACE_TWICE_BACKEND_DSTATE() ( \
    false)

static inline void trace_twice(int a, int a__, int a_)
{
    (void)a;
    (void)a__;
    (void)a_;
}

/* a__b(int x) "%d" */
extern TraceEvent _TRACE_A__B_EVENT;
extern uint16_t _TRACE_A__B_DSTATE;
#define TRACE_A__B_ENABLED 1
#define TRACE_A__B_BACKEND_DSTATE() ( \
    false)

static inline void trace_a__b(int x)
{
    (void)x;
}

/* rec(const char *rec) "%s" */
extern TraceEvent _TRACE_REC_EVENT;
extern uint16_t _TRACE_REC_DSTATE;
#define TRACE_REC_ENABLED 1
#define TRACE_REC_BACKEND_DSTATE() ( \
    false)

static inline void trace_rec(const char *rec)
{
    (void)rec;
}

/* comments(int x) "* / / * // %d * /" */
extern TraceEvent _TRACE_COMMENTS_EVENT;
extern uint16_t _TRACE_COMMENTS_DSTATE;
#define TRACE_COMMENTS_ENABLED 1
#define TRACE_COMMENTS_BACKEND_DSTATE() ( \
    false)

static inline void trace_comments(int x)
{
    (void)x;
}

/* trigraphs(int x) "what??! ??/ %d??" */
extern TraceEvent _TRACE_TRIGRAPHS_EVENT;
extern uint16_t _TRACE_TRIGRAPHS_DSTATE;
#define TRACE_TRIGRAPHS_ENABLED 1
#define TRACE_TRIGRAPHS_BACKEND_DSTATE() ( \
    false)

static inline void trace_trigraphs(int x)
{
    (void)x;
}

/* format_comment(int x) "%d" / * of x * / "." */
extern TraceEvent _TRACE_FORMAT_COMMENT_EVENT;
extern uint16_t _TRACE_FORMAT_COMMENT_DSTATE;
#define TRACE_FORMAT_COMMENT_ENABLED 1
#define TRACE_FORMAT_COMMENT_BACKEND_DSTATE() ( \
    false)

static inline void trace_format_comment(int x)
{
    (void)x;
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_LOCALS_GENERATED_TRACERS_H */
