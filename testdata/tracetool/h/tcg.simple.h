/*
 * The probes of the group tcg.
 * Generated from tcg.events. Make changes there.
 */

#ifndef TRACE_TCG_GENERATED_TRACERS_H
#define TRACE_TCG_GENERATED_TRACERS_H

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

/* vcpu tcg guest_load(TCGv addr, uint8_t size, void *where) "size=%u where=%p", "addr=0x%"PRIx64" size=%u where=%p" */
extern TraceEvent _TRACE_GUEST_LOAD_TRANS_EVENT;
extern uint16_t _TRACE_GUEST_LOAD_TRANS_DSTATE;
#define TRACE_GUEST_LOAD_TRANS_ENABLED 1
#define TRACE_GUEST_LOAD_ENABLED 1
#define TRACE_GUEST_LOAD_TRANS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_TRANS) || \
    false)
void _simple_trace_guest_load_trans(void *__cpu, uint8_t size, void *where);

static inline void _nocheck__trace_guest_load_trans(void *__cpu, uint8_t size, void *where)
{
    _simple_trace_guest_load_trans(__cpu, size, where);
}

static inline void trace_guest_load_trans(void *__cpu, uint8_t size, void *where)
{
    if (trace_event_get_vcpu_state(__cpu, TRACE_GUEST_LOAD_TRANS)) {
        _nocheck__trace_guest_load_trans(__cpu, size, where);
    }
}

/* vcpu tcg guest_load(TCGv addr, uint8_t size, void *where) "size=%u where=%p", "addr=0x%"PRIx64" size=%u where=%p" */
extern TraceEvent _TRACE_GUEST_LOAD_EXEC_EVENT;
extern uint16_t _TRACE_GUEST_LOAD_EXEC_DSTATE;
#define TRACE_GUEST_LOAD_EXEC_ENABLED 1
#define TRACE_GUEST_LOAD_EXEC_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_EXEC) || \
    false)
void _simple_trace_guest_load_exec(void *__cpu, uint64_t addr, uint8_t size, void *where);

static inline void _nocheck__trace_guest_load_exec(void *__cpu, uint64_t addr, uint8_t size, void *where)
{
    _simple_trace_guest_load_exec(__cpu, addr, size, where);
}

static inline void trace_guest_load_exec(void *__cpu, uint64_t addr, uint8_t size, void *where)
{
    if (trace_event_get_vcpu_state(__cpu, TRACE_GUEST_LOAD_EXEC)) {
        _nocheck__trace_guest_load_exec(__cpu, addr, size, where);
    }
}

/* tcg every_type(TCGv a, TCGv_i32 b, TCGv_i64 c, TCGv_ptr d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i) "%u %u %u %"PRIu64" %p", "%"PRIu64" %u %"PRIu64" %p %u %u %u %"PRIu64" %p" */
extern TraceEvent _TRACE_EVERY_TYPE_TRANS_EVENT;
extern uint16_t _TRACE_EVERY_TYPE_TRANS_DSTATE;
#define TRACE_EVERY_TYPE_TRANS_ENABLED 1
#define TRACE_EVERY_TYPE_ENABLED 1
#define TRACE_EVERY_TYPE_TRANS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_TRANS) || \
    false)
void _simple_trace_every_type_trans(uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i);

static inline void _nocheck__trace_every_type_trans(uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    if (trace_event_get_state(TRACE_EVERY_TYPE_TRANS)) {
        _simple_trace_every_type_trans(e, f, g, h, i);
    }
}

static inline void trace_every_type_trans(uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    _nocheck__trace_every_type_trans(e, f, g, h, i);
}

/* tcg every_type(TCGv a, TCGv_i32 b, TCGv_i64 c, TCGv_ptr d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i) "%u %u %u %"PRIu64" %p", "%"PRIu64" %u %"PRIu64" %p %u %u %u %"PRIu64" %p" */
extern TraceEvent _TRACE_EVERY_TYPE_EXEC_EVENT;
extern uint16_t _TRACE_EVERY_TYPE_EXEC_DSTATE;
#define TRACE_EVERY_TYPE_EXEC_ENABLED 1
#define TRACE_EVERY_TYPE_EXEC_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_EXEC) || \
    false)
void _simple_trace_every_type_exec(uint64_t a, uint32_t b, uint64_t c, void *d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i);

