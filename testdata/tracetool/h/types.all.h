/*
 * The probes of the group types.
 * Generated from types.events. Make changes there.
 */

#ifndef TRACE_TYPES_GENERATED_TRACERS_H
#define TRACE_TYPES_GENERATED_TRACERS_H

#include "trace/control.h"
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-types.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-types.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* signed_8(int8_t a, char b, signed char c) "%d %d %d" */
extern TraceEvent _TRACE_SIGNED_8_EVENT;
extern uint16_t _TRACE_SIGNED_8_DSTATE;
#define TRACE_SIGNED_8_ENABLED 1
#define TRACE_SIGNED_8_BACKEND_DSTATE() ( \
    QEMU_SIGNED_8_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_8) || \
    tracepoint_enabled(qemu, signed_8) || \
    false)
#ifndef QEMU_SIGNED_8_ENABLED
#define QEMU_SIGNED_8_ENABLED() true
#endif
void _simple_trace_signed_8(int8_t a, char b, signed char c);

static inline void trace_signed_8(int8_t a, char b, signed char c)
{
    QEMU_SIGNED_8(a, b, c);
    tracepoint(qemu, signed_8, a, b, c);
    if (trace_event_get_state(TRACE_SIGNED_8)) {
        #line 2 "types.events"
        ftrace_write("signed_8 " "%d %d %d" "\n", a, b, c);
        #line 54 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 2 "types.events"
            qemu_log("signed_8 " "%d %d %d" "\n", a, b, c);
            #line 58 "trace/trace-types.h"
        }
        _simple_trace_signed_8(a, b, c);
        #line 2 "types.events"
        syslog(LOG_INFO, "signed_8 " "%d %d %d", a, b, c);
        #line 63 "trace/trace-types.h"
    }
}

/* signed_16(int16_t a, short b, short int c) "%d %d %d" */
extern TraceEvent _TRACE_SIGNED_16_EVENT;
extern uint16_t _TRACE_SIGNED_16_DSTATE;
#define TRACE_SIGNED_16_ENABLED 1
#define TRACE_SIGNED_16_BACKEND_DSTATE() ( \
    QEMU_SIGNED_16_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_16) || \
    tracepoint_enabled(qemu, signed_16) || \
    false)
#ifndef QEMU_SIGNED_16_ENABLED
#define QEMU_SIGNED_16_ENABLED() true
#endif
void _simple_trace_signed_16(int16_t a, short b, short int c);

static inline void trace_signed_16(int16_t a, short b, short int c)
{
    QEMU_SIGNED_16(a, b, c);
    tracepoint(qemu, signed_16, a, b, c);
    if (trace_event_get_state(TRACE_SIGNED_16)) {
        #line 3 "types.events"
        ftrace_write("signed_16 " "%d %d %d" "\n", a, b, c);
        #line 91 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 3 "types.events"
            qemu_log("signed_16 " "%d %d %d" "\n", a, b, c);
            #line 95 "trace/trace-types.h"
        }
        _simple_trace_signed_16(a, b, c);
        #line 3 "types.events"
        syslog(LOG_INFO, "signed_16 " "%d %d %d", a, b, c);
        #line 100 "trace/trace-types.h"
    }
}

/* signed_32(int32_t a, int b, signed c, const int d) "%d %d %d %d" */
extern TraceEvent _TRACE_SIGNED_32_EVENT;
extern uint16_t _TRACE_SIGNED_32_DSTATE;
#define TRACE_SIGNED_32_ENABLED 1
#define TRACE_SIGNED_32_BACKEND_DSTATE() ( \
    QEMU_SIGNED_32_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_32) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_32) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_32) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_32) || \
    tracepoint_enabled(qemu, signed_32) || \
    false)
#ifndef QEMU_SIGNED_32_ENABLED
#define QEMU_SIGNED_32_ENABLED() true
#endif
void _simple_trace_signed_32(int32_t a, int b, signed c, const int d);

static inline void trace_signed_32(int32_t a, int b, signed c, const int d)
{
    QEMU_SIGNED_32(a, b, c, d);
    tracepoint(qemu, signed_32, a, b, c, d);
    if (trace_event_get_state(TRACE_SIGNED_32)) {
        #line 4 "types.events"
        ftrace_write("signed_32 " "%d %d %d %d" "\n", a, b, c, d);
        #line 128 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "types.events"
            qemu_log("signed_32 " "%d %d %d %d" "\n", a, b, c, d);
            #line 132 "trace/trace-types.h"
        }
        _simple_trace_signed_32(a, b, c, d);
        #line 4 "types.events"
        syslog(LOG_INFO, "signed_32 " "%d %d %d %d", a, b, c, d);
        #line 137 "trace/trace-types.h"
    }
}

