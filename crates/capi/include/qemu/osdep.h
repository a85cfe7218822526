/*
 * The parts of the C library that generated code uses.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef QEMU_OSDEP_H
#define QEMU_OSDEP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#if defined(__STRICT_ANSI__) && !defined(__cplusplus)
/* With -std=c99 and the like, <string.h> does not declare this function. */
size_t strnlen(const char *s, size_t max_bytes);
#endif

#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

#endif
