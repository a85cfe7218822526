/* An allocator that tells what it does: the C library's, with the size before each block, and a trace event behind each deed. */
#include <stdlib.h>

#include "my_malloc.h"
#include "trace-malloc.h"

/* What stands before a block. As large as what is aligned most. */
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
    /* Before it is given back: afterwards another thread may have got it, and say so first. */
    trace_my_free(head->size, ptr);
    free(head);
}
