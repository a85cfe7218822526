/*
 * The probes of the group formats.
 * Generated from formats.events. Make changes there.
 */

#ifndef TRACE_FORMATS_GENERATED_TRACERS_H
#define TRACE_FORMATS_GENERATED_TRACERS_H

#include "trace/control.h"
#include "qemu/log-for-trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* without(int x) */
extern TraceEvent _TRACE_WITHOUT_EVENT;
extern uint16_t _TRACE_WITHOUT_DSTATE;
#define TRACE_WITHOUT_ENABLED 1
#define TRACE_WITHOUT_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_WITHOUT) || \
    false)

static inline void trace_without(int x)
{
    if (trace_event_get_state(TRACE_WITHOUT)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 2 "formats.events"
            qemu_log("without " "\n");
            #line 31 "trace/trace-formats.h"
        }
    }
    (void)x;
}

/* empty(int x) "" */
extern TraceEvent _TRACE_EMPTY_EVENT;
extern uint16_t _TRACE_EMPTY_DSTATE;
#define TRACE_EMPTY_ENABLED 1
#define TRACE_EMPTY_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_EMPTY) || \
    false)

static inline void trace_empty(int x)
{
    if (trace_event_get_state(TRACE_EMPTY)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "formats.events"
            qemu_log("empty " "\n");
            #line 51 "trace/trace-formats.h"
        }
    }
    (void)x;
}

/* macros_only(uint64_t x) "%" PRIx64 */
extern TraceEvent _TRACE_MACROS_ONLY_EVENT;
extern uint16_t _TRACE_MACROS_ONLY_DSTATE;
#define TRACE_MACROS_ONLY_ENABLED 1
#define TRACE_MACROS_ONLY_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_MACROS_ONLY) || \
    false)

static inline void trace_macros_only(uint64_t x)
{
    if (trace_event_get_state(TRACE_MACROS_ONLY)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "formats.events"
            qemu_log("macros_only " "%" PRIx64 "\n", x);
            #line 71 "trace/trace-formats.h"
        }
    }
}

/* no_blanks(uint64_t x, int y) "%"PRIu64"%d" */
extern TraceEvent _TRACE_NO_BLANKS_EVENT;
extern uint16_t _TRACE_NO_BLANKS_DSTATE;
#define TRACE_NO_BLANKS_ENABLED 1
#define TRACE_NO_BLANKS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_NO_BLANKS) || \
    false)

static inline void trace_no_blanks(uint64_t x, int y)
{
    if (trace_event_get_state(TRACE_NO_BLANKS)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "formats.events"
            qemu_log("no_blanks " "%" PRIu64"%d" "\n", x, y);
            #line 90 "trace/trace-formats.h"
        }
    }
}

/* quoted(const char *s) "say \"%s\"#" */
extern TraceEvent _TRACE_QUOTED_EVENT;
extern uint16_t _TRACE_QUOTED_DSTATE;
#define TRACE_QUOTED_ENABLED 1
#define TRACE_QUOTED_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_QUOTED) || \
    false)

static inline void trace_quoted(const char *s)
{
    if (trace_event_get_state(TRACE_QUOTED)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "formats.events"
            qemu_log("quoted " "say \"%s\"#" "\n", s);
            #line 109 "trace/trace-formats.h"
        }
    }
}

/* hashes(const char *s) "r\"#%s\"##" */
extern TraceEvent _TRACE_HASHES_EVENT;
extern uint16_t _TRACE_HASHES_DSTATE;
#define TRACE_HASHES_ENABLED 1
#define TRACE_HASHES_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_HASHES) || \
    false)

static inline void trace_hashes(const char *s)
{
    if (trace_event_get_state(TRACE_HASHES)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 7 "formats.events"
            qemu_log("hashes " "r\"#%s\"##" "\n", s);
            #line 128 "trace/trace-formats.h"
        }
    }
}

/* backslash(int x) "c:\\%d\\" */
extern TraceEvent _TRACE_BACKSLASH_EVENT;
extern uint16_t _TRACE_BACKSLASH_DSTATE;
#define TRACE_BACKSLASH_ENABLED 1
#define TRACE_BACKSLASH_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_BACKSLASH) || \
    false)

static inline void trace_backslash(int x)
{
    if (trace_event_get_state(TRACE_BACKSLASH)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "formats.events"
            qemu_log("backslash " "c:\\%d\\" "\n", x);
            #line 147 "trace/trace-formats.h"
        }
    }
}

/* escapes(int x) "\a\b\f\r\t\x41 %d" */
extern TraceEvent _TRACE_ESCAPES_EVENT;
extern uint16_t _TRACE_ESCAPES_DSTATE;
#define TRACE_ESCAPES_ENABLED 1
#define TRACE_ESCAPES_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_ESCAPES) || \
    false)

