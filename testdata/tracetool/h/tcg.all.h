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
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-tcg.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-tcg.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
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
    QEMU_GUEST_LOAD_TRANS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_TRANS) || \
    tracepoint_enabled(qemu, guest_load_trans) || \
    false)
#ifndef QEMU_GUEST_LOAD_TRANS_ENABLED
#define QEMU_GUEST_LOAD_TRANS_ENABLED() true
#endif
void _simple_trace_guest_load_trans(void *__cpu, uint8_t size, void *where);

static inline void _nocheck__trace_guest_load_trans(void *__cpu, uint8_t size, void *where)
{
    QEMU_GUEST_LOAD_TRANS(__cpu, size, where);
    tracepoint(qemu, guest_load_trans, __cpu, size, where);
    #line 3 "tcg.events"
    ftrace_write("guest_load_trans " "cpu=%p " "size=%u where=%p" "\n", __cpu, size, where);
    #line 63 "trace/trace-tcg.h"
    if (qemu_loglevel_mask(LOG_TRACE)) {
        #line 3 "tcg.events"
        qemu_log("guest_load_trans " "cpu=%p " "size=%u where=%p" "\n", __cpu, size, where);
        #line 67 "trace/trace-tcg.h"
    }
    _simple_trace_guest_load_trans(__cpu, size, where);
    #line 3 "tcg.events"
    syslog(LOG_INFO, "guest_load_trans " "cpu=%p " "size=%u where=%p", __cpu, size, where);
    #line 72 "trace/trace-tcg.h"
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
    QEMU_GUEST_LOAD_EXEC_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_LOAD_EXEC) || \
    tracepoint_enabled(qemu, guest_load_exec) || \
    false)
#ifndef QEMU_GUEST_LOAD_EXEC_ENABLED
#define QEMU_GUEST_LOAD_EXEC_ENABLED() true
#endif
void _simple_trace_guest_load_exec(void *__cpu, uint64_t addr, uint8_t size, void *where);

static inline void _nocheck__trace_guest_load_exec(void *__cpu, uint64_t addr, uint8_t size, void *where)
{
    QEMU_GUEST_LOAD_EXEC(__cpu, addr, size, where);
    tracepoint(qemu, guest_load_exec, __cpu, addr, size, where);
    #line 3 "tcg.events"
    ftrace_write("guest_load_exec " "cpu=%p " "addr=0x%" PRIx64" size=%u where=%p" "\n", __cpu, addr, size, where);
    #line 105 "trace/trace-tcg.h"
    if (qemu_loglevel_mask(LOG_TRACE)) {
        #line 3 "tcg.events"
        qemu_log("guest_load_exec " "cpu=%p " "addr=0x%" PRIx64" size=%u where=%p" "\n", __cpu, addr, size, where);
        #line 109 "trace/trace-tcg.h"
    }
    _simple_trace_guest_load_exec(__cpu, addr, size, where);
    #line 3 "tcg.events"
    syslog(LOG_INFO, "guest_load_exec " "cpu=%p " "addr=0x%" PRIx64" size=%u where=%p", __cpu, addr, size, where);
    #line 114 "trace/trace-tcg.h"
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
    QEMU_EVERY_TYPE_TRANS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_TRANS) || \
    tracepoint_enabled(qemu, every_type_trans) || \
    false)
#ifndef QEMU_EVERY_TYPE_TRANS_ENABLED
#define QEMU_EVERY_TYPE_TRANS_ENABLED() true
#endif
void _simple_trace_every_type_trans(uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i);

static inline void _nocheck__trace_every_type_trans(uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    QEMU_EVERY_TYPE_TRANS(e, f, g, h, i);
    tracepoint(qemu, every_type_trans, e, f, g, h, i);
    if (trace_event_get_state(TRACE_EVERY_TYPE_TRANS)) {
        #line 4 "tcg.events"
        ftrace_write("every_type_trans " "%u %u %u %" PRIu64" %p" "\n", e, f, g, h, i);
        #line 149 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "tcg.events"
            qemu_log("every_type_trans " "%u %u %u %" PRIu64" %p" "\n", e, f, g, h, i);
            #line 153 "trace/trace-tcg.h"
        }
        _simple_trace_every_type_trans(e, f, g, h, i);
        #line 4 "tcg.events"
        syslog(LOG_INFO, "every_type_trans " "%u %u %u %" PRIu64" %p", e, f, g, h, i);
        #line 158 "trace/trace-tcg.h"
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
    QEMU_EVERY_TYPE_EXEC_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_EVERY_TYPE_EXEC) || \
    tracepoint_enabled(qemu, every_type_exec) || \
    false)
