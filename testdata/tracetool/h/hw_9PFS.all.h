/*
 * The probes of the group hw_9PFS.
 * Generated from hw_9PFS.events. Make changes there.
 */

#ifndef TRACE_HW_9PFS_GENERATED_TRACERS_H
#define TRACE_HW_9PFS_GENERATED_TRACERS_H

#include "trace/control.h"
#undef SDT_USE_VARIADIC
#define SDT_USE_VARIADIC 1
#include "trace-dtrace-hw_9PFS.h"
#undef SDT_USE_VARIADIC
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include <syslog.h>
#include <lttng/tracepoint.h>
#include "trace-ust-hw_9PFS.h"

/* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
#ifndef tracepoint_enabled
#define tracepoint_enabled(provider, event) true
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* v9fs_rcreate(uint16_t tag, uint8_t id, void *qid, int32_t iounit) "tag %u id %u qid %p iounit %d" */
extern TraceEvent _TRACE_V9FS_RCREATE_EVENT;
extern uint16_t _TRACE_V9FS_RCREATE_DSTATE;
#define TRACE_V9FS_RCREATE_ENABLED 1
#define TRACE_V9FS_RCREATE_BACKEND_DSTATE() ( \
    QEMU_V9FS_RCREATE_ENABLED() || \
    trace_event_get_state_dynamic_by_id(TRACE_V9FS_RCREATE) || \
    trace_event_get_state_dynamic_by_id(TRACE_V9FS_RCREATE) || \
    trace_event_get_state_dynamic_by_id(TRACE_V9FS_RCREATE) || \
    trace_event_get_state_dynamic_by_id(TRACE_V9FS_RCREATE) || \
    tracepoint_enabled(qemu, v9fs_rcreate) || \
    false)
#ifndef QEMU_V9FS_RCREATE_ENABLED
#define QEMU_V9FS_RCREATE_ENABLED() true
#endif
void _simple_trace_v9fs_rcreate(uint16_t tag, uint8_t id, void *qid, int32_t iounit);

static inline void trace_v9fs_rcreate(uint16_t tag, uint8_t id, void *qid, int32_t iounit)
{
    QEMU_V9FS_RCREATE(tag, id, qid, iounit);
    tracepoint(qemu, v9fs_rcreate, tag, id, qid, iounit);
    if (trace_event_get_state(TRACE_V9FS_RCREATE)) {
        #line 2 "hw_9PFS.events"
        ftrace_write("v9fs_rcreate " "tag %u id %u qid %p iounit %d" "\n", tag, id, qid, iounit);
        #line 54 "trace/trace-hw_9PFS.h"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line 2 "hw_9PFS.events"
            qemu_log("v9fs_rcreate " "tag %u id %u qid %p iounit %d" "\n", tag, id, qid, iounit);
            #line 58 "trace/trace-hw_9PFS.h"
        }
        _simple_trace_v9fs_rcreate(tag, id, qid, iounit);
        #line 2 "hw_9PFS.events"
        syslog(LOG_INFO, "v9fs_rcreate " "tag %u id %u qid %p iounit %d", tag, id, qid, iounit);
        #line 63 "trace/trace-hw_9PFS.h"
    }
}

#ifdef __cplusplus
}
#endif

#endif /* TRACE_HW_9PFS_GENERATED_TRACERS_H */
