/*
 * The kernel's trace: lines written to trace_marker of tracefs.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef TRACE_FTRACE_H
#define TRACE_FTRACE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longer lines are cut: their end is a byte of it. The same number as in trace/simple.h, where it limits strings. */
#define MAX_TRACE_STRLEN 512

#ifndef STR
#define _STR(x) #x
#define STR(x) _STR(x)
#endif

/* The descriptor of trace_marker, for programs that write to it themselves; -1 before it is open. */
extern int trace_marker_fd;

/* Opens trace_marker. trace_init_backends() does so where the backend ftrace is active. false: standard error says why. */
bool ftrace_init(void);

/*
 * Writes a line into the kernel's trace, by one write, while the backend ftrace is active. The text is printf's, of which at most 511
 * bytes are taken, and escaped as that of qemu_log() is. errno stays as it is.
 */
void ftrace_write(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