#ifndef QEMU_EVERY_TYPE_EXEC_ENABLED
#define QEMU_EVERY_TYPE_EXEC_ENABLED() true
#endif
void _simple_trace_every_type_exec(uint64_t a, uint32_t b, uint64_t c, void *d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i);

static inline void _nocheck__trace_every_type_exec(uint64_t a, uint32_t b, uint64_t c, void *d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    QEMU_EVERY_TYPE_EXEC(a, b, c, d, e, f, g, h, i);
    tracepoint(qemu, every_type_exec, a, b, c, d, e, f, g, h, i);
    if (trace_event_get_state(TRACE_EVERY_TYPE_EXEC)) {
        #line 4 "tcg.events"
        ftrace_write("every_type_exec " "%" PRIu64" %u %" PRIu64" %p %u %u %u %" PRIu64" %p" "\n", a, b, c, d, e, f, g, h, i);
        #line 191 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 4 "tcg.events"
            qemu_log("every_type_exec " "%" PRIu64" %u %" PRIu64" %p %u %u %u %" PRIu64" %p" "\n", a, b, c, d, e, f, g, h, i);
            #line 195 "trace/trace-tcg.h"
        }
        _simple_trace_every_type_exec(a, b, c, d, e, f, g, h, i);
        #line 4 "tcg.events"
        syslog(LOG_INFO, "every_type_exec " "%" PRIu64" %u %" PRIu64" %p %u %u %u %" PRIu64" %p", a, b, c, d, e, f, g, h, i);
        #line 200 "trace/trace-tcg.h"
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
    QEMU_CPU_ALONE_TRANS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_TRANS) || \
    tracepoint_enabled(qemu, cpu_alone_trans) || \
    false)
#ifndef QEMU_CPU_ALONE_TRANS_ENABLED
#define QEMU_CPU_ALONE_TRANS_ENABLED() true
#endif
void _simple_trace_cpu_alone_trans(void *__cpu);

static inline void _nocheck__trace_cpu_alone_trans(void *__cpu)
{
    QEMU_CPU_ALONE_TRANS(__cpu);
    tracepoint(qemu, cpu_alone_trans, __cpu);
    #line 5 "tcg.events"
    ftrace_write("cpu_alone_trans " "cpu=%p " "\n", __cpu);
    #line 233 "trace/trace-tcg.h"
    if (qemu_loglevel_mask(LOG_TRACE)) {
        #line 5 "tcg.events"
        qemu_log("cpu_alone_trans " "cpu=%p " "\n", __cpu);
        #line 237 "trace/trace-tcg.h"
    }
    _simple_trace_cpu_alone_trans(__cpu);
    #line 5 "tcg.events"
    syslog(LOG_INFO, "cpu_alone_trans " "cpu=%p ", __cpu);
    #line 242 "trace/trace-tcg.h"
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
    QEMU_CPU_ALONE_EXEC_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_CPU_ALONE_EXEC) || \
    tracepoint_enabled(qemu, cpu_alone_exec) || \
    false)
#ifndef QEMU_CPU_ALONE_EXEC_ENABLED
#define QEMU_CPU_ALONE_EXEC_ENABLED() true
#endif
void _simple_trace_cpu_alone_exec(void *__cpu);

static inline void _nocheck__trace_cpu_alone_exec(void *__cpu)
{
    QEMU_CPU_ALONE_EXEC(__cpu);
    tracepoint(qemu, cpu_alone_exec, __cpu);
    #line 5 "tcg.events"
    ftrace_write("cpu_alone_exec " "cpu=%p " "\n", __cpu);
    #line 275 "trace/trace-tcg.h"
    if (qemu_loglevel_mask(LOG_TRACE)) {
        #line 5 "tcg.events"
        qemu_log("cpu_alone_exec " "cpu=%p " "\n", __cpu);
        #line 279 "trace/trace-tcg.h"
    }
    _simple_trace_cpu_alone_exec(__cpu);
    #line 5 "tcg.events"
    syslog(LOG_INFO, "cpu_alone_exec " "cpu=%p ", __cpu);
    #line 284 "trace/trace-tcg.h"
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
    QEMU_NOTHING_TRANS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_TRANS) || \
    tracepoint_enabled(qemu, nothing_trans) || \
    false)
