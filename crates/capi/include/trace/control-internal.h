/*
 * What trace/control.h and generated code need of the library.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef TRACE_CONTROL_INTERNAL_H
#define TRACE_CONTROL_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "trace/event-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many events of generated C are on. */
extern int trace_events_enabled_count;

static inline bool trace_event_is_pattern(const char *str)
{
    return strchr(str, '*') != NULL;
}

static inline uint32_t trace_event_get_id(TraceEvent *ev)
{
    return ev->id;
}

static inline const char *trace_event_get_name(TraceEvent *ev)
{
    return ev->name;
}

static inline bool trace_event_get_state_static(TraceEvent *ev)
{
    return ev->sstate;
}

static inline bool trace_event_get_state_dynamic(TraceEvent *ev)
{
    return __atomic_load_n(ev->dstate, __ATOMIC_RELAXED) != 0;
}

/*
 * One load, one test, one jump that is not taken while the event is off. (Where each event has a word of its own, asking first whether
 * any is on gains nothing.)
 */
#define trace_event_get_state_dynamic_by_id(id) \
    __builtin_expect(__atomic_load_n(&_##id##_DSTATE, __ATOMIC_RELAXED) != 0, 0)

/* Makes the events of a NULL-terminated array known. Generated code calls it; the second time it does nothing. */
void trace_event_register_group(TraceEvent **events);

/*
 * What a group says of itself, so that its traces can be read without its trace-events file, and texts be made of its events.
 * Generated code does so behind the array of its events:
 *
 *     RINGTRACE_DESCRIBE(block, "block", "log,simple")
 *
 * with block_trace_events[], and block_trace_declarations[], the declarations as they were written, in the same order, NULL-terminated.
 * Constructors run before module_call_init(), so the description is there when the group is registered; and when a library is unloaded,
 * its groups are taken away again. In the file, `ringtrace probes` finds the descriptions by their section.
 */
struct ringtrace_group {
    TraceEvent *const *events;
    const char *name;
    const char *backends;
    const char *const *declarations;
};

void ringtrace_describe_group(const struct ringtrace_group *group);
void ringtrace_forget_group(const struct ringtrace_group *group);

#define RINGTRACE_DESCRIBE(group, name, backends)                                               \
    static const struct ringtrace_group                                                         \
        __attribute__((section("ringtrace_groups"), used)) ringtrace_group_##group = {          \
        group##_trace_events, name, backends, group##_trace_declarations                        \
    };                                                                                          \
    static void __attribute__((constructor)) ringtrace_describe_##group(void)                   \
    {                                                                                           \
        ringtrace_describe_group(&ringtrace_group_##group);                                     \
    }                                                                                           \
    static void __attribute__((destructor)) ringtrace_forget_##group(void)                      \
    {                                                                                           \
        ringtrace_forget_group(&ringtrace_group_##group);                                       \
    }

#ifdef __cplusplus
}
#endif

#endif
