/*
 * Functions of QEMU that this library calls if the program defines them.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_HOST_H
#define RINGTRACE_HOST_H

#include <stdbool.h>

/* Whether this thread is executing a command of QEMU's monitor. */
bool ringtrace_host_has_monitor(void);

/* Prints to the client of the current monitor, or else to standard output. */
void ringtrace_host_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Reports an error or a warning as QEMU reports its own. Returns false, and does nothing, if the program is not QEMU. */
bool ringtrace_host_report(bool is_warning, const char *text);

/* Whether QEMU's log has a file that this library can set. */
bool ringtrace_host_has_log_file(void);

/* Opens the file of QEMU's log. If that fails, prints the reason and exits, as QEMU does. */
void ringtrace_host_open_log_file(const char *path);

#endif
