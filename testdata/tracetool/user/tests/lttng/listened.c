/*
 * The program `listened` in C. It reads commands from standard input, one word a line, and answers each with a line.
 * `listened --trace OPTIONS` is also traced by the library.
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-listened.h"
#include "trace-more.h"

#define LIVE_EVENTS(each) \
    each(NOTHING) each(SIGNS) each(WIDTHS) each(POINTERS) each(STRINGS) each(LAZY) each(ONE) each(TWO) each(THREE) \
    each(FOUR) each(FIVE) each(SIX) each(SEVEN) each(EIGHT) each(NINE) each(TEN) each(DONE)

/* The number of events that a tracer listens to. */
static int listened(void)
{
#define IS_LISTENED(name) + (trace_event_get_state_backends(TRACE_##name) ? 1 : 0)
    return 0 LIVE_EVENTS(IS_LISTENED) IS_LISTENED(NEVER);
}

/* The number of events whose USDT probes have a breakpoint. */
static int stopped_at(void)
{
#ifdef QEMU_DONE_ENABLED
#define IS_STOPPED_AT(name) + (QEMU_##name##_ENABLED() ? 1 : 0)
    return 0 LIVE_EVENTS(IS_STOPPED_AT);
#else
    return 0;
#endif
}

static void extremes(void)
{
    static char long_text[601];
    memset(long_text, 'x', sizeof long_text - 1);
    trace_nothing();
    trace_signs(INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, INT64_MIN, -1);
    trace_signs(INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, INT64_MAX, 0);
    trace_widths(UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX, SIZE_MAX, true);
    trace_widths(0, 1, 2, UINT64_C(1) << 63, 4, false);
    trace_pointers((void *)(uintptr_t)0xdeadbeef, NULL, NULL);
    trace_strings("never touched", NULL, "caf\xe9");
    trace_strings("", "one\0two", long_text);
    trace_never(1);
    trace_more_of_it(1);
    trace_more_never(1);
}

static void numbers(void)
{
    trace_one(-1);
    trace_two(-1, 2);
    trace_three(-1, 2, -3);
    trace_four(-1, 2, -3, 4);
    trace_five(-1, 2, -3, 4, -5);
    trace_six(-1, 2, -3, 4, -5, 6);
    trace_seven(-1, 2, -3, 4, -5, 6, -7);
    trace_eight(-1, 2, -3, 4, -5, 6, -7, 8);
    trace_nine(-1, 2, -3, 4, -5, 6, -7, 8, -9);
    trace_ten(INT64_MIN, UINT64_MAX, -1, 255, "fifth", INT16_MIN, UINT16_MAX, "eighth", INT32_MIN, UINT64_C(1) << 63);
}

/* The number of arguments computed for an event with two arguments. */
static int lazily(void)
{
    int computed = 0;
    if (trace_event_get_state_backends(TRACE_LAZY)) {
        computed = 2;
        trace_lazy(1, "computed");
    }
    return computed;
}

static void answer(const char *word)
{
    if (strcmp(word, "listened") == 0) {
        printf("%d events are listened to\n", listened());
    } else if (strcmp(word, "stopped-at") == 0) {
        printf("%d probes are stopped at\n", stopped_at());
    } else if (strcmp(word, "lazy") == 0) {
        printf("%d arguments were computed\n", lazily());
    } else {
        if (strcmp(word, "extremes") == 0) {
            extremes();
        } else if (strcmp(word, "numbers") == 0) {
            numbers();
        } else if (strcmp(word, "done") == 0) {
            trace_done();
        }
        puts(word);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char word[64];
    if (argc > 2) {
        trace_opt_parse(argv[2]);
    }
    module_call_init(MODULE_INIT_TRACE);
    if (!trace_init_backends()) {
        return EXIT_FAILURE;
    }
    trace_init_file();
    while (scanf("%63s", word) == 1) {
        answer(word);
    }
    return EXIT_SUCCESS;
}
