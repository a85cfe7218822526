/*
 * Functions of root that translated code calls.
 * Generated from root.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "trace/trace-root.h"

void helper_trace_guest_step_exec_proxy(CPUArchState *__tcg___cpu, target_ulong pc)
{
    _nocheck__trace_guest_step_exec((CPUState *)env_cpu(__tcg___cpu), (uint64_t)pc);
}
