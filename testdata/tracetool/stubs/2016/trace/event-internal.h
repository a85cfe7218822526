/* An event in QEMU 2.8. */

#ifndef STUB_EVENT_INTERNAL_H
#define STUB_EVENT_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_VCPU_EVENT_NONE ((uint32_t)-1)

typedef struct TraceEvent {
    uint32_t id;
    uint32_t vcpu_id;
    const char *name;
    const bool sstate;
    uint16_t *dstate;
} TraceEvent;

#endif
