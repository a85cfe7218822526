/*
 * The events of the program.
 * Generated from types.events. Make changes there.
 */

#ifndef TRACE__GENERATED_EVENTS_H
#define TRACE__GENERATED_EVENTS_H

#include "trace/event-internal.h"

/* Number of events with a state for each CPU. */
#define TRACE_VCPU_EVENT_COUNT 0

/* An event's id is its position. */
typedef enum TraceEventID {
    TRACE_SIGNED_8,
    TRACE_SIGNED_16,
    TRACE_SIGNED_32,
    TRACE_SIGNED_64,
    TRACE_UNSIGNED_8,
    TRACE_UNSIGNED_16,
    TRACE_UNSIGNED_32,
    TRACE_UNSIGNED_64,
    TRACE_SIZES,
    TRACE_TRUTH,
    TRACE_POINTERS,
    TRACE_STRINGS,
    TRACE_EVENT_COUNT
} TraceEventID;

/* signed_8(int8_t a, char b, signed char c) "%d %d %d" */
extern TraceEvent _TRACE_SIGNED_8_EVENT;
extern uint16_t _TRACE_SIGNED_8_DSTATE;
#define TRACE_SIGNED_8_ENABLED 1

/* signed_16(int16_t a, short b, short int c) "%d %d %d" */
extern TraceEvent _TRACE_SIGNED_16_EVENT;
extern uint16_t _TRACE_SIGNED_16_DSTATE;
#define TRACE_SIGNED_16_ENABLED 1

/* signed_32(int32_t a, int b, signed c, const int d) "%d %d %d %d" */
extern TraceEvent _TRACE_SIGNED_32_EVENT;
extern uint16_t _TRACE_SIGNED_32_DSTATE;
#define TRACE_SIGNED_32_ENABLED 1

/* signed_64(int64_t a, long b, long long c, long int d) "%" PRId64 " %ld %lld %ld" */
extern TraceEvent _TRACE_SIGNED_64_EVENT;
extern uint16_t _TRACE_SIGNED_64_DSTATE;
#define TRACE_SIGNED_64_ENABLED 1

/* unsigned_8(uint8_t a, unsigned char b) "%u %u" */
extern TraceEvent _TRACE_UNSIGNED_8_EVENT;
extern uint16_t _TRACE_UNSIGNED_8_DSTATE;
#define TRACE_UNSIGNED_8_ENABLED 1

/* unsigned_16(uint16_t a, unsigned short b, unsigned short int c) "%u %u %u" */
extern TraceEvent _TRACE_UNSIGNED_16_EVENT;
extern uint16_t _TRACE_UNSIGNED_16_DSTATE;
#define TRACE_UNSIGNED_16_ENABLED 1

/* unsigned_32(uint32_t a, unsigned b, unsigned int c) "%u %u %u" */
extern TraceEvent _TRACE_UNSIGNED_32_EVENT;
extern uint16_t _TRACE_UNSIGNED_32_DSTATE;
#define TRACE_UNSIGNED_32_ENABLED 1

/* unsigned_64(uint64_t a, unsigned long b, unsigned long long c, long unsigned int d) "%" PRIu64 " %lu %llu %lu" */
extern TraceEvent _TRACE_UNSIGNED_64_EVENT;
extern uint16_t _TRACE_UNSIGNED_64_DSTATE;
#define TRACE_UNSIGNED_64_ENABLED 1

/* sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e) "%zu %zd %" PRIuPTR " %td %zu" */
extern TraceEvent _TRACE_SIZES_EVENT;
extern uint16_t _TRACE_SIZES_DSTATE;
#define TRACE_SIZES_ENABLED 1

/* truth(bool a) "%d" */
extern TraceEvent _TRACE_TRUTH_EVENT;
extern uint16_t _TRACE_TRUTH_DSTATE;
#define TRACE_TRUTH_ENABLED 1

/* pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t*g) "%p %p %p %p %p %p %p" */
extern TraceEvent _TRACE_POINTERS_EVENT;
extern uint16_t _TRACE_POINTERS_DSTATE;
#define TRACE_POINTERS_ENABLED 1

/* strings(const char *a, char *b, const char*c, char*d) "%s %s %s %s" */
extern TraceEvent _TRACE_STRINGS_EVENT;
extern uint16_t _TRACE_STRINGS_DSTATE;
#define TRACE_STRINGS_ENABLED 1

#endif /* TRACE__GENERATED_EVENTS_H */
