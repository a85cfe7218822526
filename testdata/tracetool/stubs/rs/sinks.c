/* The destinations of values.events. They print each event to standard output. */

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

int trace_events_enabled_count;
unsigned qemu_loglevel;

void note(const char *text)
{
    printf("# %s\n", text);
}

#define PRINT(BACKEND) \
    do { \
        va_list values; \
        va_start(values, format); \
        printf(BACKEND ": "); \
        vprintf(format, values); \
        va_end(values); \
    } while (0)

void qemu_log(const char *format, ...)
{
    PRINT("log");
}

void ftrace_write(const char *format, ...)
{
    PRINT("ftrace");
}

void syslog(int priority, const char *format, ...)
{
    printf("%d ", priority);
    PRINT("syslog");
    printf("\n");
}

uint16_t _TRACE_NOTHING_DSTATE, _TRACE_SIGNED_LEAST_DSTATE, _TRACE_SIGNED_MOST_DSTATE, _TRACE_SIGNED_MINUS_DSTATE,
    _TRACE_UNSIGNED_MOST_DSTATE, _TRACE_EXTENTS_DSTATE, _TRACE_TRUTHS_DSTATE, _TRACE_ADDRESSES_DSTATE, _TRACE_TEXTS_DSTATE,
    _TRACE_NULL_TEXTS_DSTATE, _TRACE_LONG_TEXT_DSTATE, _TRACE_INTTYPES_DSTATE, _TRACE_CUT_DSTATE, _TRACE_ODD_DSTATE,
    _TRACE_WITHOUT_FORMAT_DSTATE, _TRACE_EXIT_DSTATE, _TRACE_ABSENT_DSTATE;

void switch_all(uint16_t on)
{
    uint16_t *const states[] = {
        &_TRACE_NOTHING_DSTATE, &_TRACE_SIGNED_LEAST_DSTATE, &_TRACE_SIGNED_MOST_DSTATE, &_TRACE_SIGNED_MINUS_DSTATE,
        &_TRACE_UNSIGNED_MOST_DSTATE, &_TRACE_EXTENTS_DSTATE, &_TRACE_TRUTHS_DSTATE, &_TRACE_ADDRESSES_DSTATE,
        &_TRACE_TEXTS_DSTATE, &_TRACE_NULL_TEXTS_DSTATE, &_TRACE_LONG_TEXT_DSTATE, &_TRACE_INTTYPES_DSTATE,
        &_TRACE_CUT_DSTATE, &_TRACE_ODD_DSTATE, &_TRACE_WITHOUT_FORMAT_DSTATE, &_TRACE_EXIT_DSTATE, &_TRACE_ABSENT_DSTATE,
    };
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        *states[i] = on;
    }
}

void _simple_trace_nothing(void)
{
    printf("simple: nothing\n");
}

#define SIGNED(NAME, CHAR, INT) \
    void _simple_trace_##NAME(int8_t a, int16_t b, int32_t c, int64_t d, CHAR e, short f, INT g, long h, long long i) \
    { \
        printf("simple: " #NAME " %d %d %d %" PRId64 " %d %d %d %ld %lld\n", a, b, c, d, e, f, g, h, i); \
    }
SIGNED(signed_least, signed char, int)
SIGNED(signed_most, char, signed)
SIGNED(signed_minus, signed char, int)

void _simple_trace_unsigned_most(uint8_t a, uint16_t b, uint32_t c, uint64_t d, unsigned char e, unsigned short f,
                                 unsigned g, unsigned long h, unsigned long long i)
{
    printf("simple: unsigned_most %u %u %u %" PRIu64 " %u %u %u %lu %llu\n", a, b, c, d, e, f, g, h, i);
}

void _simple_trace_extents(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d)
{
    printf("simple: extents %zu %zd %" PRIuPTR " %td\n", a, b, c, d);
}

void _simple_trace_truths(bool yes, bool no)
{
    printf("simple: truths %d %d\n", yes, no);
}

void _simple_trace_addresses(void *null, const void *top, void **deep, const char **names)
{
    printf("simple: addresses %p %p %p %p\n", null, top, (void *)deep, (void *)names);
}

void _simple_trace_texts(const char *a, const char *b, char *c, const char *empty)
{
    printf("simple: texts '%s' '%s' '%s' '%s'\n", a, b, c, empty);
}

void _simple_trace_null_texts(const char *a, char *b)
{
    printf("simple: null_texts %d %d\n", a == NULL, b == NULL);
}

void _simple_trace_long_text(const char *s)
{
    printf("simple: long_text '%s'\n", s);
}

void _simple_trace_inttypes(int8_t a, int16_t b, int32_t c, int64_t d, uintptr_t e, uint64_t f)
{
    printf("simple: inttypes %d %d %d %" PRId64 " %" PRIxPTR " %" PRIu64 "\n", a, b, c, d, e, f);
}

#define INT(NAME) \
    void _simple_trace_##NAME(int x) \
    { \
        printf("simple: " #NAME " %d\n", x); \
    }
INT(cut)
INT(odd)
INT(without_format)

void _simple_trace_exit(int exit, int fn)
{
    printf("simple: exit %d %d\n", exit, fn);
}
