/*
 * The events of the group hw_9PFS.
 * Generated from hw_9PFS.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-hw_9PFS.h"

uint16_t _TRACE_V9FS_RCREATE_DSTATE;
TraceEvent _TRACE_V9FS_RCREATE_EVENT = {
    .id = 0,
    .name = "v9fs_rcreate",
    .sstate = TRACE_V9FS_RCREATE_ENABLED,
    .dstate = &_TRACE_V9FS_RCREATE_DSTATE,
};

TraceEvent *hw_9pfs_trace_events[] = {
    &_TRACE_V9FS_RCREATE_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const hw_9pfs_trace_declarations[] = {
    "v9fs_rcreate(uint16_t tag, uint8_t id, void *qid, int32_t iounit) \"tag %u id %u qid %p iounit %d\"",
    NULL,
};
RINGTRACE_DESCRIBE(hw_9pfs, "hw_9PFS", "nop,dtrace,ftrace,log,simple,syslog,ust")
#endif

static void trace_hw_9pfs_register_events(void)
{
    trace_event_register_group(hw_9pfs_trace_events);
}
trace_init(trace_hw_9pfs_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_v9fs_rcreate(uint16_t tag, uint8_t id, void *qid, int32_t iounit)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_V9FS_RCREATE_EVENT.id, 4 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)tag);
    trace_record_write_u64(&rec, (uint64_t)id);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)qid);
    trace_record_write_u64(&rec, (uint64_t)iounit);
    trace_record_finish(&rec);
}

void _simple_trace_v9fs_rcreate(uint16_t tag, uint8_t id, void *qid, int32_t iounit)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_V9FS_RCREATE_EVENT.id, 4 * 8)) {
        _slow_simple_trace_v9fs_rcreate(tag, id, qid, iounit);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)tag);
    trace_record_write_u64(&rec, (uint64_t)id);
    trace_record_write_u64(&rec, (uint64_t)(uintptr_t)qid);
    trace_record_write_u64(&rec, (uint64_t)iounit);
    trace_record_finish(&rec);
}
