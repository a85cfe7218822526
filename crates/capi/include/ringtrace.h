/*
 * ringtrace.h: tracing without QEMU's functions (trace/control.h, trace/simple.h).
 *
 *     int main(int argc, char *argv[])
 *     {
 *         if (ringtrace_start_with_args(&argc, argv) != 0) {
 *             fprintf(stderr, "%s: %s\n", argv[0], ringtrace_error());
 *             return 1;
 *         }
 *         ...
 *
 * Functions that fail return a negative number, and ringtrace_error() returns a message. Unless stated
 * otherwise, all functions may be called by any thread at any time, but not in signal handlers. If the
 * library is loaded into a program with its own copy of ringtrace, that program decides what is recorded
 * and where it goes. The functions here then only enable and disable events.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_H
#define RINGTRACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. */
#define RINGTRACE_VERSION "0.1.0"

/* Returns the version of the library at run time. May be called in signal handlers. */
const char *ringtrace_version(void);

/*
 * Returns the message of this thread's last error, without a newline, or "" if there was none. The text
 * is valid until the next error in this thread.
 */
const char *ringtrace_error(void);

/*
 * Starts tracing with options, separated by `;`. They are the same as in the environment variable
 * RINGTRACE, and are described in docs/options.md:
 *
 *     ringtrace_start("blk_*,file=blk.trace;-blk_read,policy=block:20ms,buffer=4M");
 *
 * The policy, the buffers, the clock and the file are fixed here. Events and backends can be changed later.
 * NULL or a string without options starts nothing. `help` prints the names of all events and exits with
 * status 0. Unknown event names cause a warning on standard error.
 *
 * Returns 0 on success. Returns -1 and starts nothing if the options are invalid, the trace file cannot
 * be created, a backend is not available, or tracing is already started.
 */
int ringtrace_start(const char *options);

/*
 * Starts tracing with the options of the environment variable RINGTRACE, and then those of each
 * `--trace OPTION` or `--trace=OPTION` before a `--`. These arguments are removed from argv, so that the
 * program's own parser does not see them: *argc is the number of remaining arguments, and argv[*argc] is NULL.
 * If both pointers are NULL, only the variable is used. Programs with the privileges of another user
 * (set-user-ID) ignore the variable.
 *
 * Returns the same values as ringtrace_start(). If it returns -1, argv is unchanged.
 */
int ringtrace_start_with_args(int *argc, char *argv[]);

/*
 * Stops tracing, but not the monitors. When it returns, all recorded events are in the file. A program
 * that calls exit() or returns from main() need not call it. Tracing can be started again. Enabled events
 * stay enabled.
 */
void ringtrace_stop(void);

/*
 * Waits until all recorded events are in the trace file. Returns false if nothing is being recorded or
 * the file cannot be written. With policy=overwrite, events stay in memory until the end or a snapshot.
 */
bool ringtrace_flush(void);

/*
 * Writes the events in memory to a separate trace file: with policy=overwrite, the newest events of each
 * thread. Recording continues, and the events also stay in memory. An existing file is replaced.
 *
 * Returns the number of events, or -1 if nothing is being recorded or the file cannot be written.
 */
int64_t ringtrace_snapshot(const char *path);

/*
 * Enables or disables C and Rust events, by name or by a pattern with `*` and `?`.
 *
 * Returns the number of matching events that can be enabled and disabled, or -1 if the pattern is not
 * UTF-8.
 */
int ringtrace_set_enabled(const char *pattern, bool enabled);

/*
 * Selects the backends: "simple", "log", "syslog", "ftrace", several of these joined by `+`, or "none".
 * Backends that were not active yet use the options with which tracing was started.
 *
 * Returns 0 on success. Returns -1 and changes nothing if a backend is unknown or cannot be started, or
 * if tracing is not started.
 */
int ringtrace_switch_backends(const char *backends);

/*
 * Starts a monitor: a socket for controlling tracing at run time, with QEMU's protocols HMP and QMP. See
 * docs/control.md.
 *
 *     ringtrace_monitor("unix:/run/vmm/trace.sock,mode=qmp");
 *
 * Separate several addresses by `;`. NULL selects the addresses of the environment variable
 * RINGTRACE_MONITOR, if it is set. Programs with the privileges of another user (set-user-ID) ignore the
 * variable. `help` describes addresses and exits with status 0.
 *
 * A monitor can be started before tracing or without it. In that case, nothing is recorded until a client
 * requests it. This function creates threads, and forked children have no monitor. A program that becomes
 * a daemon must therefore call it afterwards, like trace_init_backends(). The socket is removed when the
 * program ends. Call the function again for further monitors.
 *
 * Returns 0 on success or if there is no address. Returns -1 if an address is invalid or in use, or the
 * socket cannot be created.
 */
int ringtrace_monitor(const char *addresses);

/*
 * Starts monitors for each `--monitor ADDRESS` or `--monitor=ADDRESS` before a `--`, or, without any, for
 * the variable RINGTRACE_MONITOR. Like ringtrace_start_with_args(), it removes these arguments from
 * argv. If it returns -1, argv is unchanged.
 */
int ringtrace_monitor_with_args(int *argc, char *argv[]);

/*
 * Sets the permissions of clients, for monitors that are started later. Files must be in the given folder
 * or below it. NULL, the default, allows any folder. `quit` ends the program with SIGTERM if `allow` is
 * true. By default it is not allowed.
 */
void ringtrace_monitor_directory(const char *path);
void ringtrace_monitor_allow_quit(bool allow);

/* Stops all monitors of this process and removes their sockets. Tracing continues. */
void ringtrace_monitor_stop(void);

/*
 * With policy=block, stops probes of this thread from waiting for space: events are dropped and counted
 * instead. Calls nest: probes may wait again after as many calls with false as with true. May be called
 * in signal handlers.
 */
void ringtrace_never_block(bool never);

#ifdef __cplusplus
}
#endif

#endif
