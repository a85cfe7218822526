/*
 * Formats lines in C.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <errno.h>
#include <stdio.h>

#include "text.h"

void ringtrace_format(ringtrace_line *line, char *buffer, size_t bytes, const char *fmt, va_list arguments)
{
    int errno_before = errno;
    int length = vsnprintf(buffer, bytes, fmt, arguments);

    if (length >= 0) {
        bool is_cut = (size_t)length >= bytes;
        line(buffer, is_cut ? bytes - 1 : (size_t)length, is_cut);
    }
    errno = errno_before;
}
