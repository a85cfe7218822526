/*
 * The part of the program's log that trace events need.
 *
 * The library's definitions are weak, so that programs with QEMU's own log keep theirs.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef QEMU_LOG_FOR_TRACE_H
#define QEMU_LOG_FOR_TRACE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The log levels: a set of LOG_ bits. The library sets and clears LOG_TRACE. The other bits belong to the program. */
extern unsigned qemu_loglevel;

/* Set while the backend log is active. A compiled-in log is active by default, unless backend= is given. */
#define LOG_TRACE (1u << 15)

/* Whether any of the levels in `mask` is logged. */
static inline bool qemu_loglevel_mask(int mask)
{
    return (__atomic_load_n(&qemu_loglevel, __ATOMIC_RELAXED) & (unsigned)mask) != 0;
}

/*
 * Writes a line to standard error or to the log file in the options, after the prefix selected by
 * logline=. Takes the same arguments as printf(). Each call writes one line with one write(), whether or
 * not the text ends in `\n`. Control characters are escaped. Lines of more than 4000 bytes are truncated
 * and end in `...`. Preserves errno.
 */
void qemu_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
