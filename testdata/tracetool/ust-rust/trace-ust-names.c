/*
 * The tracepoints of LTTng-UST's provider names, and what Rust knows of them.
 * Generated from trace-events: changes belong there.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

/* Rust has no macros of these names in the way of events and arguments. */
#undef linux
#undef unix

#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES

#include "trace-ust-names.h"

/* What tracepoint_enabled() looks at, and the list of all tracepoints. Their names are other ones since LTTng-UST 2.13. */
#ifdef lttng_ust_tracepoint_enabled
#define STATE(name) (&lttng_ust_tracepoint_names___##name.state)
#define LISTED(name) (&lttng_ust_tracepoint_ptr_names___##name)
#else
#define STATE(name) (&__tracepoint_names___##name.state)
#define LISTED(name) (&__tracepoint_ptr_names___##name)
#endif

/* LTTng finds the list by its section. Linkers drop a section that nothing refers to (--gc-sections, as rustc has it). */
static __attribute__((constructor)) void keep_list(void)
{
    __asm__ volatile("" : : "r"(LISTED(arguments)));
}

/* Text as Rust has it, without a NUL. */
struct text {
    const char *bytes;
    size_t length;
};

/* Of longer text the beginning: copies are made on the stack, which may be a small thread's. */
#define MAX_TEXT_BYTES 4095

