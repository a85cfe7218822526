#ifndef STUB_QEMU_LOG_FOR_TRACE_H
#define STUB_QEMU_LOG_FOR_TRACE_H

#include <stdbool.h>

#define LOG_TRACE (1u << 15)

extern unsigned qemu_loglevel;

static inline bool qemu_loglevel_mask(int mask)
{
    return (qemu_loglevel & mask) != 0;
}

void __attribute__((format(printf, 1, 2))) qemu_log(const char *format, ...);

#endif
