/* An allocator that tells what it does. */
#ifndef MY_MALLOC_H
#define MY_MALLOC_H

#include <stddef.h>

/* A block of so many bytes, or NULL. */
void *my_malloc(size_t size);
/* Gives a block back. NULL is none. */
void my_free(void *ptr);

#endif
