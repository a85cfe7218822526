/*
 * The events of the group extended.
 * Generated from extended.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-extended.h"

uint16_t _TRACE_MEASURED_DSTATE;
TraceEvent _TRACE_MEASURED_EVENT = {
    .id = 0,
    .name = "measured",
    .sstate = TRACE_MEASURED_ENABLED,
    .dstate = &_TRACE_MEASURED_DSTATE,
};

uint16_t _TRACE_MANY_DOUBLES_DSTATE;
TraceEvent _TRACE_MANY_DOUBLES_EVENT = {
    .id = 0,
    .name = "many_doubles",
    .sstate = TRACE_MANY_DOUBLES_ENABLED,
    .dstate = &_TRACE_MANY_DOUBLES_DSTATE,
};

uint16_t _TRACE_IDLE_DSTATE;
TraceEvent _TRACE_IDLE_EVENT = {
    .id = 0,
    .name = "idle",
    .sstate = TRACE_IDLE_ENABLED,
    .dstate = &_TRACE_IDLE_DSTATE,
};

uint16_t _TRACE_STATE_CHANGED_DSTATE;
TraceEvent _TRACE_STATE_CHANGED_EVENT = {
    .id = 0,
    .name = "state_changed",
    .sstate = TRACE_STATE_CHANGED_ENABLED,
    .dstate = &_TRACE_STATE_CHANGED_DSTATE,
};

uint16_t _TRACE_QUEUED_DSTATE;
TraceEvent _TRACE_QUEUED_EVENT = {
    .id = 0,
    .name = "queued",
    .sstate = TRACE_QUEUED_ENABLED,
    .dstate = &_TRACE_QUEUED_DSTATE,
};

uint16_t _TRACE_UNUSED_KIND_DSTATE;
TraceEvent _TRACE_UNUSED_KIND_EVENT = {
    .id = 0,
    .name = "unused_kind",
    .sstate = TRACE_UNUSED_KIND_ENABLED,
    .dstate = &_TRACE_UNUSED_KIND_DSTATE,
};

TraceEvent *extended_trace_events[] = {
    &_TRACE_MEASURED_EVENT,
    &_TRACE_MANY_DOUBLES_EVENT,
    &_TRACE_IDLE_EVENT,
    &_TRACE_STATE_CHANGED_EVENT,
    &_TRACE_QUEUED_EVENT,
    &_TRACE_UNUSED_KIND_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const extended_trace_declarations[] = {
    "measured(double seconds, const char *name, float share, int n) \"seconds=%.3f name=%s share=%g n=%d\"",
    "many_doubles(double a, double b, float bits_a, const double d, int rec) \"%e %a %f %g %d\"",
    "disable idle(double load) \"%f\"",
    "enum disk_state { IDLE = 0, BUSY = 1, QUEUE_FULL = 0x10, FAILED = -1 }\012state_changed(int disk, disk_state from, disk_state to) \"disk %d: %s -> %s\"",
    "enum Kind { READ, WRITE }\012enum disk_state { IDLE = 0, BUSY = 1, QUEUE_FULL = 0x10, FAILED = -1 }\012queued(Kind kind, const char *name, disk_state state) \"kind=%d name=%s state=%-12s|\"",
    "enum Kind { READ, WRITE }\012disable unused_kind(Kind kind) \"%s\"",
    NULL,
};
RINGTRACE_DESCRIBE(extended, "extended", "simple")
#endif

static void trace_extended_register_events(void)
{
    trace_event_register_group(extended_trace_events);
}
trace_init(trace_extended_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_measured(double seconds, const char *name, float share, int n)
{
    TraceBufferRecord rec;
    const union { double value; uint64_t bits; } bits_seconds = { seconds };
    uint32_t len_name = name ? strnlen(name, MAX_TRACE_STRLEN) : 0;
    const union { double value; uint64_t bits; } bits_share = { share };

    if (trace_record_start(&rec, _TRACE_MEASURED_EVENT.id, 3 * 8 + 4 + len_name)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, bits_seconds.bits);
    trace_record_write_str(&rec, name, len_name);
    trace_record_write_u64(&rec, bits_share.bits);
    trace_record_write_u64(&rec, (uint64_t)n);
    trace_record_finish(&rec);
}

void _simple_trace_measured(double seconds, const char *name, float share, int n)
{
    TraceBufferRecord rec;
    const union { double value; uint64_t bits; } bits_seconds = { seconds };
    uint32_t len_name = name ? strnlen(name, MAX_TRACE_STRLEN) : 0;
    const union { double value; uint64_t bits; } bits_share = { share };

    if (!trace_record_start_fast(&rec, _TRACE_MEASURED_EVENT.id, 3 * 8 + 4 + len_name)) {
        _slow_simple_trace_measured(seconds, name, share, n);
        return;
    }
    trace_record_write_u64(&rec, bits_seconds.bits);
    trace_record_write_str(&rec, name, len_name);
    trace_record_write_u64(&rec, bits_share.bits);
    trace_record_write_u64(&rec, (uint64_t)n);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_many_doubles(double a, double b, float bits_a, const double d, int rec)
{
    TraceBufferRecord rec_;
    const union { double value; uint64_t bits; } bits_a_ = { a };
    const union { double value; uint64_t bits; } bits_b = { b };
    const union { double value; uint64_t bits; } bits_bits_a = { bits_a };
    const union { double value; uint64_t bits; } bits_d = { d };

    if (trace_record_start(&rec_, _TRACE_MANY_DOUBLES_EVENT.id, 5 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec_, bits_a_.bits);
    trace_record_write_u64(&rec_, bits_b.bits);
    trace_record_write_u64(&rec_, bits_bits_a.bits);
    trace_record_write_u64(&rec_, bits_d.bits);
    trace_record_write_u64(&rec_, (uint64_t)rec);
    trace_record_finish(&rec_);
}

void _simple_trace_many_doubles(double a, double b, float bits_a, const double d, int rec)
{
    TraceBufferRecord rec_;
    const union { double value; uint64_t bits; } bits_a_ = { a };
    const union { double value; uint64_t bits; } bits_b = { b };
    const union { double value; uint64_t bits; } bits_bits_a = { bits_a };
    const union { double value; uint64_t bits; } bits_d = { d };

    if (!trace_record_start_fast(&rec_, _TRACE_MANY_DOUBLES_EVENT.id, 5 * 8)) {
        _slow_simple_trace_many_doubles(a, b, bits_a, d, rec);
        return;
    }
    trace_record_write_u64(&rec_, bits_a_.bits);
    trace_record_write_u64(&rec_, bits_b.bits);
    trace_record_write_u64(&rec_, bits_bits_a.bits);
    trace_record_write_u64(&rec_, bits_d.bits);
    trace_record_write_u64(&rec_, (uint64_t)rec);
    trace_record_finish(&rec_);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_state_changed(int disk, int from, int to)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_STATE_CHANGED_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)disk);
    trace_record_write_u64(&rec, (uint64_t)from);
    trace_record_write_u64(&rec, (uint64_t)to);
    trace_record_finish(&rec);
}

void _simple_trace_state_changed(int disk, int from, int to)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_STATE_CHANGED_EVENT.id, 3 * 8)) {
        _slow_simple_trace_state_changed(disk, (int)from, (int)to);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)disk);
    trace_record_write_u64(&rec, (uint64_t)from);
    trace_record_write_u64(&rec, (uint64_t)to);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_queued(int kind, const char *name, int state)
{
    TraceBufferRecord rec;
    uint32_t len_name = name ? strnlen(name, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_QUEUED_EVENT.id, 2 * 8 + 4 + len_name)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)kind);
    trace_record_write_str(&rec, name, len_name);
    trace_record_write_u64(&rec, (uint64_t)state);
    trace_record_finish(&rec);
}

void _simple_trace_queued(int kind, const char *name, int state)
{
    TraceBufferRecord rec;
    uint32_t len_name = name ? strnlen(name, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec, _TRACE_QUEUED_EVENT.id, 2 * 8 + 4 + len_name)) {
        _slow_simple_trace_queued((int)kind, name, (int)state);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)kind);
    trace_record_write_str(&rec, name, len_name);
    trace_record_write_u64(&rec, (uint64_t)state);
    trace_record_finish(&rec);
}
