#ifndef STUB_TRACE_SIMPLE_H
#define STUB_TRACE_SIMPLE_H

#include <stddef.h>
#include <stdint.h>

#define MAX_TRACE_STRLEN 512

typedef struct TraceBufferRecord {
    size_t payload_bytes;
} TraceBufferRecord;

int trace_record_start(TraceBufferRecord *rec, uint32_t id, size_t payload_bytes);
void trace_record_write_u64(TraceBufferRecord *rec, uint64_t value);
void trace_record_write_str(TraceBufferRecord *rec, const char *s, uint32_t length);
void trace_record_finish(TraceBufferRecord *rec);

#endif
