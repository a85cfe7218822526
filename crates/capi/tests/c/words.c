/* Records the events of testdata/twin/src/lib.rs. `more` adds values that records truncate. */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "qemu/osdep.h"
#include "qemu/log-for-trace.h"
#include "ringtrace.h"
#include "trace-words.h"

int main(int argc, char **argv)
{
    char long_text[601];

    if (ringtrace_start_with_args(&argc, argv) != 0) {
        fprintf(stderr, "%s\n", ringtrace_error());
        return 1;
    }
    if (argc > 1 && strcmp(argv[1], "level") == 0) {
        printf("%d", qemu_loglevel_mask(LOG_TRACE));
        return 0;
    }
    memset(long_text, 'y', 600);
    long_text[600] = '\0';
    trace_words_wide(INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0, INT64_MIN, 0, false, NULL);
    trace_words_wide(INT8_MAX, UINT8_MAX, INT16_MAX, UINT16_MAX, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, true,
                     (void *)UINTPTR_MAX);
    trace_words_wide(-1, 1, -1, 1, -1, 1, -1, 1, true, (void *)0x1000);
    trace_words_said("plain");
    trace_words_said("");
    trace_words_said("two\nlines\tand \x1b[31mred\x7f");
    trace_words_said("caf\xc3\xa9, and \xff\xfe that is no UTF-8");
    trace_words_said("per %d %s %n cent");
    trace_words_said(long_text + 600 - 512);
    trace_words_padded(-42, "abc");
    trace_words_padded(1234567, "longer than eight");
    trace_words_brief("abcdef");
    trace_words_long(LONG_MIN, ULONG_MAX, SIZE_MAX, 'c');
    trace_words_quiet();
    trace_words_state(IDLE, BROKEN, 5);
    trace_words_measured(0.1, 0.25f, -1e300);
    trace_words_measured(-HUGE_VAL, -0.0f, DBL_TRUE_MIN);
    if (argc > 1 && strcmp(argv[1], "more") == 0) {
        trace_words_said(NULL);
        trace_words_said(long_text);
    }
    return 0;
}
