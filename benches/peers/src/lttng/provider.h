/* The event that all libraries emit, defined with LTTng-UST's macros. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER peers
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "provider.h"
#if !defined(PEERS_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define PEERS_PROVIDER_H
#include <lttng/tracepoint.h>
LTTNG_UST_TRACEPOINT_EVENT(
    peers, two,
    LTTNG_UST_TP_ARGS(unsigned long, a, unsigned long, b),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(unsigned long, a, a)
                        lttng_ust_field_integer(unsigned long, b, b)))
#endif
#include <lttng/tracepoint-event.h>
