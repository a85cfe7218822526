/* As the generator writes it for tests/c/trace-events with the backend simple. */
#ifndef TRACE_DEMO_GENERATED_TRACERS_H
#define TRACE_DEMO_GENERATED_TRACERS_H

#include "trace/control.h"

extern TraceEvent _TRACE_DEMO_TWO_EVENT;
extern TraceEvent _TRACE_DEMO_NAMED_EVENT;
extern TraceEvent _TRACE_DEMO_WIDE_EVENT;
extern TraceEvent _TRACE_DEMO_OFF_EVENT;
extern uint16_t _TRACE_DEMO_TWO_DSTATE;
extern uint16_t _TRACE_DEMO_NAMED_DSTATE;
extern uint16_t _TRACE_DEMO_WIDE_DSTATE;
extern uint16_t _TRACE_DEMO_OFF_DSTATE;
#define TRACE_DEMO_TWO_ENABLED 1
#define TRACE_DEMO_NAMED_ENABLED 1
#define TRACE_DEMO_WIDE_ENABLED 1
#define TRACE_DEMO_OFF_ENABLED 0

#define TRACE_DEMO_TWO_BACKEND_DSTATE() (trace_event_get_state_dynamic_by_id(TRACE_DEMO_TWO) || false)
#define TRACE_DEMO_NAMED_BACKEND_DSTATE() (trace_event_get_state_dynamic_by_id(TRACE_DEMO_NAMED) || false)
#define TRACE_DEMO_WIDE_BACKEND_DSTATE() (trace_event_get_state_dynamic_by_id(TRACE_DEMO_WIDE) || false)
#define TRACE_DEMO_OFF_BACKEND_DSTATE() (false)

void _simple_trace_demo_two(uint64_t a, uint64_t b);
void _simple_trace_demo_named(int n, const char *name);
void _simple_trace_demo_wide(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, bool i, void *j);
void _simple_trace_demo_off(void);

static inline void trace_demo_two(uint64_t a, uint64_t b)
{
    if (trace_event_get_state(TRACE_DEMO_TWO)) {
        _simple_trace_demo_two(a, b);
    }
}

static inline void trace_demo_named(int n, const char *name)
{
    if (trace_event_get_state(TRACE_DEMO_NAMED)) {
        _simple_trace_demo_named(n, name);
    }
}

static inline void trace_demo_wide(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, bool i, void *j)
{
    if (trace_event_get_state(TRACE_DEMO_WIDE)) {
        _simple_trace_demo_wide(a, b, c, d, e, f, g, h, i, j);
    }
}

static inline void trace_demo_off(void)
{
}

#endif
