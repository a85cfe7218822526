/*
 * The probes of the group legacy.
 * Generated from legacy.events. Make changes there.
 */

#ifndef TRACE_LEGACY_GENERATED_TRACERS_H
#define TRACE_LEGACY_GENERATED_TRACERS_H

#if __has_include("trace/control-vcpu.h")
#include "trace/control-vcpu.h"
#else
#include "trace/control.h"
#endif

/* Without states for each CPU, use the event's state. */
#ifndef trace_event_get_vcpu_state
#define trace_event_get_vcpu_state(cpu, id) ((void)(cpu), trace_event_get_state(id))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* vcpu guest_reset(int index) "index=%d" */
extern TraceEvent _TRACE_GUEST_RESET_EVENT;
extern uint16_t _TRACE_GUEST_RESET_DSTATE;
#define TRACE_GUEST_RESET_ENABLED 1
#define TRACE_GUEST_RESET_BACKEND_DSTATE() ( \
    false)

static inline void _nocheck__trace_guest_reset(void *__cpu, int index)
{
    (void)__cpu;
    (void)index;
}

static inline void trace_guest_reset(void *__cpu, int index)
{
    if (trace_event_get_vcpu_state(__cpu, TRACE_GUEST_RESET)) {
        _nocheck__trace_guest_reset(__cpu, index);
    }
}

/* vcpu guest_halt(void) */
extern TraceEvent _TRACE_GUEST_HALT_EVENT;
extern uint16_t _TRACE_GUEST_HALT_DSTATE;
#define TRACE_GUEST_HALT_ENABLED 1
#define TRACE_GUEST_HALT_BACKEND_DSTATE() ( \
    false)

static inline void _nocheck__trace_guest_halt(void *__cpu)
{
    (void)__cpu;
}

static inline void trace_guest_halt(void *__cpu)
{
    if (trace_event_get_vcpu_state(__cpu, TRACE_GUEST_HALT)) {
        _nocheck__trace_guest_halt(__cpu);
    }
}

/* tcg guest_load(TCGv addr, uint8_t size) "size=%u", "addr=0x%"PRIx64" size=%u" */
extern TraceEvent _TRACE_GUEST_LOAD_TRANS_EVENT;
extern uint16_t _TRACE_GUEST_LOAD_TRANS_DSTATE;
#define TRACE_GUEST_LOAD_TRANS_ENABLED 1
#define TRACE_GUEST_LOAD_ENABLED 1
#define TRACE_GUEST_LOAD_TRANS_BACKEND_DSTATE() ( \
    false)

static inline void _nocheck__trace_guest_load_trans(uint8_t size)
{
    (void)size;
}

static inline void trace_guest_load_trans(uint8_t size)
{
    _nocheck__trace_guest_load_trans(size);
}

/* tcg guest_load(TCGv addr, uint8_t size) "size=%u", "addr=0x%"PRIx64" size=%u" */
extern TraceEvent _TRACE_GUEST_LOAD_EXEC_EVENT;
extern uint16_t _TRACE_GUEST_LOAD_EXEC_DSTATE;
#define TRACE_GUEST_LOAD_EXEC_ENABLED 1
#define TRACE_GUEST_LOAD_EXEC_BACKEND_DSTATE() ( \
    false)

static inline void _nocheck__trace_guest_load_exec(uint64_t addr, uint8_t size)
{
    (void)addr;
    (void)size;
}

static inline void trace_guest_load_exec(uint64_t addr, uint8_t size)
{
    _nocheck__trace_guest_load_exec(addr, size);
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_LEGACY_GENERATED_TRACERS_H */