#ifndef QEMU_NOTHING_TRANS_ENABLED
#define QEMU_NOTHING_TRANS_ENABLED() true
#endif
void _simple_trace_nothing_trans(void);

static inline void _nocheck__trace_nothing_trans(void)
{
    QEMU_NOTHING_TRANS();
    tracepoint(qemu, nothing_trans);
    if (trace_event_get_state(TRACE_NOTHING_TRANS)) {
        #line 6 "tcg.events"
        ftrace_write("nothing_trans " "\n");
        #line 319 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "tcg.events"
            qemu_log("nothing_trans " "\n");
            #line 323 "trace/trace-tcg.h"
        }
        _simple_trace_nothing_trans();
        #line 6 "tcg.events"
        syslog(LOG_INFO, "nothing_trans ");
        #line 328 "trace/trace-tcg.h"
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
    QEMU_NOTHING_EXEC_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_NOTHING_EXEC) || \
    tracepoint_enabled(qemu, nothing_exec) || \
    false)
#ifndef QEMU_NOTHING_EXEC_ENABLED
#define QEMU_NOTHING_EXEC_ENABLED() true
#endif
void _simple_trace_nothing_exec(void);

static inline void _nocheck__trace_nothing_exec(void)
{
    QEMU_NOTHING_EXEC();
    tracepoint(qemu, nothing_exec);
    if (trace_event_get_state(TRACE_NOTHING_EXEC)) {
        #line 6 "tcg.events"
        ftrace_write("nothing_exec " "\n");
        #line 361 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 6 "tcg.events"
            qemu_log("nothing_exec " "\n");
            #line 365 "trace/trace-tcg.h"
        }
        _simple_trace_nothing_exec();
        #line 6 "tcg.events"
        syslog(LOG_INFO, "nothing_exec ");
        #line 370 "trace/trace-tcg.h"
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
    QEMU_KNOWN_LATE_TRANS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_TRANS) || \
    tracepoint_enabled(qemu, known_late_trans) || \
    false)
#ifndef QEMU_KNOWN_LATE_TRANS_ENABLED
#define QEMU_KNOWN_LATE_TRANS_ENABLED() true
#endif
void _simple_trace_known_late_trans(void);

static inline void _nocheck__trace_known_late_trans(void)
{
    QEMU_KNOWN_LATE_TRANS();
    tracepoint(qemu, known_late_trans);
    if (trace_event_get_state(TRACE_KNOWN_LATE_TRANS)) {
        #line 7 "tcg.events"
        ftrace_write("known_late_trans " "\n");
        #line 404 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 7 "tcg.events"
            qemu_log("known_late_trans " "\n");
            #line 408 "trace/trace-tcg.h"
        }
        _simple_trace_known_late_trans();
        #line 7 "tcg.events"
        syslog(LOG_INFO, "known_late_trans ");
        #line 413 "trace/trace-tcg.h"
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
    QEMU_KNOWN_LATE_EXEC_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_LATE_EXEC) || \
    tracepoint_enabled(qemu, known_late_exec) || \
    false)
#ifndef QEMU_KNOWN_LATE_EXEC_ENABLED
#define QEMU_KNOWN_LATE_EXEC_ENABLED() true
#endif
void _simple_trace_known_late_exec(uint64_t a);

static inline void _nocheck__trace_known_late_exec(uint64_t a)
{
    QEMU_KNOWN_LATE_EXEC(a);
    tracepoint(qemu, known_late_exec, a);
    if (trace_event_get_state(TRACE_KNOWN_LATE_EXEC)) {
        #line 7 "tcg.events"
        ftrace_write("known_late_exec " "%" PRIu64 "\n", a);
        #line 446 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 7 "tcg.events"
            qemu_log("known_late_exec " "%" PRIu64 "\n", a);
            #line 450 "trace/trace-tcg.h"
        }
        _simple_trace_known_late_exec(a);
        #line 7 "tcg.events"
        syslog(LOG_INFO, "known_late_exec " "%" PRIu64, a);
        #line 455 "trace/trace-tcg.h"
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
    QEMU_KNOWN_EARLY_TRANS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_TRANS) || \
    tracepoint_enabled(qemu, known_early_trans) || \
    false)
#ifndef QEMU_KNOWN_EARLY_TRANS_ENABLED
#define QEMU_KNOWN_EARLY_TRANS_ENABLED() true
#endif
void _simple_trace_known_early_trans(uint16_t a);

