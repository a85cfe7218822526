/*
 * The probes of the group formats.
 * Generated from formats.events. Make changes there.
 */

#ifndef TRACE_FORMATS_GENERATED_TRACERS_H
#define TRACE_FORMATS_GENERATED_TRACERS_H

#include "trace/control.h"
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-formats.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-formats.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* without(int x) */
extern TraceEvent _TRACE_WITHOUT_EVENT;
extern uint16_t _TRACE_WITHOUT_DSTATE;
#define TRACE_WITHOUT_ENABLED 1
#define TRACE_WITHOUT_BACKEND_DSTATE() ( \
    QEMU_WITHOUT_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_WITHOUT) || \
    trace_event_get_state_dynamic_by_id(TRACE_WITHOUT) || \
    trace_event_get_state_dynamic_by_id(TRACE_WITHOUT) || \
    trace_event_get_state_dynamic_by_id(TRACE_WITHOUT) || \
    tracepoint_enabled(qemu, without) || \
    false)
#ifndef QEMU_WITHOUT_ENABLED
#define QEMU_WITHOUT_ENABLED() true
#endif
void _simple_trace_without(int x);

static inline void trace_without(int x)
{
    QEMU_WITHOUT(x);
    tracepoint(qemu, without, x);
    if (trace_event_get_state(TRACE_WITHOUT)) {
        #line 2 "formats.events"
        ftrace_write("without " "\n");
        #line 54 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 2 "formats.events"
            qemu_log("without " "\n");
            #line 58 "trace/trace-formats.h"
        }
        _simple_trace_without(x);
        #line 2 "formats.events"
        syslog(LOG_INFO, "without ");
        #line 63 "trace/trace-formats.h"
    }
}

/* empty(int x) "" */
extern TraceEvent _TRACE_EMPTY_EVENT;
extern uint16_t _TRACE_EMPTY_DSTATE;
#define TRACE_EMPTY_ENABLED 1
#define TRACE_EMPTY_BACKEND_DSTATE() ( \
    QEMU_EMPTY_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_EMPTY) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMPTY) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMPTY) || \
    trace_event_get_state_dynamic_by_id(TRACE_EMPTY) || \
    tracepoint_enabled(qemu, empty) || \
    false)
#ifndef QEMU_EMPTY_ENABLED
#define QEMU_EMPTY_ENABLED() true
#endif
void _simple_trace_empty(int x);

static inline void trace_empty(int x)
{
    QEMU_EMPTY(x);
    tracepoint(qemu, empty, x);
    if (trace_event_get_state(TRACE_EMPTY)) {
        #line 3 "formats.events"
        ftrace_write("empty " "\n");
        #line 91 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "formats.events"
            qemu_log("empty " "\n");
            #line 95 "trace/trace-formats.h"
        }
        _simple_trace_empty(x);
        #line 3 "formats.events"
        syslog(LOG_INFO, "empty ");
        #line 100 "trace/trace-formats.h"
    }
}

/* macros_only(uint64_t x) "%" PRIx64 */
extern TraceEvent _TRACE_MACROS_ONLY_EVENT;
extern uint16_t _TRACE_MACROS_ONLY_DSTATE;
#define TRACE_MACROS_ONLY_ENABLED 1
#define TRACE_MACROS_ONLY_BACKEND_DSTATE() ( \
    QEMU_MACROS_ONLY_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS_ONLY) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS_ONLY) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS_ONLY) || \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS_ONLY) || \
    tracepoint_enabled(qemu, macros_only) || \
    false)
#ifndef QEMU_MACROS_ONLY_ENABLED
#define QEMU_MACROS_ONLY_ENABLED() true
#endif
void _simple_trace_macros_only(uint64_t x);

