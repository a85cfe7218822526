/*
 * The log for generated code. It is in a file of its own, and its symbols are weak, so that programs
 * with QEMU's log keep theirs.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <stdarg.h>

#include "qemu/log-for-trace.h"
#include "text.h"

/* The maximum length of a line. The backend marks longer lines as truncated. */
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
