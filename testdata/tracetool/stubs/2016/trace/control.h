/* Control of tracing in QEMU 2.8, of which sources that define events need nothing else. */

#include "trace/generated-events.h"
