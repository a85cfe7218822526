/*
 * A description of --trace for QEMU's option parser, with the layout of QEMU's headers.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <stdbool.h>
#include <stddef.h>

#include "trace/control.h"

typedef struct QemuOptDesc {
    const char *name;
    int type;
    const char *help;
    const char *def_value_str;
} QemuOptDesc;

struct QemuOptsList {
    const char *name;
    const char *implied_opt_name;
    bool merge_lists;
    struct {
        void *first;
        void **last;
    } head;
    QemuOptDesc desc[4];
};

QemuOptsList qemu_trace_opts = {
    .name = "trace",
    .implied_opt_name = "enable",
    .head = { NULL, &qemu_trace_opts.head.first },
    .desc = {
        { .name = "enable" },
        { .name = "events" },
        { .name = "file" },
        { .name = NULL },
    },
};