static inline void _nocheck__trace_known_early_trans(uint16_t a)
{
    QEMU_KNOWN_EARLY_TRANS(a);
    tracepoint(qemu, known_early_trans, a);
    if (trace_event_get_state(TRACE_KNOWN_EARLY_TRANS)) {
        #line 8 "tcg.events"
        ftrace_write("known_early_trans " "%u" "\n", a);
        #line 489 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "tcg.events"
            qemu_log("known_early_trans " "%u" "\n", a);
            #line 493 "trace/trace-tcg.h"
        }
        _simple_trace_known_early_trans(a);
        #line 8 "tcg.events"
        syslog(LOG_INFO, "known_early_trans " "%u", a);
        #line 498 "trace/trace-tcg.h"
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
    QEMU_KNOWN_EARLY_EXEC_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_KNOWN_EARLY_EXEC) || \
    tracepoint_enabled(qemu, known_early_exec) || \
    false)
#ifndef QEMU_KNOWN_EARLY_EXEC_ENABLED
#define QEMU_KNOWN_EARLY_EXEC_ENABLED() true
#endif
void _simple_trace_known_early_exec(uint16_t a);

static inline void _nocheck__trace_known_early_exec(uint16_t a)
{
    QEMU_KNOWN_EARLY_EXEC(a);
    tracepoint(qemu, known_early_exec, a);
    if (trace_event_get_state(TRACE_KNOWN_EARLY_EXEC)) {
        #line 8 "tcg.events"
        ftrace_write("known_early_exec " "%u" "\n", a);
        #line 531 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 8 "tcg.events"
            qemu_log("known_early_exec " "%u" "\n", a);
            #line 535 "trace/trace-tcg.h"
        }
        _simple_trace_known_early_exec(a);
        #line 8 "tcg.events"
        syslog(LOG_INFO, "known_early_exec " "%u", a);
        #line 540 "trace/trace-tcg.h"
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
    QEMU_NAMES_TRANS_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_TRANS) || \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_TRANS) || \
    tracepoint_enabled(qemu, names_trans) || \
    false)
#ifndef QEMU_NAMES_TRANS_ENABLED
#define QEMU_NAMES_TRANS_ENABLED() true
#endif
void _simple_trace_names_trans(uint8_t __a, uint32_t if_);

static inline void _nocheck__trace_names_trans(uint8_t __a, uint32_t if_)
{
    QEMU_NAMES_TRANS(__a, if_);
    tracepoint(qemu, names_trans, __a, if_);
    if (trace_event_get_state(TRACE_NAMES_TRANS)) {
        #line 9 "tcg.events"
        ftrace_write("names_trans " "%u %u" "\n", __a, if_);
        #line 574 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "tcg.events"
            qemu_log("names_trans " "%u %u" "\n", __a, if_);
            #line 578 "trace/trace-tcg.h"
        }
        _simple_trace_names_trans(__a, if_);
        #line 9 "tcg.events"
        syslog(LOG_INFO, "names_trans " "%u %u", __a, if_);
        #line 583 "trace/trace-tcg.h"
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
    QEMU_NAMES_EXEC_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_EXEC) || \
    trace_event_get_state_dynamic_by_id(TRACE_NAMES_EXEC) || \
    tracepoint_enabled(qemu, names_exec) || \
    false)
#ifndef QEMU_NAMES_EXEC_ENABLED
#define QEMU_NAMES_EXEC_ENABLED() true
#endif
void _simple_trace_names_exec(uint64_t a, uint8_t __a, uint32_t if__, void *if_);