static inline void trace_macros_only(uint64_t x)
{
    QEMU_MACROS_ONLY(x);
    tracepoint(qemu, macros_only, x);
    if (trace_event_get_state(TRACE_MACROS_ONLY)) {
        #line 4 "formats.events"
        ftrace_write("macros_only " "%" PRIx64 "\n", x);
        #line 128 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "formats.events"
            qemu_log("macros_only " "%" PRIx64 "\n", x);
            #line 132 "trace/trace-formats.h"
        }
        _simple_trace_macros_only(x);
        #line 4 "formats.events"
        syslog(LOG_INFO, "macros_only " "%" PRIx64, x);
        #line 137 "trace/trace-formats.h"
    }
}

/* no_blanks(uint64_t x, int y) "%"PRIu64"%d" */
extern TraceEvent _TRACE_NO_BLANKS_EVENT;
extern uint16_t _TRACE_NO_BLANKS_DSTATE;
#define TRACE_NO_BLANKS_ENABLED 1
#define TRACE_NO_BLANKS_BACKEND_DSTATE() ( \
    QEMU_NO_BLANKS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_NO_BLANKS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NO_BLANKS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NO_BLANKS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NO_BLANKS) || \
    tracepoint_enabled(qemu, no_blanks) || \
    false)
#ifndef QEMU_NO_BLANKS_ENABLED
#define QEMU_NO_BLANKS_ENABLED() true
#endif
void _simple_trace_no_blanks(uint64_t x, int y);

static inline void trace_no_blanks(uint64_t x, int y)
{
    QEMU_NO_BLANKS(x, y);
    tracepoint(qemu, no_blanks, x, y);
    if (trace_event_get_state(TRACE_NO_BLANKS)) {
        #line 5 "formats.events"
        ftrace_write("no_blanks " "%" PRIu64"%d" "\n", x, y);
        #line 165 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "formats.events"
            qemu_log("no_blanks " "%" PRIu64"%d" "\n", x, y);
            #line 169 "trace/trace-formats.h"
        }
        _simple_trace_no_blanks(x, y);
        #line 5 "formats.events"
        syslog(LOG_INFO, "no_blanks " "%" PRIu64"%d", x, y);
        #line 174 "trace/trace-formats.h"
    }
}

/* quoted(const char *s) "say \"%s\"#" */
extern TraceEvent _TRACE_QUOTED_EVENT;
extern uint16_t _TRACE_QUOTED_DSTATE;
#define TRACE_QUOTED_ENABLED 1
#define TRACE_QUOTED_BACKEND_DSTATE() ( \
    QEMU_QUOTED_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_QUOTED) || \
    trace_event_get_state_dynamic_by_id(TRACE_QUOTED) || \
    trace_event_get_state_dynamic_by_id(TRACE_QUOTED) || \
    trace_event_get_state_dynamic_by_id(TRACE_QUOTED) || \
    tracepoint_enabled(qemu, quoted) || \
    false)
#ifndef QEMU_QUOTED_ENABLED
#define QEMU_QUOTED_ENABLED() true
#endif
void _simple_trace_quoted(const char *s);

static inline void trace_quoted(const char *s)
{
    QEMU_QUOTED(s);
    tracepoint(qemu, quoted, s);
    if (trace_event_get_state(TRACE_QUOTED)) {
        #line 6 "formats.events"
        ftrace_write("quoted " "say \"%s\"#" "\n", s);
        #line 202 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "formats.events"
            qemu_log("quoted " "say \"%s\"#" "\n", s);
            #line 206 "trace/trace-formats.h"
        }
        _simple_trace_quoted(s);
        #line 6 "formats.events"
        syslog(LOG_INFO, "quoted " "say \"%s\"#", s);
        #line 211 "trace/trace-formats.h"
    }
}

/* hashes(const char *s) "r\"#%s\"##" */
extern TraceEvent _TRACE_HASHES_EVENT;
extern uint16_t _TRACE_HASHES_DSTATE;
#define TRACE_HASHES_ENABLED 1
#define TRACE_HASHES_BACKEND_DSTATE() ( \
    QEMU_HASHES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_HASHES) || \
    trace_event_get_state_dynamic_by_id(TRACE_HASHES) || \
    trace_event_get_state_dynamic_by_id(TRACE_HASHES) || \
    trace_event_get_state_dynamic_by_id(TRACE_HASHES) || \
    tracepoint_enabled(qemu, hashes) || \
    false)
