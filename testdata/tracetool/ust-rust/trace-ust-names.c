/*
 * The tracepoints of the LTTng-UST provider names, with symbols for Rust.
 * Generated from trace-events. Make changes there.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

/* GCC predefines these macros, but events and arguments may have these names. */
#undef linux
#undef unix

#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES

#include "trace-ust-names.h"

/* Tracepoints, and the list of them. LTTng-UST 2.13 renamed them. */
#ifdef lttng_ust_tracepoint_enabled
#define TRACEPOINT "lttng_ust_tracepoint_names___"
#define STATE_OFFSET offsetof(struct lttng_ust_tracepoint, state)
#define LISTED(name) (&lttng_ust_tracepoint_ptr_names___##name)
#else
#define TRACEPOINT "__tracepoint_names___"
#define STATE_OFFSET offsetof(struct tracepoint, state)
#define LISTED(name) (&__tracepoint_ptr_names___##name)
#endif

/* Names the state that tracepoint_enabled() reads, so that Rust reads it with one load, as C does. */
#define NAME_STATE(name) \
    __asm__ volatile(".globl ringtrace_ust_state_names___" name "\n\t" \
                     ".set ringtrace_ust_state_names___" name ", " TRACEPOINT name " + %c0" \
                     : : "i"(STATE_OFFSET))

/* The only instruction refers to the list. LTTng finds the list by its section, and linkers drop
   sections without references (--gc-sections, which rustc uses). */
static __attribute__((constructor, noinline)) void keep_and_name(void)
{
    __asm__ volatile("" : : "r"(LISTED(arguments)));
    NAME_STATE("arguments");
    NAME_STATE("prelude");
    NAME_STATE("bodies");
    NAME_STATE("probes");
    NAME_STATE("twice");
    NAME_STATE("type");
    NAME_STATE("fn");
    NAME_STATE("self");
    NAME_STATE("Self");
    NAME_STATE("crate");
    NAME_STATE("_");
    NAME_STATE("9p");
    NAME_STATE("Some");
    NAME_STATE("None");
    NAME_STATE("UPPER");
    NAME_STATE("mixedCase");
    NAME_STATE("_x");
    NAME_STATE("__x");
    NAME_STATE("x");
    NAME_STATE("emit");
    NAME_STATE("emit_x");
    NAME_STATE("events");
    NAME_STATE("macros");
    NAME_STATE("trace");
    NAME_STATE("core");
    NAME_STATE("ringtrace");
    NAME_STATE("main");
    NAME_STATE("GROUP");
    NAME_STATE("include");
    NAME_STATE("concat");
    NAME_STATE("env");
    NAME_STATE("println");
    NAME_STATE("inline");
    NAME_STATE("allow");
    NAME_STATE("derive");
    NAME_STATE("macro_rules");
    NAME_STATE("group");
    NAME_STATE("u64");
    NAME_STATE("str");
    NAME_STATE("static_");
    NAME_STATE("drop");
    NAME_STATE("span");
}

/* A Rust string, without a NUL. The pointer may be NULL. */
struct text {
    const char *bytes;
    size_t length;
};

/* Longer strings are truncated, because copies are on the stack, which may be small. */
#define MAX_TEXT_BYTES 4095

