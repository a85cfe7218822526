/*
 * Functions that print to C's streams or end the program.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#include <stdio.h>
#include <stdlib.h>

#include "host.h"
#include "outcome.h"
#include "queued.h"
#include "trace/control.h"
#include "trace/simple.h"

/* Defined in start.rs. */
enum outcome ringtrace_options_parse(const char *text);
enum outcome ringtrace_options_enable(const char *word);
enum outcome ringtrace_file_init(void);
enum outcome ringtrace_backends_init(void);
char *ringtrace_log_file_of_host(void);
char *ringtrace_file_status(bool *is_on);
void ringtrace_file_free(char *path);

static void list_to_monitor(void)
{
    TraceEventIter iter;
    TraceEvent *ev;

    trace_event_iter_init_all(&iter);
    while ((ev = trace_event_iter_next(&iter)) != NULL) {
        ringtrace_host_print("%s\n", trace_event_get_name(ev));
    }
}

static void act_on(enum outcome outcome)
{
    switch (outcome) {
    case LIST:
        if (ringtrace_host_has_monitor()) {
            list_to_monitor();
            break;
        }
        trace_list_events(stdout);
        exit(0);
    case BAD:
        exit(1);
    case DONE:
        break;
    }
}

void trace_opt_parse(const char *optstr)
{
    /* Makes the events' names known. main() may call it again. */
    ringtrace_register_queued();
    act_on(ringtrace_options_parse(optstr));
}

void trace_enable_events(const char *line_buf)
{
    ringtrace_register_queued();
    act_on(ringtrace_options_enable(line_buf));
}

void trace_init_file(void)
{
    char *path = ringtrace_log_file_of_host();

    if (path != NULL) {
        ringtrace_host_open_log_file(path);
        ringtrace_file_free(path);
    }
    act_on(ringtrace_file_init());
}

void trace_list_events(FILE *f)
{
    TraceEventIter iter;
    TraceEvent *ev;

    ringtrace_register_queued();
    trace_event_iter_init_all(&iter);
    while ((ev = trace_event_iter_next(&iter)) != NULL) {
        fprintf(f, "%s\n", trace_event_get_name(ev));
    }
}

bool trace_init_backends(void)
{
    enum outcome outcome;

    ringtrace_register_queued();
    outcome = ringtrace_backends_init();
    if (outcome == LIST) {
        act_on(outcome);
    }
    return outcome != BAD;
}

bool st_init(void)
{
    return trace_init_backends();
}

void st_init_group(size_t group_id)
{
    (void)group_id;
}

void st_print_trace_file_status(void)
{
    bool is_on;
    char *path = ringtrace_file_status(&is_on);

    ringtrace_host_print("Trace file \"%s\" %s.\n", path, is_on ? "on" : "off");
    ringtrace_file_free(path);
}
