/*
 * A main() like QEMU's. Each letter of the first argument is a step, so the steps can be in any order. The other
 * arguments are values of --trace.
 */
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "trace/simple.h"
#include "trace-demo.h"

static void step(char letter, int count, char **options)
{
    int i;

    switch (letter) {
    case 'm':
        module_call_init(MODULE_INIT_TRACE);
        break;
    case 'p':
        for (i = 0; i < count; i++) {
            trace_opt_parse(options[i]);
        }
        break;
    case 'b':
        if (!trace_init_backends()) {
            exit(1);
        }
        break;
    case 'f':
        trace_init_file();
        break;
    case 'd': /* Continues in a child process. The parent waits for it, so that a test can wait for the parent. */
        i = fork();
        if (i != 0) {
            waitpid(i, &i, 0);
            exit(WEXITSTATUS(i));
        }
        break;
    case 'a':
        trace_enable_events("demo_*");
        break;
    case 's':
        st_set_trace_file("set");
        break;
    case '1':
    case '0':
        st_set_trace_file_enabled(letter == '1');
        break;
    case 'i':
        st_init();
        st_init_group(0);
        break;
    case 'e':
        trace_demo_two(1, 2);
        trace_demo_named(-3, "three");
        trace_demo_named(INT32_MIN, NULL);
        trace_demo_off();
        break;
    default:
        exit(2);
    }
}

int main(int argc, char **argv)
{
    const char *letter;

    for (letter = argv[1]; argc > 1 && *letter != '\0'; letter++) {
        step(*letter, argc - 2, argv + 2);
    }
    return 0;
}
