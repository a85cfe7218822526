/* The header that every source of QEMU includes first, as far as generated code needs it. */

#ifndef STUB_OSDEP_H
#define STUB_OSDEP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#endif
