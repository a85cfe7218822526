/* Loops like those in burst.rs. */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-cost_c.h"

/* Prevents the compiler from merging a step with the next one. */
#define STEP(number) __asm__ volatile("" : : "r"(number) : "memory")

void ringtrace_bench_register(void);
void ringtrace_bench_two(uint64_t events);
void ringtrace_bench_string(uint64_t events, const char *text);
void ringtrace_bench_off(uint64_t events);

void ringtrace_bench_register(void)
{
    module_call_init(MODULE_INIT_TRACE);
}

void ringtrace_bench_two(uint64_t events)
{
    for (uint64_t number = 0; number < events; number++) {
        trace_cost_c_two(number, number * 7);
        STEP(number);
    }
}

void ringtrace_bench_string(uint64_t events, const char *text)
{
    for (uint64_t number = 0; number < events; number++) {
        trace_cost_c_string(text, number);
        STEP(number);
    }
}

void ringtrace_bench_off(uint64_t events)
{
    for (uint64_t number = 0; number < events; number++) {
        trace_cost_c_off(number, number * 7);
        STEP(number);
    }
}
