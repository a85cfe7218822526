/*
 * The events of the group locals.
 * Generated from locals.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-locals.h"

uint16_t _TRACE_LOCALS_DSTATE;
TraceEvent _TRACE_LOCALS_EVENT = {
    .id = 0,
    .name = "locals",
    .sstate = TRACE_LOCALS_ENABLED,
    .dstate = &_TRACE_LOCALS_DSTATE,
};

uint16_t _TRACE_FUNCTIONS_DSTATE;
TraceEvent _TRACE_FUNCTIONS_EVENT = {
    .id = 0,
    .name = "functions",
    .sstate = TRACE_FUNCTIONS_ENABLED,
    .dstate = &_TRACE_FUNCTIONS_DSTATE,
};

uint16_t _TRACE_CONSTANTS_DSTATE;
TraceEvent _TRACE_CONSTANTS_EVENT = {
    .id = 0,
    .name = "constants",
    .sstate = TRACE_CONSTANTS_ENABLED,
    .dstate = &_TRACE_CONSTANTS_DSTATE,
};

uint16_t _TRACE_TYPES_DSTATE;
TraceEvent _TRACE_TYPES_EVENT = {
    .id = 0,
    .name = "types",
    .sstate = TRACE_TYPES_ENABLED,
    .dstate = &_TRACE_TYPES_DSTATE,
};

uint16_t _TRACE_STATES_DSTATE;
TraceEvent _TRACE_STATES_EVENT = {
    .id = 0,
    .name = "states",
    .sstate = TRACE_STATES_ENABLED,
    .dstate = &_TRACE_STATES_DSTATE,
};

uint16_t _TRACE_MACROS_DSTATE;
TraceEvent _TRACE_MACROS_EVENT = {
    .id = 0,
    .name = "macros",
    .sstate = TRACE_MACROS_ENABLED,
    .dstate = &_TRACE_MACROS_DSTATE,
};

uint16_t _TRACE_KEYWORDS_DSTATE;
TraceEvent _TRACE_KEYWORDS_EVENT = {
    .id = 0,
    .name = "keywords",
    .sstate = TRACE_KEYWORDS_ENABLED,
    .dstate = &_TRACE_KEYWORDS_DSTATE,
};

uint16_t _TRACE_TWICE_DSTATE;
TraceEvent _TRACE_TWICE_EVENT = {
    .id = 0,
    .name = "twice",
    .sstate = TRACE_TWICE_ENABLED,
    .dstate = &_TRACE_TWICE_DSTATE,
};

uint16_t _TRACE_A__B_DSTATE;
TraceEvent _TRACE_A__B_EVENT = {
    .id = 0,
    .name = "a__b",
    .sstate = TRACE_A__B_ENABLED,
    .dstate = &_TRACE_A__B_DSTATE,
};

uint16_t _TRACE_REC_DSTATE;
TraceEvent _TRACE_REC_EVENT = {
    .id = 0,
    .name = "rec",
    .sstate = TRACE_REC_ENABLED,
    .dstate = &_TRACE_REC_DSTATE,
};

uint16_t _TRACE_COMMENTS_DSTATE;
TraceEvent _TRACE_COMMENTS_EVENT = {
    .id = 0,
    .name = "comments",
    .sstate = TRACE_COMMENTS_ENABLED,
    .dstate = &_TRACE_COMMENTS_DSTATE,
};

uint16_t _TRACE_TRIGRAPHS_DSTATE;
TraceEvent _TRACE_TRIGRAPHS_EVENT = {
    .id = 0,
    .name = "trigraphs",
    .sstate = TRACE_TRIGRAPHS_ENABLED,
    .dstate = &_TRACE_TRIGRAPHS_DSTATE,
};

uint16_t _TRACE_FORMAT_COMMENT_DSTATE;
TraceEvent _TRACE_FORMAT_COMMENT_EVENT = {
    .id = 0,
    .name = "format_comment",
    .sstate = TRACE_FORMAT_COMMENT_ENABLED,
    .dstate = &_TRACE_FORMAT_COMMENT_DSTATE,
};

TraceEvent *locals_trace_events[] = {
    &_TRACE_LOCALS_EVENT,
    &_TRACE_FUNCTIONS_EVENT,
    &_TRACE_CONSTANTS_EVENT,
    &_TRACE_TYPES_EVENT,
    &_TRACE_STATES_EVENT,
    &_TRACE_MACROS_EVENT,
    &_TRACE_KEYWORDS_EVENT,
    &_TRACE_TWICE_EVENT,
    &_TRACE_A__B_EVENT,
    &_TRACE_REC_EVENT,
    &_TRACE_COMMENTS_EVENT,
    &_TRACE_TRIGRAPHS_EVENT,
    &_TRACE_FORMAT_COMMENT_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const locals_trace_declarations[] = {
    "locals(int rec, const char *s, const char *len_s, const char *len_s_, int len_rec) \"%d %s %s %s %d\"",
    "functions(int qemu_log, int ftrace_write, int syslog, int trace_record_start, const char *strnlen) \"%d %d %d %d %s\"",
    "constants(int LOG_TRACE, int LOG_INFO, int NULL, int MAX_TRACE_STRLEN, int FILE) \"%d %d %d %d %d\"",
    "types(int uint8_t, uint8_t uint64_t, uint64_t uintptr_t, void *size_t) \"%d %u %\" PRIu64 \" %p\"",
    "states(int trace_events_enabled_count, int _TRACE_STATES_DSTATE, int _TRACE_STATES_EVENT) \"%d %d %d\"",
    "macros(int errno, int linux, int unix, int EOF) \"%d %d %d %d\"",
    "keywords(int if, int if_, int _Bool, const char *static, int typeof) \"%d %d %d %s %d\"",
    "twice(int a, int a, int a_) \"%d %d %d\"",
    "a__b(int x) \"%d\"",
    "rec(const char *rec) \"%s\"",
    "comments(int x) \"*/ /* // %d */\"",
    "trigraphs(int x) \"what?\?! ?\?/ %d?\?\"",
    "format_comment(int x) \"%d\" /* of x */ \".\"",
    NULL,
};
RINGTRACE_DESCRIBE(locals, "locals", "nop,dtrace,ftrace,log,simple,syslog,ust")
#endif

