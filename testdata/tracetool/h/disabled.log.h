/*
 * The probes of the group disabled.
 * Generated from disabled.events. Make changes there.
 */

#ifndef TRACE_DISABLED_GENERATED_TRACERS_H
#define TRACE_DISABLED_GENERATED_TRACERS_H

#include "trace/control.h"
#include "qemu/log-for-trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* disable never(int x, const char *name, void *p) "x=%d name=%s p=%p" */
extern TraceEvent _TRACE_NEVER_EVENT;
extern uint16_t _TRACE_NEVER_DSTATE;
#define TRACE_NEVER_ENABLED 0
#define TRACE_NEVER_BACKEND_DSTATE() (false)

static inline void trace_never(int x, const char *name, void *p)
{
    (void)x;
    (void)name;
    (void)p;
}

/* disable never_either(void) "nothing" */
extern TraceEvent _TRACE_NEVER_EITHER_EVENT;
extern uint16_t _TRACE_NEVER_EITHER_DSTATE;
#define TRACE_NEVER_EITHER_ENABLED 0
#define TRACE_NEVER_EITHER_BACKEND_DSTATE() (false)

static inline void trace_never_either(void)
{
}

/* disable match(int type) "%d" */
extern TraceEvent _TRACE_MATCH_EVENT;
extern uint16_t _TRACE_MATCH_DSTATE;
#define TRACE_MATCH_ENABLED 0
#define TRACE_MATCH_BACKEND_DSTATE() (false)

static inline void trace_match(int type)
{
    (void)type;
}

/* between(int x) "x=%d" */
extern TraceEvent _TRACE_BETWEEN_EVENT;
extern uint16_t _TRACE_BETWEEN_DSTATE;
#define TRACE_BETWEEN_ENABLED 1
#define TRACE_BETWEEN_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_BETWEEN) || \
    false)

static inline void trace_between(int x)
{
    if (trace_event_get_state(TRACE_BETWEEN)) {
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "disabled.events"
            qemu_log("between " "x=%d" "\n", x);
            #line 65 "trace/trace-disabled.h"
        }
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_DISABLED_GENERATED_TRACERS_H */
