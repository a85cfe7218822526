/* A guest with 32-bit registers, so that a wrong width is detected. */

#ifndef STUB_CPU_H
#define STUB_CPU_H

#include "qemu/osdep.h"

typedef uint32_t target_ulong;

typedef struct CPUState {
    bool is_traced;
} CPUState;

typedef struct CPUArchState {
    CPUState parent;
} CPUArchState;

static inline CPUState *env_cpu(CPUArchState *env)
{
    return &env->parent;
}

#endif
