/* A main() of QEMU's kind. */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "trace/simple.h"
#include "trace-demo.h"

int main(int argc, char **argv)
{
    int i;

    module_call_init(MODULE_INIT_TRACE);
    for (i = 1; i + 1 < argc && strcmp(argv[i], "--trace") == 0; i += 2) {
        trace_opt_parse(argv[i + 1]);
    }
    if (!trace_init_backends()) {
        return 1;
    }
    trace_init_file();
    trace_demo_two(1, 2);
    trace_demo_named(-3, "three");
    trace_demo_named(INT32_MIN, NULL);
    trace_demo_off();
    return 0;
}
