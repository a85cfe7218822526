/*
 * A program that restricts itself to some system calls: the kernel kills it on any other call. Arguments: a
 * --trace option, whether to install the filter "before" or "after" tracing starts, whether to change the
 * trace file ("rotate") or not ("stay"), and the numbers of the allowed calls. For a negative number, the
 * kernel does not kill the program, but responds as if the call did not exist.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "trace/simple.h"
#include "trace-demo.h"

enum { MAX_CALLS = 200, THREADS = 40, EACH = 2000 };

static void allow_only(int count, char **numbers)
{
    static struct sock_filter code[2 * MAX_CALLS + 3];
    struct sock_fprog program = { .filter = code };
    int i;

    if (count > MAX_CALLS) {
        exit(2);
    }
    code[program.len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
    for (i = 0; i < count; i++) {
        int number = atoi(numbers[i]);
        unsigned answer = number < 0 ? SECCOMP_RET_ERRNO | ENOSYS : SECCOMP_RET_ALLOW;

        code[program.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)abs(number), 0, 1);
        code[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer);
    }
    code[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    /* With more malloc arenas, the C library would read the number of processors. */
    mallopt(M_ARENA_MAX, 1);
    /* As in QEMU, the filter applies to all threads, including the writer thread. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
        perror("seccomp");
        exit(3);
    }
}

static void start(const char *option)
{
    module_call_init(MODULE_INIT_TRACE);
    trace_opt_parse(option);
    if (!trace_init_backends()) {
        exit(1);
    }
    trace_init_file();
}

static void *emit(void *thread)
{
    uint64_t i;

    for (i = 0; i < EACH; i++) {
        trace_demo_two((uint64_t)(uintptr_t)thread, i);
    }
    return NULL;
}

/* Starts more threads than there are rings at startup. */
static void threads(uintptr_t first)
{
    pthread_t ids[THREADS];
    uintptr_t i;

    for (i = 0; i < THREADS; i++) {
        pthread_create(&ids[i], NULL, emit, (void *)(first + i));
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
    }
}

int main(int argc, char **argv)
{
    bool is_before;

    if (argc < 5) {
        return 2;
    }
    is_before = strcmp(argv[2], "before") == 0;
    if (is_before) {
        allow_only(argc - 4, argv + 4);
    }
    start(argv[1]);
    if (!is_before) {
        allow_only(argc - 4, argv + 4);
    }
    emit(NULL);
    threads(100);
    st_flush_trace_buffer();
    if (strcmp(argv[3], "rotate") == 0) {
        st_set_trace_file("second");
        threads(200);
        st_set_trace_file_enabled(false);
        st_set_trace_file_enabled(true);
        emit((void *)1);
    }
    return 0;
}
