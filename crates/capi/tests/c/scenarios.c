/* The scenarios of scenarios.rs. The first argument selects one. The second is a --trace option. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "trace/simple.h"
#include "trace-demo.h"

enum { THREADS = 8 };

static uint64_t each = 5000;

static void *emit_each(void *thread)
{
    uint64_t i;

    for (i = 0; i < each; i++) {
        trace_demo_two((uint64_t)(uintptr_t)thread, i);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t ids[THREADS];
    uintptr_t i;

    for (i = 0; i < THREADS; i++) {
        pthread_create(&ids[i], NULL, emit_each, (void *)i);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
    }
}

/* Runs more threads than there are rings at startup, one after the other, so that slots are reused. */
static void short_lived(void)
{
    pthread_t id;
    uintptr_t i;

    each = 100;
    for (i = 0; i < 200; i++) {
        pthread_create(&id, NULL, emit_each, (void *)i);
        pthread_join(id, NULL);
    }
}

static void forks(void)
{
    pid_t child;

    trace_demo_two(1, 1);
    child = fork();
    if (child == 0) {
        trace_demo_two(2, 1);
        trace_demo_two(2, 2);
        exit(0);
    }
    waitpid(child, NULL, 0);
    trace_demo_two(1, 2);
}

static volatile bool is_over;

static void *control_for_ever(void *unused)
{
    while (!is_over) {
        TraceEventIter iter;

        trace_event_iter_init_all(&iter);
        while (trace_event_iter_next(&iter) != NULL) {
        }
        trace_event_name("demo_named");
        st_change_trace_event_state("demo_named", true);
    }
    return unused;
}

/* Children can control tracing, no matter what other threads of the parent were doing during the fork. */
static void forks_in_control(void)
{
    pthread_t ids[2];
    int i;

    pthread_create(&ids[0], NULL, control_for_ever, NULL);
    pthread_create(&ids[1], NULL, control_for_ever, NULL);
    for (i = 0; i < 300; i++) {
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            alarm(20);
            trace_event_name("demo_named");
            st_change_trace_event_state("demo_named", true);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (status != 0) {
            printf("child %d ended with status %#x\n", i, (unsigned)status);
            break;
        }
    }
    is_over = true;
    pthread_join(ids[0], NULL);
    pthread_join(ids[1], NULL);
}

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
    (void)number;
    trace_demo_two(99, (uint64_t)handled);
    handled = handled + 1;
}

/* Prints the expected number of records, including dropped ones. */
static void signals(void)
{
    struct itimerval often = { { 0, 50 }, { 0, 50 } };
    struct sigaction action = { .sa_handler = on_signal };
    uint64_t i;

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (i = 0; handled < 200; i++) {
        trace_demo_two(1, i);
        if (i % 1000 == 0) {
            trace_demo_named(1, "beside");
            i++;
        }
    }
    signal(SIGALRM, SIG_IGN);
    printf("%llu\n", (unsigned long long)(i + (uint64_t)handled));
}

static void strings(void)
{
    char text[601];

    memset(text, 'x', 600);
    text[600] = '\0';
    trace_demo_named(1, NULL);
    trace_demo_named(2, "");
    trace_demo_named(3, text);
    text[512] = '\0';
    trace_demo_named(4, text);
    trace_demo_named(5, "\xff\xfe caf\xc3\xa9\n");
}

static void string_lengths(void)
{
    char text[601];
    size_t length;

    for (length = 0; length <= 600; length++) {
        size_t i;

        for (i = 0; i < length; i++) {
            text[i] = (char)('a' + (length + i) % 26);
        }
        text[length] = '\0';
        trace_demo_named((int)length, text);
    }
}

static void extremes(void)
{
    trace_demo_wide(INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0, INT64_MIN, 0, false, NULL);
    trace_demo_wide(INT8_MAX, UINT8_MAX, INT16_MAX, UINT16_MAX, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, true,
                    (void *)UINTPTR_MAX);
    trace_demo_wide(-1, 1, -1, 1, -1, 1, -1, 1, true, (void *)1);
}

