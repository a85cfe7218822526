/*
 * The probes of LTTng-UST, of all groups.
 * Generated from types.events: changes belong there.
 */

#include "qemu/osdep.h"

#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES

/* LTTng declares some things once for each time that it reads the header. */
#pragma GCC diagnostic ignored "-Wredundant-decls"

#include "trace-ust-all.h"
