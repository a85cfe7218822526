/* A C++ program that includes the library's headers and generated headers. */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "trace/simple.h"
#include "ringtrace.h"
#include "trace-demo.h"

struct Traced {
    Traced() { trace_demo_two(1, 2); }
    ~Traced() { trace_demo_two(5, 6); }
};

int main()
{
    trace_opt_parse("demo_*,file=t");
    if (!trace_init_backends()) {
        return 1;
    }
    Traced traced;
    if (trace_event_get_state_backends(TRACE_DEMO_NAMED)) {
        trace_demo_named(3, "plus");
    }
    return 0;
}