static void trace_locals_register_events(void)
{
    trace_event_register_group(locals_trace_events);
}
trace_init(trace_locals_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_locals(int rec, const char *s, const char *len_s, const char *len_s_, int len_rec)
{
    TraceBufferRecord rec_;
    uint32_t len_s__ = s ? strnlen(s, MAX_TRACE_STRLEN) : 0;
    uint32_t len_len_s = len_s ? strnlen(len_s, MAX_TRACE_STRLEN) : 0;
    uint32_t len_len_s_ = len_s_ ? strnlen(len_s_, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec_, _TRACE_LOCALS_EVENT.id, 2 * 8 + 4 + len_s__ + 4 + len_len_s + 4 + len_len_s_)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec_, (uint64_t)rec);
    trace_record_write_str(&rec_, s, len_s__);
    trace_record_write_str(&rec_, len_s, len_len_s);
    trace_record_write_str(&rec_, len_s_, len_len_s_);
    trace_record_write_u64(&rec_, (uint64_t)len_rec);
    trace_record_finish(&rec_);
}

void _simple_trace_locals(int rec, const char *s, const char *len_s, const char *len_s_, int len_rec)
{
    TraceBufferRecord rec_;
    uint32_t len_s__ = s ? strnlen(s, MAX_TRACE_STRLEN) : 0;
    uint32_t len_len_s = len_s ? strnlen(len_s, MAX_TRACE_STRLEN) : 0;
    uint32_t len_len_s_ = len_s_ ? strnlen(len_s_, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec_, _TRACE_LOCALS_EVENT.id, 2 * 8 + 4 + len_s__ + 4 + len_len_s + 4 + len_len_s_)) {
        _slow_simple_trace_locals(rec, s, len_s, len_s_, len_rec);
        return;
    }
    trace_record_write_u64(&rec_, (uint64_t)rec);
    trace_record_write_str(&rec_, s, len_s__);
    trace_record_write_str(&rec_, len_s, len_len_s);
    trace_record_write_str(&rec_, len_s_, len_len_s_);
    trace_record_write_u64(&rec_, (uint64_t)len_rec);
    trace_record_finish(&rec_);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_functions(int qemu_log_, int ftrace_write_, int syslog_, int trace_record_start_, const char *strnlen_)
{
    TraceBufferRecord rec;
    uint32_t len_strnlen_ = strnlen_ ? strnlen(strnlen_, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_FUNCTIONS_EVENT.id, 4 * 8 + 4 + len_strnlen_)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)qemu_log_);
    trace_record_write_u64(&rec, (uint64_t)ftrace_write_);
    trace_record_write_u64(&rec, (uint64_t)syslog_);
    trace_record_write_u64(&rec, (uint64_t)trace_record_start_);
    trace_record_write_str(&rec, strnlen_, len_strnlen_);
    trace_record_finish(&rec);
}