static inline void _nocheck__trace_every_type_exec(uint64_t a, uint32_t b, uint64_t c, void *d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    if (trace_event_get_state(TRACE_EVERY_TYPE_EXEC)) {
        _simple_trace_every_type_exec(a, b, c, d, e, f, g, h, i);
    }
}

static inline void trace_every_type_exec(uint64_t a, uint32_t b, uint64_t c, void *d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    _nocheck__trace_every_type_exec(a, b, c, d, e, f, g, h, i);
}

/* vcpu tcg cpu_alone(void) "", "" */
extern TraceEvent _TRACE_CPU_ALONE_TRANS_EVENT;
extern uint16_t _TRACE_CPU_ALONE_TRANS_DSTATE;
#define TRACE_CPU_ALONE_TRANS_ENABLED 1
#define TRACE_CPU_ALONE_ENABLED 1
#define TRACE_CPU_ALONE_TRANS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_TRANS) || \
    false)
void _simple_trace_cpu_alone_trans(void *__cpu);

static inline void _nocheck__trace_cpu_alone_trans(void *__cpu)
{
    _simple_trace_cpu_alone_trans(__cpu);
}

static inline void trace_cpu_alone_trans(void *__cpu)
{
    if (trace_event_get_vcpu_state(__cpu, TRACE_CPU_ALONE_TRANS)) {
        _nocheck__trace_cpu_alone_trans(__cpu);
    }
}

/* vcpu tcg cpu_alone(void) "", "" */
extern TraceEvent _TRACE_CPU_ALONE_EXEC_EVENT;
extern uint16_t _TRACE_CPU_ALONE_EXEC_DSTATE;
#define TRACE_CPU_ALONE_EXEC_ENABLED 1
#define TRACE_CPU_ALONE_EXEC_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_EXEC) || \
    false)
void _simple_trace_cpu_alone_exec(void *__cpu);

static inline void _nocheck__trace_cpu_alone_exec(void *__cpu)
{
    _simple_trace_cpu_alone_exec(__cpu);
}

static inline void trace_cpu_alone_exec(void *__cpu)
{
    if (trace_event_get_vcpu_state(__cpu, TRACE_CPU_ALONE_EXEC)) {
        _nocheck__trace_cpu_alone_exec(__cpu);
    }
}

/* tcg nothing(void) "", "" */
extern TraceEvent _TRACE_NOTHING_TRANS_EVENT;
extern uint16_t _TRACE_NOTHING_TRANS_DSTATE;
#define TRACE_NOTHING_TRANS_ENABLED 1
#define TRACE_NOTHING_ENABLED 1
#define TRACE_NOTHING_TRANS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_TRANS) || \
    false)
void _simple_trace_nothing_trans(void);

static inline void _nocheck__trace_nothing_trans(void)
{
    if (trace_event_get_state(TRACE_NOTHING_TRANS)) {
        _simple_trace_nothing_trans();
    }
}

static inline void trace_nothing_trans(void)
{
    _nocheck__trace_nothing_trans();
}

/* tcg nothing(void) "", "" */
extern TraceEvent _TRACE_NOTHING_EXEC_EVENT;
extern uint16_t _TRACE_NOTHING_EXEC_DSTATE;
#define TRACE_NOTHING_EXEC_ENABLED 1
#define TRACE_NOTHING_EXEC_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_EXEC) || \
    false)
void _simple_trace_nothing_exec(void);

static inline void _nocheck__trace_nothing_exec(void)
{
    if (trace_event_get_state(TRACE_NOTHING_EXEC)) {
        _simple_trace_nothing_exec();
    }
}

static inline void trace_nothing_exec(void)
{
    _nocheck__trace_nothing_exec();
}

/* tcg known_late(TCGv_i64 a) "", "%"PRIu64 */
extern TraceEvent _TRACE_KNOWN_LATE_TRANS_EVENT;
extern uint16_t _TRACE_KNOWN_LATE_TRANS_DSTATE;
#define TRACE_KNOWN_LATE_TRANS_ENABLED 1
#define TRACE_KNOWN_LATE_ENABLED 1
#define TRACE_KNOWN_LATE_TRANS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_TRANS) || \
    false)
void _simple_trace_known_late_trans(void);

