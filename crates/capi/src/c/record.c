/*
 * The thread's position in its ring, for C, and the recording functions as symbols.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */

/* Defines the functions as symbols, for code that cannot use the inline ones. */
#define RINGTRACE_INLINE
#include "trace/simple.h"

/* The producer of threads without a ring. It has no space and is never modified. */
static struct ringtrace_producer no_slot;

__thread struct ringtrace_producer *ringtrace_current_1 = &no_slot;

struct ringtrace_producer **ringtrace_current_cell(void);

struct ringtrace_producer **ringtrace_current_cell(void)
{
    return &ringtrace_current_1;
}

/* Constants that the header assumes. Tests compare them with the library and the runtime. */
extern const size_t ringtrace_max_payload_bytes;
const size_t ringtrace_max_payload_bytes = RINGTRACE_MAX_PAYLOAD_BYTES;

struct ringtrace_layout {
    size_t next_at;
    size_t limit_at;
    size_t page_at;
    size_t published_at;
    size_t header_bytes;
    size_t alignment;
    uint32_t ticks_mode;
    size_t max_str_bytes;
};

struct ringtrace_layout ringtrace_layout(void);

struct ringtrace_layout ringtrace_layout(void)
{
    struct ringtrace_layout layout = {
        .next_at = offsetof(struct ringtrace_producer, next),
        .limit_at = offsetof(struct ringtrace_producer, limit),
        .page_at = offsetof(struct ringtrace_producer, page),
        .published_at = RINGTRACE_PUBLISHED_AT,
        .header_bytes = RINGTRACE_HEADER_BYTES,
        .alignment = RINGTRACE_ALIGNMENT,
        .ticks_mode = RINGTRACE_MODE_TICKS,
        .max_str_bytes = MAX_TRACE_STRLEN,
    };
    return layout;
}
