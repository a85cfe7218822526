/*
 * Functions of QEMU that this library calls if the program defines them.
 *
 * Some of their names are too common to be sure that a function is QEMU's, so all of them are used only if
 * monitor_cur() is defined as well.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

struct Monitor;
struct Error;

__attribute__((weak)) struct Monitor *monitor_cur(void);
__attribute__((weak, format(printf, 1, 2))) int qemu_printf(const char *fmt, ...);
__attribute__((weak, format(printf, 1, 2))) void warn_report(const char *fmt, ...);
__attribute__((weak, format(printf, 1, 2))) void error_report(const char *fmt, ...);
/* This returned nothing in older versions, so the result is not used. */
__attribute__((weak)) bool qemu_set_log_filename(const char *filename, struct Error **errp);
/* If `errp` is the address of this variable, QEMU prints the reason and exits. */
extern struct Error *error_fatal __attribute__((weak));

bool ringtrace_host_has_monitor(void)
{
    return monitor_cur != NULL && monitor_cur() != NULL;
}

void ringtrace_host_print(const char *fmt, ...)
{
    va_list arguments;
    char *text = NULL;
    int length;

    va_start(arguments, fmt);
    if (monitor_cur == NULL || qemu_printf == NULL) {
        vprintf(fmt, arguments);
    } else {
        length = vasprintf(&text, fmt, arguments);
        if (length >= 0) {
            qemu_printf("%s", text);
            free(text);
        }
    }
    va_end(arguments);
}

bool ringtrace_host_report(bool is_warning, const char *text)
{
    if (monitor_cur == NULL || warn_report == NULL || error_report == NULL) {
        return false;
    }
    if (is_warning) {
        warn_report("%s", text);
    } else {
        error_report("%s", text);
    }
    return true;
}

bool ringtrace_host_has_log_file(void)
{
    return monitor_cur != NULL && qemu_set_log_filename != NULL;
}

void ringtrace_host_open_log_file(const char *path)
{
    struct Error *error = NULL;

    qemu_set_log_filename(path, &error_fatal != NULL ? &error_fatal : &error);
    if (error != NULL) {
        fprintf(stderr, "cannot open log file %s\n", path);
        exit(1);
    }
}
