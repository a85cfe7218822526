/*
 * ringtrace.h: tracing of the program's own accord, where QEMU's functions (trace/control.h, trace/simple.h) are not wanted.
 *
 *     int main(int argc, char *argv[])
 *     {
 *         if (ringtrace_start_with_args(&argc, argv) != 0) {
 *             fprintf(stderr, "%s: %s\n", argv[0], ringtrace_error());
 *             return 1;
 *         }
 *         ...
 *
 * Functions that can fail give a negative number then, and ringtrace_error() says why, for people. All may be called by any thread
 * at any time but in signal handlers, if nothing else is said. Where the library was loaded into a program that has ringtrace
 * itself, that program decides what is recorded and where it goes: here events are only switched.
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

/* The version of the library that the program runs with. Also in signal handlers. */
const char *ringtrace_version(void);

/*
 * Why the last function failed that failed in this thread; "" if none did. The text stays until the next one fails in this
 * thread, and has no line end.
 */
const char *ringtrace_error(void);

/*
 * Starts tracing, as a text of options says: what docs/options.md has for the variable RINGTRACE, where options are parted by `;`:
 *
 *     ringtrace_start("blk_*,file=blk.trace;-blk_read,policy=block:20ms,buffer=4M");
 *
 * The policy, the buffers, the clock and the file are decided here; events and backends can be switched later. NULL or a text
 * without any option starts nothing. `help` prints the names of all events, and ends the program with status 0.
 *
 * 0: it is done. -1: the options cannot be understood, the trace file cannot be made, a backend is not there, or tracing was started
 * already; then nothing has begun. A name that no event has is a warning on standard error.
 */
int ringtrace_start(const char *options);

/*
 * Starts tracing, as the environment variable RINGTRACE and then each `--trace OPTION` or `--trace=OPTION` before a `--` say. What is
 * taken of argv is taken away, so that the program's own parser does not meet it: *argc is what is left, and argv[*argc] is NULL. NULL for both: only
 * the variable is asked. Programs with more rights than who starts them (set-user-ID) do not look at the variable.
 *
 * Answers as ringtrace_start(); when that is -1, argv is as before.
 */
int ringtrace_start_with_args(int *argc, char *argv[]);

/*
 * Ends tracing; monitors stay. What was recorded before is in the file when this returns. A program that ends by exit() or by return
 * from main() need not call it. Tracing can be started again afterwards; events stay switched on.
 */
void ringtrace_stop(void);

/*
 * Waits until everything that was recorded before is in the trace file. false: nothing is recorded, or the file takes nothing now.
 * With policy=overwrite events stay in memory until the end, or a snapshot.
 */
bool ringtrace_flush(void);

/*
 * Writes what is in memory now to a file, as a trace of its own: with policy=overwrite, the newest events of each thread. The program
 * goes on, and nothing is taken away. A file that is there is replaced.
 *
 * The number of events in it; -1: nothing is recorded, or the file cannot be written.
 */
int64_t ringtrace_snapshot(const char *path);

/*
 * Switches events on or off, of C and of Rust: a name, or a pattern with `*` and `?`.
 *
 * How many events there are that it means and that can be switched, 0 if there are none; -1: the text is not UTF-8.
 */
int ringtrace_set_enabled(const char *pattern, bool enabled);

/*
 * Sends events to other backends from now on: "simple", "log", "syslog", "ftrace", several joined by `+`, or "none". Those that are new are
 * made ready first, as the options said that tracing was started with.
 *
 * 0: it is done. -1: there is no such backend, it cannot be made ready, or tracing was not started; then nothing has changed.
 */
int ringtrace_switch_backends(const char *backends);

/*
 * Serves a monitor: a socket by which the program is asked what it records, and told to record something else, in QEMU's languages HMP and
 * QMP, while it runs. docs/control.md has more.
 *
 *     ringtrace_monitor("unix:/run/vmm/trace.sock,mode=qmp");
 *
 * Several addresses are parted by `;`. NULL: those of the environment variable RINGTRACE_MONITOR, if it is set; programs with more rights than
 * who starts them (set-user-ID) do not look at it. `help` prints what an address is, and ends the program with status 0.
 *
 * May be called before tracing starts, and where it never does: then nothing is recorded before a client says so. A program that
 * becomes a daemon calls this behind that, as trace_init_backends(): it makes threads, and a child of a fork has no monitor. The socket goes when
 * the program ends. May be called again for one more.
 *
 * 0: it is done, or nothing was asked for. -1: an address cannot be understood, another program serves there, or the socket cannot be made.
 */
int ringtrace_monitor(const char *addresses);

/*
 * The same, as each `--monitor ADDRESS` or `--monitor=ADDRESS` before a `--` says, or, where there is none, the variable RINGTRACE_MONITOR. What is taken of
 * argv is taken away, as ringtrace_start_with_args() does it; when this is -1, argv is as before.
 */
int ringtrace_monitor_with_args(int *argc, char *argv[]);

/*
 * What clients of monitors that are served from now on may do. Files that they name must be in this folder or below; NULL, and so from the
 * start: anywhere. And whether they may end the program by `quit`: it gets SIGTERM then; from the start, they may not.
 */
void ringtrace_monitor_directory(const char *path);
void ringtrace_monitor_allow_quit(bool allow);

/* Ends all monitors of this process: their sockets are gone when this returns. Tracing goes on. */
void ringtrace_monitor_stop(void);

/*
 * With policy=block: from here on no probe of this thread waits for room; what finds none is dropped and counted. It may wait
 * again when this was called with false as often as with true. Also in signal handlers.
 */
void ringtrace_never_block(bool never);

#ifdef __cplusplus
}
#endif

#endif
