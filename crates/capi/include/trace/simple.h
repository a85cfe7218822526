/*
 * The binary trace: generated code writes records to its thread's ring. Also controls the trace file.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef TRACE_SIMPLE_H
#define TRACE_SIMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longer strings are truncated. */
#define MAX_TRACE_STRLEN 512

/* Starts the backends, as trace_init_backends() does. */
bool st_init(void);
/* Does nothing. The trace describes events of later groups when they first occur. */
void st_init_group(size_t group_id);
/* Prints `Trace file "PATH" on.` or `off.` to the client of QEMU's current monitor, or else to standard output. */
void st_print_trace_file_status(void);
/* Turns recording on or off and returns the previous state. If turned on again, it continues in the same file. */
bool st_set_trace_file_enabled(bool enable);
/*
 * Continues in another file. NULL selects the default, trace-PID. Recording stays on or off. If the new name
 * refers to the current file, nothing changes. If the current file was renamed, its old name is a new file.
 */
void st_set_trace_file(const char *file);
/* Waits until all recorded events are in the file. */
void st_flush_trace_buffer(void);
/* Enables or disables events by name or pattern, like QEMU's function of 2010. Returns false if none matches. */
bool st_change_trace_event_state(const char *name, bool state);

/*
 * A record being written. Between trace_record_start() and trace_record_finish(), the thread is in the
 * probe, and events in its signal handlers are dropped and counted. The fields are private.
 */
typedef struct TraceBufferRecord {
    unsigned int tbuf_idx;  /* the event */
    unsigned int rec_off;   /* bytes of values */
    struct ringtrace_producer *ringtrace_producer;
    unsigned char *ringtrace_record;
    unsigned char *ringtrace_at;
    bool ringtrace_is_fast;
    unsigned int ringtrace_cuts;  /* number of truncated strings */
} TraceBufferRecord;

/*
 * To write a record:
 *
 *     if (trace_record_start(&rec, event.id, 8 + 4 + length))
 *         return;                                      dropped and counted
 *     trace_record_write_u64(&rec, number);
 *     trace_record_write_str(&rec, string, length);    NUL-terminated; length at most MAX_TRACE_STRLEN
 *     trace_record_finish(&rec);
 *
 * trace_record_start() takes the id of a registered event, and the total size of the values: 8 bytes for
 * an integer, 4 bytes plus its length for a string.
 *
 * All four functions are inline here. They perform the same steps in the same order as producer.rs and
 * emit.rs of the runtime, which explain each step. The library's tests check the constants below.
 *
 * The library also exports them as functions, for languages that cannot use inline functions. Their
 * symbol names differ from their C names. Otherwise code compiled with QEMU's own trace/simple.h, where a
 * TraceBufferRecord has 8 bytes, would link with them, and they would write beyond the end of that record.
 * The number in the symbol names is the same as in ringtrace_current_1.
 */
#ifdef RINGTRACE_INLINE
#define RINGTRACE_SYMBOL(symbol) __asm__(symbol)
#else
/* Records with strings are long, and gcc would not inline them. */
#define RINGTRACE_INLINE __attribute__((always_inline)) static inline
#define RINGTRACE_SYMBOL(symbol)
#endif

RINGTRACE_INLINE int trace_record_start(TraceBufferRecord *rec, uint32_t event, size_t payload_bytes)
    RINGTRACE_SYMBOL("ringtrace_trace_record_start_1");
RINGTRACE_INLINE void trace_record_write_u64(TraceBufferRecord *rec, uint64_t val)
    RINGTRACE_SYMBOL("ringtrace_trace_record_write_u64_1");
RINGTRACE_INLINE void trace_record_write_str(TraceBufferRecord *rec, const char *s, uint32_t slen)
    RINGTRACE_SYMBOL("ringtrace_trace_record_write_str_1");
RINGTRACE_INLINE void trace_record_finish(TraceBufferRecord *rec)
    RINGTRACE_SYMBOL("ringtrace_trace_record_finish_1");

