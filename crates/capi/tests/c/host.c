/* Loads plugin.c repeatedly and calls it from a long-lived thread. Arguments: a --trace option, and the plugin's path. */
#include <dlfcn.h>
#include <pthread.h>

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "trace/simple.h"

enum { LOADS = 5, COUNT = 1000 };

static const char *path;

static void *open_plugin(void)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return plugin;
}

static void *function(void *plugin, const char *name)
{
    void *found = dlsym(plugin, name);

    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

static void *stay(void *unused)
{
    uint64_t load;

    for (load = 1; load <= LOADS; load++) {
        void *plugin = open_plugin();
        void (*work)(uint64_t, uint64_t);
        bool (*switch_event)(bool);

        *(void **)&work = function(plugin, "plugin_work");
        *(void **)&switch_event = function(plugin, "plugin_switch");
        work(load, COUNT);
        printf("%d", switch_event(false));
        work(100 + load, 1);
        printf("%d ", switch_event(true));
        work(load + 10, COUNT);
        if (dlclose(plugin) != 0 || dlopen(path, RTLD_NOW | RTLD_NOLOAD) != NULL) {
            fprintf(stderr, "the plugin is still loaded\n");
            exit(1);
        }
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t id;

    if (argc != 3) {
        return 2;
    }
    path = argv[2];
    /* Unloads the plugin before tracing starts. */
    dlclose(open_plugin());
    trace_opt_parse(argv[1]);
    if (!trace_init_backends()) {
        return 1;
    }
    trace_init_file();
    pthread_create(&id, NULL, stay, NULL);
    pthread_join(id, NULL);
    stay(NULL);
    trace_list_events(stdout);
    return 0;
}
