/*
 * What becomes of lines: functions of text.rs.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_TEXT_H
#define RINGTRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

void ringtrace_log_line(const char *text, size_t length, bool is_cut);
void ringtrace_ftrace_line(const char *text, size_t length, bool is_cut);

#endif
