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

/* The maximum length of a line, including the final NUL. trace/simple.h uses the same limit for strings. */
#define MAX_TRACE_STRLEN 512

#ifndef STR
#define _STR(x) #x
#define STR(x) _STR(x)
#endif

/* The descriptor of trace_marker, or -1 if it is not open. Programs may write to it themselves. */
extern int trace_marker_fd;

/*
 * Opens trace_marker. trace_init_backends() does so if the backend ftrace is active. Returns false on
 * errors, after printing the reason to standard error.
 */
bool ftrace_init(void);

/*
 * Writes a line to the kernel's trace with one write(), while the backend ftrace is active. Takes the same
 * arguments as printf(). The line is truncated to 511 bytes and escaped as by qemu_log(). Preserves errno.
 */
void ftrace_write(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
