/*
 * Serves requests, each of which allocates a block of memory. One code path never frees its block. The
 * trace shows which blocks are never freed.
 *
 *     c-malloc [--trace OPTION]... [REQUESTS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "my_malloc.h"
#include "ringtrace.h"

struct request {
    int number;
    char text[];
};

/* Every tenth request is malformed. */
static bool serve(int number)
{
    size_t length = 16 * (1 + (size_t)number % 8);
    struct request *request = my_malloc(sizeof(*request) + length);
    bool is_malformed = number % 10 == 9;

    if (request == NULL) {
        return false;
    }
    request->number = number;
    memset(request->text, is_malformed ? '?' : 'x', length);
    if (request->text[0] == '?') {
        return false;    /* This leak is intentional. */
    }
    my_free(request);
    return true;
}

int main(int argc, char *argv[])
{
    int served = 0;
    int requests;
    int number;

    if (ringtrace_start_with_args(&argc, argv) != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], ringtrace_error());
        return 1;
    }
    requests = argc > 1 ? atoi(argv[1]) : 50;
    for (number = 0; number < requests; number++) {
        served += serve(number);
    }
    printf("%d of %d requests served\n", served, requests);
    return 0;
}
