/*
 * The events of the group names.
 * Generated from names.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-names.h"

uint16_t _TRACE_ARGUMENTS_DSTATE;
TraceEvent _TRACE_ARGUMENTS_EVENT = {
    .id = 0,
    .name = "arguments",
    .sstate = TRACE_ARGUMENTS_ENABLED,
    .dstate = &_TRACE_ARGUMENTS_DSTATE,
};

uint16_t _TRACE_PRELUDE_DSTATE;
TraceEvent _TRACE_PRELUDE_EVENT = {
    .id = 0,
    .name = "prelude",
    .sstate = TRACE_PRELUDE_ENABLED,
    .dstate = &_TRACE_PRELUDE_DSTATE,
};

uint16_t _TRACE_BODIES_DSTATE;
TraceEvent _TRACE_BODIES_EVENT = {
    .id = 0,
    .name = "bodies",
    .sstate = TRACE_BODIES_ENABLED,
    .dstate = &_TRACE_BODIES_DSTATE,
};

uint16_t _TRACE_PROBES_DSTATE;
TraceEvent _TRACE_PROBES_EVENT = {
    .id = 0,
    .name = "probes",
    .sstate = TRACE_PROBES_ENABLED,
    .dstate = &_TRACE_PROBES_DSTATE,
};

uint16_t _TRACE_TWICE_DSTATE;
TraceEvent _TRACE_TWICE_EVENT = {
    .id = 0,
    .name = "twice",
    .sstate = TRACE_TWICE_ENABLED,
    .dstate = &_TRACE_TWICE_DSTATE,
};

uint16_t _TRACE_TYPE_DSTATE;
TraceEvent _TRACE_TYPE_EVENT = {
    .id = 0,
    .name = "type",
    .sstate = TRACE_TYPE_ENABLED,
    .dstate = &_TRACE_TYPE_DSTATE,
};

uint16_t _TRACE_FN_DSTATE;
TraceEvent _TRACE_FN_EVENT = {
    .id = 0,
    .name = "fn",
    .sstate = TRACE_FN_ENABLED,
    .dstate = &_TRACE_FN_DSTATE,
};

uint16_t _TRACE_SELF_DSTATE;
TraceEvent _TRACE_SELF_EVENT = {
    .id = 0,
    .name = "self",
    .sstate = TRACE_SELF_ENABLED,
    .dstate = &_TRACE_SELF_DSTATE,
};

uint16_t _TRACE_SELF_DSTATE;
TraceEvent _TRACE_SELF_EVENT = {
    .id = 0,
    .name = "Self",
    .sstate = TRACE_SELF_ENABLED,
    .dstate = &_TRACE_SELF_DSTATE,
};

uint16_t _TRACE_CRATE_DSTATE;
TraceEvent _TRACE_CRATE_EVENT = {
    .id = 0,
    .name = "crate",
    .sstate = TRACE_CRATE_ENABLED,
    .dstate = &_TRACE_CRATE_DSTATE,
};

uint16_t _TRACE___DSTATE;
TraceEvent _TRACE___EVENT = {
    .id = 0,
    .name = "_",
    .sstate = TRACE___ENABLED,
    .dstate = &_TRACE___DSTATE,
};

uint16_t _TRACE_9P_DSTATE;
TraceEvent _TRACE_9P_EVENT = {
    .id = 0,
    .name = "9p",
    .sstate = TRACE_9P_ENABLED,
    .dstate = &_TRACE_9P_DSTATE,
};

uint16_t _TRACE_SOME_DSTATE;
TraceEvent _TRACE_SOME_EVENT = {
    .id = 0,
    .name = "Some",
    .sstate = TRACE_SOME_ENABLED,
    .dstate = &_TRACE_SOME_DSTATE,
};

uint16_t _TRACE_NONE_DSTATE;
TraceEvent _TRACE_NONE_EVENT = {
    .id = 0,
    .name = "None",
    .sstate = TRACE_NONE_ENABLED,
    .dstate = &_TRACE_NONE_DSTATE,
};

uint16_t _TRACE_UPPER_DSTATE;
TraceEvent _TRACE_UPPER_EVENT = {
    .id = 0,
    .name = "UPPER",
    .sstate = TRACE_UPPER_ENABLED,
    .dstate = &_TRACE_UPPER_DSTATE,
};

uint16_t _TRACE_MIXEDCASE_DSTATE;
TraceEvent _TRACE_MIXEDCASE_EVENT = {
    .id = 0,
    .name = "mixedCase",
    .sstate = TRACE_MIXEDCASE_ENABLED,
    .dstate = &_TRACE_MIXEDCASE_DSTATE,
};

uint16_t _TRACE__X_DSTATE;
TraceEvent _TRACE__X_EVENT = {
    .id = 0,
    .name = "_x",
    .sstate = TRACE__X_ENABLED,
    .dstate = &_TRACE__X_DSTATE,
};

uint16_t _TRACE___X_DSTATE;
TraceEvent _TRACE___X_EVENT = {
    .id = 0,
    .name = "__x",
    .sstate = TRACE___X_ENABLED,
    .dstate = &_TRACE___X_DSTATE,
};

uint16_t _TRACE_X_DSTATE;
TraceEvent _TRACE_X_EVENT = {
    .id = 0,
    .name = "x",
    .sstate = TRACE_X_ENABLED,
    .dstate = &_TRACE_X_DSTATE,
};

uint16_t _TRACE_EMIT_DSTATE;
TraceEvent _TRACE_EMIT_EVENT = {
    .id = 0,
    .name = "emit",
    .sstate = TRACE_EMIT_ENABLED,
    .dstate = &_TRACE_EMIT_DSTATE,
};

uint16_t _TRACE_EMIT_X_DSTATE;
TraceEvent _TRACE_EMIT_X_EVENT = {
    .id = 0,
    .name = "emit_x",
    .sstate = TRACE_EMIT_X_ENABLED,
    .dstate = &_TRACE_EMIT_X_DSTATE,
};

uint16_t _TRACE_EVENTS_DSTATE;
TraceEvent _TRACE_EVENTS_EVENT = {
    .id = 0,
    .name = "events",
    .sstate = TRACE_EVENTS_ENABLED,
    .dstate = &_TRACE_EVENTS_DSTATE,
};

uint16_t _TRACE_MACROS_DSTATE;
TraceEvent _TRACE_MACROS_EVENT = {
    .id = 0,
    .name = "macros",
    .sstate = TRACE_MACROS_ENABLED,
    .dstate = &_TRACE_MACROS_DSTATE,
};

uint16_t _TRACE_TRACE_DSTATE;
TraceEvent _TRACE_TRACE_EVENT = {
    .id = 0,
    .name = "trace",
    .sstate = TRACE_TRACE_ENABLED,
    .dstate = &_TRACE_TRACE_DSTATE,
};

uint16_t _TRACE_CORE_DSTATE;
TraceEvent _TRACE_CORE_EVENT = {
    .id = 0,
    .name = "core",
    .sstate = TRACE_CORE_ENABLED,
    .dstate = &_TRACE_CORE_DSTATE,
};

uint16_t _TRACE_RINGTRACE_DSTATE;
TraceEvent _TRACE_RINGTRACE_EVENT = {
    .id = 0,
    .name = "ringtrace",
    .sstate = TRACE_RINGTRACE_ENABLED,
    .dstate = &_TRACE_RINGTRACE_DSTATE,
};

uint16_t _TRACE_MAIN_DSTATE;
TraceEvent _TRACE_MAIN_EVENT = {
    .id = 0,
    .name = "main",
    .sstate = TRACE_MAIN_ENABLED,
    .dstate = &_TRACE_MAIN_DSTATE,
};

uint16_t _TRACE_GROUP_DSTATE;
TraceEvent _TRACE_GROUP_EVENT = {
    .id = 0,
    .name = "GROUP",
    .sstate = TRACE_GROUP_ENABLED,
    .dstate = &_TRACE_GROUP_DSTATE,
};

uint16_t _TRACE_INCLUDE_DSTATE;
TraceEvent _TRACE_INCLUDE_EVENT = {
    .id = 0,
    .name = "include",
    .sstate = TRACE_INCLUDE_ENABLED,
    .dstate = &_TRACE_INCLUDE_DSTATE,
};

uint16_t _TRACE_CONCAT_DSTATE;
TraceEvent _TRACE_CONCAT_EVENT = {
    .id = 0,
    .name = "concat",
    .sstate = TRACE_CONCAT_ENABLED,
    .dstate = &_TRACE_CONCAT_DSTATE,
};

uint16_t _TRACE_ENV_DSTATE;
TraceEvent _TRACE_ENV_EVENT = {
    .id = 0,
    .name = "env",
    .sstate = TRACE_ENV_ENABLED,
    .dstate = &_TRACE_ENV_DSTATE,
};

uint16_t _TRACE_PRINTLN_DSTATE;
TraceEvent _TRACE_PRINTLN_EVENT = {
    .id = 0,
    .name = "println",
    .sstate = TRACE_PRINTLN_ENABLED,
    .dstate = &_TRACE_PRINTLN_DSTATE,
};

uint16_t _TRACE_INLINE_DSTATE;
TraceEvent _TRACE_INLINE_EVENT = {
    .id = 0,
    .name = "inline",
    .sstate = TRACE_INLINE_ENABLED,
    .dstate = &_TRACE_INLINE_DSTATE,
};

uint16_t _TRACE_ALLOW_DSTATE;
TraceEvent _TRACE_ALLOW_EVENT = {
    .id = 0,
    .name = "allow",
    .sstate = TRACE_ALLOW_ENABLED,
    .dstate = &_TRACE_ALLOW_DSTATE,
};

uint16_t _TRACE_DERIVE_DSTATE;
TraceEvent _TRACE_DERIVE_EVENT = {
    .id = 0,
    .name = "derive",
    .sstate = TRACE_DERIVE_ENABLED,
    .dstate = &_TRACE_DERIVE_DSTATE,
};

uint16_t _TRACE_MACRO_RULES_DSTATE;
TraceEvent _TRACE_MACRO_RULES_EVENT = {
    .id = 0,
    .name = "macro_rules",
    .sstate = TRACE_MACRO_RULES_ENABLED,
    .dstate = &_TRACE_MACRO_RULES_DSTATE,
};

uint16_t _TRACE_GROUP_DSTATE;
TraceEvent _TRACE_GROUP_EVENT = {
    .id = 0,
    .name = "group",
    .sstate = TRACE_GROUP_ENABLED,
    .dstate = &_TRACE_GROUP_DSTATE,
};

uint16_t _TRACE_U64_DSTATE;
TraceEvent _TRACE_U64_EVENT = {
    .id = 0,
    .name = "u64",
    .sstate = TRACE_U64_ENABLED,
    .dstate = &_TRACE_U64_DSTATE,
};

uint16_t _TRACE_STR_DSTATE;
TraceEvent _TRACE_STR_EVENT = {
    .id = 0,
    .name = "str",
    .sstate = TRACE_STR_ENABLED,
    .dstate = &_TRACE_STR_DSTATE,
};

uint16_t _TRACE_STATIC__DSTATE;
TraceEvent _TRACE_STATIC__EVENT = {
    .id = 0,
    .name = "static_",
    .sstate = TRACE_STATIC__ENABLED,
    .dstate = &_TRACE_STATIC__DSTATE,
};

uint16_t _TRACE_DROP_DSTATE;
TraceEvent _TRACE_DROP_EVENT = {
    .id = 0,
    .name = "drop",
    .sstate = TRACE_DROP_ENABLED,
    .dstate = &_TRACE_DROP_DSTATE,
};

uint16_t _TRACE_SPAN_DSTATE;
TraceEvent _TRACE_SPAN_EVENT = {
    .id = 0,
    .name = "span",
    .sstate = TRACE_SPAN_ENABLED,
    .dstate = &_TRACE_SPAN_DSTATE,
};

TraceEvent *names_trace_events[] = {
    &_TRACE_ARGUMENTS_EVENT,
    &_TRACE_PRELUDE_EVENT,
    &_TRACE_BODIES_EVENT,
    &_TRACE_PROBES_EVENT,
    &_TRACE_TWICE_EVENT,
    &_TRACE_TYPE_EVENT,
    &_TRACE_FN_EVENT,
    &_TRACE_SELF_EVENT,
    &_TRACE_SELF_EVENT,
    &_TRACE_CRATE_EVENT,
    &_TRACE___EVENT,
    &_TRACE_9P_EVENT,
    &_TRACE_SOME_EVENT,
    &_TRACE_NONE_EVENT,
    &_TRACE_UPPER_EVENT,
    &_TRACE_MIXEDCASE_EVENT,
    &_TRACE__X_EVENT,
    &_TRACE___X_EVENT,
    &_TRACE_X_EVENT,
    &_TRACE_EMIT_EVENT,
    &_TRACE_EMIT_X_EVENT,
    &_TRACE_EVENTS_EVENT,
    &_TRACE_MACROS_EVENT,
    &_TRACE_TRACE_EVENT,
    &_TRACE_CORE_EVENT,
    &_TRACE_RINGTRACE_EVENT,
    &_TRACE_MAIN_EVENT,
    &_TRACE_GROUP_EVENT,
    &_TRACE_INCLUDE_EVENT,
    &_TRACE_CONCAT_EVENT,
    &_TRACE_ENV_EVENT,
    &_TRACE_PRINTLN_EVENT,
    &_TRACE_INLINE_EVENT,
    &_TRACE_ALLOW_EVENT,
    &_TRACE_DERIVE_EVENT,
    &_TRACE_MACRO_RULES_EVENT,
    &_TRACE_GROUP_EVENT,
    &_TRACE_U64_EVENT,
    &_TRACE_STR_EVENT,
    &_TRACE_STATIC__EVENT,
    &_TRACE_DROP_EVENT,
    &_TRACE_SPAN_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const names_trace_declarations[] = {
    "arguments(int type, int fn, int self, int Self, int crate, int super, int _, int gen, int size, int len) \"%d %d %d %d %d %d %d %d %d %d\"",
    "prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option) \"%d %d %d %d %d %d %d\"",
    "bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core) \"%d %d %d %d %d %d %d %d\"",
    "probes(int probes, int bodies, int GROUP, int ENTER, int event) \"%d %d %d %d %d\"",
    "twice(int a, int a, int a_) \"%d %d %d\"",
    "type(int type) \"%d\"",
    "fn(int x) \"%d\"",
    "self(int x) \"%d\"",
    "Self(int x) \"%d\"",
    "crate(int x) \"%d\"",
    "_(int x) \"%d\"",
    "9p(int x) \"%d\"",
    "Some(int x) \"%d\"",
    "None(int x) \"%d\"",
    "UPPER(int X) \"%d\"",
    "mixedCase(int argumentToo) \"%d\"",
    "_x(int x) \"%d\"",
    "__x(int x) \"%d\"",
    "x(int x) \"%d\"",
    "emit(int x) \"%d\"",
    "emit_x(int x) \"%d\"",
    "events(int x) \"%d\"",
    "macros(int x) \"%d\"",
    "trace(int x) \"%d\"",
    "core(int x) \"%d\"",
    "ringtrace(int x) \"%d\"",
    "main(int x) \"%d\"",
    "GROUP(int x) \"%d\"",
    "include(int x) \"%d\"",
    "concat(int x) \"%d\"",
    "env(int x) \"%d\"",
    "println(int x) \"%d\"",
    "inline(int x) \"%d\"",
    "allow(int x) \"%d\"",
    "derive(int x) \"%d\"",
    "macro_rules(int x) \"%d\"",
    "group(int x) \"%d\"",
    "u64(int x) \"%d\"",
    "str(int x) \"%d\"",
    "static_(int x) \"%d\"",
    "drop(int x) \"%d\"",
    "span(int x) \"%d\"",
    NULL,
};
RINGTRACE_DESCRIBE(names, "names", "nop,dtrace,ftrace,log,simple,syslog,ust")
#endif

static void trace_names_register_events(void)
{
    trace_event_register_group(names_trace_events);
}
trace_init(trace_names_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_arguments(int type, int fn, int self, int Self, int crate, int super, int _, int gen, int size, int len)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_ARGUMENTS_EVENT.id, 10 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)type);
    trace_record_write_u64(&rec, (uint64_t)fn);
    trace_record_write_u64(&rec, (uint64_t)self);
    trace_record_write_u64(&rec, (uint64_t)Self);
    trace_record_write_u64(&rec, (uint64_t)crate);
    trace_record_write_u64(&rec, (uint64_t)super);
    trace_record_write_u64(&rec, (uint64_t)_);
    trace_record_write_u64(&rec, (uint64_t)gen);
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_write_u64(&rec, (uint64_t)len);
    trace_record_finish(&rec);
}

void _simple_trace_arguments(int type, int fn, int self, int Self, int crate, int super, int _, int gen, int size, int len)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_ARGUMENTS_EVENT.id, 10 * 8)) {
        _slow_simple_trace_arguments(type, fn, self, Self, crate, super, _, gen, size, len);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)type);
    trace_record_write_u64(&rec, (uint64_t)fn);
    trace_record_write_u64(&rec, (uint64_t)self);
    trace_record_write_u64(&rec, (uint64_t)Self);
    trace_record_write_u64(&rec, (uint64_t)crate);
    trace_record_write_u64(&rec, (uint64_t)super);
    trace_record_write_u64(&rec, (uint64_t)_);
    trace_record_write_u64(&rec, (uint64_t)gen);
    trace_record_write_u64(&rec, (uint64_t)size);
    trace_record_write_u64(&rec, (uint64_t)len);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_PRELUDE_EVENT.id, 7 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)None);
    trace_record_write_u64(&rec, (uint64_t)Some);
    trace_record_write_u64(&rec, (uint64_t)Ok);
    trace_record_write_u64(&rec, (uint64_t)Err);
    trace_record_write_u64(&rec, (uint64_t)u64);
    trace_record_write_u64(&rec, (uint64_t)str);
    trace_record_write_u64(&rec, (uint64_t)Option);
    trace_record_finish(&rec);
}

void _simple_trace_prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_PRELUDE_EVENT.id, 7 * 8)) {
        _slow_simple_trace_prelude(None, Some, Ok, Err, u64, str, Option);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)None);
    trace_record_write_u64(&rec, (uint64_t)Some);
    trace_record_write_u64(&rec, (uint64_t)Ok);
    trace_record_write_u64(&rec, (uint64_t)Err);
    trace_record_write_u64(&rec, (uint64_t)u64);
    trace_record_write_u64(&rec, (uint64_t)str);
    trace_record_write_u64(&rec, (uint64_t)Option);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_BODIES_EVENT.id, 8 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)emit);
    trace_record_write_u64(&rec, (uint64_t)emit_);
    trace_record_write_u64(&rec, (uint64_t)events);
    trace_record_write_u64(&rec, (uint64_t)macros);
    trace_record_write_u64(&rec, (uint64_t)trace);
    trace_record_write_u64(&rec, (uint64_t)record);
    trace_record_write_u64(&rec, (uint64_t)ringtrace);
    trace_record_write_u64(&rec, (uint64_t)core);
    trace_record_finish(&rec);
}

void _simple_trace_bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_BODIES_EVENT.id, 8 * 8)) {
        _slow_simple_trace_bodies(emit, emit_, events, macros, trace, record, ringtrace, core);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)emit);
    trace_record_write_u64(&rec, (uint64_t)emit_);
    trace_record_write_u64(&rec, (uint64_t)events);
    trace_record_write_u64(&rec, (uint64_t)macros);
    trace_record_write_u64(&rec, (uint64_t)trace);
    trace_record_write_u64(&rec, (uint64_t)record);
    trace_record_write_u64(&rec, (uint64_t)ringtrace);
    trace_record_write_u64(&rec, (uint64_t)core);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_probes(int probes, int bodies, int GROUP, int ENTER, int event)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_PROBES_EVENT.id, 5 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)probes);
    trace_record_write_u64(&rec, (uint64_t)bodies);
    trace_record_write_u64(&rec, (uint64_t)GROUP);
    trace_record_write_u64(&rec, (uint64_t)ENTER);
    trace_record_write_u64(&rec, (uint64_t)event);
    trace_record_finish(&rec);
}

void _simple_trace_probes(int probes, int bodies, int GROUP, int ENTER, int event)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_PROBES_EVENT.id, 5 * 8)) {
        _slow_simple_trace_probes(probes, bodies, GROUP, ENTER, event);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)probes);
    trace_record_write_u64(&rec, (uint64_t)bodies);
    trace_record_write_u64(&rec, (uint64_t)GROUP);
    trace_record_write_u64(&rec, (uint64_t)ENTER);
    trace_record_write_u64(&rec, (uint64_t)event);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_twice(int a, int a__, int a_)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_TWICE_EVENT.id, 3 * 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)a__);
    trace_record_write_u64(&rec, (uint64_t)a_);
    trace_record_finish(&rec);
}

void _simple_trace_twice(int a, int a__, int a_)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_TWICE_EVENT.id, 3 * 8)) {
        _slow_simple_trace_twice(a, a__, a_);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)a);
    trace_record_write_u64(&rec, (uint64_t)a__);
    trace_record_write_u64(&rec, (uint64_t)a_);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_type(int type)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_TYPE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)type);
    trace_record_finish(&rec);
}

void _simple_trace_type(int type)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_TYPE_EVENT.id, 8)) {
        _slow_simple_trace_type(type);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)type);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_fn(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_FN_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_fn(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_FN_EVENT.id, 8)) {
        _slow_simple_trace_fn(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_self(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SELF_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_self(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SELF_EVENT.id, 8)) {
        _slow_simple_trace_self(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_Self(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SELF_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_Self(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SELF_EVENT.id, 8)) {
        _slow_simple_trace_Self(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_crate(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_CRATE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_crate(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_CRATE_EVENT.id, 8)) {
        _slow_simple_trace_crate(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace__(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE___EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace__(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE___EVENT.id, 8)) {
        _slow_simple_trace__(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_9p(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_9P_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_9p(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_9P_EVENT.id, 8)) {
        _slow_simple_trace_9p(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_Some(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SOME_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_Some(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SOME_EVENT.id, 8)) {
        _slow_simple_trace_Some(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_None(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_NONE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_None(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_NONE_EVENT.id, 8)) {
        _slow_simple_trace_None(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_UPPER(int X)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_UPPER_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)X);
    trace_record_finish(&rec);
}

void _simple_trace_UPPER(int X)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_UPPER_EVENT.id, 8)) {
        _slow_simple_trace_UPPER(X);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)X);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_mixedCase(int argumentToo)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_MIXEDCASE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)argumentToo);
    trace_record_finish(&rec);
}

void _simple_trace_mixedCase(int argumentToo)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_MIXEDCASE_EVENT.id, 8)) {
        _slow_simple_trace_mixedCase(argumentToo);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)argumentToo);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace__x(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE__X_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace__x(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE__X_EVENT.id, 8)) {
        _slow_simple_trace__x(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace___x(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE___X_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace___x(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE___X_EVENT.id, 8)) {
        _slow_simple_trace___x(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_x(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_X_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_x(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_X_EVENT.id, 8)) {
        _slow_simple_trace_x(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_emit(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_EMIT_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_emit(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_EMIT_EVENT.id, 8)) {
        _slow_simple_trace_emit(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_emit_x(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_EMIT_X_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_emit_x(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_EMIT_X_EVENT.id, 8)) {
        _slow_simple_trace_emit_x(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_events(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_EVENTS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_events(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_EVENTS_EVENT.id, 8)) {
        _slow_simple_trace_events(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_macros(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_MACROS_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_macros(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_MACROS_EVENT.id, 8)) {
        _slow_simple_trace_macros(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_trace(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_TRACE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_trace(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_TRACE_EVENT.id, 8)) {
        _slow_simple_trace_trace(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_core(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_CORE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_core(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_CORE_EVENT.id, 8)) {
        _slow_simple_trace_core(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_ringtrace(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_RINGTRACE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_ringtrace(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_RINGTRACE_EVENT.id, 8)) {
        _slow_simple_trace_ringtrace(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_main(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_MAIN_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_main(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_MAIN_EVENT.id, 8)) {
        _slow_simple_trace_main(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_GROUP(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_GROUP_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_GROUP(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_GROUP_EVENT.id, 8)) {
        _slow_simple_trace_GROUP(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_include(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_INCLUDE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_include(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_INCLUDE_EVENT.id, 8)) {
        _slow_simple_trace_include(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_concat(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_CONCAT_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_concat(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_CONCAT_EVENT.id, 8)) {
        _slow_simple_trace_concat(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_env(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_ENV_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_env(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_ENV_EVENT.id, 8)) {
        _slow_simple_trace_env(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_println(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_PRINTLN_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_println(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_PRINTLN_EVENT.id, 8)) {
        _slow_simple_trace_println(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_inline(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_INLINE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_inline(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_INLINE_EVENT.id, 8)) {
        _slow_simple_trace_inline(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_allow(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_ALLOW_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_allow(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_ALLOW_EVENT.id, 8)) {
        _slow_simple_trace_allow(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_derive(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_DERIVE_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_derive(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_DERIVE_EVENT.id, 8)) {
        _slow_simple_trace_derive(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_macro_rules(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_MACRO_RULES_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_macro_rules(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_MACRO_RULES_EVENT.id, 8)) {
        _slow_simple_trace_macro_rules(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_group(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_GROUP_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_group(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_GROUP_EVENT.id, 8)) {
        _slow_simple_trace_group(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_u64(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_U64_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_u64(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_U64_EVENT.id, 8)) {
        _slow_simple_trace_u64(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_str(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_STR_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_str(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_STR_EVENT.id, 8)) {
        _slow_simple_trace_str(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_static_(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_STATIC__EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_static_(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_STATIC__EVENT.id, 8)) {
        _slow_simple_trace_static_(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_drop(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_DROP_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_drop(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_DROP_EVENT.id, 8)) {
        _slow_simple_trace_drop(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_span(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_SPAN_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_span(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_SPAN_EVENT.id, 8)) {
        _slow_simple_trace_span(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}