/* Counts emitted events in a file that outlives the process. */
static void until_killed(void)
{
    int file = open("count", O_RDWR | O_CREAT, 0600);
    volatile uint64_t *count;
    uint64_t i;

    if (ftruncate(file, 4096) != 0) {
        exit(1);
    }
    count = (volatile uint64_t *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    for (i = 0;; i++) {
        trace_demo_two(7, i);
        *count = i + 1;
    }
}

static void many(void)
{
    uint64_t i;

    for (i = 0; i < 100000; i++) {
        trace_demo_two(1, i);
    }
    printf("%llu\n", (unsigned long long)i);
}

/* Switches the trace file at run time. */
static void files(void)
{
    trace_demo_two(1, 1);
    printf("%d", st_set_trace_file_enabled(false));
    trace_demo_two(1, 2);
    printf("%d", st_set_trace_file_enabled(false));
    printf("%d ", st_set_trace_file_enabled(true));
    fflush(stdout);
    st_print_trace_file_status();
    trace_demo_two(1, 3);
    st_set_trace_file("second");
    trace_demo_two(1, 4);
    st_print_trace_file_status();
    st_flush_trace_buffer();
    st_set_trace_file("/nowhere/third");
    trace_demo_two(1, 5);
    st_print_trace_file_status();
    printf("%d\n", st_set_trace_file_enabled(true));
    st_set_trace_file("fourth");
    printf("%d\n", st_set_trace_file_enabled(true));
    trace_demo_two(1, 6);
    st_print_trace_file_status();
}

/* Tests iterators, names and states. */
static void walk(const char *pattern, size_t group)
{
    TraceEventIter iter;
    TraceEvent *ev;

    if (pattern != NULL) {
        trace_event_iter_init_pattern(&iter, pattern);
    } else {
        trace_event_iter_init_group(&iter, group);
    }
    while ((ev = trace_event_iter_next(&iter)) != NULL) {
        printf("%s:%d%d ", trace_event_get_name(ev), trace_event_get_state_static(ev), trace_event_get_state_dynamic(ev));
    }
    printf("= %d\n", trace_events_enabled_count);
}

static void control(void)
{
    trace_event_set_state_dynamic_init(&_TRACE_DEMO_WIDE_EVENT, true);
    printf("early %d\n", trace_event_get_state_dynamic(&_TRACE_DEMO_WIDE_EVENT));
    module_call_init(MODULE_INIT_TRACE);
    walk(NULL, 0);
    walk(NULL, 1);
    trace_event_set_state_dynamic(&_TRACE_DEMO_WIDE_EVENT, false);
    trace_enable_events("demo_n*");
    trace_enable_events("demo_off");
    trace_enable_events("demo_nothing");
    walk("demo_?wo", 0);
    walk("*_n*", 0);
    trace_event_set_state_dynamic(trace_event_name("demo_two"), true);
    trace_event_set_state_dynamic(trace_event_name("demo_two"), true);
    trace_enable_events("-demo_named");
    walk("*", 0);
    printf("%d %d %d\n", st_change_trace_event_state("demo_named", true), st_change_trace_event_state("nobody", true),
           trace_event_name("nobody") == NULL);
    printf("%d %d %d\n", trace_event_get_state(TRACE_DEMO_NAMED) ? 1 : 0, trace_event_get_state(TRACE_DEMO_OFF) ? 1 : 0,
           trace_event_get_state_backends(TRACE_DEMO_WIDE) ? 1 : 0);
    printf("%d %d %u\n", trace_event_is_pattern("a*"), trace_event_is_pattern("a?"), trace_get_vcpu_event_count());
    trace_list_events(stdout);
    fflush(stdout);
    trace_event_set_state_dynamic(&_TRACE_DEMO_OFF_EVENT, true);
}

/* Counts this thread's allocations. */
static __thread volatile long allocations __attribute__((tls_model("initial-exec")));
extern void *__libc_malloc(size_t);

void *malloc(size_t bytes)
{
    allocations = allocations + 1;
    return __libc_malloc(bytes);
}

static void *first_events(void *unused)
{
    long before = allocations;

    trace_demo_two(1, 2);
    trace_demo_named(1, "two");
    printf("%ld\n", allocations - before);
    return unused;
}

static void no_allocation(void)
{
    pthread_t id;
    long before;
    int i;

    trace_demo_two(1, 2);
    before = allocations;
    for (i = 0; i < 100000; i++) {
        trace_demo_two(1, 2);
        trace_demo_named(1, "two");
    }
    printf("%ld\n", allocations - before);
    pthread_create(&id, NULL, first_events, NULL);
    pthread_join(id, NULL);
}

/* Calls the library's functions instead of the inline ones. */
static void exported(void)
{
    static struct {
        int (*start)(TraceBufferRecord *, uint32_t, size_t);
        void (*write_u64)(TraceBufferRecord *, uint64_t);
        void (*write_str)(TraceBufferRecord *, const char *, uint32_t);
        void (*finish)(TraceBufferRecord *);
    } library;
    TraceBufferRecord rec;

    *(void **)&library.start = dlsym(RTLD_DEFAULT, "ringtrace_trace_record_start_1");
    *(void **)&library.write_u64 = dlsym(RTLD_DEFAULT, "ringtrace_trace_record_write_u64_1");
    *(void **)&library.write_str = dlsym(RTLD_DEFAULT, "ringtrace_trace_record_write_str_1");
    *(void **)&library.finish = dlsym(RTLD_DEFAULT, "ringtrace_trace_record_finish_1");
    if (library.start(&rec, _TRACE_DEMO_NAMED_EVENT.id, 8 + 4 + 3) == 0) {
        library.write_u64(&rec, 5);
        library.write_str(&rec, "abc", 3);
        library.finish(&rec);
    }
    printf("%d %d\n", library.start(&rec, 0, 8) < 0, library.start(&rec, 12345, SIZE_MAX) < 0);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    { "threads", threads },
    { "short_lived", short_lived },
    { "forks", forks },
    { "forks_in_control", forks_in_control },
    { "signals", signals },
    { "strings", strings },
    { "string_lengths", string_lengths },
    { "extremes", extremes },
    { "until_killed", until_killed },
    { "many", many },
    { "files", files },
    { "no_allocation", no_allocation },
    { "exported", exported },
};

int main(int argc, char **argv)
{
    size_t i;

    if (argc == 2 && strcmp(argv[1], "control") == 0) {
        control();
    }
    if (argc != 3) {
        return 2;
    }
    trace_opt_parse(argv[2]);
    if (!trace_init_backends()) {
        return 1;
    }
    trace_init_file();
    for (i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        if (strcmp(argv[1], scenarios[i].name) == 0) {
            scenarios[i].run();
            return 0;
        }
    }
    return 2;
}
