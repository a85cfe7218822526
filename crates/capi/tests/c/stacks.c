/* Calls probes in functions whose addresses it prints. */

#include <stdint.h>
#include <stdio.h>

#include "ringtrace.h"
#include "trace-demo.h"

__attribute__((noinline)) static void inner(int depth)
{
    trace_demo_two(depth, 2);
    trace_demo_named(depth, "inner");
    __asm__ volatile("");
}

__attribute__((noinline)) static void middle(int depth)
{
    inner(depth);
    __asm__ volatile("");
}

__attribute__((noinline)) static void outer(int depth)
{
    middle(depth);
    __asm__ volatile("");
}

int main(int argc, char **argv)
{
    if (ringtrace_start_with_args(&argc, argv) < 0) {
        return 1;
    }
    printf("%ju %ju %ju\n", (uintmax_t)(uintptr_t)inner, (uintmax_t)(uintptr_t)middle, (uintmax_t)(uintptr_t)outer);
    for (int i = 0; i < 3; i++) {
        outer(i);
    }
    return 0;
}
