/* Control of tracing in QEMU 2.8, as far as sources that define events need it. */

#include "trace/generated-events.h"
