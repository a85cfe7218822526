/*
 * Functions of tcg that translated code calls.
 * Generated from tcg.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "trace.h"

void helper_trace_guest_load_exec_proxy(CPUArchState *__tcg___cpu, target_ulong addr, uint32_t size, void *where)
{
    _nocheck__trace_guest_load_exec((CPUState *)env_cpu(__tcg___cpu), (uint64_t)addr, (uint8_t)size, (void *)where);
}

void helper_trace_every_type_exec_proxy(target_ulong a, uint32_t b, uint64_t c, void *d, uint32_t e, uint32_t f, uint32_t g, uint64_t h, void *i)
{
    _nocheck__trace_every_type_exec((uint64_t)a, (uint32_t)b, (uint64_t)c, (void *)d, (uint8_t)e, (uint16_t)f, (uint32_t)g, (uint64_t)h, (void *)i);
}

void helper_trace_cpu_alone_exec_proxy(CPUArchState *__tcg___cpu)
{
    _nocheck__trace_cpu_alone_exec((CPUState *)env_cpu(__tcg___cpu));
}

void helper_trace_nothing_exec_proxy(void)
{
    _nocheck__trace_nothing_exec();
}

void helper_trace_known_late_exec_proxy(uint64_t a)
{
    _nocheck__trace_known_late_exec((uint64_t)a);
}

void helper_trace_known_early_exec_proxy(uint32_t a)
{
    _nocheck__trace_known_early_exec((uint16_t)a);
}

void helper_trace_names_exec_proxy(target_ulong a, uint32_t __a, uint32_t if__, void *if_)
{
    _nocheck__trace_names_exec((uint64_t)a, (uint8_t)__a, (uint32_t)if__, (void *)if_);
}
