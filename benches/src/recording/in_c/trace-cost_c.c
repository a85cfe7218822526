/* As the generator writes it with the backend simple. */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-cost_c.h"

uint16_t _TRACE_COST_C_TWO_DSTATE;
uint16_t _TRACE_COST_C_STRING_DSTATE;
uint16_t _TRACE_COST_C_OFF_DSTATE;
TraceEvent _TRACE_COST_C_TWO_EVENT = {
    .id = 0,
    .name = "cost_c_two",
    .sstate = TRACE_COST_C_TWO_ENABLED,
    .dstate = &_TRACE_COST_C_TWO_DSTATE
};
TraceEvent _TRACE_COST_C_STRING_EVENT = {
    .id = 0,
    .name = "cost_c_string",
    .sstate = TRACE_COST_C_STRING_ENABLED,
    .dstate = &_TRACE_COST_C_STRING_DSTATE
};
TraceEvent _TRACE_COST_C_OFF_EVENT = {
    .id = 0,
    .name = "cost_c_off",
    .sstate = TRACE_COST_C_OFF_ENABLED,
    .dstate = &_TRACE_COST_C_OFF_DSTATE
};
TraceEvent *cost_c_trace_events[] = {
    &_TRACE_COST_C_TWO_EVENT,
    &_TRACE_COST_C_STRING_EVENT,
    &_TRACE_COST_C_OFF_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const cost_c_trace_declarations[] = {
    "cost_c_two(uint64_t a, uint64_t b)",
    "cost_c_string(const char *s, uint64_t a)",
    "cost_c_off(uint64_t a, uint64_t b)",
    NULL,
};
RINGTRACE_DESCRIBE(cost_c, "cost_c", "simple")
#endif

static void trace_cost_c_register_events(void)
{
    trace_event_register_group(cost_c_trace_events);
}
trace_init(trace_cost_c_register_events)

#include "trace/control.h"
#include "trace/simple.h"

void _simple_trace_cost_c_two(uint64_t a, uint64_t b)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_COST_C_TWO_EVENT.id, 8 + 8)) {
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_finish(&rec);
}

void _simple_trace_cost_c_string(const char *s, uint64_t a)
{
    TraceBufferRecord rec;
    uint32_t s_length = s ? MIN(strlen(s), MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_COST_C_STRING_EVENT.id, 4 + s_length + 8)) {
        return;
    }
    trace_record_write_str(&rec, s, s_length);
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

void _simple_trace_cost_c_off(uint64_t a, uint64_t b)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_COST_C_OFF_EVENT.id, 8 + 8)) {
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_finish(&rec);
}