#ifndef QEMU_HASHES_ENABLED
#define QEMU_HASHES_ENABLED() true
#endif
void _simple_trace_hashes(const char *s);

static inline void trace_hashes(const char *s)
{
    QEMU_HASHES(s);
    tracepoint(qemu, hashes, s);
    if (trace_event_get_state(TRACE_HASHES)) {
        #line 7 "formats.events"
        ftrace_write("hashes " "r\"#%s\"##" "\n", s);
        #line 239 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 7 "formats.events"
            qemu_log("hashes " "r\"#%s\"##" "\n", s);
            #line 243 "trace/trace-formats.h"
        }
        _simple_trace_hashes(s);
        #line 7 "formats.events"
        syslog(LOG_INFO, "hashes " "r\"#%s\"##", s);
        #line 248 "trace/trace-formats.h"
    }
}

/* backslash(int x) "c:\\%d\\" */
extern TraceEvent _TRACE_BACKSLASH_EVENT;
extern uint16_t _TRACE_BACKSLASH_DSTATE;
#define TRACE_BACKSLASH_ENABLED 1
#define TRACE_BACKSLASH_BACKEND_DSTATE() ( \
    QEMU_BACKSLASH_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_BACKSLASH) || \
    trace_event_get_state_dynamic_by_id(TRACE_BACKSLASH) || \
    trace_event_get_state_dynamic_by_id(TRACE_BACKSLASH) || \
    trace_event_get_state_dynamic_by_id(TRACE_BACKSLASH) || \
    tracepoint_enabled(qemu, backslash) || \
    false)
#ifndef QEMU_BACKSLASH_ENABLED
#define QEMU_BACKSLASH_ENABLED() true
#endif
void _simple_trace_backslash(int x);

static inline void trace_backslash(int x)
{
    QEMU_BACKSLASH(x);
    tracepoint(qemu, backslash, x);
    if (trace_event_get_state(TRACE_BACKSLASH)) {
        #line 8 "formats.events"
        ftrace_write("backslash " "c:\\%d\\" "\n", x);
        #line 276 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "formats.events"
            qemu_log("backslash " "c:\\%d\\" "\n", x);
            #line 280 "trace/trace-formats.h"
        }
        _simple_trace_backslash(x);
        #line 8 "formats.events"
        syslog(LOG_INFO, "backslash " "c:\\%d\\", x);
        #line 285 "trace/trace-formats.h"
    }
}

/* escapes(int x) "\a\b\f\r\t\x41 %d" */
extern TraceEvent _TRACE_ESCAPES_EVENT;
extern uint16_t _TRACE_ESCAPES_DSTATE;
#define TRACE_ESCAPES_ENABLED 1
#define TRACE_ESCAPES_BACKEND_DSTATE() ( \
    QEMU_ESCAPES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_ESCAPES) || \
    trace_event_get_state_dynamic_by_id(TRACE_ESCAPES) || \
    trace_event_get_state_dynamic_by_id(TRACE_ESCAPES) || \
    trace_event_get_state_dynamic_by_id(TRACE_ESCAPES) || \
    tracepoint_enabled(qemu, escapes) || \
    false)
#ifndef QEMU_ESCAPES_ENABLED
#define QEMU_ESCAPES_ENABLED() true
#endif
void _simple_trace_escapes(int x);

static inline void trace_escapes(int x)
{
    QEMU_ESCAPES(x);
    tracepoint(qemu, escapes, x);
    if (trace_event_get_state(TRACE_ESCAPES)) {
        #line 9 "formats.events"
        ftrace_write("escapes " "\a\b\f\r\t\x41 %d" "\n", x);
        #line 313 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "formats.events"
            qemu_log("escapes " "\a\b\f\r\t\x41 %d" "\n", x);
            #line 317 "trace/trace-formats.h"
        }
        _simple_trace_escapes(x);
        #line 9 "formats.events"
        syslog(LOG_INFO, "escapes " "\a\b\f\r\t\x41 %d", x);
        #line 322 "trace/trace-formats.h"
    }
}

