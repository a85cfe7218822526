/*
 * The probes of nothing that are called while code is translated.
 * Generated from nothing.events: changes belong there.
 */

#ifndef TRACE_NOTHING_GENERATED_TCG_TRACERS_H
#define TRACE_NOTHING_GENERATED_TCG_TRACERS_H

#include "exec/helper-proto.h"
#include "trace.h"

#endif /* TRACE_NOTHING_GENERATED_TCG_TRACERS_H */
