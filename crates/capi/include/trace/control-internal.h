/*
 * Internals for trace/control.h and generated code.
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

/* The number of enabled events in generated C. */
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
 * One load, one test, and one jump that is not taken while the event is off. Each event has its own
 * word, so testing first whether any event is on gains nothing.
 */
#define trace_event_get_state_dynamic_by_id(id) \
    __builtin_expect(__atomic_load_n(&_##id##_DSTATE, __ATOMIC_RELAXED) != 0, 0)

/* Registers the events of a NULL-terminated array. Generated code calls it. Repeated calls have no effect. */
void trace_event_register_group(TraceEvent **events);

/*
 * Describes a group, so that its traces can be read without its trace-events file and its events can be
 * printed as text. Generated code contains it after the array of events:
 *
 *     RINGTRACE_DESCRIBE(block, "block", "log,simple")
 *
 * It requires the NULL-terminated arrays block_trace_events[] and block_trace_declarations[]. The latter
 * contains the declarations as written, in the same order. Constructors run before module_call_init(), so
 * the description is known when the group is registered. The destructor removes the group when its library
 * is unloaded. `ringtrace probes` finds descriptions in a file by their section.
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
