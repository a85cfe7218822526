/*
 * The queue of functions that register groups. Its symbols are weak, so that programs with QEMU's
 * queue keep theirs.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "queued.h"
#include "qemu/module.h"

struct entry {
    struct entry *next;
    void (*fn)(void);
};

static struct {
    struct entry *first;
    struct entry **end;
    bool is_called;
} queues[MODULE_INIT_MAX];

__attribute__((weak)) void register_module_init(void (*fn)(void), module_init_type type)
{
    struct entry *entry;

    /* A plugin with its own copy of this library belongs to a program that has called its own queue, or will
     * start tracing without this one. */
    if (queues[type].is_called || (type == MODULE_INIT_TRACE && ringtrace_is_guest())) {
        fn();
        return;
    }
    entry = malloc(sizeof(*entry));
    if (entry == NULL) {
        abort();
    }
    entry->next = NULL;
    entry->fn = fn;
    if (queues[type].end == NULL) {
        queues[type].end = &queues[type].first;
    }
    *queues[type].end = entry;
    queues[type].end = &entry->next;
}

void ringtrace_forget_module_init(void (*fn)(void), module_init_type type)
{
    struct entry **link = &queues[type].first;

    while (*link != NULL) {
        struct entry *entry = *link;

        if (entry->fn == fn) {
            *link = entry->next;
            free(entry);
        } else {
            link = &entry->next;
        }
    }
    queues[type].end = link;
}

static void call(module_init_type type)
{
    struct entry *entry = queues[type].first;

    queues[type].is_called = true;
    queues[type].first = NULL;
    queues[type].end = NULL;
    while (entry != NULL) {
        struct entry *next = entry->next;
        entry->fn();
        free(entry);
        entry = next;
    }
}

__attribute__((weak)) void module_call_init(module_init_type type)
{
    call(type);
}

/* Does not use QEMU's own queue, because its type numbers differ and QEMU calls it itself. */
void ringtrace_register_queued(void)
{
    call(MODULE_INIT_TRACE);
}