/* The fields of a ring's producer that are needed here. */
struct ringtrace_producer {
    uint64_t next;        /* address of the next record; its highest byte is 0xff in a probe */
    uint64_t limit;       /* end of the free space */
    unsigned char *page;  /* starts with the end address of published records */
};

#define RINGTRACE_PUBLISHED_AT 0
#define RINGTRACE_HEADER_BYTES 16
#define RINGTRACE_ALIGNMENT 8
/* Enough for ten strings, and less than a page of the smallest flight recorder. */
#define RINGTRACE_MAX_PAYLOAD_BYTES 8000
/* The mode for inline records: only the binary trace is active, and its clock is the processor's counter. */
#define RINGTRACE_MODE_TICKS 1

/* The destinations of events. */
extern uint32_t ringtrace_mode;

/*
 * This thread's producer. A thread without a ring has a producer without space. The number in the name is
 * the version of the layout above. A library with a different layout uses a different number, so that the
 * linker rejects programs compiled for this layout.
 */
extern __thread struct ringtrace_producer *ringtrace_current_1 __attribute__((tls_model("initial-exec")));

/* Memory for a record that ringtrace_record_finish() publishes. `record` is NULL if the event is dropped. */
struct ringtrace_reservation {
    struct ringtrace_producer *producer;
    unsigned char *record;
};

/* Handle the cases that the inline path does not: new threads, full rings, other backends, other clocks. */
struct ringtrace_reservation ringtrace_record_start(uint32_t event, size_t payload_bytes);
void ringtrace_record_finish(struct ringtrace_reservation reservation, uint32_t event, uint32_t payload_bytes);
void ringtrace_record_cut(void);

typedef uint32_t ringtrace_half __attribute__((may_alias));

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define RINGTRACE_LOW_BYTES_FIRST 0
#define RINGTRACE_HIGHEST_BYTE 0
#define RINGTRACE_LOWER_HALF 1
#else
#define RINGTRACE_LOW_BYTES_FIRST 1
#define RINGTRACE_HIGHEST_BYTE 7
#define RINGTRACE_LOWER_HALF 0
#endif

