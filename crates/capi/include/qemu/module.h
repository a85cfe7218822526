/*
 * How the groups of a program are registered: constructors queue functions, and main() has them called.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef QEMU_MODULE_H
#define QEMU_MODULE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    MODULE_INIT_TRACE,
    MODULE_INIT_MAX
} module_init_type;

/* Calls `fn` when module_call_init(type) is called; at once, when it was called already, as by a library that is loaded later. */
void register_module_init(void (*fn)(void), module_init_type type);
/* Calls what was queued, in that order. The second time there is nothing to call. */
void module_call_init(module_init_type type);

/* Takes `fn` out of the queue if it is still there: its library is unloaded. */
void ringtrace_forget_module_init(void (*fn)(void), module_init_type type);

#define module_init(function, type)                                             \
    static void __attribute__((constructor)) do_qemu_init_##function(void)      \
    {                                                                           \
        register_module_init(function, type);                                   \
    }                                                                           \
    static void __attribute__((destructor)) do_qemu_forget_##function(void)     \
    {                                                                           \
        ringtrace_forget_module_init(function, type);                           \
    }

#define trace_init(function) module_init(function, MODULE_INIT_TRACE)

#ifdef __cplusplus
}
#endif

#endif
