/*
 * The probes of the group macros.
 * Generated from macros.events. Make changes there.
 */

#ifndef TRACE_MACROS_GENERATED_TRACERS_H
#define TRACE_MACROS_GENERATED_TRACERS_H

#include "trace/control.h"
#include "qemu/log-for-trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* pri(uint64_t x) "%"PRIx64 */
extern TraceEvent _TRACE_PRI_EVENT;
extern uint16_t _TRACE_PRI_DSTATE;
#define TRACE_PRI_ENABLED 1
#define TRACE_PRI_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_PRI) || \
    false)

static inline void trace_pri(uint64_t x)
{
    if (trace_event_get_state(TRACE_PRI)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 2 "macros.events"
            qemu_log("pri " "%" PRIx64 "\n", x);
            #line 31 "trace/trace-macros.h"
        }
    }
}

/* whole(uint64_t addr) "0x%" HWADDR_PRIx " of " */
extern TraceEvent _TRACE_WHOLE_EVENT;
extern uint16_t _TRACE_WHOLE_DSTATE;
#define TRACE_WHOLE_ENABLED 1
#define TRACE_WHOLE_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_WHOLE) || \
    false)

static inline void trace_whole(uint64_t addr)
{
    if (trace_event_get_state(TRACE_WHOLE)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "macros.events"
            qemu_log("whole " "0x%" HWADDR_PRIx " of " "\n", addr);
            #line 50 "trace/trace-macros.h"
        }
    }
}

/* letters(uint64_t addr, int x) "%016" VADDR_FMT " %d" */
extern TraceEvent _TRACE_LETTERS_EVENT;
extern uint16_t _TRACE_LETTERS_DSTATE;
#define TRACE_LETTERS_ENABLED 1
#define TRACE_LETTERS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_LETTERS) || \
    false)

static inline void trace_letters(uint64_t addr, int x)
{
    if (trace_event_get_state(TRACE_LETTERS)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "macros.events"
            qemu_log("letters " "%016" VADDR_FMT " %d" "\n", addr, x);
            #line 69 "trace/trace-macros.h"
        }
    }
}

/* float_like(uint64_t addr) "%" fmt */
extern TraceEvent _TRACE_FLOAT_LIKE_EVENT;
extern uint16_t _TRACE_FLOAT_LIKE_DSTATE;
#define TRACE_FLOAT_LIKE_ENABLED 1
#define TRACE_FLOAT_LIKE_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_FLOAT_LIKE) || \
    false)

static inline void trace_float_like(uint64_t addr)
{
    if (trace_event_get_state(TRACE_FLOAT_LIKE)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "macros.events"
            qemu_log("float_like " "%" fmt "\n", addr);
            #line 88 "trace/trace-macros.h"
        }
    }
}

/* text(void) "version " VERSION */
extern TraceEvent _TRACE_TEXT_EVENT;
extern uint16_t _TRACE_TEXT_DSTATE;
#define TRACE_TEXT_ENABLED 1
#define TRACE_TEXT_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_TEXT) || \
    false)

static inline void trace_text(void)
{
    if (trace_event_get_state(TRACE_TEXT)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "macros.events"
            qemu_log("text " "version " VERSION "\n");
            #line 107 "trace/trace-macros.h"
        }
    }
}

/* disable off(uint64_t addr) "%" VADDR_FMT */
extern TraceEvent _TRACE_OFF_EVENT;
extern uint16_t _TRACE_OFF_DSTATE;
#define TRACE_OFF_ENABLED 0
#define TRACE_OFF_BACKEND_DSTATE() (false)

static inline void trace_off(uint64_t addr)
{
    (void)addr;
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_MACROS_GENERATED_TRACERS_H */
