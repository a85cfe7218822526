/*
 * The kernel's trace, for generated code.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "text.h"
#include "trace/ftrace.h"

int trace_marker_fd = -1;

void ftrace_write(const char *fmt, ...)
{
    int errno_before = errno;
    char text[MAX_TRACE_STRLEN];
    va_list arguments;
    int length;

    va_start(arguments, fmt);
    length = vsnprintf(text, sizeof(text), fmt, arguments);
    va_end(arguments);
    if (length >= 0) {
        bool is_cut = (size_t)length >= sizeof(text);
        ringtrace_ftrace_line(text, is_cut ? sizeof(text) - 1 : (size_t)length, is_cut);
    }
    errno = errno_before;
}
