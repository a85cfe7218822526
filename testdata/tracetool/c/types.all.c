/*
 * The events of the group types.
 * Generated from types.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-types.h"

uint16_t _TRACE_SIGNED_8_DSTATE;
TraceEvent _TRACE_SIGNED_8_EVENT = {
    .id = 0,
    .name = "signed_8",
    .sstate = TRACE_SIGNED_8_ENABLED,
    .dstate = &_TRACE_SIGNED_8_DSTATE,
};

uint16_t _TRACE_SIGNED_16_DSTATE;
TraceEvent _TRACE_SIGNED_16_EVENT = {
    .id = 0,
    .name = "signed_16",
    .sstate = TRACE_SIGNED_16_ENABLED,
    .dstate = &_TRACE_SIGNED_16_DSTATE,
};

uint16_t _TRACE_SIGNED_32_DSTATE;
TraceEvent _TRACE_SIGNED_32_EVENT = {
    .id = 0,
    .name = "signed_32",
    .sstate = TRACE_SIGNED_32_ENABLED,
    .dstate = &_TRACE_SIGNED_32_DSTATE,
};

uint16_t _TRACE_SIGNED_64_DSTATE;
TraceEvent _TRACE_SIGNED_64_EVENT = {
    .id = 0,
    .name = "signed_64",
    .sstate = TRACE_SIGNED_64_ENABLED,
    .dstate = &_TRACE_SIGNED_64_DSTATE,
};

uint16_t _TRACE_UNSIGNED_8_DSTATE;
TraceEvent _TRACE_UNSIGNED_8_EVENT = {
    .id = 0,
    .name = "unsigned_8",
    .sstate = TRACE_UNSIGNED_8_ENABLED,
    .dstate = &_TRACE_UNSIGNED_8_DSTATE,
};

uint16_t _TRACE_UNSIGNED_16_DSTATE;
TraceEvent _TRACE_UNSIGNED_16_EVENT = {
    .id = 0,
    .name = "unsigned_16",
    .sstate = TRACE_UNSIGNED_16_ENABLED,
    .dstate = &_TRACE_UNSIGNED_16_DSTATE,
};

uint16_t _TRACE_UNSIGNED_32_DSTATE;
TraceEvent _TRACE_UNSIGNED_32_EVENT = {
    .id = 0,
    .name = "unsigned_32",
    .sstate = TRACE_UNSIGNED_32_ENABLED,
    .dstate = &_TRACE_UNSIGNED_32_DSTATE,
};

uint16_t _TRACE_UNSIGNED_64_DSTATE;
TraceEvent _TRACE_UNSIGNED_64_EVENT = {
    .id = 0,
    .name = "unsigned_64",
    .sstate = TRACE_UNSIGNED_64_ENABLED,
    .dstate = &_TRACE_UNSIGNED_64_DSTATE,
};

uint16_t _TRACE_SIZES_DSTATE;
TraceEvent _TRACE_SIZES_EVENT = {
    .id = 0,
    .name = "sizes",
    .sstate = TRACE_SIZES_ENABLED,
    .dstate = &_TRACE_SIZES_DSTATE,
};

uint16_t _TRACE_TRUTH_DSTATE;
TraceEvent _TRACE_TRUTH_EVENT = {
    .id = 0,
    .name = "truth",
    .sstate = TRACE_TRUTH_ENABLED,
    .dstate = &_TRACE_TRUTH_DSTATE,
};

uint16_t _TRACE_POINTERS_DSTATE;
TraceEvent _TRACE_POINTERS_EVENT = {
    .id = 0,
    .name = "pointers",
    .sstate = TRACE_POINTERS_ENABLED,
    .dstate = &_TRACE_POINTERS_DSTATE,
};

uint16_t _TRACE_STRINGS_DSTATE;
TraceEvent _TRACE_STRINGS_EVENT = {
    .id = 0,
    .name = "strings",
    .sstate = TRACE_STRINGS_ENABLED,
    .dstate = &_TRACE_STRINGS_DSTATE,
};

TraceEvent *types_trace_events[] = {
    &_TRACE_SIGNED_8_EVENT,
    &_TRACE_SIGNED_16_EVENT,
    &_TRACE_SIGNED_32_EVENT,
    &_TRACE_SIGNED_64_EVENT,
    &_TRACE_UNSIGNED_8_EVENT,
    &_TRACE_UNSIGNED_16_EVENT,
    &_TRACE_UNSIGNED_32_EVENT,
    &_TRACE_UNSIGNED_64_EVENT,
    &_TRACE_SIZES_EVENT,
    &_TRACE_TRUTH_EVENT,
    &_TRACE_POINTERS_EVENT,
    &_TRACE_STRINGS_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const types_trace_declarations[] = {
    "signed_8(int8_t a, char b, signed char c) \"%d %d %d\"",
    "signed_16(int16_t a, short b, short int c) \"%d %d %d\"",
    "signed_32(int32_t a, int b, signed c, const int d) \"%d %d %d %d\"",
    "signed_64(int64_t a, long b, long long c, long int d) \"%\" PRId64 \" %ld %lld %ld\"",
    "unsigned_8(uint8_t a, unsigned char b) \"%u %u\"",
    "unsigned_16(uint16_t a, unsigned short b, unsigned short int c) \"%u %u %u\"",
    "unsigned_32(uint32_t a, unsigned b, unsigned int c) \"%u %u %u\"",
    "unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d) \"%\" PRIu64 \" %lu %llu %lu\"",
    "sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e) \"%zu %zd %\" PRIuPTR \" %td %zu\"",
    "truth(bool a) \"%d\"",
    "pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g) \"%p %p %p %p %p %p %p\"",
    "strings(const char *a, char *b, const char*c, char*d) \"%s %s %s %s\"",
    NULL,
};
RINGTRACE_DESCRIBE(types, "types", "nop,dtrace,ftrace,log,simple,syslog,ust")
#endif

static void trace_types_register_events(void)
{
    trace_event_register_group(types_trace_events);
}
trace_init(trace_types_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_signed_8(int8_t a, char b, signed char c)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SIGNED_8_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_finish(&rec);
}

void _simple_trace_signed_8(int8_t a, char b, signed char c)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SIGNED_8_EVENT.id, 3 * 8)) {
        _slow_simple_trace_signed_8(a, b, c);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_signed_16(int16_t a, short b, short int c)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SIGNED_16_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_finish(&rec);
}

void _simple_trace_signed_16(int16_t a, short b, short int c)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SIGNED_16_EVENT.id, 3 * 8)) {
        _slow_simple_trace_signed_16(a, b, c);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_signed_32(int32_t a, int b, signed c, const int d)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SIGNED_32_EVENT.id, 4 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_finish(&rec);
}

void _simple_trace_signed_32(int32_t a, int b, signed c, const int d)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SIGNED_32_EVENT.id, 4 * 8)) {
        _slow_simple_trace_signed_32(a, b, c, d);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_signed_64(int64_t a, long b, long long c, long int d)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SIGNED_64_EVENT.id, 4 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_finish(&rec);
}

void _simple_trace_signed_64(int64_t a, long b, long long c, long int d)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SIGNED_64_EVENT.id, 4 * 8)) {
        _slow_simple_trace_signed_64(a, b, c, d);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_unsigned_8(uint8_t a, unsigned char b)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_UNSIGNED_8_EVENT.id, 2 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_finish(&rec);
}

void _simple_trace_unsigned_8(uint8_t a, unsigned char b)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_UNSIGNED_8_EVENT.id, 2 * 8)) {
        _slow_simple_trace_unsigned_8(a, b);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_unsigned_16(uint16_t a, unsigned short b, unsigned short int c)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_UNSIGNED_16_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_finish(&rec);
}

void _simple_trace_unsigned_16(uint16_t a, unsigned short b, unsigned short int c)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_UNSIGNED_16_EVENT.id, 3 * 8)) {
        _slow_simple_trace_unsigned_16(a, b, c);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_unsigned_32(uint32_t a, unsigned b, unsigned int c)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_UNSIGNED_32_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_finish(&rec);
}

void _simple_trace_unsigned_32(uint32_t a, unsigned b, unsigned int c)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_UNSIGNED_32_EVENT.id, 3 * 8)) {
        _slow_simple_trace_unsigned_32(a, b, c);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_UNSIGNED_64_EVENT.id, 4 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_finish(&rec);
}

void _simple_trace_unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_UNSIGNED_64_EVENT.id, 4 * 8)) {
        _slow_simple_trace_unsigned_64(a, b, c, d);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SIZES_EVENT.id, 5 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_write_u64(&rec, (uint64_t)e);
    trace_record_finish(&rec);
}

void _simple_trace_sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SIZES_EVENT.id, 5 * 8)) {
        _slow_simple_trace_sizes(a, b, c, d, e);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)b);
    trace_record_write_u64(&rec, (uint64_t)c);
    trace_record_write_u64(&rec, (uint64_t)d);
    trace_record_write_u64(&rec, (uint64_t)e);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_truth(bool a)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_TRUTH_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

void _simple_trace_truth(bool a)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_TRUTH_EVENT.id, 8)) {
        _slow_simple_trace_truth(a);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_POINTERS_EVENT.id, 7 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)a);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)b);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)c);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)d);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)e);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)f);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)g);
    trace_record_finish(&rec);
}

void _simple_trace_pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_POINTERS_EVENT.id, 7 * 8)) {
        _slow_simple_trace_pointers(a, b, c, d, e, f, g);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)a);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)b);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)c);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)d);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)e);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)f);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)g);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_strings(const char *a, char *b, const char*c, char*d)
{
    TraceBufferRecord rec;
    uint32_t len_a = a ? strnlen(a, MAX_TRACE_STRLEN) : 0;
    uint32_t len_b = b ? strnlen(b, MAX_TRACE_STRLEN) : 0;
    uint32_t len_c = c ? strnlen(c, MAX_TRACE_STRLEN) : 0;
    uint32_t len_d = d ? strnlen(d, MAX_TRACE_STRLEN) : 0;

    if (trace_record_start(&rec, _TRACE_STRINGS_EVENT.id, 4 + len_a + 4 + len_b + 4 + len_c + 4 + len_d)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_str(&rec, a, len_a);
    trace_record_write_str(&rec, b, len_b);
    trace_record_write_str(&rec, c, len_c);
    trace_record_write_str(&rec, d, len_d);
    trace_record_finish(&rec);
}

void _simple_trace_strings(const char *a, char *b, const char*c, char*d)
{
    TraceBufferRecord rec;
    uint32_t len_a = a ? strnlen(a, MAX_TRACE_STRLEN) : 0;
    uint32_t len_b = b ? strnlen(b, MAX_TRACE_STRLEN) : 0;
    uint32_t len_c = c ? strnlen(c, MAX_TRACE_STRLEN) : 0;
    uint32_t len_d = d ? strnlen(d, MAX_TRACE_STRLEN) : 0;

    if (!trace_record_start_fast(&rec, _TRACE_STRINGS_EVENT.id, 4 + len_a + 4 + len_b + 4 + len_c + 4 + len_d)) {
        _slow_simple_trace_strings(a, b, c, d);
        return;
    }
    trace_record_write_str(&rec, a, len_a);
    trace_record_write_str(&rec, b, len_b);
    trace_record_write_str(&rec, c, len_c);
    trace_record_write_str(&rec, d, len_d);
    trace_record_finish(&rec);
}
