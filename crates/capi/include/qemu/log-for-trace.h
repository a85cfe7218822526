/*
 * The program's log, as far as trace events need it.
 *
 * A program that has QEMU's own log, with these very names, keeps it: the library's definitions are weak.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef QEMU_LOG_FOR_TRACE_H
#define QEMU_LOG_FOR_TRACE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is logged: a set of LOG_ bits. The library sets and clears LOG_TRACE, the others are the program's. */
extern unsigned qemu_loglevel;

/* On while the backend log is active: it is from the start where it was compiled in, unless backend= says otherwise. */
#define LOG_TRACE (1u << 15)

/* Whether anything of a set is logged. */
static inline bool qemu_loglevel_mask(int mask)
{
    return (__atomic_load_n(&qemu_loglevel, __ATOMIC_RELAXED) & (unsigned)mask) != 0;
}

/*
 * Writes a line to standard error, or to the file that the options name, behind what logline= says. The text is printf's; a `\n` at its
 * end is the end of the line, which there is without, too, and control characters within are escaped: one call is one line, by one
 * write. A line of more than 4000 bytes is cut, and ends in `...`. errno stays as it is.
 */
void qemu_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
