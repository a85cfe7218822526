/*
 * Functions of nothing that translated code calls.
 * Generated from nothing.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "trace.h"
