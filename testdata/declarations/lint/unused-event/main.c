#include "trace.h"

int main(void)
{
    trace_used_in_c(1);
    return 0;
}
