/* A library with probes that is loaded and unloaded. */
#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#include "trace-demo.h"

void plugin_work(uint64_t from, uint64_t count);
bool plugin_switch(bool enable);

void plugin_work(uint64_t from, uint64_t count)
{
    uint64_t i;

    for (i = 0; i < count; i++) {
        trace_demo_two(from, i);
    }
    trace_demo_named((int)from, "worked");
}

/* Returns whether the event is on. */
bool plugin_switch(bool enable)
{
    trace_event_set_state_dynamic(&_TRACE_DEMO_TWO_EVENT, enable);
    return trace_event_get_state(TRACE_DEMO_TWO);
}