#define TERMINATED(copy, text) \
    const size_t copy##_length = text.length < MAX_TEXT_BYTES ? text.length : MAX_TEXT_BYTES; \
    char copy[copy##_length + 1]; \
    memcpy(copy, text.bytes, copy##_length); \
    copy[copy##_length] = '\0'

const int *const ringtrace_ust_state_names___arguments = STATE(arguments);

void ringtrace_ust_fire_names___arguments(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9);
void ringtrace_ust_fire_names___arguments(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9)
{
    tracepoint(names, arguments, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9);
}

const int *const ringtrace_ust_state_names___prelude = STATE(prelude);

void ringtrace_ust_fire_names___prelude(int a0, int a1, int a2, int a3, int a4, int a5, int a6);
void ringtrace_ust_fire_names___prelude(int a0, int a1, int a2, int a3, int a4, int a5, int a6)
{
    tracepoint(names, prelude, a0, a1, a2, a3, a4, a5, a6);
}

const int *const ringtrace_ust_state_names___bodies = STATE(bodies);

void ringtrace_ust_fire_names___bodies(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7);
void ringtrace_ust_fire_names___bodies(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7)
{
    tracepoint(names, bodies, a0, a1, a2, a3, a4, a5, a6, a7);
}

const int *const ringtrace_ust_state_names___probes = STATE(probes);

void ringtrace_ust_fire_names___probes(int a0, int a1, int a2, int a3, int a4);
void ringtrace_ust_fire_names___probes(int a0, int a1, int a2, int a3, int a4)
{
    tracepoint(names, probes, a0, a1, a2, a3, a4);
}

const int *const ringtrace_ust_state_names___twice = STATE(twice);

void ringtrace_ust_fire_names___twice(int a0, int a1, int a2);
void ringtrace_ust_fire_names___twice(int a0, int a1, int a2)
{
    tracepoint(names, twice, a0, a1, a2);
}

const int *const ringtrace_ust_state_names___type = STATE(type);

void ringtrace_ust_fire_names___type(int a0);
void ringtrace_ust_fire_names___type(int a0)
{
    tracepoint(names, type, a0);
}

const int *const ringtrace_ust_state_names___fn = STATE(fn);

void ringtrace_ust_fire_names___fn(int a0);
void ringtrace_ust_fire_names___fn(int a0)
{
    tracepoint(names, fn, a0);
}

const int *const ringtrace_ust_state_names___self = STATE(self);

void ringtrace_ust_fire_names___self(int a0);
void ringtrace_ust_fire_names___self(int a0)
{
    tracepoint(names, self, a0);
}

const int *const ringtrace_ust_state_names___Self = STATE(Self);

void ringtrace_ust_fire_names___Self(int a0);
void ringtrace_ust_fire_names___Self(int a0)
{
    tracepoint(names, Self, a0);
}

const int *const ringtrace_ust_state_names___crate = STATE(crate);

void ringtrace_ust_fire_names___crate(int a0);
void ringtrace_ust_fire_names___crate(int a0)
{
    tracepoint(names, crate, a0);
}

const int *const ringtrace_ust_state_names____ = STATE(_);

void ringtrace_ust_fire_names____(int a0);
void ringtrace_ust_fire_names____(int a0)
{
    tracepoint(names, _, a0);
}

const int *const ringtrace_ust_state_names___9p = STATE(9p);

void ringtrace_ust_fire_names___9p(int a0);
void ringtrace_ust_fire_names___9p(int a0)
{
    tracepoint(names, 9p, a0);
}

const int *const ringtrace_ust_state_names___Some = STATE(Some);

void ringtrace_ust_fire_names___Some(int a0);
void ringtrace_ust_fire_names___Some(int a0)
{
    tracepoint(names, Some, a0);
}

const int *const ringtrace_ust_state_names___None = STATE(None);

void ringtrace_ust_fire_names___None(int a0);
void ringtrace_ust_fire_names___None(int a0)
{
    tracepoint(names, None, a0);
}

const int *const ringtrace_ust_state_names___UPPER = STATE(UPPER);

void ringtrace_ust_fire_names___UPPER(int a0);
void ringtrace_ust_fire_names___UPPER(int a0)
{
    tracepoint(names, UPPER, a0);
}

const int *const ringtrace_ust_state_names___mixedCase = STATE(mixedCase);

void ringtrace_ust_fire_names___mixedCase(int a0);
void ringtrace_ust_fire_names___mixedCase(int a0)
{
    tracepoint(names, mixedCase, a0);
}

const int *const ringtrace_ust_state_names____x = STATE(_x);

void ringtrace_ust_fire_names____x(int a0);
void ringtrace_ust_fire_names____x(int a0)
{
    tracepoint(names, _x, a0);
}

const int *const ringtrace_ust_state_names_____x = STATE(__x);

void ringtrace_ust_fire_names_____x(int a0);
void ringtrace_ust_fire_names_____x(int a0)
{
    tracepoint(names, __x, a0);
}

const int *const ringtrace_ust_state_names___x = STATE(x);

void ringtrace_ust_fire_names___x(int a0);
void ringtrace_ust_fire_names___x(int a0)
{
    tracepoint(names, x, a0);
}

const int *const ringtrace_ust_state_names___emit = STATE(emit);

void ringtrace_ust_fire_names___emit(int a0);
void ringtrace_ust_fire_names___emit(int a0)
{
    tracepoint(names, emit, a0);
}

const int *const ringtrace_ust_state_names___emit_x = STATE(emit_x);

void ringtrace_ust_fire_names___emit_x(int a0);
void ringtrace_ust_fire_names___emit_x(int a0)
{
    tracepoint(names, emit_x, a0);
}

const int *const ringtrace_ust_state_names___events = STATE(events);

void ringtrace_ust_fire_names___events(int a0);
void ringtrace_ust_fire_names___events(int a0)
{
    tracepoint(names, events, a0);
}

const int *const ringtrace_ust_state_names___macros = STATE(macros);

void ringtrace_ust_fire_names___macros(int a0);
void ringtrace_ust_fire_names___macros(int a0)
{
    tracepoint(names, macros, a0);
}

const int *const ringtrace_ust_state_names___trace = STATE(trace);

void ringtrace_ust_fire_names___trace(int a0);
void ringtrace_ust_fire_names___trace(int a0)
{
    tracepoint(names, trace, a0);
}

const int *const ringtrace_ust_state_names___core = STATE(core);

void ringtrace_ust_fire_names___core(int a0);
void ringtrace_ust_fire_names___core(int a0)
{
    tracepoint(names, core, a0);
}

const int *const ringtrace_ust_state_names___ringtrace = STATE(ringtrace);

void ringtrace_ust_fire_names___ringtrace(int a0);
void ringtrace_ust_fire_names___ringtrace(int a0)
{
    tracepoint(names, ringtrace, a0);
}

const int *const ringtrace_ust_state_names___main = STATE(main);

void ringtrace_ust_fire_names___main(int a0);
void ringtrace_ust_fire_names___main(int a0)
{
    tracepoint(names, main, a0);
}

const int *const ringtrace_ust_state_names___GROUP = STATE(GROUP);

void ringtrace_ust_fire_names___GROUP(int a0);
void ringtrace_ust_fire_names___GROUP(int a0)
{
    tracepoint(names, GROUP, a0);
}

const int *const ringtrace_ust_state_names___include = STATE(include);

void ringtrace_ust_fire_names___include(int a0);
void ringtrace_ust_fire_names___include(int a0)
{
    tracepoint(names, include, a0);
}

const int *const ringtrace_ust_state_names___concat = STATE(concat);

void ringtrace_ust_fire_names___concat(int a0);
void ringtrace_ust_fire_names___concat(int a0)
{
    tracepoint(names, concat, a0);
}

const int *const ringtrace_ust_state_names___env = STATE(env);

void ringtrace_ust_fire_names___env(int a0);
void ringtrace_ust_fire_names___env(int a0)
{
    tracepoint(names, env, a0);
}

const int *const ringtrace_ust_state_names___println = STATE(println);

void ringtrace_ust_fire_names___println(int a0);
void ringtrace_ust_fire_names___println(int a0)
{
    tracepoint(names, println, a0);
}

const int *const ringtrace_ust_state_names___inline = STATE(inline);

void ringtrace_ust_fire_names___inline(int a0);
void ringtrace_ust_fire_names___inline(int a0)
{
    tracepoint(names, inline, a0);
}

const int *const ringtrace_ust_state_names___allow = STATE(allow);

void ringtrace_ust_fire_names___allow(int a0);
void ringtrace_ust_fire_names___allow(int a0)
{
    tracepoint(names, allow, a0);
}

const int *const ringtrace_ust_state_names___derive = STATE(derive);

void ringtrace_ust_fire_names___derive(int a0);
void ringtrace_ust_fire_names___derive(int a0)
{
    tracepoint(names, derive, a0);
}

const int *const ringtrace_ust_state_names___macro_rules = STATE(macro_rules);

void ringtrace_ust_fire_names___macro_rules(int a0);
void ringtrace_ust_fire_names___macro_rules(int a0)
{
    tracepoint(names, macro_rules, a0);
}

const int *const ringtrace_ust_state_names___group = STATE(group);

void ringtrace_ust_fire_names___group(int a0);
void ringtrace_ust_fire_names___group(int a0)
{
    tracepoint(names, group, a0);
}

const int *const ringtrace_ust_state_names___u64 = STATE(u64);

void ringtrace_ust_fire_names___u64(int a0);
void ringtrace_ust_fire_names___u64(int a0)
{
    tracepoint(names, u64, a0);
}

const int *const ringtrace_ust_state_names___str = STATE(str);

void ringtrace_ust_fire_names___str(int a0);
void ringtrace_ust_fire_names___str(int a0)
{
    tracepoint(names, str, a0);
}

const int *const ringtrace_ust_state_names___static_ = STATE(static_);

void ringtrace_ust_fire_names___static_(int a0);
void ringtrace_ust_fire_names___static_(int a0)
{
    tracepoint(names, static_, a0);
}

const int *const ringtrace_ust_state_names___drop = STATE(drop);

void ringtrace_ust_fire_names___drop(int a0);
void ringtrace_ust_fire_names___drop(int a0)
{
    tracepoint(names, drop, a0);
}
