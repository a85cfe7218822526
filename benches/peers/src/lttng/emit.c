/* Emits bursts of an LTTng-UST event, and prints the median time of a burst, in ns per event.
   emit BURSTS EVENTS PAUSE_US */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "provider.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static __attribute__((noinline)) void burst(unsigned long events)
{
    for (unsigned long number = 0; number < events; number++) {
        lttng_ust_tracepoint(peers, two, number, number * 7);
        __asm__ volatile("" ::"r"(number) : "memory");
    }
}

static int compare(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    int bursts = atoi(words[1]), events = atoi(words[2]), pause_us = atoi(words[3]);
    double *ns = malloc(bursts * sizeof *ns);
    for (int number = 0; number < bursts; number++) {
        double start = now_ns();
        burst(events);
        ns[number] = (now_ns() - start) / events;
        usleep(pause_us);
    }
    qsort(ns, bursts, sizeof *ns, compare);
    printf("%f\n", ns[bursts / 2]);
    return 0;
}