/* signed_64(int64_t a, long b, long long c, long int d) "%" PRId64 " %ld %lld %ld" */
extern TraceEvent _TRACE_SIGNED_64_EVENT;
extern uint16_t _TRACE_SIGNED_64_DSTATE;
#define TRACE_SIGNED_64_ENABLED 1
#define TRACE_SIGNED_64_BACKEND_DSTATE() ( \
    QEMU_SIGNED_64_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_64) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_64) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_64) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIGNED_64) || \
    tracepoint_enabled(qemu, signed_64) || \
    false)
#ifndef QEMU_SIGNED_64_ENABLED
#define QEMU_SIGNED_64_ENABLED() true
#endif
void _simple_trace_signed_64(int64_t a, long b, long long c, long int d);

static inline void trace_signed_64(int64_t a, long b, long long c, long int d)
{
    QEMU_SIGNED_64(a, b, c, d);
    tracepoint(qemu, signed_64, a, b, c, d);
    if (trace_event_get_state(TRACE_SIGNED_64)) {
        #line 5 "types.events"
        ftrace_write("signed_64 " "%" PRId64 " %ld %lld %ld" "\n", a, b, c, d);
        #line 165 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "types.events"
            qemu_log("signed_64 " "%" PRId64 " %ld %lld %ld" "\n", a, b, c, d);
            #line 169 "trace/trace-types.h"
        }
        _simple_trace_signed_64(a, b, c, d);
        #line 5 "types.events"
        syslog(LOG_INFO, "signed_64 " "%" PRId64 " %ld %lld %ld", a, b, c, d);
        #line 174 "trace/trace-types.h"
    }
}

/* unsigned_8(uint8_t a, unsigned char b) "%u %u" */
extern TraceEvent _TRACE_UNSIGNED_8_EVENT;
extern uint16_t _TRACE_UNSIGNED_8_DSTATE;
#define TRACE_UNSIGNED_8_ENABLED 1
#define TRACE_UNSIGNED_8_BACKEND_DSTATE() ( \
    QEMU_UNSIGNED_8_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_8) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_8) || \
    tracepoint_enabled(qemu, unsigned_8) || \
    false)
#ifndef QEMU_UNSIGNED_8_ENABLED
#define QEMU_UNSIGNED_8_ENABLED() true
#endif
void _simple_trace_unsigned_8(uint8_t a, unsigned char b);

static inline void trace_unsigned_8(uint8_t a, unsigned char b)
{
    QEMU_UNSIGNED_8(a, b);
    tracepoint(qemu, unsigned_8, a, b);
    if (trace_event_get_state(TRACE_UNSIGNED_8)) {
        #line 6 "types.events"
        ftrace_write("unsigned_8 " "%u %u" "\n", a, b);
        #line 202 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "types.events"
            qemu_log("unsigned_8 " "%u %u" "\n", a, b);
            #line 206 "trace/trace-types.h"
        }
        _simple_trace_unsigned_8(a, b);
        #line 6 "types.events"
        syslog(LOG_INFO, "unsigned_8 " "%u %u", a, b);
        #line 211 "trace/trace-types.h"
    }
}

/* unsigned_16(uint16_t a, unsigned short b, unsigned short int c) "%u %u %u" */
extern TraceEvent _TRACE_UNSIGNED_16_EVENT;
extern uint16_t _TRACE_UNSIGNED_16_DSTATE;
#define TRACE_UNSIGNED_16_ENABLED 1
#define TRACE_UNSIGNED_16_BACKEND_DSTATE() ( \
    QEMU_UNSIGNED_16_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_16) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_16) || \
    tracepoint_enabled(qemu, unsigned_16) || \
    false)
#ifndef QEMU_UNSIGNED_16_ENABLED
#define QEMU_UNSIGNED_16_ENABLED() true
#endif
void _simple_trace_unsigned_16(uint16_t a, unsigned short b, unsigned short int c);

static inline void trace_unsigned_16(uint16_t a, unsigned short b, unsigned short int c)
{
    QEMU_UNSIGNED_16(a, b, c);
    tracepoint(qemu, unsigned_16, a, b, c);
    if (trace_event_get_state(TRACE_UNSIGNED_16)) {
        #line 7 "types.events"
        ftrace_write("unsigned_16 " "%u %u %u" "\n", a, b, c);
        #line 239 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 7 "types.events"
            qemu_log("unsigned_16 " "%u %u %u" "\n", a, b, c);
            #line 243 "trace/trace-types.h"
        }
        _simple_trace_unsigned_16(a, b, c);
        #line 7 "types.events"
        syslog(LOG_INFO, "unsigned_16 " "%u %u %u", a, b, c);
        #line 248 "trace/trace-types.h"
    }
}

