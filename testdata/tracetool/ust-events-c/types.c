/*
 * LTTng-UST's tracepoints of all groups.
 * Generated from types.events. Make changes there.
 */

#include "qemu/osdep.h"

#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES

/* LTTng includes the header several times and repeats some declarations. */
#pragma GCC diagnostic ignored "-Wredundant-decls"

#include "trace-ust-all.h"
