/* Replaces dtrace(1)'s headers and LTTng's providers. Each call prints a line. */

#ifndef STUB_OUTSIDE_H
#define STUB_OUTSIDE_H

#include <stdint.h>

void outside_begin(const char *tracer, const char *event);
void outside_string(const char *s);
void outside_integer(uint64_t value);
void outside_end(void);

#define OUTSIDE_ARGUMENT(value)                                                                         \
    _Generic((value), char *: outside_any_string, const char *: outside_any_string, default: outside_integer) \
    ((uintptr_t)(value))

static inline void outside_any_string(uintptr_t s)
{
    outside_string((const char *)s);
}

#endif
