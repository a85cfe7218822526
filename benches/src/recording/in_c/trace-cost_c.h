/* As the generator writes it with the backend simple. */
#ifndef TRACE_COST_C_GENERATED_TRACERS_H
#define TRACE_COST_C_GENERATED_TRACERS_H

#include "trace/control.h"

extern TraceEvent _TRACE_COST_C_TWO_EVENT;
extern TraceEvent _TRACE_COST_C_STRING_EVENT;
extern TraceEvent _TRACE_COST_C_OFF_EVENT;
extern uint16_t _TRACE_COST_C_TWO_DSTATE;
extern uint16_t _TRACE_COST_C_STRING_DSTATE;
extern uint16_t _TRACE_COST_C_OFF_DSTATE;
#define TRACE_COST_C_TWO_ENABLED 1
#define TRACE_COST_C_STRING_ENABLED 1
#define TRACE_COST_C_OFF_ENABLED 1

void _simple_trace_cost_c_two(uint64_t a, uint64_t b);
void _simple_trace_cost_c_string(const char *s, uint64_t a);
void _simple_trace_cost_c_off(uint64_t a, uint64_t b);

static inline void trace_cost_c_two(uint64_t a, uint64_t b)
{
    if (trace_event_get_state(TRACE_COST_C_TWO)) {
        _simple_trace_cost_c_two(a, b);
    }
}

static inline void trace_cost_c_string(const char *s, uint64_t a)
{
    if (trace_event_get_state(TRACE_COST_C_STRING)) {
        _simple_trace_cost_c_string(s, a);
    }
}

static inline void trace_cost_c_off(uint64_t a, uint64_t b)
{
    if (trace_event_get_state(TRACE_COST_C_OFF)) {
        _simple_trace_cost_c_off(a, b);
    }
}

#endif
