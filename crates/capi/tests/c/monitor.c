/* Starts monitors with the functions of ringtrace.h. */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "ringtrace.h"
#include "trace/control.h"
#include "trace-demo.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, int answer)
{
    printf("%s: %d %s\n", what, answer, answer == 0 ? "" : ringtrace_error());
    fflush(stdout);
}

/* Records events until standard input is closed. */
static void work(void)
{
    char byte;
    uint64_t round;

    fcntl(0, F_SETFL, O_NONBLOCK);
    for (round = 1; read(0, &byte, 1) != 0; round++) {
        trace_demo_two(round, 2);
        usleep(1000);
    }
}

static void errors(void)
{
    say("no path", ringtrace_monitor("unix:"));
    say("no folder", ringtrace_monitor("unix:/none/m"));
    say("no key", ringtrace_monitor("unix:m,mod=hmp"));
    say("nothing", ringtrace_monitor(""));
    say("one", ringtrace_monitor("unix:m"));
    say("again", ringtrace_monitor("unix:m"));
    ringtrace_monitor_directory("/none");
    say("nowhere", ringtrace_monitor("unix:n"));
    ringtrace_monitor_directory(NULL);
    say("two", ringtrace_monitor("unix:n;unix:o"));
    printf("there: %d %d %d\n", access("m", F_OK), access("n", F_OK), access("o", F_OK));
    ringtrace_monitor_stop();
    printf("gone: %d %d %d\n", access("m", F_OK), access("n", F_OK), access("o", F_OK));
    say("once more", ringtrace_monitor("unix:m"));
}

static void arguments(int argc, char **argv)
{
    int i;

    say("monitor", ringtrace_monitor_with_args(&argc, argv));
    say("trace", ringtrace_start_with_args(&argc, argv));
    for (i = 0; i < argc; i++) {
        printf("%s\n", argv[i]);
    }
    printf("%s\n", argv[argc] == NULL ? "the end" : "and more");
}

static volatile sig_atomic_t is_told_to_end;

static void end(int signal)
{
    (void)signal;
    is_told_to_end = 1;
}

/* Starts like QEMU: parses the options, becomes a daemon, and creates threads only then. */
static void daemonise(const char *option, const char *address)
{
    int ready[2];
    char byte;

    trace_opt_parse(option);
    if (pipe(ready) != 0) {
        exit(1);
    }
    if (fork() != 0) {
        close(ready[1]);
        /* 0 bytes: the daemon ended without a message. */
        exit(read(ready[0], &byte, 1) == 1 ? 0 : 1);
    }
    setsid();
    if (fork() != 0) {
        _exit(0);
    }
    module_call_init(MODULE_INIT_TRACE);
    if (!trace_init_backends()) {
        exit(1);
    }
    trace_init_file();
    ringtrace_monitor_allow_quit(true);
    if (ringtrace_monitor(address) != 0) {
        exit(1);
    }
    if (write(ready[1], "", 1) != 1) {
        exit(1);
    }
    signal(SIGTERM, end);
    while (!is_told_to_end) {
        trace_demo_named((int)getpid(), "daemon");
        usleep(1000);
    }
}

/* A child has no monitor and can start its own. */
static void forks(void)
{
    int status;
    pid_t child;

    say("parent", ringtrace_monitor("unix:m,mode=hmp"));
    child = fork();
    if (child == 0) {
        say("same", ringtrace_monitor("unix:m"));
        say("child", ringtrace_monitor("unix:child,mode=hmp"));
        printf("there: %d\n", access("child", F_OK));
        exit(0);
    }
    waitpid(child, &status, 0);
    printf("status %d, gone: %d, there: %d\n", status, access("child", F_OK), access("m", F_OK));
    fflush(stdout);
    work();
}

enum { COUNTING_THREADS = 4 };

static void *emit_many(void *threads_number)
{
    uint64_t i;

    for (i = 0; i < 30000; i++) {
        trace_demo_two(i, (uintptr_t)threads_number);
        if (i % 10 == 0) {
            trace_demo_named((int)i, "a name");
        }
    }
    return NULL;
}

/* Records more events than the rings can hold, then waits until standard input is closed. */
static void counts(void)
{
    pthread_t ids[COUNTING_THREADS];
    uintptr_t i;
    char byte;

    for (i = 0; i < COUNTING_THREADS; i++) {
        pthread_create(&ids[i], NULL, emit_many, (void *)i);
    }
    for (i = 0; i < COUNTING_THREADS; i++) {
        pthread_join(ids[i], NULL);
    }
    say("done", 0);
    while (read(0, &byte, 1) > 0) {
    }
}

int main(int argc, char **argv)
{
    const char *what = argv[1];

    if (strcmp(what, "errors") == 0) {
        errors();
    } else if (strcmp(what, "arguments") == 0) {
        arguments(argc - 1, argv + 1);
    } else if (strcmp(what, "daemon") == 0) {
        daemonise(argv[2], argv[3]);
    } else if (strcmp(what, "counts") == 0) {
        say("serves", ringtrace_monitor(argv[2]));
        say("starts", ringtrace_start(argv[3]));
        counts();
    } else if (strcmp(what, "forks") == 0) {
        forks();
    } else if (strcmp(what, "limits") == 0) {
        ringtrace_monitor_directory(argv[3]);
        say("serves", ringtrace_monitor(argv[2]));
        work();
    } else if (strcmp(what, "late") == 0) {
        /* Starts only the monitor. The program records events after a client has started tracing. */
        say("serves", ringtrace_monitor(argv[2]));
        work();
        say("starts", ringtrace_start(argv[3]));
        trace_demo_two(0, 0);
        ringtrace_stop();
    } else {
        say("serves", ringtrace_monitor(NULL));
        work();
        ringtrace_monitor_stop();
    }
    return 0;
}