void _simple_trace_functions(int qemu_log_, int ftrace_write_, int syslog_, int trace_record_start_, const char *strnlen_)
{
    TraceBufferRecord rec;
    uint32_t len_strnlen_ = strnlen_ ? strnlen(strnlen_, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec, _TRACE_FUNCTIONS_EVENT.id, 4 * 8 + 4 + len_strnlen_)) {
        _slow_simple_trace_functions(qemu_log_, ftrace_write_, syslog_, trace_record_start_, strnlen_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)qemu_log_);
    trace_record_write_u64(&rec, (uint64_t)ftrace_write_);
    trace_record_write_u64(&rec, (uint64_t)syslog_);
    trace_record_write_u64(&rec, (uint64_t)trace_record_start_);
    trace_record_write_str(&rec, strnlen_, len_strnlen_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_constants(int LOG_TRACE_, int LOG_INFO_, int NULL_, int MAX_TRACE_STRLEN_, int FILE_)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_CONSTANTS_EVENT.id, 5 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)LOG_TRACE_);
    trace_record_write_u64(&rec, (uint64_t)LOG_INFO_);
    trace_record_write_u64(&rec, (uint64_t)NULL_);
    trace_record_write_u64(&rec, (uint64_t)MAX_TRACE_STRLEN_);
    trace_record_write_u64(&rec, (uint64_t)FILE_);
    trace_record_finish(&rec);
}

void _simple_trace_constants(int LOG_TRACE_, int LOG_INFO_, int NULL_, int MAX_TRACE_STRLEN_, int FILE_)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_CONSTANTS_EVENT.id, 5 * 8)) {
        _slow_simple_trace_constants(LOG_TRACE_, LOG_INFO_, NULL_, MAX_TRACE_STRLEN_, FILE_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)LOG_TRACE_);
    trace_record_write_u64(&rec, (uint64_t)LOG_INFO_);
    trace_record_write_u64(&rec, (uint64_t)NULL_);
    trace_record_write_u64(&rec, (uint64_t)MAX_TRACE_STRLEN_);
    trace_record_write_u64(&rec, (uint64_t)FILE_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_types(int uint8_t_, uint8_t uint64_t_, uint64_t uintptr_t_, void *size_t_)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_TYPES_EVENT.id, 4 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)uint8_t_);
    trace_record_write_u64(&rec, (uint64_t)uint64_t_);
    trace_record_write_u64(&rec, (uint64_t)uintptr_t_);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)size_t_);
    trace_record_finish(&rec);
}

void _simple_trace_types(int uint8_t_, uint8_t uint64_t_, uint64_t uintptr_t_, void *size_t_)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_TYPES_EVENT.id, 4 * 8)) {
        _slow_simple_trace_types(uint8_t_, uint64_t_, uintptr_t_, size_t_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)uint8_t_);
    trace_record_write_u64(&rec, (uint64_t)uint64_t_);
    trace_record_write_u64(&rec, (uint64_t)uintptr_t_);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)size_t_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_states(int trace_events_enabled_count_, int _TRACE_STATES_DSTATE_, int _TRACE_STATES_EVENT_)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_STATES_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)trace_events_enabled_count_);
    trace_record_write_u64(&rec, (uint64_t)_TRACE_STATES_DSTATE_);
    trace_record_write_u64(&rec, (uint64_t)_TRACE_STATES_EVENT_);
    trace_record_finish(&rec);
}

