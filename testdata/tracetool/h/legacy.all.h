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
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-legacy.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-legacy.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* vcpu guest_reset(int index) "index=%d" */
extern TraceEvent _TRACE_GUEST_RESET_EVENT;
extern uint16_t _TRACE_GUEST_RESET_DSTATE;
#define TRACE_GUEST_RESET_ENABLED 1
#define TRACE_GUEST_RESET_BACKEND_DSTATE() ( \
    QEMU_GUEST_RESET_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_RESET) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_RESET) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_RESET) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_RESET) || \
    tracepoint_enabled(qemu, guest_reset) || \
    false)
#ifndef QEMU_GUEST_RESET_ENABLED
#define QEMU_GUEST_RESET_ENABLED() true
#endif
void _simple_trace_guest_reset(void *__cpu, int index);

static inline void _nocheck__trace_guest_reset(void *__cpu, int index)
{
    QEMU_GUEST_RESET(__cpu, index);
    tracepoint(qemu, guest_reset, __cpu, index);
    #line 3 "legacy.events"
    ftrace_write("guest_reset " "cpu=%p " "index=%d" "\n", __cpu, index);
    #line 62 "trace/trace-legacy.h"
    if (qemu_loglevel_mask(LOG_TRACE)) {
        #line 3 "legacy.events"
        qemu_log("guest_reset " "cpu=%p " "index=%d" "\n", __cpu, index);
        #line 66 "trace/trace-legacy.h"
    }
    _simple_trace_guest_reset(__cpu, index);
    #line 3 "legacy.events"
    syslog(LOG_INFO, "guest_reset " "cpu=%p " "index=%d", __cpu, index);
    #line 71 "trace/trace-legacy.h"
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
    QEMU_GUEST_HALT_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_HALT) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_HALT) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_HALT) || \
    trace_event_get_state_dynamic_by_id(TRACE_GUEST_HALT) || \
    tracepoint_enabled(qemu, guest_halt) || \
    false)
#ifndef QEMU_GUEST_HALT_ENABLED
#define QEMU_GUEST_HALT_ENABLED() true
#endif
void _simple_trace_guest_halt(void *__cpu);

static inline void _nocheck__trace_guest_halt(void *__cpu)
{
    QEMU_GUEST_HALT(__cpu);
    tracepoint(qemu, guest_halt, __cpu);
    #line 4 "legacy.events"
    ftrace_write("guest_halt " "cpu=%p " "\n", __cpu);
    #line 104 "trace/trace-legacy.h"
    if (qemu_loglevel_mask(LOG_TRACE)) {
        #line 4 "legacy.events"
        qemu_log("guest_halt " "cpu=%p " "\n", __cpu);
        #line 108 "trace/trace-legacy.h"
    }
    _simple_trace_guest_halt(__cpu);
    #line 4 "legacy.events"
    syslog(LOG_INFO, "guest_halt " "cpu=%p ", __cpu);
    #line 113 "trace/trace-legacy.h"
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
void _simple_trace_guest_load_trans(uint8_t size);

static inline void _nocheck__trace_guest_load_trans(uint8_t size)
{
    QEMU_GUEST_LOAD_TRANS(size);
    tracepoint(qemu, guest_load_trans, size);
    if (trace_event_get_state(TRACE_GUEST_LOAD_TRANS)) {
        #line 5 "legacy.events"
        ftrace_write("guest_load_trans " "size=%u" "\n", size);
        #line 148 "trace/trace-legacy.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "legacy.events"
            qemu_log("guest_load_trans " "size=%u" "\n", size);
            #line 152 "trace/trace-legacy.h"
        }
        _simple_trace_guest_load_trans(size);
        #line 5 "legacy.events"
        syslog(LOG_INFO, "guest_load_trans " "size=%u", size);
        #line 157 "trace/trace-legacy.h"
    }
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
void _simple_trace_guest_load_exec(uint64_t addr, uint8_t size);

static inline void _nocheck__trace_guest_load_exec(uint64_t addr, uint8_t size)
{
    QEMU_GUEST_LOAD_EXEC(addr, size);
    tracepoint(qemu, guest_load_exec, addr, size);
    if (trace_event_get_state(TRACE_GUEST_LOAD_EXEC)) {
        #line 5 "legacy.events"
        ftrace_write("guest_load_exec " "addr=0x%" PRIx64" size=%u" "\n", addr, size);
        #line 190 "trace/trace-legacy.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 5 "legacy.events"
            qemu_log("guest_load_exec " "addr=0x%" PRIx64" size=%u" "\n", addr, size);
            #line 194 "trace/trace-legacy.h"
        }
        _simple_trace_guest_load_exec(addr, size);
        #line 5 "legacy.events"
        syslog(LOG_INFO, "guest_load_exec " "addr=0x%" PRIx64" size=%u", addr, size);
        #line 199 "trace/trace-legacy.h"
    }
}

static inline void trace_guest_load_exec(uint64_t addr, uint8_t size)
{
    _nocheck__trace_guest_load_exec(addr, size);
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_LEGACY_GENERATED_TRACERS_H */
