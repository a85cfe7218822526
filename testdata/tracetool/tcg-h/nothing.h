/*
 * Probes of nothing that the translator calls.
 * Generated from nothing.events. Make changes there.
 */

#ifndef TRACE_NOTHING_GENERATED_TCG_TRACERS_H
#define TRACE_NOTHING_GENERATED_TCG_TRACERS_H

#include "exec/helper-proto.h"
#include "trace.h"

#endif /* TRACE_NOTHING_GENERATED_TCG_TRACERS_H */
