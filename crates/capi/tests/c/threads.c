/*
 * Threads record events while another thread controls tracing. The arguments are passed to
 * ringtrace_start_with_args(). The argument `race` adds a data race in the program itself.
 */
#include <pthread.h>
#include <stdio.h>

#include "qemu/osdep.h"
#include "ringtrace.h"
#include "trace-demo.h"

enum { THREADS = 3, EVENTS = 20000 };

static int shared;

static void *record(void *has_race)
{
    int i;

    for (i = 0; i < EVENTS; i++) {
        trace_demo_two(1, (uint64_t)i);
        if (i % 10 == 0) {
            trace_demo_named(i, "a string that is longer than a word");
        }
    }
    if (has_race != NULL) {
        shared++;
    }
    return NULL;
}

int main(int argc, char *argv[])
{
    pthread_t threads[THREADS];
    int round;
    int i;

    if (ringtrace_start_with_args(&argc, argv) != 0) {
        fprintf(stderr, "%s\n", ringtrace_error());
        return 1;
    }
    for (round = 0; round < 3; round++) {
        for (i = 0; i < THREADS; i++) {
            pthread_create(&threads[i], NULL, record, argc > 1 ? argv[1] : NULL);
        }
        ringtrace_set_enabled("demo_named", round != 1);
        record(NULL);
        ringtrace_snapshot("snapshot");
        for (i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
        }
        ringtrace_flush();
    }
    ringtrace_stop();
    return 0;
}
