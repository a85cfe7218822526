/*
 * Registration of a program's groups: constructors queue functions, and main() calls them.
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

/*
 * Queues `fn` for module_call_init(type). If that has already been called, for instance because this
 * library is loaded later, calls `fn` immediately. Also does so in a plugin with its own copy of
 * ringtrace, if the program contains one, too.
 */
void register_module_init(void (*fn)(void), module_init_type type);
/* Calls the queued functions in order and empties the queue. */
void module_call_init(module_init_type type);

/* Removes `fn` from the queue when its library is unloaded. */
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
