/*
 * Writes a record with a trace/simple.h in which a record has two words, as in QEMU. It declares only
 * the functions that generated code needs.
 */
#include <stddef.h>
#include <stdint.h>

typedef struct TraceBufferRecord {
    unsigned int tbuf_idx;
    unsigned int rec_off;
} TraceBufferRecord;

int trace_record_start(TraceBufferRecord *rec, uint32_t event, size_t payload_bytes);
void trace_record_write_u64(TraceBufferRecord *rec, uint64_t val);
void trace_record_write_str(TraceBufferRecord *rec, const char *s, uint32_t slen);
void trace_record_finish(TraceBufferRecord *rec);

int main(void)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, 1, 8 + 4 + 3) == 0) {
        trace_record_write_u64(&rec, 5);
        trace_record_write_str(&rec, "abc", 3);
        trace_record_finish(&rec);
    }
    return 0;
}
