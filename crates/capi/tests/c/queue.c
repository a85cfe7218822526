/* A program with its own queue of registration functions, like QEMU's, but with different type numbers. */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "trace-demo.h"

static void (*queued)(void);
static int calls;

void register_module_init(void (*fn)(void), module_init_type type)
{
    (void)type;
    queued = fn;
}

void module_call_init(module_init_type type)
{
    (void)type;
    calls++;
    queued();
}

int main(int argc, char *argv[])
{
    if (argc != 2) {
        return 2;
    }
    module_call_init(MODULE_INIT_TRACE);
    trace_opt_parse(argv[1]);
    if (!trace_init_backends()) {
        return 1;
    }
    trace_init_file();
    trace_list_events(stdout);
    trace_demo_two(1, 2);
    return calls == 1 ? 0 : 3;
}
