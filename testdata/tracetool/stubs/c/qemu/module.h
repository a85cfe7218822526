#define trace_init(function)                                                        \
    static void __attribute__((constructor)) do_qemu_init_##function(void)          \
    {                                                                               \
        function();                                                                 \
    }