/* backticks(int x) "`%d` ``` ~~~ * / / * // //! {x} {name} {declaration} $x <b>&amp; [link](x)" */
extern TraceEvent _TRACE_BACKTICKS_EVENT;
extern uint16_t _TRACE_BACKTICKS_DSTATE;
#define TRACE_BACKTICKS_ENABLED 1
#define TRACE_BACKTICKS_BACKEND_DSTATE() ( \
    QEMU_BACKTICKS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_BACKTICKS) || \
    trace_event_get_state_dynamic_by_id(TRACE_BACKTICKS) || \
    trace_event_get_state_dynamic_by_id(TRACE_BACKTICKS) || \
    trace_event_get_state_dynamic_by_id(TRACE_BACKTICKS) || \
    tracepoint_enabled(qemu, backticks) || \
    false)
#ifndef QEMU_BACKTICKS_ENABLED
#define QEMU_BACKTICKS_ENABLED() true
#endif
void _simple_trace_backticks(int x);

static inline void trace_backticks(int x)
{
    QEMU_BACKTICKS(x);
    tracepoint(qemu, backticks, x);
    if (trace_event_get_state(TRACE_BACKTICKS)) {
        #line 10 "formats.events"
        ftrace_write("backticks " "`%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)" "\n", x);
        #line 350 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 10 "formats.events"
            qemu_log("backticks " "`%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)" "\n", x);
            #line 354 "trace/trace-formats.h"
        }
        _simple_trace_backticks(x);
        #line 10 "formats.events"
        syslog(LOG_INFO, "backticks " "`%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)", x);
        #line 359 "trace/trace-formats.h"
    }
}

/* percent(int x) "%d%% done" */
extern TraceEvent _TRACE_PERCENT_EVENT;
extern uint16_t _TRACE_PERCENT_DSTATE;
#define TRACE_PERCENT_ENABLED 1
#define TRACE_PERCENT_BACKEND_DSTATE() ( \
    QEMU_PERCENT_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_PERCENT) || \
    trace_event_get_state_dynamic_by_id(TRACE_PERCENT) || \
    trace_event_get_state_dynamic_by_id(TRACE_PERCENT) || \
    trace_event_get_state_dynamic_by_id(TRACE_PERCENT) || \
    tracepoint_enabled(qemu, percent) || \
    false)
#ifndef QEMU_PERCENT_ENABLED
#define QEMU_PERCENT_ENABLED() true
#endif
void _simple_trace_percent(int x);

static inline void trace_percent(int x)
{
    QEMU_PERCENT(x);
    tracepoint(qemu, percent, x);
    if (trace_event_get_state(TRACE_PERCENT)) {
        #line 11 "formats.events"
        ftrace_write("percent " "%d%% done" "\n", x);
        #line 387 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 11 "formats.events"
            qemu_log("percent " "%d%% done" "\n", x);
            #line 391 "trace/trace-formats.h"
        }
        _simple_trace_percent(x);
        #line 11 "formats.events"
        syslog(LOG_INFO, "percent " "%d%% done", x);
        #line 396 "trace/trace-formats.h"
    }
}

/* letters(int x) "größe=%d 日本" */
extern TraceEvent _TRACE_LETTERS_EVENT;
extern uint16_t _TRACE_LETTERS_DSTATE;
#define TRACE_LETTERS_ENABLED 1
#define TRACE_LETTERS_BACKEND_DSTATE() ( \
    QEMU_LETTERS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_LETTERS) || \
    trace_event_get_state_dynamic_by_id(TRACE_LETTERS) || \
    trace_event_get_state_dynamic_by_id(TRACE_LETTERS) || \
    trace_event_get_state_dynamic_by_id(TRACE_LETTERS) || \
    tracepoint_enabled(qemu, letters) || \
    false)
#ifndef QEMU_LETTERS_ENABLED
#define QEMU_LETTERS_ENABLED() true
#endif
void _simple_trace_letters(int x);

