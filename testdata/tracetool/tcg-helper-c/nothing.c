/*
 * What translated code calls of nothing.
 * Generated from nothing.events: changes belong there.
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "trace.h"
