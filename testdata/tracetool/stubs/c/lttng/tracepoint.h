/* Like LTTng 2.0, which has no tracepoint_enabled(). Tracepoints are functions here. */

#define tracepoint(provider, event, ...) provider##_tracepoint_##event(__VA_ARGS__)
