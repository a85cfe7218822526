/*
 * The events of the program.
 * Generated from tcg.events. Make changes there.
 */

#ifndef TRACE__GENERATED_EVENTS_H
#define TRACE__GENERATED_EVENTS_H

#include "trace/event-internal.h"

/* Number of events with a state for each CPU. */
#define TRACE_VCPU_EVENT_COUNT 7

/* An event's id is its position. */
typedef enum TraceEventID {
    TRACE_GUEST_LOAD_TRANS,
    TRACE_GUEST_LOAD_EXEC,
    TRACE_EVERY_TYPE_TRANS,
    TRACE_EVERY_TYPE_EXEC,
    TRACE_CPU_ALONE_TRANS,
    TRACE_CPU_ALONE_EXEC,
    TRACE_NOTHING_TRANS,
    TRACE_NOTHING_EXEC,
    TRACE_KNOWN_LATE_TRANS,
    TRACE_KNOWN_LATE_EXEC,
    TRACE_KNOWN_EARLY_TRANS,
    TRACE_KNOWN_EARLY_EXEC,
    TRACE_NAMES_TRANS,
    TRACE_NAMES_EXEC,
    TRACE_NEVER_TRANS,
    TRACE_NEVER_EXEC,
    TRACE_NEVER_EITHER_TRANS,
    TRACE_NEVER_EITHER_EXEC,
    TRACE_ORDINARY_OF_CPU,
    TRACE_ORDINARY,
    TRACE_EVENT_COUNT
} TraceEventID;

/* vcpu tcg guest_load(TCGv addr, uint8_t size, void *where) "size=%u where=%p", "addr=0x%"PRIx64" size=%u where=%p" */
extern TraceEvent _TRACE_GUEST_LOAD_TRANS_EVENT;
extern uint16_t _TRACE_GUEST_LOAD_TRANS_DSTATE;
#define TRACE_GUEST_LOAD_TRANS_ENABLED 1
#define TRACE_GUEST_LOAD_ENABLED 1

/* vcpu tcg guest_load(TCGv addr, uint8_t size, void *where) "size=%u where=%p", "addr=0x%"PRIx64" size=%u where=%p" */
extern TraceEvent _TRACE_GUEST_LOAD_EXEC_EVENT;
extern uint16_t _TRACE_GUEST_LOAD_EXEC_DSTATE;
#define TRACE_GUEST_LOAD_EXEC_ENABLED 1

/* tcg every_type(TCGv a, TCGv_i32 b, TCGv_i64 c, TCGv_ptr d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i) "%u %u %u %"PRIu64" %p", "%"PRIu64" %u %"PRIu64" %p %u %u %u %"PRIu64" %p" */
extern TraceEvent _TRACE_EVERY_TYPE_TRANS_EVENT;
extern uint16_t _TRACE_EVERY_TYPE_TRANS_DSTATE;
#define TRACE_EVERY_TYPE_TRANS_ENABLED 1
#define TRACE_EVERY_TYPE_ENABLED 1

/* tcg every_type(TCGv a, TCGv_i32 b, TCGv_i64 c, TCGv_ptr d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i) "%u %u %u %"PRIu64" %p", "%"PRIu64" %u %"PRIu64" %p %u %u %u %"PRIu64" %p" */
extern TraceEvent _TRACE_EVERY_TYPE_EXEC_EVENT;
extern uint16_t _TRACE_EVERY_TYPE_EXEC_DSTATE;
#define TRACE_EVERY_TYPE_EXEC_ENABLED 1

/* vcpu tcg cpu_alone(void) "", "" */
extern TraceEvent _TRACE_CPU_ALONE_TRANS_EVENT;
extern uint16_t _TRACE_CPU_ALONE_TRANS_DSTATE;
#define TRACE_CPU_ALONE_TRANS_ENABLED 1
#define TRACE_CPU_ALONE_ENABLED 1

/* vcpu tcg cpu_alone(void) "", "" */
extern TraceEvent _TRACE_CPU_ALONE_EXEC_EVENT;
extern uint16_t _TRACE_CPU_ALONE_EXEC_DSTATE;
#define TRACE_CPU_ALONE_EXEC_ENABLED 1

/* tcg nothing(void) "", "" */
extern TraceEvent _TRACE_NOTHING_TRANS_EVENT;
extern uint16_t _TRACE_NOTHING_TRANS_DSTATE;
#define TRACE_NOTHING_TRANS_ENABLED 1
#define TRACE_NOTHING_ENABLED 1

