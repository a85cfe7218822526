/*
 * Writes lines from generated code to the kernel's trace.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <stdarg.h>

#include "text.h"
#include "trace/ftrace.h"

int trace_marker_fd = -1;

void ftrace_write(const char *fmt, ...)
{
    char text[MAX_TRACE_STRLEN];
    va_list arguments;

    va_start(arguments, fmt);
    ringtrace_format(ringtrace_ftrace_line, text, sizeof(text), fmt, arguments);
    va_end(arguments);
}