static inline void trace_escapes(int x)
{
    if (trace_event_get_state(TRACE_ESCAPES)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "formats.events"
            qemu_log("escapes " "\a\b\f\r\t\x41 %d" "\n", x);
            #line 166 "trace/trace-formats.h"
        }
    }
}

/* backticks(int x) "`%d` ``` ~~~ * / / * // //! {x} {name} {declaration} $x <b>&amp; [link](x)" */
extern TraceEvent _TRACE_BACKTICKS_EVENT;
extern uint16_t _TRACE_BACKTICKS_DSTATE;
#define TRACE_BACKTICKS_ENABLED 1
#define TRACE_BACKTICKS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_BACKTICKS) || \
    false)

static inline void trace_backticks(int x)
{
    if (trace_event_get_state(TRACE_BACKTICKS)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 10 "formats.events"
            qemu_log("backticks " "`%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)" "\n", x);
            #line 185 "trace/trace-formats.h"
        }
    }
}

/* percent(int x) "%d%% done" */
extern TraceEvent _TRACE_PERCENT_EVENT;
extern uint16_t _TRACE_PERCENT_DSTATE;
#define TRACE_PERCENT_ENABLED 1
#define TRACE_PERCENT_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_PERCENT) || \
    false)

static inline void trace_percent(int x)
{
    if (trace_event_get_state(TRACE_PERCENT)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 11 "formats.events"
            qemu_log("percent " "%d%% done" "\n", x);
            #line 204 "trace/trace-formats.h"
        }
    }
}

/* letters(int x) "größe=%d 日本" */
extern TraceEvent _TRACE_LETTERS_EVENT;
extern uint16_t _TRACE_LETTERS_DSTATE;
#define TRACE_LETTERS_ENABLED 1
#define TRACE_LETTERS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_LETTERS) || \
    false)

static inline void trace_letters(int x)
{
    if (trace_event_get_state(TRACE_LETTERS)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 12 "formats.events"
            qemu_log("letters " "größe=%d 日本" "\n", x);
            #line 223 "trace/trace-formats.h"
        }
    }
}

/* signs(int x) "→ %d… \u{202e} \u{200b}" */
extern TraceEvent _TRACE_SIGNS_EVENT;
extern uint16_t _TRACE_SIGNS_DSTATE;
#define TRACE_SIGNS_ENABLED 1
#define TRACE_SIGNS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNS) || \
    false)

static inline void trace_signs(int x)
{
    if (trace_event_get_state(TRACE_SIGNS)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 13 "formats.events"
            qemu_log("signs " "\342\206\222 %d\342\200\246 \342\200\256 \342\200\213" "\n", x);
            #line 242 "trace/trace-formats.h"
        }
    }
}

/* braces(int x) "{}{{x}} %d" */
extern TraceEvent _TRACE_BRACES_EVENT;
extern uint16_t _TRACE_BRACES_DSTATE;
#define TRACE_BRACES_ENABLED 1
#define TRACE_BRACES_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_BRACES) || \
    false)

static inline void trace_braces(int x)
{
    if (trace_event_get_state(TRACE_BRACES)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 14 "formats.events"
            qemu_log("braces " "{}{{x}} %d" "\n", x);
            #line 261 "trace/trace-formats.h"
        }
    }
}

/* tabs(int x)    "    %d" */
extern TraceEvent _TRACE_TABS_EVENT;
extern uint16_t _TRACE_TABS_DSTATE;
#define TRACE_TABS_ENABLED 1
#define TRACE_TABS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_TABS) || \
    false)

static inline void trace_tabs(int x)
{
    if (trace_event_get_state(TRACE_TABS)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 15 "formats.events"
            qemu_log("tabs " "	%d" "\n", x);
            #line 280 "trace/trace-formats.h"
        }
    }
}

/* width(int w, uint64_t v, const char *s) "%0*" PRIx64 " %-10.3s" */
extern TraceEvent _TRACE_WIDTH_EVENT;
extern uint16_t _TRACE_WIDTH_DSTATE;
#define TRACE_WIDTH_ENABLED 1
#define TRACE_WIDTH_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_WIDTH) || \
    false)

static inline void trace_width(int w, uint64_t v, const char *s)
{
    if (trace_event_get_state(TRACE_WIDTH)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 16 "formats.events"
            qemu_log("width " "%0*" PRIx64 " %-10.3s" "\n", w, v, s);
            #line 299 "trace/trace-formats.h"
        }
    }
}

/* ignored(int x): "%d" */
extern TraceEvent _TRACE_IGNORED_EVENT;
extern uint16_t _TRACE_IGNORED_DSTATE;
#define TRACE_IGNORED_ENABLED 1
#define TRACE_IGNORED_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_IGNORED) || \
    false)

static inline void trace_ignored(int x)
{
    if (trace_event_get_state(TRACE_IGNORED)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 17 "formats.events"
            qemu_log("ignored " "\n");
            #line 318 "trace/trace-formats.h"
        }
    }
    (void)x;
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_FORMATS_GENERATED_TRACERS_H */