/* unsigned_32(uint32_t a, unsigned b, unsigned int c) "%u %u %u" */
extern TraceEvent _TRACE_UNSIGNED_32_EVENT;
extern uint16_t _TRACE_UNSIGNED_32_DSTATE;
#define TRACE_UNSIGNED_32_ENABLED 1
#define TRACE_UNSIGNED_32_BACKEND_DSTATE() ( \
    QEMU_UNSIGNED_32_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_32) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_32) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_32) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_32) || \
    tracepoint_enabled(qemu, unsigned_32) || \
    false)
#ifndef QEMU_UNSIGNED_32_ENABLED
#define QEMU_UNSIGNED_32_ENABLED() true
#endif
void _simple_trace_unsigned_32(uint32_t a, unsigned b, unsigned int c);

static inline void trace_unsigned_32(uint32_t a, unsigned b, unsigned int c)
{
    QEMU_UNSIGNED_32(a, b, c);
    tracepoint(qemu, unsigned_32, a, b, c);
    if (trace_event_get_state(TRACE_UNSIGNED_32)) {
        #line 8 "types.events"
        ftrace_write("unsigned_32 " "%u %u %u" "\n", a, b, c);
        #line 276 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "types.events"
            qemu_log("unsigned_32 " "%u %u %u" "\n", a, b, c);
            #line 280 "trace/trace-types.h"
        }
        _simple_trace_unsigned_32(a, b, c);
        #line 8 "types.events"
        syslog(LOG_INFO, "unsigned_32 " "%u %u %u", a, b, c);
        #line 285 "trace/trace-types.h"
    }
}

/* unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d) "%" PRIu64 " %lu %llu %lu" */
extern TraceEvent _TRACE_UNSIGNED_64_EVENT;
extern uint16_t _TRACE_UNSIGNED_64_DSTATE;
#define TRACE_UNSIGNED_64_ENABLED 1
#define TRACE_UNSIGNED_64_BACKEND_DSTATE() ( \
    QEMU_UNSIGNED_64_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_64) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_64) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_64) || \
    trace_event_get_state_dynamic_by_id(TRACE_UNSIGNED_64) || \
    tracepoint_enabled(qemu, unsigned_64) || \
    false)
#ifndef QEMU_UNSIGNED_64_ENABLED
#define QEMU_UNSIGNED_64_ENABLED() true
#endif
void _simple_trace_unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d);

static inline void trace_unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d)
{
    QEMU_UNSIGNED_64(a, b, c, d);
    tracepoint(qemu, unsigned_64, a, b, c, d);
    if (trace_event_get_state(TRACE_UNSIGNED_64)) {
        #line 9 "types.events"
        ftrace_write("unsigned_64 " "%" PRIu64 " %lu %llu %lu" "\n", a, b, c, d);
        #line 313 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "types.events"
            qemu_log("unsigned_64 " "%" PRIu64 " %lu %llu %lu" "\n", a, b, c, d);
            #line 317 "trace/trace-types.h"
        }
        _simple_trace_unsigned_64(a, b, c, d);
        #line 9 "types.events"
        syslog(LOG_INFO, "unsigned_64 " "%" PRIu64 " %lu %llu %lu", a, b, c, d);
        #line 322 "trace/trace-types.h"
    }
}

/* sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e) "%zu %zd %" PRIuPTR " %td %zu" */
extern TraceEvent _TRACE_SIZES_EVENT;
extern uint16_t _TRACE_SIZES_DSTATE;
#define TRACE_SIZES_ENABLED 1
#define TRACE_SIZES_BACKEND_DSTATE() ( \
    QEMU_SIZES_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_SIZES) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIZES) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIZES) || \
    trace_event_get_state_dynamic_by_id(TRACE_SIZES) || \
    tracepoint_enabled(qemu, sizes) || \
    false)
#ifndef QEMU_SIZES_ENABLED
#define QEMU_SIZES_ENABLED() true
#endif
void _simple_trace_sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e);

static inline void trace_sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e)
{
    QEMU_SIZES(a, b, c, d, e);
    tracepoint(qemu, sizes, a, b, c, d, e);
    if (trace_event_get_state(TRACE_SIZES)) {
        #line 10 "types.events"
        ftrace_write("sizes " "%zu %zd %" PRIuPTR " %td %zu" "\n", a, b, c, d, e);
        #line 350 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 10 "types.events"
            qemu_log("sizes " "%zu %zd %" PRIuPTR " %td %zu" "\n", a, b, c, d, e);
            #line 354 "trace/trace-types.h"
        }
        _simple_trace_sizes(a, b, c, d, e);
        #line 10 "types.events"
        syslog(LOG_INFO, "sizes " "%zu %zd %" PRIuPTR " %td %zu", a, b, c, d, e);
        #line 359 "trace/trace-types.h"
    }
}