static inline void _nocheck__trace_known_late_trans(void)
{
    if (trace_event_get_state(TRACE_KNOWN_LATE_TRANS)) {
        _simple_trace_known_late_trans();
    }
}

static inline void trace_known_late_trans(void)
{
    _nocheck__trace_known_late_trans();
}

/* tcg known_late(TCGv_i64 a) "", "%"PRIu64 */
extern TraceEvent _TRACE_KNOWN_LATE_EXEC_EVENT;
extern uint16_t _TRACE_KNOWN_LATE_EXEC_DSTATE;
#define TRACE_KNOWN_LATE_EXEC_ENABLED 1
#define TRACE_KNOWN_LATE_EXEC_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_EXEC) || \
    false)
void _simple_trace_known_late_exec(uint64_t a);

static inline void _nocheck__trace_known_late_exec(uint64_t a)
{
    if (trace_event_get_state(TRACE_KNOWN_LATE_EXEC)) {
        _simple_trace_known_late_exec(a);
    }
}

static inline void trace_known_late_exec(uint64_t a)
{
    _nocheck__trace_known_late_exec(a);
}

/* tcg known_early(uint16_t a) "%u", "%u" */
extern TraceEvent _TRACE_KNOWN_EARLY_TRANS_EVENT;
extern uint16_t _TRACE_KNOWN_EARLY_TRANS_DSTATE;
#define TRACE_KNOWN_EARLY_TRANS_ENABLED 1
#define TRACE_KNOWN_EARLY_ENABLED 1
#define TRACE_KNOWN_EARLY_TRANS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_TRANS) || \
    false)
void _simple_trace_known_early_trans(uint16_t a);

static inline void _nocheck__trace_known_early_trans(uint16_t a)
{
    if (trace_event_get_state(TRACE_KNOWN_EARLY_TRANS)) {
        _simple_trace_known_early_trans(a);
    }
}

static inline void trace_known_early_trans(uint16_t a)
{
    _nocheck__trace_known_early_trans(a);
}

/* tcg known_early(uint16_t a) "%u", "%u" */
extern TraceEvent _TRACE_KNOWN_EARLY_EXEC_EVENT;
extern uint16_t _TRACE_KNOWN_EARLY_EXEC_DSTATE;
#define TRACE_KNOWN_EARLY_EXEC_ENABLED 1
#define TRACE_KNOWN_EARLY_EXEC_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_EXEC) || \
    false)
void _simple_trace_known_early_exec(uint16_t a);

static inline void _nocheck__trace_known_early_exec(uint16_t a)
{
    if (trace_event_get_state(TRACE_KNOWN_EARLY_EXEC)) {
        _simple_trace_known_early_exec(a);
    }
}

static inline void trace_known_early_exec(uint16_t a)
{
    _nocheck__trace_known_early_exec(a);
}

/* tcg names(TCGv a, uint8_t __a, uint32_t if, TCGv_ptr if_) "%u %u", "%"PRIu64" %u %u %p" */
extern TraceEvent _TRACE_NAMES_TRANS_EVENT;
extern uint16_t _TRACE_NAMES_TRANS_DSTATE;
#define TRACE_NAMES_TRANS_ENABLED 1
#define TRACE_NAMES_ENABLED 1
#define TRACE_NAMES_TRANS_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_TRANS) || \
    false)
void _simple_trace_names_trans(uint8_t __a, uint32_t if_);

static inline void _nocheck__trace_names_trans(uint8_t __a, uint32_t if_)
{
    if (trace_event_get_state(TRACE_NAMES_TRANS)) {
        _simple_trace_names_trans(__a, if_);
    }
}

static inline void trace_names_trans(uint8_t __a, uint32_t if_)
{
    _nocheck__trace_names_trans(__a, if_);
}

/* tcg names(TCGv a, uint8_t __a, uint32_t if, TCGv_ptr if_) "%u %u", "%"PRIu64" %u %u %p" */
extern TraceEvent _TRACE_NAMES_EXEC_EVENT;
extern uint16_t _TRACE_NAMES_EXEC_DSTATE;
#define TRACE_NAMES_EXEC_ENABLED 1
#define TRACE_NAMES_EXEC_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_EXEC) || \
    false)
void _simple_trace_names_exec(uint64_t a, uint8_t __a, uint32_t if__, void *if_);

