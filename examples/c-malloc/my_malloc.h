/* An allocator that records trace events. */
#ifndef MY_MALLOC_H
#define MY_MALLOC_H

#include <stddef.h>

/* Returns a block of `size` bytes, or NULL. */
void *my_malloc(size_t size);
/* Frees a block. Does nothing for NULL. */
void my_free(void *ptr);

#endif