/* truth(bool a) "%d" */
extern TraceEvent _TRACE_TRUTH_EVENT;
extern uint16_t _TRACE_TRUTH_DSTATE;
#define TRACE_TRUTH_ENABLED 1
#define TRACE_TRUTH_BACKEND_DSTATE() ( \
    QEMU_TRUTH_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_TRUTH) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRUTH) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRUTH) || \
    trace_event_get_state_dynamic_by_id(TRACE_TRUTH) || \
    tracepoint_enabled(qemu, truth) || \
    false)
#ifndef QEMU_TRUTH_ENABLED
#define QEMU_TRUTH_ENABLED() true
#endif
void _simple_trace_truth(bool a);

static inline void trace_truth(bool a)
{
    QEMU_TRUTH(a);
    tracepoint(qemu, truth, a);
    if (trace_event_get_state(TRACE_TRUTH)) {
        #line 11 "types.events"
        ftrace_write("truth " "%d" "\n", a);
        #line 387 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 11 "types.events"
            qemu_log("truth " "%d" "\n", a);
            #line 391 "trace/trace-types.h"
        }
        _simple_trace_truth(a);
        #line 11 "types.events"
        syslog(LOG_INFO, "truth " "%d", a);
        #line 396 "trace/trace-types.h"
    }
}

/* pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g) "%p %p %p %p %p %p %p" */
extern TraceEvent _TRACE_POINTERS_EVENT;
extern uint16_t _TRACE_POINTERS_DSTATE;
#define TRACE_POINTERS_ENABLED 1
#define TRACE_POINTERS_BACKEND_DSTATE() ( \
    QEMU_POINTERS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_POINTERS) || \
    trace_event_get_state_dynamic_by_id(TRACE_POINTERS) || \
    trace_event_get_state_dynamic_by_id(TRACE_POINTERS) || \
    trace_event_get_state_dynamic_by_id(TRACE_POINTERS) || \
    tracepoint_enabled(qemu, pointers) || \
    false)
#ifndef QEMU_POINTERS_ENABLED
#define QEMU_POINTERS_ENABLED() true
#endif
void _simple_trace_pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g);

static inline void trace_pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g)
{
    QEMU_POINTERS(a, b, c, d, e, f, g);
    tracepoint(qemu, pointers, a, b, c, d, e, f, g);
    if (trace_event_get_state(TRACE_POINTERS)) {
        #line 12 "types.events"
        ftrace_write("pointers " "%p %p %p %p %p %p %p" "\n", a, b, (const void *)c, (const void *)d, (const void *)e, (const void *)f, (const void *)g);
        #line 424 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 12 "types.events"
            qemu_log("pointers " "%p %p %p %p %p %p %p" "\n", a, b, (const void *)c, (const void *)d, (const void *)e, (const void *)f, (const void *)g);
            #line 428 "trace/trace-types.h"
        }
        _simple_trace_pointers(a, b, c, d, e, f, g);
        #line 12 "types.events"
        syslog(LOG_INFO, "pointers " "%p %p %p %p %p %p %p", a, b, (const void *)c, (const void *)d, (const void *)e, (const void *)f, (const void *)g);
        #line 433 "trace/trace-types.h"
    }
}

/* strings(const char *a, char *b, const char*c, char*d) "%s %s %s %s" */
extern TraceEvent _TRACE_STRINGS_EVENT;
extern uint16_t _TRACE_STRINGS_DSTATE;
#define TRACE_STRINGS_ENABLED 1
#define TRACE_STRINGS_BACKEND_DSTATE() ( \
    QEMU_STRINGS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_STRINGS) || \
    trace_event_get_state_dynamic_by_id(TRACE_STRINGS) || \
    trace_event_get_state_dynamic_by_id(TRACE_STRINGS) || \
    trace_event_get_state_dynamic_by_id(TRACE_STRINGS) || \
    tracepoint_enabled(qemu, strings) || \
    false)
#ifndef QEMU_STRINGS_ENABLED
#define QEMU_STRINGS_ENABLED() true
#endif
void _simple_trace_strings(const char *a, char *b, const char*c, char*d);

static inline void trace_strings(const char *a, char *b, const char*c, char*d)
{
    QEMU_STRINGS(a, b, c, d);
    tracepoint(qemu, strings, a, b, c, d);
    if (trace_event_get_state(TRACE_STRINGS)) {
        #line 13 "types.events"
        ftrace_write("strings " "%s %s %s %s" "\n", a, b, c, d);
        #line 461 "trace/trace-types.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 13 "types.events"
            qemu_log("strings " "%s %s %s %s" "\n", a, b, c, d);
            #line 465 "trace/trace-types.h"
        }
        _simple_trace_strings(a, b, c, d);
        #line 13 "types.events"
        syslog(LOG_INFO, "strings " "%s %s %s %s", a, b, c, d);
        #line 470 "trace/trace-types.h"
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_TYPES_GENERATED_TRACERS_H */
