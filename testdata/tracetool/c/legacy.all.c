/*
 * The events of the group legacy.
 * Generated from legacy.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-legacy.h"

uint16_t _TRACE_GUEST_RESET_DSTATE;
TraceEvent _TRACE_GUEST_RESET_EVENT = {
    .id = 0,
    .name = "guest_reset",
    .sstate = TRACE_GUEST_RESET_ENABLED,
    .dstate = &_TRACE_GUEST_RESET_DSTATE,
};

uint16_t _TRACE_GUEST_HALT_DSTATE;
TraceEvent _TRACE_GUEST_HALT_EVENT = {
    .id = 0,
    .name = "guest_halt",
    .sstate = TRACE_GUEST_HALT_ENABLED,
    .dstate = &_TRACE_GUEST_HALT_DSTATE,
};

uint16_t _TRACE_GUEST_LOAD_TRANS_DSTATE;
TraceEvent _TRACE_GUEST_LOAD_TRANS_EVENT = {
    .id = 0,
    .name = "guest_load_trans",
    .sstate = TRACE_GUEST_LOAD_TRANS_ENABLED,
    .dstate = &_TRACE_GUEST_LOAD_TRANS_DSTATE,
};

uint16_t _TRACE_GUEST_LOAD_EXEC_DSTATE;
TraceEvent _TRACE_GUEST_LOAD_EXEC_EVENT = {
    .id = 0,
    .name = "guest_load_exec",
    .sstate = TRACE_GUEST_LOAD_EXEC_ENABLED,
    .dstate = &_TRACE_GUEST_LOAD_EXEC_DSTATE,
};

TraceEvent *legacy_trace_events[] = {
    &_TRACE_GUEST_RESET_EVENT,
    &_TRACE_GUEST_HALT_EVENT,
    &_TRACE_GUEST_LOAD_TRANS_EVENT,
    &_TRACE_GUEST_LOAD_EXEC_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const legacy_trace_declarations[] = {
    "vcpu guest_reset(int index) \"index=%d\"",
    "vcpu guest_halt(void)",
    "tcg guest_load(TCGv addr, uint8_t size) \"size=%u\", \"addr=0x%\"PRIx64\" size=%u\"",
    "tcg guest_load(TCGv addr, uint8_t size) \"size=%u\", \"addr=0x%\"PRIx64\" size=%u\"",
    NULL,
};
RINGTRACE_DESCRIBE(legacy, "legacy", "nop,dtrace,ftrace,log,simple,syslog,ust")
#endif

static void trace_legacy_register_events(void)
{
    trace_event_register_group(legacy_trace_events);
}
trace_init(trace_legacy_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_guest_reset(void *__cpu, int index)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_GUEST_RESET_EVENT.id, 2 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_write_u64(&rec, (uint64_t)index);
    trace_record_finish(&rec);
}

void _simple_trace_guest_reset(void *__cpu, int index)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_GUEST_RESET_EVENT.id, 2 * 8)) {
        _slow_simple_trace_guest_reset(__cpu, index);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_write_u64(&rec, (uint64_t)index);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_guest_halt(void *__cpu)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_GUEST_HALT_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_finish(&rec);
}

void _simple_trace_guest_halt(void *__cpu)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_GUEST_HALT_EVENT.id, 8)) {
        _slow_simple_trace_guest_halt(__cpu);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_guest_load_trans(uint8_t size)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_GUEST_LOAD_TRANS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_finish(&rec);
}

void _simple_trace_guest_load_trans(uint8_t size)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_GUEST_LOAD_TRANS_EVENT.id, 8)) {
        _slow_simple_trace_guest_load_trans(size);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_guest_load_exec(uint64_t addr, uint8_t size)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_GUEST_LOAD_EXEC_EVENT.id, 2 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)addr);
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_finish(&rec);
}

void _simple_trace_guest_load_exec(uint64_t addr, uint8_t size)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_GUEST_LOAD_EXEC_EVENT.id, 2 * 8)) {
        _slow_simple_trace_guest_load_exec(addr, size);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)addr);
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_finish(&rec);
}
