/*
 * A program that defines the optional QEMU functions that the library calls. They print their arguments.
 * Each argument of the program is a step: see step().
 */
#include <stdarg.h>

#include "qemu/osdep.h"
#include "qemu/log-for-trace.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "trace/simple.h"
#include "ringtrace.h"
#include "trace-demo.h"

struct Monitor {
    int unused;
};
struct Error;

static struct Monitor monitor;
static struct Monitor *current;

struct Error *error_fatal;
unsigned qemu_loglevel;

struct Monitor *monitor_cur(void);
int qemu_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warn_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void error_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
bool qemu_set_log_filename(const char *filename, struct Error **errp);

struct Monitor *monitor_cur(void)
{
    return current;
}

#define PRINT(function)         \
    va_list arguments;          \
    va_start(arguments, fmt);   \
    printf("%s: ", function);   \
    vprintf(fmt, arguments);    \
    va_end(arguments)

int qemu_printf(const char *fmt, ...)
{
    PRINT("qemu_printf");
    return 0;
}

void warn_report(const char *fmt, ...)
{
    PRINT("warn_report");
    printf("\n");
}

void error_report(const char *fmt, ...)
{
    PRINT("error_report");
    printf("\n");
}

void qemu_log(const char *fmt, ...)
{
    PRINT("qemu_log");
}

bool qemu_set_log_filename(const char *filename, struct Error **errp)
{
    printf("qemu_set_log_filename: %s%s\n", filename, errp == &error_fatal ? " or exit" : "");
    return true;
}

static void step(const char *word)
{
    const char *value = strchr(word, '=');

    value = value == NULL ? "" : value + 1;
    if (strncmp(word, "trace=", 6) == 0) {
        trace_opt_parse(value);
    } else if (strcmp(word, "backends") == 0) {
        printf("backends: %d\n", trace_init_backends());
    } else if (strcmp(word, "file") == 0) {
        trace_init_file();
    } else if (strncmp(word, "monitor=", 8) == 0) {
        current = strcmp(value, "on") == 0 ? &monitor : NULL;
    } else if (strncmp(word, "enable=", 7) == 0) {
        trace_enable_events(value);
    } else if (strcmp(word, "status") == 0) {
        st_print_trace_file_status();
    } else if (strncmp(word, "set=", 4) == 0) {
        st_set_trace_file(value);
    } else if (strcmp(word, "emit") == 0) {
        trace_demo_two(1, 2);
    } else if (strcmp(word, "serve") == 0) {
        printf("serve: %d\n", ringtrace_monitor(NULL));
        fflush(stdout);
    } else if (strcmp(word, "wait") == 0) {
        getchar();
    } else {
        exit(2);
    }
}

int main(int argc, char **argv)
{
    int i;

    module_call_init(MODULE_INIT_TRACE);
    for (i = 1; i < argc; i++) {
        step(argv[i]);
    }
    printf("the end\n");
    return 0;
}
