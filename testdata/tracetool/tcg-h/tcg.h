/*
 * Probes of tcg that the translator calls.
 * Generated from tcg.events. Make changes there.
 */

#ifndef TRACE_TCG_GENERATED_TCG_TRACERS_H
#define TRACE_TCG_GENERATED_TCG_TRACERS_H

#include "exec/helper-proto.h"
#include "trace.h"

static inline void trace_guest_load_tcg(void *__cpu, TCGv_env __tcg___cpu, TCGv addr, uint8_t size, void *where)
{
    trace_guest_load_trans(__cpu, size, where);
    if (trace_event_get_vcpu_state(__cpu, TRACE_GUEST_LOAD_EXEC)) {
        gen_helper_trace_guest_load_exec(__tcg___cpu, addr, size, where);
    }
}

static inline void trace_every_type_tcg(TCGv a, TCGv_i32 b, TCGv_i64 c, TCGv_ptr d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    trace_every_type_trans(e, f, g, h, i);
    gen_helper_trace_every_type_exec(a, b, c, d, e, f, g, h, i);
}

static inline void trace_cpu_alone_tcg(void *__cpu, TCGv_env __tcg___cpu)
{
    trace_cpu_alone_trans(__cpu);
    if (trace_event_get_vcpu_state(__cpu, TRACE_CPU_ALONE_EXEC)) {
        gen_helper_trace_cpu_alone_exec(__tcg___cpu);
    }
}

static inline void trace_nothing_tcg(void)
{
    trace_nothing_trans();
    gen_helper_trace_nothing_exec();
}

static inline void trace_known_late_tcg(TCGv_i64 a)
{
    trace_known_late_trans();
    gen_helper_trace_known_late_exec(a);
}

static inline void trace_known_early_tcg(uint16_t a)
{
    trace_known_early_trans(a);
    gen_helper_trace_known_early_exec(a);
}

static inline void trace_names_tcg(TCGv a, uint8_t __a, uint32_t if__, TCGv_ptr if_)
{
    trace_names_trans(__a, if__);
    gen_helper_trace_names_exec(a, __a, if__, if_);
}

static inline void trace_never_tcg(void *__cpu, TCGv_env __tcg___cpu, TCGv a, bool b, const char *c)
{
    (void)__cpu;
    (void)__tcg___cpu;
    (void)a;
    (void)b;
    (void)c;
}

static inline void trace_never_either_tcg(void)
{
}

#endif /* TRACE_TCG_GENERATED_TCG_TRACERS_H */