static inline void _nocheck__trace_names_exec(uint64_t a, uint8_t __a, uint32_t if__, void *if_)
{
    if (trace_event_get_state(TRACE_NAMES_EXEC)) {
        _simple_trace_names_exec(a, __a, if__, if_);
    }
}

static inline void trace_names_exec(uint64_t a, uint8_t __a, uint32_t if__, void *if_)
{
    _nocheck__trace_names_exec(a, __a, if__, if_);
}

/* disable vcpu tcg never(TCGv a, bool b, const char *c) "%d %s", "%"PRIu64" %d %s" */
extern TraceEvent _TRACE_NEVER_TRANS_EVENT;
extern uint16_t _TRACE_NEVER_TRANS_DSTATE;
#define TRACE_NEVER_TRANS_ENABLED 0
#define TRACE_NEVER_ENABLED 0
#define TRACE_NEVER_TRANS_BACKEND_DSTATE() (false)
void _simple_trace_never_trans(void *__cpu, bool b, const char *c);

static inline void trace_never_trans(void *__cpu, bool b, const char *c)
{
    (void)__cpu;
    (void)b;
    (void)c;
}

/* disable vcpu tcg never(TCGv a, bool b, const char *c) "%d %s", "%"PRIu64" %d %s" */
extern TraceEvent _TRACE_NEVER_EXEC_EVENT;
extern uint16_t _TRACE_NEVER_EXEC_DSTATE;
#define TRACE_NEVER_EXEC_ENABLED 0
#define TRACE_NEVER_EXEC_BACKEND_DSTATE() (false)
void _simple_trace_never_exec(void *__cpu, uint64_t a, bool b, const char *c);

static inline void trace_never_exec(void *__cpu, uint64_t a, bool b, const char *c)
{
    (void)__cpu;
    (void)a;
    (void)b;
    (void)c;
}

/* disable tcg never_either(void) "", "" */
extern TraceEvent _TRACE_NEVER_EITHER_TRANS_EVENT;
extern uint16_t _TRACE_NEVER_EITHER_TRANS_DSTATE;
#define TRACE_NEVER_EITHER_TRANS_ENABLED 0
#define TRACE_NEVER_EITHER_ENABLED 0
#define TRACE_NEVER_EITHER_TRANS_BACKEND_DSTATE() (false)
void _simple_trace_never_either_trans(void);

static inline void trace_never_either_trans(void)
{
}

/* disable tcg never_either(void) "", "" */
extern TraceEvent _TRACE_NEVER_EITHER_EXEC_EVENT;
extern uint16_t _TRACE_NEVER_EITHER_EXEC_DSTATE;
#define TRACE_NEVER_EITHER_EXEC_ENABLED 0
#define TRACE_NEVER_EITHER_EXEC_BACKEND_DSTATE() (false)
void _simple_trace_never_either_exec(void);

static inline void trace_never_either_exec(void)
{
}

/* vcpu ordinary_of_cpu(int x) "x=%d" */
extern TraceEvent _TRACE_ORDINARY_OF_CPU_EVENT;
extern uint16_t _TRACE_ORDINARY_OF_CPU_DSTATE;
#define TRACE_ORDINARY_OF_CPU_ENABLED 1
#define TRACE_ORDINARY_OF_CPU_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY_OF_CPU) || \
    false)
void _simple_trace_ordinary_of_cpu(void *__cpu, int x);

static inline void _nocheck__trace_ordinary_of_cpu(void *__cpu, int x)
{
    _simple_trace_ordinary_of_cpu(__cpu, x);
}

static inline void trace_ordinary_of_cpu(void *__cpu, int x)
{
    if (trace_event_get_vcpu_state(__cpu, TRACE_ORDINARY_OF_CPU)) {
        _nocheck__trace_ordinary_of_cpu(__cpu, x);
    }
}

/* ordinary(int x) "x=%d" */
extern TraceEvent _TRACE_ORDINARY_EVENT;
extern uint16_t _TRACE_ORDINARY_DSTATE;
#define TRACE_ORDINARY_ENABLED 1
#define TRACE_ORDINARY_BACKEND_DSTATE() ( \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY) || \
    false)
void _simple_trace_ordinary(int x);

static inline void trace_ordinary(int x)
{
    if (trace_event_get_state(TRACE_ORDINARY)) {
        _simple_trace_ordinary(x);
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_TCG_GENERATED_TRACERS_H */
