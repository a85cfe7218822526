/* Functions that contain only probes, for examining their instructions. */
#include "qemu/osdep.h"
#include "trace-demo.h"

void probe_two(uint64_t a, uint64_t b);
void probe_named(int n, const char *name);
void probe_off(void);

void probe_two(uint64_t a, uint64_t b)
{
    trace_demo_two(a, b);
}

void probe_named(int n, const char *name)
{
    trace_demo_named(n, name);
}

void probe_off(void)
{
    trace_demo_off();
}
