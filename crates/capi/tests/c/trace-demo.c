/* As the generator writes it for tests/c/trace-events with the backend simple. */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-demo.h"

uint16_t _TRACE_DEMO_TWO_DSTATE;
uint16_t _TRACE_DEMO_NAMED_DSTATE;
uint16_t _TRACE_DEMO_WIDE_DSTATE;
uint16_t _TRACE_DEMO_OFF_DSTATE;
TraceEvent _TRACE_DEMO_TWO_EVENT = {
    .id = 0,
    .name = "demo_two",
    .sstate = TRACE_DEMO_TWO_ENABLED,
    .dstate = &_TRACE_DEMO_TWO_DSTATE
};
TraceEvent _TRACE_DEMO_NAMED_EVENT = {
    .id = 0,
    .name = "demo_named",
    .sstate = TRACE_DEMO_NAMED_ENABLED,
    .dstate = &_TRACE_DEMO_NAMED_DSTATE
};
TraceEvent _TRACE_DEMO_WIDE_EVENT = {
    .id = 0,
    .name = "demo_wide",
    .sstate = TRACE_DEMO_WIDE_ENABLED,
    .dstate = &_TRACE_DEMO_WIDE_DSTATE
};
TraceEvent _TRACE_DEMO_OFF_EVENT = {
    .id = 0,
    .name = "demo_off",
    .sstate = TRACE_DEMO_OFF_ENABLED,
    .dstate = &_TRACE_DEMO_OFF_DSTATE
};
TraceEvent *demo_trace_events[] = {
    &_TRACE_DEMO_TWO_EVENT,
    &_TRACE_DEMO_NAMED_EVENT,
    &_TRACE_DEMO_WIDE_EVENT,
    &_TRACE_DEMO_OFF_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const demo_trace_declarations[] = {
    "demo_two(uint64_t a, uint64_t b) \"a %\" PRIu64 \" b %\" PRIu64",
    "demo_named(int n, const char *name) \"%d %s\"",
    "demo_wide(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, bool i, void *j) \"%d %u %d %u %d %u %\" PRId64 \" %\" PRIu64 \" %d %p\"",
    "disable demo_off(void)",
    NULL,
};
RINGTRACE_DESCRIBE(demo, "demo", "simple")
#endif

static void trace_demo_register_events(void)
{
    trace_event_register_group(demo_trace_events);
}
trace_init(trace_demo_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"

void _simple_trace_demo_two(uint64_t a, uint64_t b)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_DEMO_TWO_EVENT.id, 8 + 8)) {
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_finish(&rec);
}

void _simple_trace_demo_named(int n, const char *name)
{
    TraceBufferRecord rec;
    uint32_t name_length = name ? MIN(strlen(name), MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_DEMO_NAMED_EVENT.id, 8 + 4 + name_length)) {
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)n);
    trace_record_write_str(&rec, name, name_length);
    trace_record_finish(&rec);
}

void _simple_trace_demo_wide(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, bool i, void *j)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_DEMO_WIDE_EVENT.id, 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8)) {
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_write_u64(&rec, (uint64_t)e);
    trace_record_write_u64(&rec, (uint64_t)f);
    trace_record_write_u64(&rec, (uint64_t)g);
    trace_record_write_u64(&rec, (uint64_t)h);
    trace_record_write_u64(&rec, (uint64_t)i);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)j);
    trace_record_finish(&rec);
}
