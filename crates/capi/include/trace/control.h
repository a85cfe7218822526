/*
 * Functions that list, enable and disable events, and select backends.
 *
 * The functions are QEMU's. A program usually calls, in this order:
 *
 *     trace_opt_parse(optarg);               for each --trace
 *     module_call_init(MODULE_INIT_TRACE);   registers the events of all groups
 *     trace_init_backends();                 starts the backends; call it after daemon(3)
 *     trace_init_file();                     opens the trace file, if any --trace was given
 *
 * trace_opt_parse() and trace_init_backends() also read the options in the variable RINGTRACE, before those
 * of the command line. If it is set, tracing starts without any --trace. Programs with the privileges of
 * another user (set-user-ID) ignore it.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef TRACE_CONTROL_H
#define TRACE_CONTROL_H

#include <inttypes.h> /* macros in formats, such as PRIu64 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "trace/event-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An iterator over events, on the caller's stack. It need not be freed. */
typedef struct TraceEventIter {
    size_t event;
    size_t group;
    size_t group_id;
    const char *pattern;
} TraceEventIter;

/* Iterates over all events, including `disable`d ones. */
void trace_event_iter_init_all(TraceEventIter *iter);
/* Iterates over events whose names match a pattern with `*` and `?`. The pattern must outlive the iterator. */
void trace_event_iter_init_pattern(TraceEventIter *iter, const char *pattern);
/* Iterates over the events of one group. Group 0 was registered first. */
void trace_event_iter_init_group(TraceEventIter *iter, size_t group_id);
/* Returns the next event, or NULL. */
TraceEvent *trace_event_iter_next(TraceEventIter *iter);

/* Returns the event with this name, or NULL. */
TraceEvent *trace_event_name(const char *name);

/* Whether an event is on. `id` is its name in capitals, such as TRACE_BLK_READ. Constant 0 for a `disable`d event. */
#define trace_event_get_state(id) ((id##_ENABLED) && trace_event_get_state_dynamic_by_id(id))

/* Whether any backend uses the event now, including those with switches of their own, such as dtrace and ust. */
#define trace_event_get_state_backends(id) ((id##_ENABLED) && id##_BACKEND_DSTATE())

/* Enables or disables an event. Aborts if its declaration has `disable`. */
void trace_event_set_state_dynamic(TraceEvent *ev, bool state);

/*
 * Starts the backends in the options, or else those that were compiled in. trace_init_file() opens the
 * trace file. Returns false if a backend cannot be started, after printing the reason to standard error.
 */
bool trace_init_backends(void);

/* Opens the trace file and starts recording, if trace_opt_parse() was called. Exits on errors. */
void trace_init_file(void);

/*
 * Applies the value of a --trace option: [[enable=]PATTERN][,events=FILE][,file=FILE], and further options
 * described in docs/options.md. Exits if it is invalid. `help` lists the events and exits.
 */
void trace_opt_parse(const char *optstr);

/*
 * Enables events by name or pattern, or disables them if `line_buf` begins with `-`. `help` lists the
 * events and exits. In a command of QEMU's monitor, it prints the list to the monitor's client and does
 * not exit.
 */
void trace_enable_events(const char *line_buf);

/* Prints the names of all events, one per line. */
void trace_list_events(FILE *f);

/* Returns 0. Per-vCPU events no longer exist. */
uint32_t trace_get_vcpu_event_count(void);

/* The options for QEMU's option parser. QEMU's headers define the type. */
typedef struct QemuOptsList QemuOptsList;
extern QemuOptsList qemu_trace_opts;

#ifdef __cplusplus
}
#endif

#include "trace/control-internal.h"

#endif
