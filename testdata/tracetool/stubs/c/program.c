/* Calls every probe of ../../values.events with the limits of each type, and prints the values that arrive. */

#include "qemu/osdep.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>

#include "outside.h"
#include "trace/simple.h"
#include "trace/ftrace.h"
#include "qemu/log-for-trace.h"
#include "trace-values.h"

int trace_events_enabled_count;
unsigned qemu_loglevel;
static TraceEvent **events;

/* Makes newlines in texts and invalid text visible. */
static void put_bytes(const char *s, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = s[i];
        if (byte < ' ' || byte > '~') {
            printf("\\%03o", byte);
        } else {
            putchar(byte);
        }
    }
}

static void put_line(const char *where, const char *format, va_list values)
{
    static char line[2000];
    int length = vsnprintf(line, sizeof(line), format, values);
    printf("    %s: ", where);
    put_bytes(line, length);
    putchar('\n');
}

void qemu_log(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put_line("log", format, values);
    va_end(values);
}

void ftrace_write(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put_line("ftrace", format, values);
    va_end(values);
}

void syslog(int priority, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put_line(priority == LOG_INFO ? "syslog" : "syslog with another priority", format, values);
    va_end(values);
}

static int is_full;
static size_t written_bytes;

int trace_record_start(TraceBufferRecord *rec, uint32_t id, size_t payload_bytes)
{
    if (is_full) {
        printf("    simple: %s of %zu bytes has no room\n", events[id]->name, payload_bytes);
        return -1;
    }
    rec->payload_bytes = payload_bytes;
    written_bytes = 0;
    printf("    simple: %s", events[id]->name);
    return 0;
}

void trace_record_write_u64(TraceBufferRecord *rec, uint64_t value)
{
    (void)rec;
    written_bytes += sizeof(value);
    printf(" %" PRIx64, value);
}

void trace_record_write_str(TraceBufferRecord *rec, const char *s, uint32_t length)
{
    (void)rec;
    written_bytes += sizeof(length) + length;
    if (length > 100) {
        printf(" %u of '%c'", length, *s);
        return;
    }
    printf(" '");
    put_bytes(s, length);
    printf("'");
}

void trace_record_finish(TraceBufferRecord *rec)
{
    printf(written_bytes == rec->payload_bytes ? "\n" : " in too few bytes\n");
}

void outside_begin(const char *tracer, const char *event)
{
    printf("    %s: %s", tracer, event);
}

void outside_string(const char *s)
{
    printf(s ? " '" : " NULL");
    if (s) {
        put_bytes(s, strnlen(s, 20));
        printf("'");
    }
}

void outside_integer(uint64_t value)
{
    printf(" %" PRIx64, value);
}

void outside_end(void)
{
    putchar('\n');
}

void trace_event_register_group(TraceEvent **group)
{
    events = group;
    printf("a group is registered:");
    for (uint32_t id = 0; group[id]; id++) {
        group[id]->id = id;
        printf(" %s%s", group[id]->name, group[id]->sstate ? "" : " (disabled)");
    }
    putchar('\n');
}

static void switch_all(bool on)
{
    trace_events_enabled_count = 0;
    for (TraceEvent **event = events; *event; event++) {
        if ((*event)->sstate) {
            *(*event)->dstate = on;
            trace_events_enabled_count += on;
        }
    }
}

static void report_all(void)
{
    static char long_text[601];
    const char *text = "text \xff \xc3\xa9";
    char bytes[] = "bytes\n";
    void *top = (void *)UINTPTR_MAX;

    memset(long_text, 'x', 600);
    trace_nothing();
    trace_signed_least(INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, SCHAR_MIN, SHRT_MIN, INT_MIN, LONG_MIN, LLONG_MIN);
    trace_signed_most(INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, CHAR_MAX, SHRT_MAX, INT_MAX, LONG_MAX, LLONG_MAX);
    trace_signed_minus(-1, -1, -1, -1, -1, -1, -1, -1, -1);
    trace_unsigned_most(UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX, UCHAR_MAX, USHRT_MAX, UINT_MAX, ULONG_MAX, ULLONG_MAX);
    trace_extents(SIZE_MAX, INT64_MIN, UINTPTR_MAX, PTRDIFF_MIN);
    trace_truths(true, false);
    trace_addresses(NULL, top, top, NULL);
    trace_texts(text, text, bytes, "");
    trace_null_texts(NULL, NULL);
    trace_long_text(long_text);
    trace_inttypes(-1, -1, -1, -1, UINTPTR_MAX, UINT64_MAX);
    trace_odd(2);
    trace_without_format(3);
    trace_exit(4, 5);
    trace_absent(6);
}

static void tell_states(void)
{
    printf("nothing: on %d, wanted %d; never: on %d, wanted %d\n",
           trace_event_get_state(TRACE_NOTHING), trace_event_get_state_backends(TRACE_NOTHING),
           trace_event_get_state(TRACE_ABSENT), trace_event_get_state_backends(TRACE_ABSENT));
}

int main(void)
{
    printf("all events are off\n");
    tell_states();
    report_all();
    printf("on\n");
    switch_all(true);
    qemu_loglevel = LOG_TRACE;
    tell_states();
    report_all();
    printf("on, no room, and the log does not want events\n");
    is_full = 1;
    qemu_loglevel = 0;
    trace_long_text("short");
    return 0;
}