static inline void trace_letters(int x)
{
    QEMU_LETTERS(x);
    tracepoint(qemu, letters, x);
    if (trace_event_get_state(TRACE_LETTERS)) {
        #line 12 "formats.events"
        ftrace_write("letters " "größe=%d 日本" "\n", x);
        #line 424 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 12 "formats.events"
            qemu_log("letters " "größe=%d 日本" "\n", x);
            #line 428 "trace/trace-formats.h"
        }
        _simple_trace_letters(x);
        #line 12 "formats.events"
        syslog(LOG_INFO, "letters " "größe=%d 日本", x);
        #line 433 "trace/trace-formats.h"
    }
}

/* signs(int x) "→ %d… \u{202e} \u{200b}" */
extern TraceEvent _TRACE_SIGNS_EVENT;
extern uint16_t _TRACE_SIGNS_DSTATE;
#define TRACE_SIGNS_ENABLED 1
#define TRACE_SIGNS_BACKEND_DSTATE() ( \
    QEMU_SIGNS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNS) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNS) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNS) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNS) || \
    tracepoint_enabled(qemu, signs) || \
    false)
#ifndef QEMU_SIGNS_ENABLED
#define QEMU_SIGNS_ENABLED() true
#endif
void _simple_trace_signs(int x);

static inline void trace_signs(int x)
{
    QEMU_SIGNS(x);
    tracepoint(qemu, signs, x);
    if (trace_event_get_state(TRACE_SIGNS)) {
        #line 13 "formats.events"
        ftrace_write("signs " "\342\206\222 %d\342\200\246 \342\200\256 \342\200\213" "\n", x);
        #line 461 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 13 "formats.events"
            qemu_log("signs " "\342\206\222 %d\342\200\246 \342\200\256 \342\200\213" "\n", x);
            #line 465 "trace/trace-formats.h"
        }
        _simple_trace_signs(x);
        #line 13 "formats.events"
        syslog(LOG_INFO, "signs " "\342\206\222 %d\342\200\246 \342\200\256 \342\200\213", x);
        #line 470 "trace/trace-formats.h"
    }
}

/* braces(int x) "{}{{x}} %d" */
extern TraceEvent _TRACE_BRACES_EVENT;
extern uint16_t _TRACE_BRACES_DSTATE;
#define TRACE_BRACES_ENABLED 1
#define TRACE_BRACES_BACKEND_DSTATE() ( \
    QEMU_BRACES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_BRACES) || \
    trace_event_get_state_dynamic_by_id(TRACE_BRACES) || \
    trace_event_get_state_dynamic_by_id(TRACE_BRACES) || \
    trace_event_get_state_dynamic_by_id(TRACE_BRACES) || \
    tracepoint_enabled(qemu, braces) || \
    false)
#ifndef QEMU_BRACES_ENABLED
#define QEMU_BRACES_ENABLED() true
#endif
void _simple_trace_braces(int x);

static inline void trace_braces(int x)
{
    QEMU_BRACES(x);
    tracepoint(qemu, braces, x);
    if (trace_event_get_state(TRACE_BRACES)) {
        #line 14 "formats.events"
        ftrace_write("braces " "{}{{x}} %d" "\n", x);
        #line 498 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 14 "formats.events"
            qemu_log("braces " "{}{{x}} %d" "\n", x);
            #line 502 "trace/trace-formats.h"
        }
        _simple_trace_braces(x);
        #line 14 "formats.events"
        syslog(LOG_INFO, "braces " "{}{{x}} %d", x);
        #line 507 "trace/trace-formats.h"
    }
}

/* tabs(int x)    "    %d" */
extern TraceEvent _TRACE_TABS_EVENT;
extern uint16_t _TRACE_TABS_DSTATE;
#define TRACE_TABS_ENABLED 1
#define TRACE_TABS_BACKEND_DSTATE() ( \
    QEMU_TABS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_TABS) || \
    trace_event_get_state_dynamic_by_id(TRACE_TABS) || \
    trace_event_get_state_dynamic_by_id(TRACE_TABS) || \
    trace_event_get_state_dynamic_by_id(TRACE_TABS) || \
    tracepoint_enabled(qemu, tabs) || \
    false)