void _simple_trace_states(int trace_events_enabled_count_, int _TRACE_STATES_DSTATE_, int _TRACE_STATES_EVENT_)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_STATES_EVENT.id, 3 * 8)) {
        _slow_simple_trace_states(trace_events_enabled_count_, _TRACE_STATES_DSTATE_, _TRACE_STATES_EVENT_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)trace_events_enabled_count_);
    trace_record_write_u64(&rec, (uint64_t)_TRACE_STATES_DSTATE_);
    trace_record_write_u64(&rec, (uint64_t)_TRACE_STATES_EVENT_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_macros(int errno_, int linux_, int unix_, int EOF_)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_MACROS_EVENT.id, 4 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)errno_);
    trace_record_write_u64(&rec, (uint64_t)linux_);
    trace_record_write_u64(&rec, (uint64_t)unix_);
    trace_record_write_u64(&rec, (uint64_t)EOF_);
    trace_record_finish(&rec);
}

void _simple_trace_macros(int errno_, int linux_, int unix_, int EOF_)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_MACROS_EVENT.id, 4 * 8)) {
        _slow_simple_trace_macros(errno_, linux_, unix_, EOF_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)errno_);
    trace_record_write_u64(&rec, (uint64_t)linux_);
    trace_record_write_u64(&rec, (uint64_t)unix_);
    trace_record_write_u64(&rec, (uint64_t)EOF_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_keywords(int if__, int if_, int _Bool_, const char *static_, int typeof_)
{
    TraceBufferRecord rec;
    uint32_t len_static_ = static_ ? strnlen(static_, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_KEYWORDS_EVENT.id, 4 * 8 + 4 + len_static_)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)if__);
    trace_record_write_u64(&rec, (uint64_t)if_);
    trace_record_write_u64(&rec, (uint64_t)_Bool_);
    trace_record_write_str(&rec, static_, len_static_);
    trace_record_write_u64(&rec, (uint64_t)typeof_);
    trace_record_finish(&rec);
}

void _simple_trace_keywords(int if__, int if_, int _Bool_, const char *static_, int typeof_)
{
    TraceBufferRecord rec;
    uint32_t len_static_ = static_ ? strnlen(static_, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec, _TRACE_KEYWORDS_EVENT.id, 4 * 8 + 4 + len_static_)) {
        _slow_simple_trace_keywords(if__, if_, _Bool_, static_, typeof_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)if__);
    trace_record_write_u64(&rec, (uint64_t)if_);
    trace_record_write_u64(&rec, (uint64_t)_Bool_);
    trace_record_write_str(&rec, static_, len_static_);
    trace_record_write_u64(&rec, (uint64_t)typeof_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_twice(int a, int a__, int a_)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_TWICE_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)a__);
    trace_record_write_u64(&rec, (uint64_t)a_);
    trace_record_finish(&rec);
}

void _simple_trace_twice(int a, int a__, int a_)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_TWICE_EVENT.id, 3 * 8)) {
        _slow_simple_trace_twice(a, a__, a_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)a__);
    trace_record_write_u64(&rec, (uint64_t)a_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_a__b(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_A__B_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_a__b(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_A__B_EVENT.id, 8)) {
        _slow_simple_trace_a__b(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_rec(const char *rec)
{
    TraceBufferRecord rec_;
    uint32_t len_rec = rec ? strnlen(rec, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec_, _TRACE_REC_EVENT.id, 4 + len_rec)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_str(&rec_, rec, len_rec);
    trace_record_finish(&rec_);
}

void _simple_trace_rec(const char *rec)
{
    TraceBufferRecord rec_;
    uint32_t len_rec = rec ? strnlen(rec, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec_, _TRACE_REC_EVENT.id, 4 + len_rec)) {
        _slow_simple_trace_rec(rec);
        return;
    }
    trace_record_write_str(&rec_, rec, len_rec);
    trace_record_finish(&rec_);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_comments(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_COMMENTS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_comments(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_COMMENTS_EVENT.id, 8)) {
        _slow_simple_trace_comments(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_trigraphs(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_TRIGRAPHS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_trigraphs(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_TRIGRAPHS_EVENT.id, 8)) {
        _slow_simple_trace_trigraphs(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_format_comment(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_FORMAT_COMMENT_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_format_comment(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_FORMAT_COMMENT_EVENT.id, 8)) {
        _slow_simple_trace_format_comment(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}
