/*
 * The events of the group formats.
 * Generated from formats.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-formats.h"

uint16_t _TRACE_WITHOUT_DSTATE;
TraceEvent _TRACE_WITHOUT_EVENT = {
    .id = 0,
    .name = "without",
    .sstate = TRACE_WITHOUT_ENABLED,
    .dstate = &_TRACE_WITHOUT_DSTATE,
};

uint16_t _TRACE_EMPTY_DSTATE;
TraceEvent _TRACE_EMPTY_EVENT = {
    .id = 0,
    .name = "empty",
    .sstate = TRACE_EMPTY_ENABLED,
    .dstate = &_TRACE_EMPTY_DSTATE,
};

uint16_t _TRACE_MACROS_ONLY_DSTATE;
TraceEvent _TRACE_MACROS_ONLY_EVENT = {
    .id = 0,
    .name = "macros_only",
    .sstate = TRACE_MACROS_ONLY_ENABLED,
    .dstate = &_TRACE_MACROS_ONLY_DSTATE,
};

uint16_t _TRACE_NO_BLANKS_DSTATE;
TraceEvent _TRACE_NO_BLANKS_EVENT = {
    .id = 0,
    .name = "no_blanks",
    .sstate = TRACE_NO_BLANKS_ENABLED,
    .dstate = &_TRACE_NO_BLANKS_DSTATE,
};

uint16_t _TRACE_QUOTED_DSTATE;
TraceEvent _TRACE_QUOTED_EVENT = {
    .id = 0,
    .name = "quoted",
    .sstate = TRACE_QUOTED_ENABLED,
    .dstate = &_TRACE_QUOTED_DSTATE,
};

uint16_t _TRACE_HASHES_DSTATE;
TraceEvent _TRACE_HASHES_EVENT = {
    .id = 0,
    .name = "hashes",
    .sstate = TRACE_HASHES_ENABLED,
    .dstate = &_TRACE_HASHES_DSTATE,
};

uint16_t _TRACE_BACKSLASH_DSTATE;
TraceEvent _TRACE_BACKSLASH_EVENT = {
    .id = 0,
    .name = "backslash",
    .sstate = TRACE_BACKSLASH_ENABLED,
    .dstate = &_TRACE_BACKSLASH_DSTATE,
};

uint16_t _TRACE_ESCAPES_DSTATE;
TraceEvent _TRACE_ESCAPES_EVENT = {
    .id = 0,
    .name = "escapes",
    .sstate = TRACE_ESCAPES_ENABLED,
    .dstate = &_TRACE_ESCAPES_DSTATE,
};

uint16_t _TRACE_BACKTICKS_DSTATE;
TraceEvent _TRACE_BACKTICKS_EVENT = {
    .id = 0,
    .name = "backticks",
    .sstate = TRACE_BACKTICKS_ENABLED,
    .dstate = &_TRACE_BACKTICKS_DSTATE,
};

uint16_t _TRACE_PERCENT_DSTATE;
TraceEvent _TRACE_PERCENT_EVENT = {
    .id = 0,
    .name = "percent",
    .sstate = TRACE_PERCENT_ENABLED,
    .dstate = &_TRACE_PERCENT_DSTATE,
};

uint16_t _TRACE_LETTERS_DSTATE;
TraceEvent _TRACE_LETTERS_EVENT = {
    .id = 0,
    .name = "letters",
    .sstate = TRACE_LETTERS_ENABLED,
    .dstate = &_TRACE_LETTERS_DSTATE,
};

uint16_t _TRACE_SIGNS_DSTATE;
TraceEvent _TRACE_SIGNS_EVENT = {
    .id = 0,
    .name = "signs",
    .sstate = TRACE_SIGNS_ENABLED,
    .dstate = &_TRACE_SIGNS_DSTATE,
};

uint16_t _TRACE_BRACES_DSTATE;
TraceEvent _TRACE_BRACES_EVENT = {
    .id = 0,
    .name = "braces",
    .sstate = TRACE_BRACES_ENABLED,
    .dstate = &_TRACE_BRACES_DSTATE,
};

uint16_t _TRACE_TABS_DSTATE;
TraceEvent _TRACE_TABS_EVENT = {
    .id = 0,
    .name = "tabs",
    .sstate = TRACE_TABS_ENABLED,
    .dstate = &_TRACE_TABS_DSTATE,
};

uint16_t _TRACE_WIDTH_DSTATE;
TraceEvent _TRACE_WIDTH_EVENT = {
    .id = 0,
    .name = "width",
    .sstate = TRACE_WIDTH_ENABLED,
    .dstate = &_TRACE_WIDTH_DSTATE,
};

uint16_t _TRACE_IGNORED_DSTATE;
TraceEvent _TRACE_IGNORED_EVENT = {
    .id = 0,
    .name = "ignored",
    .sstate = TRACE_IGNORED_ENABLED,
    .dstate = &_TRACE_IGNORED_DSTATE,
};

TraceEvent *formats_trace_events[] = {
    &_TRACE_WITHOUT_EVENT,
    &_TRACE_EMPTY_EVENT,
    &_TRACE_MACROS_ONLY_EVENT,
    &_TRACE_NO_BLANKS_EVENT,
    &_TRACE_QUOTED_EVENT,
    &_TRACE_HASHES_EVENT,
    &_TRACE_BACKSLASH_EVENT,
    &_TRACE_ESCAPES_EVENT,
    &_TRACE_BACKTICKS_EVENT,
    &_TRACE_PERCENT_EVENT,
    &_TRACE_LETTERS_EVENT,
    &_TRACE_SIGNS_EVENT,
    &_TRACE_BRACES_EVENT,
    &_TRACE_TABS_EVENT,
    &_TRACE_WIDTH_EVENT,
    &_TRACE_IGNORED_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const formats_trace_declarations[] = {
    "without(int x)",
    "empty(int x) \"\"",
    "macros_only(uint64_t x) \"%\" PRIx64",
    "no_blanks(uint64_t x, int y) \"%\"PRIu64\"%d\"",
    "quoted(const char *s) \"say \\\"%s\\\"#\"",
    "hashes(const char *s) \"r\\\"#%s\\\"##\"",
    "backslash(int x) \"c:\\\\%d\\\\\"",
    "escapes(int x) \"\\a\\b\\f\\r\\t\\x41 %d\"",
    "backticks(int x) \"`%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)\"",
    "percent(int x) \"%d%% done\"",
    "letters(int x) \"größe=%d 日本\"",
    "signs(int x) \"\342\206\222 %d\342\200\246 \342\200\256 \342\200\213\"",
    "braces(int x) \"{}{{x}} %d\"",
    "tabs(int x)\t\"\t%d\"",
    "width(int w, uint64_t v, const char *s) \"%0*\" PRIx64 \" %-10.3s\"",
    "ignored(int x): \"%d\"",
    NULL,
};
RINGTRACE_DESCRIBE(formats, "formats", "nop,dtrace,ftrace,log,simple,syslog,ust")
#endif

static void trace_formats_register_events(void)
{
    trace_event_register_group(formats_trace_events);
}
trace_init(trace_formats_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_without(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_WITHOUT_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_without(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_WITHOUT_EVENT.id, 8)) {
        _slow_simple_trace_without(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_empty(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_EMPTY_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_empty(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_EMPTY_EVENT.id, 8)) {
        _slow_simple_trace_empty(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_macros_only(uint64_t x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_MACROS_ONLY_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_macros_only(uint64_t x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_MACROS_ONLY_EVENT.id, 8)) {
        _slow_simple_trace_macros_only(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_no_blanks(uint64_t x, int y)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_NO_BLANKS_EVENT.id, 2 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_write_u64(&rec, (uint64_t)y);
    trace_record_finish(&rec);
}

void _simple_trace_no_blanks(uint64_t x, int y)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_NO_BLANKS_EVENT.id, 2 * 8)) {
        _slow_simple_trace_no_blanks(x, y);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_write_u64(&rec, (uint64_t)y);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_quoted(const char *s)
{
    TraceBufferRecord rec;
    uint32_t len_s = s ? strnlen(s, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_QUOTED_EVENT.id, 4 + len_s)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_str(&rec, s, len_s);
    trace_record_finish(&rec);
}

void _simple_trace_quoted(const char *s)
{
    TraceBufferRecord rec;
    uint32_t len_s = s ? strnlen(s, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec, _TRACE_QUOTED_EVENT.id, 4 + len_s)) {
        _slow_simple_trace_quoted(s);
        return;
    }
    trace_record_write_str(&rec, s, len_s);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_hashes(const char *s)
{
    TraceBufferRecord rec;
    uint32_t len_s = s ? strnlen(s, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_HASHES_EVENT.id, 4 + len_s)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_str(&rec, s, len_s);
    trace_record_finish(&rec);
}

void _simple_trace_hashes(const char *s)
{
    TraceBufferRecord rec;
    uint32_t len_s = s ? strnlen(s, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec, _TRACE_HASHES_EVENT.id, 4 + len_s)) {
        _slow_simple_trace_hashes(s);
        return;
    }
    trace_record_write_str(&rec, s, len_s);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_backslash(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_BACKSLASH_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_backslash(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_BACKSLASH_EVENT.id, 8)) {
        _slow_simple_trace_backslash(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_escapes(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_ESCAPES_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_escapes(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_ESCAPES_EVENT.id, 8)) {
        _slow_simple_trace_escapes(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_backticks(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_BACKTICKS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_backticks(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_BACKTICKS_EVENT.id, 8)) {
        _slow_simple_trace_backticks(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_percent(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_PERCENT_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_percent(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_PERCENT_EVENT.id, 8)) {
        _slow_simple_trace_percent(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_letters(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_LETTERS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_letters(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_LETTERS_EVENT.id, 8)) {
        _slow_simple_trace_letters(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_signs(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SIGNS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_signs(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SIGNS_EVENT.id, 8)) {
        _slow_simple_trace_signs(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_braces(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_BRACES_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_braces(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_BRACES_EVENT.id, 8)) {
        _slow_simple_trace_braces(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_tabs(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_TABS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_tabs(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_TABS_EVENT.id, 8)) {
        _slow_simple_trace_tabs(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_width(int w, uint64_t v, const char *s)
{
    TraceBufferRecord rec;
    uint32_t len_s = s ? strnlen(s, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_WIDTH_EVENT.id, 2 * 8 + 4 + len_s)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)w);
    trace_record_write_u64(&rec, (uint64_t)v);
    trace_record_write_str(&rec, s, len_s);
    trace_record_finish(&rec);
}

void _simple_trace_width(int w, uint64_t v, const char *s)
{
    TraceBufferRecord rec;
    uint32_t len_s = s ? strnlen(s, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec, _TRACE_WIDTH_EVENT.id, 2 * 8 + 4 + len_s)) {
        _slow_simple_trace_width(w, v, s);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)w);
    trace_record_write_u64(&rec, (uint64_t)v);
    trace_record_write_str(&rec, s, len_s);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_ignored(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_IGNORED_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_ignored(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_IGNORED_EVENT.id, 8)) {
        _slow_simple_trace_ignored(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}
