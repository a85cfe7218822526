/* Calls the functions of ringtrace.h. */
#include "qemu/osdep.h"
#include "ringtrace.h"
#include "trace-demo.h"

static void say(int answer)
{
    printf("%d %s\n", answer, ringtrace_error());
}

static void errors(void)
{
    printf("version %s, no error: '%s'\n", ringtrace_version(), ringtrace_error());
    say((int)ringtrace_start("fiel=x"));
    say((int)ringtrace_start("file=/none/t"));
    say((int)ringtrace_switch_backends("simple"));
    say((int)ringtrace_switch_backends("sample"));
    say((int)ringtrace_snapshot("snap"));
    printf("%d started without options\n", ringtrace_start(NULL));
    printf("%d started\n", ringtrace_start("file=t"));
    say((int)ringtrace_start("file=u"));
    say((int)ringtrace_snapshot("/none/snap"));
    say((int)ringtrace_set_enabled("\xff", true));
}

static void life(void)
{
    int switched, unknown, backends, events;
    bool flushed;

    ringtrace_start("file=first");
    trace_demo_two(0, 2);
    switched = ringtrace_set_enabled("demo_two", true);
    unknown = ringtrace_set_enabled("nobody", true);
    trace_demo_two(1, 2);
    ringtrace_never_block(true);
    flushed = ringtrace_flush();
    ringtrace_switch_backends("log");
    trace_demo_two(2, 2);
    backends = ringtrace_switch_backends("simple");
    ringtrace_never_block(false);
    trace_demo_two(3, 2);
    ringtrace_stop();
    trace_demo_two(4, 2);
    ringtrace_start("file=second,policy=overwrite");
    trace_demo_two(5, 2);
    events = (int)ringtrace_snapshot("snap");
    printf("%d switched, %d unknown, flushed %d, snapshot %d, switched %d\n", switched, unknown, flushed, events, backends);
    ringtrace_stop();
    printf("flushed %d\n", ringtrace_flush());
}

int main(int argc, char **argv)
{
    int i;

    if (strcmp(argv[1], "errors") == 0) {
        errors();
    } else if (strcmp(argv[1], "life") == 0) {
        life();
    } else {
        printf("%d\n", ringtrace_start_with_args(&argc, argv));
        for (i = 1; i < argc; i++) {
            printf(i == 1 ? "%s" : " %s", argv[i]);
        }
        printf("%s\n", argv[argc] == NULL ? "" : " and more");
        trace_demo_two(1, 2);
    }
    return 0;
}
