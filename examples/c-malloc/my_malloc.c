/*
 * An allocator with trace events. It uses the C library's allocator, stores the size before each block,
 * and records an event for each allocation and each release.
 */
#include <stdlib.h>

#include "my_malloc.h"
#include "trace-malloc.h"

/* The header before a block. It preserves the maximum alignment of the block. */
union head {
    size_t size;
    max_align_t alignment;
};

void *my_malloc(size_t size)
{
    union head *head = malloc(sizeof(*head) + size);

    if (head == NULL) {
        return NULL;
    }
    head->size = size;
    trace_my_malloc(size, head + 1);
    return head + 1;
}

void my_free(void *ptr)
{
    union head *head = ptr;

    if (head == NULL) {
        return;
    }
    head--;
    /* Trace before freeing the block. After that, another thread could allocate it and trace that first. */
    trace_my_free(head->size, ptr);
    free(head);
}