static inline void _nocheck__trace_names_exec(uint64_t a, uint8_t __a, uint32_t if__, void *if_)
{
    QEMU_NAMES_EXEC(a, __a, if__, if_);
    tracepoint(qemu, names_exec, a, __a, if__, if_);
    if (trace_event_get_state(TRACE_NAMES_EXEC)) {
        #line 9 "tcg.events"
        ftrace_write("names_exec " "%" PRIu64" %u %u %p" "\n", a, __a, if__, if_);
        #line 616 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 9 "tcg.events"
            qemu_log("names_exec " "%" PRIu64" %u %u %p" "\n", a, __a, if__, if_);
            #line 620 "trace/trace-tcg.h"
        }
        _simple_trace_names_exec(a, __a, if__, if_);
        #line 9 "tcg.events"
        syslog(LOG_INFO, "names_exec " "%" PRIu64" %u %u %p", a, __a, if__, if_);
        #line 625 "trace/trace-tcg.h"
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
#ifndef QEMU_NEVER_TRANS_ENABLED
#define QEMU_NEVER_TRANS_ENABLED() true
#endif
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
#ifndef QEMU_NEVER_EXEC_ENABLED
#define QEMU_NEVER_EXEC_ENABLED() true
#endif
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
#ifndef QEMU_NEVER_EITHER_TRANS_ENABLED
#define QEMU_NEVER_EITHER_TRANS_ENABLED() true
#endif
void _simple_trace_never_either_trans(void);

static inline void trace_never_either_trans(void)
{
}

/* disable tcg never_either(void) "", "" */
extern TraceEvent _TRACE_NEVER_EITHER_EXEC_EVENT;
extern uint16_t _TRACE_NEVER_EITHER_EXEC_DSTATE;
#define TRACE_NEVER_EITHER_EXEC_ENABLED 0
#define TRACE_NEVER_EITHER_EXEC_BACKEND_DSTATE() (false)
#ifndef QEMU_NEVER_EITHER_EXEC_ENABLED
#define QEMU_NEVER_EITHER_EXEC_ENABLED() true
#endif
void _simple_trace_never_either_exec(void);

static inline void trace_never_either_exec(void)
{
}

/* vcpu ordinary_of_cpu(int x) "x=%d" */
extern TraceEvent _TRACE_ORDINARY_OF_CPU_EVENT;
extern uint16_t _TRACE_ORDINARY_OF_CPU_DSTATE;
#define TRACE_ORDINARY_OF_CPU_ENABLED 1
#define TRACE_ORDINARY_OF_CPU_BACKEND_DSTATE() ( \
    QEMU_ORDINARY_OF_CPU_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY_OF_CPU) || \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY_OF_CPU) || \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY_OF_CPU) || \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY_OF_CPU) || \
    tracepoint_enabled(qemu, ordinary_of_cpu) || \
    false)
#ifndef QEMU_ORDINARY_OF_CPU_ENABLED
#define QEMU_ORDINARY_OF_CPU_ENABLED() true
#endif
void _simple_trace_ordinary_of_cpu(void *__cpu, int x);

static inline void _nocheck__trace_ordinary_of_cpu(void *__cpu, int x)
{
    QEMU_ORDINARY_OF_CPU(__cpu, x);
    tracepoint(qemu, ordinary_of_cpu, __cpu, x);
    #line 12 "tcg.events"
    ftrace_write("ordinary_of_cpu " "cpu=%p " "x=%d" "\n", __cpu, x);
    #line 722 "trace/trace-tcg.h"
    if (qemu_loglevel_mask(LOG_TRACE)) {
        #line 12 "tcg.events"
        qemu_log("ordinary_of_cpu " "cpu=%p " "x=%d" "\n", __cpu, x);
        #line 726 "trace/trace-tcg.h"
    }
    _simple_trace_ordinary_of_cpu(__cpu, x);
    #line 12 "tcg.events"
    syslog(LOG_INFO, "ordinary_of_cpu " "cpu=%p " "x=%d", __cpu, x);
    #line 731 "trace/trace-tcg.h"
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
    QEMU_ORDINARY_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY) || \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY) || \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY) || \
    trace_event_get_state_dynamic_by_id(TRACE_ORDINARY) || \
    tracepoint_enabled(qemu, ordinary) || \
    false)
#ifndef QEMU_ORDINARY_ENABLED
#define QEMU_ORDINARY_ENABLED() true
#endif
void _simple_trace_ordinary(int x);

static inline void trace_ordinary(int x)
{
    QEMU_ORDINARY(x);
    tracepoint(qemu, ordinary, x);
    if (trace_event_get_state(TRACE_ORDINARY)) {
        #line 13 "tcg.events"
        ftrace_write("ordinary " "x=%d" "\n", x);
        #line 765 "trace/trace-tcg.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 13 "tcg.events"
            qemu_log("ordinary " "x=%d" "\n", x);
            #line 769 "trace/trace-tcg.h"
        }
        _simple_trace_ordinary(x);
        #line 13 "tcg.events"
        syslog(LOG_INFO, "ordinary " "x=%d", x);
        #line 774 "trace/trace-tcg.h"
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_TCG_GENERATED_TRACERS_H */
