/*
 * Control of tracing: which events there are, which are on, and where they go.
 *
 * The functions are QEMU's. A program calls, in this order or any other that makes sense,
 *
 *     trace_opt_parse(optarg);               for each --trace
 *     module_call_init(MODULE_INIT_TRACE);   registers the events of all groups
 *     trace_init_backends();                 starts what takes events; behind daemon(3)
 *     trace_init_file();                     opens the trace file, if any --trace was given
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef TRACE_CONTROL_H
#define TRACE_CONTROL_H

#include <inttypes.h> /* PRIu64 and the like, which formats have */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/event-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A walk over events. It lives on the caller's stack, and needs no end. */
typedef struct TraceEventIter {
    size_t event;
    size_t group;
    size_t group_id;
    const char *pattern;
} TraceEventIter;

/* All events, also those that are `disable`d. */
void trace_event_iter_init_all(TraceEventIter *iter);
/* Those whose names match a glob with `*` and `?`. The pattern must stay as long as the walk. */
void trace_event_iter_init_pattern(TraceEventIter *iter, const char *pattern);
/* Those of one group: 0 is the first that was registered. */
void trace_event_iter_init_group(TraceEventIter *iter, size_t group_id);
/* The next one, or NULL. */
TraceEvent *trace_event_iter_next(TraceEventIter *iter);

/* The event of that name, or NULL. */
TraceEvent *trace_event_name(const char *name);

/* Whether an event of generated code is on: its name in capitals, TRACE_BLK_READ. A constant 0 for a `disable`d one. */
#define trace_event_get_state(id) ((id##_ENABLED) && trace_event_get_state_dynamic_by_id(id))

/* Whether any backend wants the event, also those with switches of their own, as dtrace and ust. */
#define trace_event_get_state_backends(id) ((id##_ENABLED) && id##_BACKEND_DSTATE())

/* Switches an event. It must not be `disable`d in its declaration: that is a failing assertion. */
void trace_event_set_state_dynamic(TraceEvent *ev, bool state);

/*
 * Starts the backends that the options name, or else those that were compiled in; the trace file is left to trace_init_file().
 * false: one cannot be started, and standard error says why.
 */
bool trace_init_backends(void);

/* Opens the trace file and begins to write, if trace_opt_parse() was called. Ends the program if that cannot be. */
void trace_init_file(void);

/*
 * Takes the value of a --trace option: [[enable=]PATTERN][,events=FILE][,file=FILE] and what docs/options.md has beyond QEMU's.
 * Ends the program when it cannot be understood, and, with `help`, behind the list of events.
 */
void trace_opt_parse(const char *optstr);

/* Switches events: a name, a pattern, with a `-` before it off; `help` lists them and ends the program. */
void trace_enable_events(const char *line_buf);

/* Prints the names of all events, one a line. */
void trace_list_events(FILE *f);

/* 0: there are no events of virtual processors any more. */
uint32_t trace_get_vcpu_event_count(void);

/* The options as QEMU's option parser wants them. Its type is that of QEMU's headers. */
typedef struct QemuOptsList QemuOptsList;
extern QemuOptsList qemu_trace_opts;

#ifdef __cplusplus
}
#endif

#include "trace/control-internal.h"

#endif
