/* Replaces the probes of both events and prints their arguments. */

#ifndef STUB_TRACE_H
#define STUB_TRACE_H

#include "cpu.h"

#define trace_event_get_vcpu_state(cpu, id) (((CPUState *)(cpu))->is_traced)

static inline void trace_guest_load_trans(void *__cpu, uint8_t size, void *where)
{
    printf("guest_load_trans %d %u %p\n", __cpu != NULL, size, where);
}

static inline void _nocheck__trace_guest_load_exec(void *__cpu, uint64_t addr, uint8_t size, void *where)
{
    printf("guest_load_exec %d %" PRIu64 " %u %p\n", __cpu != NULL, addr, size, where);
}

static inline void trace_every_type_trans(uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    printf("every_type_trans %u %u %u %" PRIu64 " %p\n", e, f, g, h, i);
}

static inline void _nocheck__trace_every_type_exec(uint64_t a, uint32_t b, uint64_t c, void *d, uint8_t e, uint16_t f,
                                                   uint32_t g, uint64_t h, void *i)
{
    printf("every_type_exec %" PRIu64 " %u %" PRIu64 " %p %u %u %u %" PRIu64 " %p\n", a, b, c, d, e, f, g, h, i);
}

static inline void trace_cpu_alone_trans(void *__cpu)
{
    printf("cpu_alone_trans %d\n", __cpu != NULL);
}

static inline void _nocheck__trace_cpu_alone_exec(void *__cpu)
{
    printf("cpu_alone_exec %d\n", __cpu != NULL);
}

static inline void trace_nothing_trans(void)
{
    printf("nothing_trans\n");
}

static inline void _nocheck__trace_nothing_exec(void)
{
    printf("nothing_exec\n");
}

static inline void trace_known_late_trans(void)
{
    printf("known_late_trans\n");
}

static inline void _nocheck__trace_known_late_exec(uint64_t a)
{
    printf("known_late_exec %" PRIu64 "\n", a);
}

static inline void trace_known_early_trans(uint16_t a)
{
    printf("known_early_trans %u\n", a);
}

static inline void _nocheck__trace_known_early_exec(uint16_t a)
{
    printf("known_early_exec %u\n", a);
}

static inline void trace_names_trans(uint8_t b, uint32_t c)
{
    printf("names_trans %u %u\n", b, c);
}

static inline void _nocheck__trace_names_exec(uint64_t a, uint8_t b, uint32_t c, void *d)
{
    printf("names_exec %" PRIu64 " %u %u %p\n", a, b, c, d);
}

#endif
