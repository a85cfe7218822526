/* The event functions that probes use. As in QEMU's header, there is no RINGTRACE_DESCRIBE. */

#ifndef STUB_TRACE_CONTROL_H
#define STUB_TRACE_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct TraceEvent {
    uint32_t id;
    const char *name;
    const bool sstate;
    uint16_t *dstate;
} TraceEvent;

extern int trace_events_enabled_count;

#define trace_event_get_state_dynamic_by_id(id) (trace_events_enabled_count != 0 && _##id##_DSTATE)
#define trace_event_get_state(id) ((id##_ENABLED) && trace_event_get_state_dynamic_by_id(id))
#define trace_event_get_state_backends(id) ((id##_ENABLED) && id##_BACKEND_DSTATE())

void trace_event_register_group(TraceEvent **events);

#endif