/* tcg nothing(void) "", "" */
extern TraceEvent _TRACE_NOTHING_EXEC_EVENT;
extern uint16_t _TRACE_NOTHING_EXEC_DSTATE;
#define TRACE_NOTHING_EXEC_ENABLED 1

/* tcg known_late(TCGv_i64 a) "", "%"PRIu64 */
extern TraceEvent _TRACE_KNOWN_LATE_TRANS_EVENT;
extern uint16_t _TRACE_KNOWN_LATE_TRANS_DSTATE;
#define TRACE_KNOWN_LATE_TRANS_ENABLED 1
#define TRACE_KNOWN_LATE_ENABLED 1

/* tcg known_late(TCGv_i64 a) "", "%"PRIu64 */
extern TraceEvent _TRACE_KNOWN_LATE_EXEC_EVENT;
extern uint16_t _TRACE_KNOWN_LATE_EXEC_DSTATE;
#define TRACE_KNOWN_LATE_EXEC_ENABLED 1

/* tcg known_early(uint16_t a) "%u", "%u" */
extern TraceEvent _TRACE_KNOWN_EARLY_TRANS_EVENT;
extern uint16_t _TRACE_KNOWN_EARLY_TRANS_DSTATE;
#define TRACE_KNOWN_EARLY_TRANS_ENABLED 1
#define TRACE_KNOWN_EARLY_ENABLED 1

/* tcg known_early(uint16_t a) "%u", "%u" */
extern TraceEvent _TRACE_KNOWN_EARLY_EXEC_EVENT;
extern uint16_t _TRACE_KNOWN_EARLY_EXEC_DSTATE;
#define TRACE_KNOWN_EARLY_EXEC_ENABLED 1

/* tcg names(TCGv a, uint8_t __a, uint32_t if, TCGv_ptr if_) "%u %u", "%"PRIu64" %u %u %p" */
extern TraceEvent _TRACE_NAMES_TRANS_EVENT;
extern uint16_t _TRACE_NAMES_TRANS_DSTATE;
#define TRACE_NAMES_TRANS_ENABLED 1
#define TRACE_NAMES_ENABLED 1

/* tcg names(TCGv a, uint8_t __a, uint32_t if, TCGv_ptr if_) "%u %u", "%"PRIu64" %u %u %p" */
extern TraceEvent _TRACE_NAMES_EXEC_EVENT;
extern uint16_t _TRACE_NAMES_EXEC_DSTATE;
#define TRACE_NAMES_EXEC_ENABLED 1

/* disable vcpu tcg never(TCGv a, bool b, const char *c) "%d %s", "%"PRIu64" %d %s" */
extern TraceEvent _TRACE_NEVER_TRANS_EVENT;
extern uint16_t _TRACE_NEVER_TRANS_DSTATE;
#define TRACE_NEVER_TRANS_ENABLED 0
#define TRACE_NEVER_ENABLED 0

/* disable vcpu tcg never(TCGv a, bool b, const char *c) "%d %s", "%"PRIu64" %d %s" */
extern TraceEvent _TRACE_NEVER_EXEC_EVENT;
extern uint16_t _TRACE_NEVER_EXEC_DSTATE;
#define TRACE_NEVER_EXEC_ENABLED 0

/* disable tcg never_either(void) "", "" */
extern TraceEvent _TRACE_NEVER_EITHER_TRANS_EVENT;
extern uint16_t _TRACE_NEVER_EITHER_TRANS_DSTATE;
#define TRACE_NEVER_EITHER_TRANS_ENABLED 0
#define TRACE_NEVER_EITHER_ENABLED 0

/* disable tcg never_either(void) "", "" */
extern TraceEvent _TRACE_NEVER_EITHER_EXEC_EVENT;
extern uint16_t _TRACE_NEVER_EITHER_EXEC_DSTATE;
#define TRACE_NEVER_EITHER_EXEC_ENABLED 0

/* vcpu ordinary_of_cpu(int x) "x=%d" */
extern TraceEvent _TRACE_ORDINARY_OF_CPU_EVENT;
extern uint16_t _TRACE_ORDINARY_OF_CPU_DSTATE;
#define TRACE_ORDINARY_OF_CPU_ENABLED 1

/* ordinary(int x) "x=%d" */
extern TraceEvent _TRACE_ORDINARY_EVENT;
extern uint16_t _TRACE_ORDINARY_DSTATE;
#define TRACE_ORDINARY_ENABLED 1

#endif /* TRACE__GENERATED_EVENTS_H */
