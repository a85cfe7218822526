/*
 * The log, for generated code. In a file of its own, and weak: a program that has QEMU's log keeps it.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <stdarg.h>

#include "qemu/log-for-trace.h"
#include "text.h"

/* As long as a line can be. Of a longer text the backend sees that it does not fit. */
#define TEXT_BYTES 4096

__attribute__((weak)) unsigned qemu_loglevel;

__attribute__((weak)) void qemu_log(const char *fmt, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;

    va_start(arguments, fmt);
    ringtrace_format(ringtrace_log_line, text, sizeof(text), fmt, arguments);
    va_end(arguments);
}
