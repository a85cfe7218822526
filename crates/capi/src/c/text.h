/*
 * Destinations of lines.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_TEXT_H
#define RINGTRACE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Defined in text.rs. */
typedef void ringtrace_line(const char *text, size_t length, bool is_cut);
void ringtrace_log_line(const char *text, size_t length, bool is_cut);
void ringtrace_ftrace_line(const char *text, size_t length, bool is_cut);

/* Formats a line in `buffer` and passes it to `line`. Preserves errno. */
void ringtrace_format(ringtrace_line *line, char *buffer, size_t bytes, const char *fmt, va_list arguments);

#endif
