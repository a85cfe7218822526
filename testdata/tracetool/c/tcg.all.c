/*
 * The events of the group tcg.
 * Generated from tcg.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-tcg.h"

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

uint16_t _TRACE_EVERY_TYPE_TRANS_DSTATE;
TraceEvent _TRACE_EVERY_TYPE_TRANS_EVENT = {
    .id = 0,
    .name = "every_type_trans",
    .sstate = TRACE_EVERY_TYPE_TRANS_ENABLED,
    .dstate = &_TRACE_EVERY_TYPE_TRANS_DSTATE,
};

uint16_t _TRACE_EVERY_TYPE_EXEC_DSTATE;
TraceEvent _TRACE_EVERY_TYPE_EXEC_EVENT = {
    .id = 0,
    .name = "every_type_exec",
    .sstate = TRACE_EVERY_TYPE_EXEC_ENABLED,
    .dstate = &_TRACE_EVERY_TYPE_EXEC_DSTATE,
};

uint16_t _TRACE_CPU_ALONE_TRANS_DSTATE;
TraceEvent _TRACE_CPU_ALONE_TRANS_EVENT = {
    .id = 0,
    .name = "cpu_alone_trans",
    .sstate = TRACE_CPU_ALONE_TRANS_ENABLED,
    .dstate = &_TRACE_CPU_ALONE_TRANS_DSTATE,
};

uint16_t _TRACE_CPU_ALONE_EXEC_DSTATE;
TraceEvent _TRACE_CPU_ALONE_EXEC_EVENT = {
    .id = 0,
    .name = "cpu_alone_exec",
    .sstate = TRACE_CPU_ALONE_EXEC_ENABLED,
    .dstate = &_TRACE_CPU_ALONE_EXEC_DSTATE,
};

uint16_t _TRACE_NOTHING_TRANS_DSTATE;
TraceEvent _TRACE_NOTHING_TRANS_EVENT = {
    .id = 0,
    .name = "nothing_trans",
    .sstate = TRACE_NOTHING_TRANS_ENABLED,
    .dstate = &_TRACE_NOTHING_TRANS_DSTATE,
};

uint16_t _TRACE_NOTHING_EXEC_DSTATE;
TraceEvent _TRACE_NOTHING_EXEC_EVENT = {
    .id = 0,
    .name = "nothing_exec",
    .sstate = TRACE_NOTHING_EXEC_ENABLED,
    .dstate = &_TRACE_NOTHING_EXEC_DSTATE,
};

uint16_t _TRACE_KNOWN_LATE_TRANS_DSTATE;
TraceEvent _TRACE_KNOWN_LATE_TRANS_EVENT = {
    .id = 0,
    .name = "known_late_trans",
    .sstate = TRACE_KNOWN_LATE_TRANS_ENABLED,
    .dstate = &_TRACE_KNOWN_LATE_TRANS_DSTATE,
};

uint16_t _TRACE_KNOWN_LATE_EXEC_DSTATE;
TraceEvent _TRACE_KNOWN_LATE_EXEC_EVENT = {
    .id = 0,
    .name = "known_late_exec",
    .sstate = TRACE_KNOWN_LATE_EXEC_ENABLED,
    .dstate = &_TRACE_KNOWN_LATE_EXEC_DSTATE,
};

uint16_t _TRACE_KNOWN_EARLY_TRANS_DSTATE;
TraceEvent _TRACE_KNOWN_EARLY_TRANS_EVENT = {
    .id = 0,
    .name = "known_early_trans",
    .sstate = TRACE_KNOWN_EARLY_TRANS_ENABLED,
    .dstate = &_TRACE_KNOWN_EARLY_TRANS_DSTATE,
};

uint16_t _TRACE_KNOWN_EARLY_EXEC_DSTATE;
TraceEvent _TRACE_KNOWN_EARLY_EXEC_EVENT = {
    .id = 0,
    .name = "known_early_exec",
    .sstate = TRACE_KNOWN_EARLY_EXEC_ENABLED,
    .dstate = &_TRACE_KNOWN_EARLY_EXEC_DSTATE,
};

uint16_t _TRACE_NAMES_TRANS_DSTATE;
TraceEvent _TRACE_NAMES_TRANS_EVENT = {
    .id = 0,
    .name = "names_trans",
    .sstate = TRACE_NAMES_TRANS_ENABLED,
    .dstate = &_TRACE_NAMES_TRANS_DSTATE,
};

uint16_t _TRACE_NAMES_EXEC_DSTATE;
TraceEvent _TRACE_NAMES_EXEC_EVENT = {
    .id = 0,
    .name = "names_exec",
    .sstate = TRACE_NAMES_EXEC_ENABLED,
    .dstate = &_TRACE_NAMES_EXEC_DSTATE,
};

uint16_t _TRACE_NEVER_TRANS_DSTATE;
TraceEvent _TRACE_NEVER_TRANS_EVENT = {
    .id = 0,
    .name = "never_trans",
    .sstate = TRACE_NEVER_TRANS_ENABLED,
    .dstate = &_TRACE_NEVER_TRANS_DSTATE,
};

uint16_t _TRACE_NEVER_EXEC_DSTATE;
TraceEvent _TRACE_NEVER_EXEC_EVENT = {
    .id = 0,
    .name = "never_exec",
    .sstate = TRACE_NEVER_EXEC_ENABLED,
    .dstate = &_TRACE_NEVER_EXEC_DSTATE,
};

uint16_t _TRACE_NEVER_EITHER_TRANS_DSTATE;
TraceEvent _TRACE_NEVER_EITHER_TRANS_EVENT = {
    .id = 0,
    .name = "never_either_trans",
    .sstate = TRACE_NEVER_EITHER_TRANS_ENABLED,
    .dstate = &_TRACE_NEVER_EITHER_TRANS_DSTATE,
};

uint16_t _TRACE_NEVER_EITHER_EXEC_DSTATE;
TraceEvent _TRACE_NEVER_EITHER_EXEC_EVENT = {
    .id = 0,
    .name = "never_either_exec",
    .sstate = TRACE_NEVER_EITHER_EXEC_ENABLED,
    .dstate = &_TRACE_NEVER_EITHER_EXEC_DSTATE,
};

uint16_t _TRACE_ORDINARY_OF_CPU_DSTATE;
TraceEvent _TRACE_ORDINARY_OF_CPU_EVENT = {
    .id = 0,
    .name = "ordinary_of_cpu",
    .sstate = TRACE_ORDINARY_OF_CPU_ENABLED,
    .dstate = &_TRACE_ORDINARY_OF_CPU_DSTATE,
};

uint16_t _TRACE_ORDINARY_DSTATE;
TraceEvent _TRACE_ORDINARY_EVENT = {
    .id = 0,
    .name = "ordinary",
    .sstate = TRACE_ORDINARY_ENABLED,
    .dstate = &_TRACE_ORDINARY_DSTATE,
};

TraceEvent *tcg_trace_events[] = {
    &_TRACE_GUEST_LOAD_TRANS_EVENT,
    &_TRACE_GUEST_LOAD_EXEC_EVENT,
    &_TRACE_EVERY_TYPE_TRANS_EVENT,
    &_TRACE_EVERY_TYPE_EXEC_EVENT,
    &_TRACE_CPU_ALONE_TRANS_EVENT,
    &_TRACE_CPU_ALONE_EXEC_EVENT,
    &_TRACE_NOTHING_TRANS_EVENT,
    &_TRACE_NOTHING_EXEC_EVENT,
    &_TRACE_KNOWN_LATE_TRANS_EVENT,
    &_TRACE_KNOWN_LATE_EXEC_EVENT,
    &_TRACE_KNOWN_EARLY_TRANS_EVENT,
    &_TRACE_KNOWN_EARLY_EXEC_EVENT,
    &_TRACE_NAMES_TRANS_EVENT,
    &_TRACE_NAMES_EXEC_EVENT,
    &_TRACE_NEVER_TRANS_EVENT,
    &_TRACE_NEVER_EXEC_EVENT,
    &_TRACE_NEVER_EITHER_TRANS_EVENT,
    &_TRACE_NEVER_EITHER_EXEC_EVENT,
    &_TRACE_ORDINARY_OF_CPU_EVENT,
    &_TRACE_ORDINARY_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const tcg_trace_declarations[] = {
    "vcpu tcg guest_load(TCGv addr, uint8_t size, void *where) \"size=%u where=%p\", \"addr=0x%\"PRIx64\" size=%u where=%p\"",
    "vcpu tcg guest_load(TCGv addr, uint8_t size, void *where) \"size=%u where=%p\", \"addr=0x%\"PRIx64\" size=%u where=%p\"",
    "tcg every_type(TCGv a, TCGv_i32 b, TCGv_i64 c, TCGv_ptr d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i) \"%u %u %u %\"PRIu64\" %p\", \"%\"PRIu64\" %u %\"PRIu64\" %p %u %u %u %\"PRIu64\" %p\"",
    "tcg every_type(TCGv a, TCGv_i32 b, TCGv_i64 c, TCGv_ptr d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i) \"%u %u %u %\"PRIu64\" %p\", \"%\"PRIu64\" %u %\"PRIu64\" %p %u %u %u %\"PRIu64\" %p\"",
    "vcpu tcg cpu_alone(void) \"\", \"\"",
    "vcpu tcg cpu_alone(void) \"\", \"\"",
    "tcg nothing(void) \"\", \"\"",
    "tcg nothing(void) \"\", \"\"",
    "tcg known_late(TCGv_i64 a) \"\", \"%\"PRIu64",
    "tcg known_late(TCGv_i64 a) \"\", \"%\"PRIu64",
    "tcg known_early(uint16_t a) \"%u\", \"%u\"",
    "tcg known_early(uint16_t a) \"%u\", \"%u\"",
    "tcg names(TCGv a, uint8_t __a, uint32_t if, TCGv_ptr if_) \"%u %u\", \"%\"PRIu64\" %u %u %p\"",
    "tcg names(TCGv a, uint8_t __a, uint32_t if, TCGv_ptr if_) \"%u %u\", \"%\"PRIu64\" %u %u %p\"",
    "disable vcpu tcg never(TCGv a, bool b, const char *c) \"%d %s\", \"%\"PRIu64\" %d %s\"",
    "disable vcpu tcg never(TCGv a, bool b, const char *c) \"%d %s\", \"%\"PRIu64\" %d %s\"",
    "disable tcg never_either(void) \"\", \"\"",
    "disable tcg never_either(void) \"\", \"\"",
    "vcpu ordinary_of_cpu(int x) \"x=%d\"",
    "ordinary(int x) \"x=%d\"",
    NULL,
};
RINGTRACE_DESCRIBE(tcg, "tcg", "nop,dtrace,ftrace,log,simple,syslog,ust")
#endif

static void trace_tcg_register_events(void)
{
    trace_event_register_group(tcg_trace_events);
}
trace_init(trace_tcg_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_guest_load_trans(void *__cpu, uint8_t size, void *where)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_GUEST_LOAD_TRANS_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)where);
    trace_record_finish(&rec);
}

void _simple_trace_guest_load_trans(void *__cpu, uint8_t size, void *where)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_GUEST_LOAD_TRANS_EVENT.id, 3 * 8)) {
        _slow_simple_trace_guest_load_trans(__cpu, size, where);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)where);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_guest_load_exec(void *__cpu, uint64_t addr, uint8_t size, void *where)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_GUEST_LOAD_EXEC_EVENT.id, 4 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_write_u64(&rec, (uint64_t)addr);
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)where);
    trace_record_finish(&rec);
}

void _simple_trace_guest_load_exec(void *__cpu, uint64_t addr, uint8_t size, void *where)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_GUEST_LOAD_EXEC_EVENT.id, 4 * 8)) {
        _slow_simple_trace_guest_load_exec(__cpu, addr, size, where);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_write_u64(&rec, (uint64_t)addr);
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)where);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_every_type_trans(uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_EVERY_TYPE_TRANS_EVENT.id, 5 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)e);
    trace_record_write_u64(&rec, (uint64_t)f);
    trace_record_write_u64(&rec, (uint64_t)g);
    trace_record_write_u64(&rec, (uint64_t)h);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)i);
    trace_record_finish(&rec);
}

void _simple_trace_every_type_trans(uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_EVERY_TYPE_TRANS_EVENT.id, 5 * 8)) {
        _slow_simple_trace_every_type_trans(e, f, g, h, i);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)e);
    trace_record_write_u64(&rec, (uint64_t)f);
    trace_record_write_u64(&rec, (uint64_t)g);
    trace_record_write_u64(&rec, (uint64_t)h);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)i);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_every_type_exec(uint64_t a, uint32_t b, uint64_t c, void *d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_EVERY_TYPE_EXEC_EVENT.id, 9 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)d);
    trace_record_write_u64(&rec, (uint64_t)e);
    trace_record_write_u64(&rec, (uint64_t)f);
    trace_record_write_u64(&rec, (uint64_t)g);
    trace_record_write_u64(&rec, (uint64_t)h);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)i);
    trace_record_finish(&rec);
}

void _simple_trace_every_type_exec(uint64_t a, uint32_t b, uint64_t c, void *d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_EVERY_TYPE_EXEC_EVENT.id, 9 * 8)) {
        _slow_simple_trace_every_type_exec(a, b, c, d, e, f, g, h, i);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)d);
    trace_record_write_u64(&rec, (uint64_t)e);
    trace_record_write_u64(&rec, (uint64_t)f);
    trace_record_write_u64(&rec, (uint64_t)g);
    trace_record_write_u64(&rec, (uint64_t)h);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)i);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_cpu_alone_trans(void *__cpu)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_CPU_ALONE_TRANS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_finish(&rec);
}

void _simple_trace_cpu_alone_trans(void *__cpu)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_CPU_ALONE_TRANS_EVENT.id, 8)) {
        _slow_simple_trace_cpu_alone_trans(__cpu);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_cpu_alone_exec(void *__cpu)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_CPU_ALONE_EXEC_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_finish(&rec);
}

void _simple_trace_cpu_alone_exec(void *__cpu)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_CPU_ALONE_EXEC_EVENT.id, 8)) {
        _slow_simple_trace_cpu_alone_exec(__cpu);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_nothing_trans(void)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_NOTHING_TRANS_EVENT.id, 0)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_finish(&rec);
}

void _simple_trace_nothing_trans(void)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_NOTHING_TRANS_EVENT.id, 0)) {
        _slow_simple_trace_nothing_trans();
        return;
    }
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_nothing_exec(void)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_NOTHING_EXEC_EVENT.id, 0)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_finish(&rec);
}

void _simple_trace_nothing_exec(void)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_NOTHING_EXEC_EVENT.id, 0)) {
        _slow_simple_trace_nothing_exec();
        return;
    }
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_known_late_trans(void)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_KNOWN_LATE_TRANS_EVENT.id, 0)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_finish(&rec);
}

void _simple_trace_known_late_trans(void)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_KNOWN_LATE_TRANS_EVENT.id, 0)) {
        _slow_simple_trace_known_late_trans();
        return;
    }
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_known_late_exec(uint64_t a)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_KNOWN_LATE_EXEC_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

void _simple_trace_known_late_exec(uint64_t a)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_KNOWN_LATE_EXEC_EVENT.id, 8)) {
        _slow_simple_trace_known_late_exec(a);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_known_early_trans(uint16_t a)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_KNOWN_EARLY_TRANS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

void _simple_trace_known_early_trans(uint16_t a)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_KNOWN_EARLY_TRANS_EVENT.id, 8)) {
        _slow_simple_trace_known_early_trans(a);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_known_early_exec(uint16_t a)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_KNOWN_EARLY_EXEC_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

void _simple_trace_known_early_exec(uint16_t a)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_KNOWN_EARLY_EXEC_EVENT.id, 8)) {
        _slow_simple_trace_known_early_exec(a);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_names_trans(uint8_t __a, uint32_t if_)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_NAMES_TRANS_EVENT.id, 2 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)__a);
    trace_record_write_u64(&rec, (uint64_t)if_);
    trace_record_finish(&rec);
}

void _simple_trace_names_trans(uint8_t __a, uint32_t if_)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_NAMES_TRANS_EVENT.id, 2 * 8)) {
        _slow_simple_trace_names_trans(__a, if_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)__a);
    trace_record_write_u64(&rec, (uint64_t)if_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_names_exec(uint64_t a, uint8_t __a, uint32_t if__, void *if_)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_NAMES_EXEC_EVENT.id, 4 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)__a);
    trace_record_write_u64(&rec, (uint64_t)if__);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)if_);
    trace_record_finish(&rec);
}

void _simple_trace_names_exec(uint64_t a, uint8_t __a, uint32_t if__, void *if_)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_NAMES_EXEC_EVENT.id, 4 * 8)) {
        _slow_simple_trace_names_exec(a, __a, if__, if_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)__a);
    trace_record_write_u64(&rec, (uint64_t)if__);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)if_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_ordinary_of_cpu(void *__cpu, int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_ORDINARY_OF_CPU_EVENT.id, 2 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_ordinary_of_cpu(void *__cpu, int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_ORDINARY_OF_CPU_EVENT.id, 2 * 8)) {
        _slow_simple_trace_ordinary_of_cpu(__cpu, x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)__cpu);
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_ordinary(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_ORDINARY_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_ordinary(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_ORDINARY_EVENT.id, 8)) {
        _slow_simple_trace_ordinary(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}
