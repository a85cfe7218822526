/*
 * The tracepoints of the LTTng-UST provider types, with symbols for Rust.
 * Generated from trace-events. Make changes there.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

/* GCC predefines these macros, but events and arguments may have these names. */
#undef linux
#undef unix

#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES

#include "trace-ust-types.h"

/* Tracepoints, and the list of them. LTTng-UST 2.13 renamed them. */
#ifdef lttng_ust_tracepoint_enabled
#define TRACEPOINT "lttng_ust_tracepoint_types___"
#define STATE_OFFSET offsetof(struct lttng_ust_tracepoint, state)
#define LISTED(name) (&lttng_ust_tracepoint_ptr_types___##name)
#else
#define TRACEPOINT "__tracepoint_types___"
#define STATE_OFFSET offsetof(struct tracepoint, state)
#define LISTED(name) (&__tracepoint_ptr_types___##name)
#endif

/* Names the state that tracepoint_enabled() reads, so that Rust reads it with one load, as C does. */
#define NAME_STATE(name) \
    __asm__ volatile(".globl ringtrace_ust_state_types___" name "\n\t" \
                     ".set ringtrace_ust_state_types___" name ", " TRACEPOINT name " + %c0" \
                     : : "i"(STATE_OFFSET))

/* The only instruction refers to the list. LTTng finds the list by its section, and linkers drop
   sections without references (--gc-sections, which rustc uses). */
static __attribute__((constructor, noinline)) void keep_and_name(void)
{
    __asm__ volatile("" : : "r"(LISTED(signed_8)));
    NAME_STATE("signed_8");
    NAME_STATE("signed_16");
    NAME_STATE("signed_32");
    NAME_STATE("signed_64");
    NAME_STATE("unsigned_8");
    NAME_STATE("unsigned_16");
    NAME_STATE("unsigned_32");
    NAME_STATE("unsigned_64");
    NAME_STATE("sizes");
    NAME_STATE("truth");
    NAME_STATE("pointers");
    NAME_STATE("strings");
}

/* A Rust string, without a NUL. The pointer may be NULL. */
struct text {
    const char *bytes;
    size_t length;
};

/* Longer strings are truncated, because copies are on the stack, which may be small. */
#define MAX_TEXT_BYTES 4095

#define TERMINATED(copy, text) \
    const size_t copy##_length = text.length < MAX_TEXT_BYTES ? text.length : MAX_TEXT_BYTES; \
    char copy[copy##_length + 1]; \
    if (text.bytes != NULL) \
        memcpy(copy, text.bytes, copy##_length); \
    copy[copy##_length] = '\0'

void ringtrace_ust_fire_types___signed_8(int8_t a0, char a1, signed char a2);
void ringtrace_ust_fire_types___signed_8(int8_t a0, char a1, signed char a2)
{
    tracepoint(types, signed_8, a0, a1, a2);
}

void ringtrace_ust_fire_types___signed_16(int16_t a0, short a1, short int a2);
void ringtrace_ust_fire_types___signed_16(int16_t a0, short a1, short int a2)
{
    tracepoint(types, signed_16, a0, a1, a2);
}

void ringtrace_ust_fire_types___signed_32(int32_t a0, int a1, signed a2, const int a3);
void ringtrace_ust_fire_types___signed_32(int32_t a0, int a1, signed a2, const int a3)
{
    tracepoint(types, signed_32, a0, a1, a2, a3);
}

void ringtrace_ust_fire_types___signed_64(int64_t a0, long a1, long long a2, long int a3);
void ringtrace_ust_fire_types___signed_64(int64_t a0, long a1, long long a2, long int a3)
{
    tracepoint(types, signed_64, a0, a1, a2, a3);
}

void ringtrace_ust_fire_types___unsigned_8(uint8_t a0, unsigned char a1);
void ringtrace_ust_fire_types___unsigned_8(uint8_t a0, unsigned char a1)
{
    tracepoint(types, unsigned_8, a0, a1);
}

void ringtrace_ust_fire_types___unsigned_16(uint16_t a0, unsigned short a1, unsigned short int a2);
void ringtrace_ust_fire_types___unsigned_16(uint16_t a0, unsigned short a1, unsigned short int a2)
{
    tracepoint(types, unsigned_16, a0, a1, a2);
}

void ringtrace_ust_fire_types___unsigned_32(uint32_t a0, unsigned a1, unsigned int a2);
void ringtrace_ust_fire_types___unsigned_32(uint32_t a0, unsigned a1, unsigned int a2)
{
    tracepoint(types, unsigned_32, a0, a1, a2);
}

void ringtrace_ust_fire_types___unsigned_64(uint64_t a0, unsigned long a1, unsigned long long a2, long unsigned int a3);
void ringtrace_ust_fire_types___unsigned_64(uint64_t a0, unsigned long a1, unsigned long long a2, long unsigned int a3)
{
    tracepoint(types, unsigned_64, a0, a1, a2, a3);
}

void ringtrace_ust_fire_types___sizes(size_t a0, ssize_t a1, uintptr_t a2, ptrdiff_t a3, const size_t a4);
void ringtrace_ust_fire_types___sizes(size_t a0, ssize_t a1, uintptr_t a2, ptrdiff_t a3, const size_t a4)
{
    tracepoint(types, sizes, a0, a1, a2, a3, a4);
}

void ringtrace_ust_fire_types___truth(bool a0);
void ringtrace_ust_fire_types___truth(bool a0)
{
    tracepoint(types, truth, a0);
}

void ringtrace_ust_fire_types___pointers(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6);
void ringtrace_ust_fire_types___pointers(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6)
{
    tracepoint(types, pointers, (void *)(uintptr_t)a0, (const void *)(uintptr_t)a1, (void **)(uintptr_t)a2, (int *)(uintptr_t)a3, (char **)(uintptr_t)a4, (const char **)(uintptr_t)a5, (uint8_t*)(uintptr_t)a6);
}

void ringtrace_ust_fire_types___strings(struct text a0, struct text a1, struct text a2, struct text a3);
void ringtrace_ust_fire_types___strings(struct text a0, struct text a1, struct text a2, struct text a3)
{
    TERMINATED(s0, a0);
    TERMINATED(s1, a1);
    TERMINATED(s2, a2);
    TERMINATED(s3, a3);
    tracepoint(types, strings, a0.bytes != NULL ? s0 : NULL, a1.bytes != NULL ? s1 : NULL, a2.bytes != NULL ? s2 : NULL, a3.bytes != NULL ? s3 : NULL);
}
