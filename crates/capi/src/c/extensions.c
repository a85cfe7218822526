/*
 * Functions of ringtrace.h that may end the program.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <stdio.h>
#include <stdlib.h>

#include "outcome.h"
#include "queued.h"
#include "ringtrace.h"
#include "trace/control.h"

/* Defined in extensions.rs. */
enum outcome ringtrace_begin(const char *options);
enum outcome ringtrace_begin_with_args(int *argc, char *argv[]);

/* Defined in monitor.rs. */
int ringtrace_monitor_begin(const char *addresses);
int ringtrace_monitor_begin_with_args(int *argc, char *argv[]);

static int result_of(enum outcome outcome)
{
    if (outcome == LIST) {
        trace_list_events(stdout);
        exit(0);
    }
    return outcome == DONE ? 0 : -1;
}

int ringtrace_start(const char *options)
{
    ringtrace_register_queued();
    return result_of(ringtrace_begin(options));
}

int ringtrace_start_with_args(int *argc, char *argv[])
{
    ringtrace_register_queued();
    return result_of(ringtrace_begin_with_args(argc, argv));
}

int ringtrace_monitor(const char *addresses)
{
    ringtrace_register_queued();
    return ringtrace_monitor_begin(addresses);
}

int ringtrace_monitor_with_args(int *argc, char *argv[])
{
    ringtrace_register_queued();
    return ringtrace_monitor_begin_with_args(argc, argv);
}
