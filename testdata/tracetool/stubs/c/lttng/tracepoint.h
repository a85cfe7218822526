/* As old as LTTng 2.0, that has no tracepoint_enabled(). Its events are functions here. */

#define tracepoint(provider, event, ...) provider##_tracepoint_##event(__VA_ARGS__)