#define TERMINATED(copy, text) \
    const size_t copy##_length = text.length < MAX_TEXT_BYTES ? text.length : MAX_TEXT_BYTES; \
    char copy[copy##_length + 1]; \
    if (text.bytes != NULL) \
        memcpy(copy, text.bytes, copy##_length); \
    copy[copy##_length] = '\0'

void ringtrace_ust_fire_names___arguments(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9);
void ringtrace_ust_fire_names___arguments(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9)
{
    tracepoint(names, arguments, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9);
}

void ringtrace_ust_fire_names___prelude(int a0, int a1, int a2, int a3, int a4, int a5, int a6);
void ringtrace_ust_fire_names___prelude(int a0, int a1, int a2, int a3, int a4, int a5, int a6)
{
    tracepoint(names, prelude, a0, a1, a2, a3, a4, a5, a6);
}

void ringtrace_ust_fire_names___bodies(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7);
void ringtrace_ust_fire_names___bodies(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7)
{
    tracepoint(names, bodies, a0, a1, a2, a3, a4, a5, a6, a7);
}

void ringtrace_ust_fire_names___probes(int a0, int a1, int a2, int a3, int a4);
void ringtrace_ust_fire_names___probes(int a0, int a1, int a2, int a3, int a4)
{
    tracepoint(names, probes, a0, a1, a2, a3, a4);
}

void ringtrace_ust_fire_names___twice(int a0, int a1, int a2);
void ringtrace_ust_fire_names___twice(int a0, int a1, int a2)
{
    tracepoint(names, twice, a0, a1, a2);
}

void ringtrace_ust_fire_names___type(int a0);
void ringtrace_ust_fire_names___type(int a0)
{
    tracepoint(names, type, a0);
}

void ringtrace_ust_fire_names___fn(int a0);
void ringtrace_ust_fire_names___fn(int a0)
{
    tracepoint(names, fn, a0);
}

void ringtrace_ust_fire_names___self(int a0);
void ringtrace_ust_fire_names___self(int a0)
{
    tracepoint(names, self, a0);
}

void ringtrace_ust_fire_names___Self(int a0);
void ringtrace_ust_fire_names___Self(int a0)
{
    tracepoint(names, Self, a0);
}

void ringtrace_ust_fire_names___crate(int a0);
void ringtrace_ust_fire_names___crate(int a0)
{
    tracepoint(names, crate, a0);
}

void ringtrace_ust_fire_names____(int a0);
void ringtrace_ust_fire_names____(int a0)
{
    tracepoint(names, _, a0);
}

void ringtrace_ust_fire_names___9p(int a0);
void ringtrace_ust_fire_names___9p(int a0)
{
    tracepoint(names, 9p, a0);
}

void ringtrace_ust_fire_names___Some(int a0);
void ringtrace_ust_fire_names___Some(int a0)
{
    tracepoint(names, Some, a0);
}

void ringtrace_ust_fire_names___None(int a0);
void ringtrace_ust_fire_names___None(int a0)
{
    tracepoint(names, None, a0);
}

void ringtrace_ust_fire_names___UPPER(int a0);
void ringtrace_ust_fire_names___UPPER(int a0)
{
    tracepoint(names, UPPER, a0);
}

void ringtrace_ust_fire_names___mixedCase(int a0);
void ringtrace_ust_fire_names___mixedCase(int a0)
{
    tracepoint(names, mixedCase, a0);
}

void ringtrace_ust_fire_names____x(int a0);
void ringtrace_ust_fire_names____x(int a0)
{
    tracepoint(names, _x, a0);
}

void ringtrace_ust_fire_names_____x(int a0);
void ringtrace_ust_fire_names_____x(int a0)
{
    tracepoint(names, __x, a0);
}

void ringtrace_ust_fire_names___x(int a0);
void ringtrace_ust_fire_names___x(int a0)
{
    tracepoint(names, x, a0);
}

void ringtrace_ust_fire_names___emit(int a0);
void ringtrace_ust_fire_names___emit(int a0)
{
    tracepoint(names, emit, a0);
}

void ringtrace_ust_fire_names___emit_x(int a0);
void ringtrace_ust_fire_names___emit_x(int a0)
{
    tracepoint(names, emit_x, a0);
}

void ringtrace_ust_fire_names___events(int a0);
void ringtrace_ust_fire_names___events(int a0)
{
    tracepoint(names, events, a0);
}

void ringtrace_ust_fire_names___macros(int a0);
void ringtrace_ust_fire_names___macros(int a0)
{
    tracepoint(names, macros, a0);
}

void ringtrace_ust_fire_names___trace(int a0);
void ringtrace_ust_fire_names___trace(int a0)
{
    tracepoint(names, trace, a0);
}

void ringtrace_ust_fire_names___core(int a0);
void ringtrace_ust_fire_names___core(int a0)
{
    tracepoint(names, core, a0);
}

void ringtrace_ust_fire_names___ringtrace(int a0);
void ringtrace_ust_fire_names___ringtrace(int a0)
{
    tracepoint(names, ringtrace, a0);
}

void ringtrace_ust_fire_names___main(int a0);
void ringtrace_ust_fire_names___main(int a0)
{
    tracepoint(names, main, a0);
}

void ringtrace_ust_fire_names___GROUP(int a0);
void ringtrace_ust_fire_names___GROUP(int a0)
{
    tracepoint(names, GROUP, a0);
}

void ringtrace_ust_fire_names___include(int a0);
void ringtrace_ust_fire_names___include(int a0)
{
    tracepoint(names, include, a0);
}

void ringtrace_ust_fire_names___concat(int a0);
void ringtrace_ust_fire_names___concat(int a0)
{
    tracepoint(names, concat, a0);
}

void ringtrace_ust_fire_names___env(int a0);
void ringtrace_ust_fire_names___env(int a0)
{
    tracepoint(names, env, a0);
}

void ringtrace_ust_fire_names___println(int a0);
void ringtrace_ust_fire_names___println(int a0)
{
    tracepoint(names, println, a0);
}

void ringtrace_ust_fire_names___inline(int a0);
void ringtrace_ust_fire_names___inline(int a0)
{
    tracepoint(names, inline, a0);
}

void ringtrace_ust_fire_names___allow(int a0);
void ringtrace_ust_fire_names___allow(int a0)
{
    tracepoint(names, allow, a0);
}

void ringtrace_ust_fire_names___derive(int a0);
void ringtrace_ust_fire_names___derive(int a0)
{
    tracepoint(names, derive, a0);
}

void ringtrace_ust_fire_names___macro_rules(int a0);
void ringtrace_ust_fire_names___macro_rules(int a0)
{
    tracepoint(names, macro_rules, a0);
}

void ringtrace_ust_fire_names___group(int a0);
void ringtrace_ust_fire_names___group(int a0)
{
    tracepoint(names, group, a0);
}

void ringtrace_ust_fire_names___u64(int a0);
void ringtrace_ust_fire_names___u64(int a0)
{
    tracepoint(names, u64, a0);
}

void ringtrace_ust_fire_names___str(int a0);
void ringtrace_ust_fire_names___str(int a0)
{
    tracepoint(names, str, a0);
}

void ringtrace_ust_fire_names___static_(int a0);
void ringtrace_ust_fire_names___static_(int a0)
{
    tracepoint(names, static_, a0);
}

void ringtrace_ust_fire_names___drop(int a0);
void ringtrace_ust_fire_names___drop(int a0)
{
    tracepoint(names, drop, a0);
}

void ringtrace_ust_fire_names___span(int a0);
void ringtrace_ust_fire_names___span(int a0)
{
    tracepoint(names, span, a0);
}
