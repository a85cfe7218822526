/*
 * A translator that runs translated code immediately: each value is known at translation.
 * Every kind of value has its own type, so that the compiler detects mix-ups.
 */

#ifndef STUB_TCG_H
#define STUB_TCG_H

#include "cpu.h"

typedef struct { uint32_t bits; } TCGv_i32;
typedef struct { uint64_t bits; } TCGv_i64;
typedef struct { void *bits; } TCGv_ptr;
typedef struct { CPUArchState *bits; } TCGv_env;
typedef struct { target_ulong bits; } TCGv;

/* Constants that were created and not freed. */
extern int tcg_constants;

static inline TCGv_i32 tcg_const_i32(int32_t bits)
{
    tcg_constants++;
    return (TCGv_i32) { (uint32_t)bits };
}

static inline TCGv_i64 tcg_const_i64(int64_t bits)
{
    tcg_constants++;
    return (TCGv_i64) { (uint64_t)bits };
}

static inline TCGv_ptr tcg_const_ptr(const void *bits)
{
    tcg_constants++;
    return (TCGv_ptr) { (void *)bits };
}

static inline void tcg_temp_free_i32(TCGv_i32 value)
{
    (void)value;
    tcg_constants--;
}

static inline void tcg_temp_free_i64(TCGv_i64 value)
{
    (void)value;
    tcg_constants--;
}

static inline void tcg_temp_free_ptr(TCGv_ptr value)
{
    (void)value;
    tcg_constants--;
}

#endif