#ifndef QEMU_TABS_ENABLED
#define QEMU_TABS_ENABLED() true
#endif
void _simple_trace_tabs(int x);

static inline void trace_tabs(int x)
{
    QEMU_TABS(x);
    tracepoint(qemu, tabs, x);
    if (trace_event_get_state(TRACE_TABS)) {
        #line 15 "formats.events"
        ftrace_write("tabs " "	%d" "\n", x);
        #line 535 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 15 "formats.events"
            qemu_log("tabs " "	%d" "\n", x);
            #line 539 "trace/trace-formats.h"
        }
        _simple_trace_tabs(x);
        #line 15 "formats.events"
        syslog(LOG_INFO, "tabs " "	%d", x);
        #line 544 "trace/trace-formats.h"
    }
}

/* width(int w, uint64_t v, const char *s) "%0*" PRIx64 " %-10.3s" */
extern TraceEvent _TRACE_WIDTH_EVENT;
extern uint16_t _TRACE_WIDTH_DSTATE;
#define TRACE_WIDTH_ENABLED 1
#define TRACE_WIDTH_BACKEND_DSTATE() ( \
    QEMU_WIDTH_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_WIDTH) || \
    trace_event_get_state_dynamic_by_id(TRACE_WIDTH) || \
    trace_event_get_state_dynamic_by_id(TRACE_WIDTH) || \
    trace_event_get_state_dynamic_by_id(TRACE_WIDTH) || \
    tracepoint_enabled(qemu, width) || \
    false)
#ifndef QEMU_WIDTH_ENABLED
#define QEMU_WIDTH_ENABLED() true
#endif
void _simple_trace_width(int w, uint64_t v, const char *s);

static inline void trace_width(int w, uint64_t v, const char *s)
{
    QEMU_WIDTH(w, v, s);
    tracepoint(qemu, width, w, v, s);
    if (trace_event_get_state(TRACE_WIDTH)) {
        #line 16 "formats.events"
        ftrace_write("width " "%0*" PRIx64 " %-10.3s" "\n", w, v, s);
        #line 572 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 16 "formats.events"
            qemu_log("width " "%0*" PRIx64 " %-10.3s" "\n", w, v, s);
            #line 576 "trace/trace-formats.h"
        }
        _simple_trace_width(w, v, s);
        #line 16 "formats.events"
        syslog(LOG_INFO, "width " "%0*" PRIx64 " %-10.3s", w, v, s);
        #line 581 "trace/trace-formats.h"
    }
}

/* ignored(int x): "%d" */
extern TraceEvent _TRACE_IGNORED_EVENT;
extern uint16_t _TRACE_IGNORED_DSTATE;
#define TRACE_IGNORED_ENABLED 1
#define TRACE_IGNORED_BACKEND_DSTATE() ( \
    QEMU_IGNORED_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_IGNORED) || \
    trace_event_get_state_dynamic_by_id(TRACE_IGNORED) || \
    trace_event_get_state_dynamic_by_id(TRACE_IGNORED) || \
    trace_event_get_state_dynamic_by_id(TRACE_IGNORED) || \
    tracepoint_enabled(qemu, ignored) || \
    false)
#ifndef QEMU_IGNORED_ENABLED
#define QEMU_IGNORED_ENABLED() true
#endif
void _simple_trace_ignored(int x);

static inline void trace_ignored(int x)
{
    QEMU_IGNORED(x);
    tracepoint(qemu, ignored, x);
    if (trace_event_get_state(TRACE_IGNORED)) {
        #line 17 "formats.events"
        ftrace_write("ignored " "\n");
        #line 609 "trace/trace-formats.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 17 "formats.events"
            qemu_log("ignored " "\n");
            #line 613 "trace/trace-formats.h"
        }
        _simple_trace_ignored(x);
        #line 17 "formats.events"
        syslog(LOG_INFO, "ignored ");
        #line 618 "trace/trace-formats.h"
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_FORMATS_GENERATED_TRACERS_H */
