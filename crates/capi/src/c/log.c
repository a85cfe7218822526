/*
 * The log, for generated code. In a file of its own, and weak: a program that has QEMU's log keeps it.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "qemu/log-for-trace.h"
#include "text.h"

/* As long as a line can be. Of a longer text the backend sees that it does not fit. */
#define TEXT_BYTES 4096

__attribute__((weak)) unsigned qemu_loglevel;

__attribute__((weak)) void qemu_log(const char *fmt, ...)
{
    int errno_before = errno;
    char text[TEXT_BYTES];
    va_list arguments;
    int length;

    va_start(arguments, fmt);
    length = vsnprintf(text, sizeof(text), fmt, arguments);
    va_end(arguments);
    if (length >= 0) {
        bool is_cut = (size_t)length >= sizeof(text);
        ringtrace_log_line(text, is_cut ? sizeof(text) - 1 : (size_t)length, is_cut);
    }
    errno = errno_before;
}
