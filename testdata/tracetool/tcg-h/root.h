/*
 * Probes of root that the translator calls.
 * Generated from root.events. Make changes there.
 */

#ifndef TRACE_ROOT_GENERATED_TCG_TRACERS_H
#define TRACE_ROOT_GENERATED_TCG_TRACERS_H

#include "exec/helper-proto.h"
#include "trace/trace-root.h"

static inline void trace_guest_step_tcg(void *__cpu, TCGv_env __tcg___cpu, TCGv pc)
{
    trace_guest_step_trans(__cpu);
    if (trace_event_get_vcpu_state(__cpu, TRACE_GUEST_STEP_EXEC)) {
        gen_helper_trace_guest_step_exec(__tcg___cpu, pc);
    }
}

#endif /* TRACE_ROOT_GENERATED_TCG_TRACERS_H */