#if defined(__x86_64__)
#define RINGTRACE_HAS_TICKS 1
static inline uint64_t ringtrace_ticks(void)
{
    return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
#define RINGTRACE_HAS_TICKS 1
static inline uint64_t ringtrace_ticks(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#define RINGTRACE_HAS_TICKS 0
static inline uint64_t ringtrace_ticks(void)
{
    return 0;
}
#endif

static inline uint64_t ringtrace_padded_bytes(size_t payload_bytes)
{
    return (RINGTRACE_HEADER_BYTES + payload_bytes + RINGTRACE_ALIGNMENT - 1) & ~(uint64_t)(RINGTRACE_ALIGNMENT - 1);
}

/*
 * The library was compiled without ThreadSanitizer, which therefore cannot see how the library orders
 * accesses to a ring. The functions below are not instrumented either, even with -fsanitize=thread. They
 * copy bytes without memcpy(), which ThreadSanitizer watches.
 */
#ifdef __SANITIZE_THREAD__
#define RINGTRACE_IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RINGTRACE_IS_WATCHED 1
#endif
#endif

#ifdef RINGTRACE_IS_WATCHED
#define RINGTRACE_UNWATCHED __attribute__((no_sanitize("thread")))
RINGTRACE_UNWATCHED static inline void ringtrace_copy(unsigned char *to, const void *from, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        to[i] = ((const unsigned char *)from)[i];
        __asm__ volatile("" : : : "memory"); /* keeps the compiler from calling memcpy() */
    }
}
#else
#define RINGTRACE_UNWATCHED
static inline void ringtrace_copy(unsigned char *to, const void *from, size_t length)
{
    memcpy(to, from, length);
}

/* Copies more than 32 bytes. A separate function, because in its callers, the loop would need more registers. */
__attribute__((noinline, unused)) static void ringtrace_copy_long(unsigned char *to, const char *from, size_t length)
{
    unsigned char *end = to + length - 32;
    const char *last = from + length - 32;

    do {
        ringtrace_copy(to, from, 32);
        to += 32;
        from += 32;
    } while (to < end);
    ringtrace_copy(end, last, 32);
}
#endif

/* Copies a string, in blocks that may overlap. A call of memcpy() would make all callers save registers. */
RINGTRACE_UNWATCHED static inline void ringtrace_copy_string(unsigned char *to, const char *from, size_t length)
{
#ifndef RINGTRACE_IS_WATCHED
#define RINGTRACE_COPY_ENDS(block) \
    ringtrace_copy(to, from, block); \
    ringtrace_copy(to + length - (block), from + length - (block), block)
    if (length > 64) {
        ringtrace_copy_long(to, from, length);
    } else if (length > 32) {
        RINGTRACE_COPY_ENDS(32);
    } else if (length >= 16) {
        RINGTRACE_COPY_ENDS(16);
    } else if (length >= 8) {
        RINGTRACE_COPY_ENDS(8);
    } else if (length >= 4) {
        RINGTRACE_COPY_ENDS(4);
    } else if (length >= 2) {
        RINGTRACE_COPY_ENDS(2);
    } else if (length == 1) {
        *to = (unsigned char)*from;
    }
#undef RINGTRACE_COPY_ENDS
#else
    ringtrace_copy(to, from, length);
#endif
}

/* Stops the compiler from reordering memory accesses, so that signal handlers see them in order. */
static inline void ringtrace_in_order(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Reserves memory in the thread's ring and enters the probe, if space is available without waiting. */
RINGTRACE_UNWATCHED static inline bool ringtrace_reserve(TraceBufferRecord *rec, size_t payload_bytes)
{
    struct ringtrace_producer *producer = ringtrace_current_1;
    uint64_t next = __atomic_load_n(&producer->next, __ATOMIC_RELAXED);
    uint64_t end = next + ringtrace_padded_bytes(payload_bytes);
    unsigned char *highest = (unsigned char *)&producer->next + RINGTRACE_HIGHEST_BYTE;
    ringtrace_half *lower = (ringtrace_half *)&producer->next + RINGTRACE_LOWER_HALF;

    if (__builtin_expect(end > __atomic_load_n(&producer->limit, __ATOMIC_RELAXED), 0)) {
        return false;
    }
    __atomic_store_n(highest, 0xff, __ATOMIC_RELAXED);
    ringtrace_in_order();
    if (__builtin_expect(__atomic_load_n(lower, __ATOMIC_RELAXED) != (uint32_t)next, 0)) {
        /* A signal handler recorded an event, or the trace ended. */
        next = __atomic_load_n(&producer->next, __ATOMIC_RELAXED) & (UINT64_MAX >> 8);
        ringtrace_in_order();
        __atomic_store_n(&producer->next, next, __ATOMIC_RELEASE);
        return false;
    }
    rec->ringtrace_producer = producer;
    rec->ringtrace_record = (unsigned char *)(uintptr_t)next;
    return true;
}

/*
 * The part of trace_record_start() that calls nothing. Returns false if it cannot reserve memory. Generated
 * code then calls a function with this attribute, which calls trace_record_start().
 */
#define TRACE_RECORD_SLOW_PATH __attribute__((noinline, cold))
RINGTRACE_UNWATCHED __attribute__((always_inline)) static inline bool trace_record_start_fast(TraceBufferRecord *rec, uint32_t event, size_t payload_bytes)
{
    rec->tbuf_idx = event;
    rec->rec_off = (unsigned int)payload_bytes;
    rec->ringtrace_cuts = 0;
    rec->ringtrace_is_fast =
        RINGTRACE_HAS_TICKS && __builtin_expect(event != 0 && payload_bytes <= RINGTRACE_MAX_PAYLOAD_BYTES, 1) &&
        __builtin_expect(__atomic_load_n(&ringtrace_mode, __ATOMIC_RELAXED) == RINGTRACE_MODE_TICKS, 1) &&
        ringtrace_reserve(rec, payload_bytes);
    if (!rec->ringtrace_is_fast) {
        return false;
    }
    rec->ringtrace_at = rec->ringtrace_record + RINGTRACE_HEADER_BYTES;
    return true;
}

/* Returns 0 if values can be written, or a negative number if the record is dropped. */
RINGTRACE_UNWATCHED RINGTRACE_INLINE int trace_record_start(TraceBufferRecord *rec, uint32_t event, size_t payload_bytes)
{
    if (__builtin_expect(!trace_record_start_fast(rec, event, payload_bytes), 0)) {
        struct ringtrace_reservation reservation = ringtrace_record_start(event, payload_bytes);
        if (reservation.record == NULL) {
            return -1;
        }
        rec->ringtrace_producer = reservation.producer;
        rec->ringtrace_record = reservation.record;
        rec->ringtrace_at = reservation.record + RINGTRACE_HEADER_BYTES;
    }
    return 0;
}

RINGTRACE_UNWATCHED RINGTRACE_INLINE void trace_record_write_u64(TraceBufferRecord *rec, uint64_t val)
{
    ringtrace_copy(rec->ringtrace_at, &val, sizeof(val));
    rec->ringtrace_at += sizeof(val);
}

RINGTRACE_UNWATCHED RINGTRACE_INLINE void trace_record_write_str(TraceBufferRecord *rec, const char *s, uint32_t slen)
{
    ringtrace_copy(rec->ringtrace_at, &slen, sizeof(slen));
    ringtrace_copy_string(rec->ringtrace_at + sizeof(slen), s, slen);
    rec->ringtrace_at += sizeof(slen) + slen;
    rec->ringtrace_cuts += __builtin_expect(slen == MAX_TRACE_STRLEN, 0) && s[slen] != '\0';
}

RINGTRACE_UNWATCHED RINGTRACE_INLINE void trace_record_finish(TraceBufferRecord *rec)
{
    struct ringtrace_producer *producer = rec->ringtrace_producer;
    uint64_t end = (uint64_t)(uintptr_t)rec->ringtrace_record + ringtrace_padded_bytes(rec->rec_off);
    uint64_t *published, header[2];

    if (__builtin_expect(!rec->ringtrace_is_fast, 0)) {
        struct ringtrace_reservation reservation = { producer, rec->ringtrace_record };
        for (; rec->ringtrace_cuts > 0; rec->ringtrace_cuts--) {
            ringtrace_record_cut();
        }
        ringtrace_record_finish(reservation, rec->tbuf_idx, rec->rec_off);
        return;
    }
    header[0] = RINGTRACE_LOW_BYTES_FIRST ? (uint64_t)rec->tbuf_idx << 32 | rec->rec_off
                                          : (uint64_t)rec->rec_off << 32 | rec->tbuf_idx;
    ringtrace_copy(rec->ringtrace_record, &header[0], sizeof(header[0]));
    published = (uint64_t *)(void *)(producer->page + RINGTRACE_PUBLISHED_AT);
    /* Some processors execute no later instructions until they have read the counter. Only a few follow. */
    ringtrace_in_order();
    header[1] = ringtrace_ticks();
    ringtrace_copy(rec->ringtrace_record + sizeof(header[0]), &header[1], sizeof(header[1]));
    __atomic_store_n(published, end, __ATOMIC_RELEASE);
    ringtrace_in_order();
    __atomic_store_n(&producer->next, end, __ATOMIC_RELEASE);
    for (; __builtin_expect(rec->ringtrace_cuts > 0, 0); rec->ringtrace_cuts--) {
        ringtrace_record_cut();
    }
}

#ifdef __cplusplus
}
#endif

#endif
