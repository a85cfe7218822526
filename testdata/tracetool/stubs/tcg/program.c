/* Translates a guest that calls every probe of ../../tcg.events with the limits of each type. */

#include "qemu/osdep.h"
#include "exec/helper-gen.h"
#include "trace-tcg.h"

int tcg_constants;

int main(void)
{
    CPUArchState env = { { false } };
    TCGv_env guest = { &env };
    void *const top = (void *)UINTPTR_MAX;
    TCGv word = { UINT32_MAX };
    TCGv_i32 i32 = { UINT32_MAX };
    TCGv_i64 i64 = { UINT64_MAX };
    TCGv_ptr ptr = { top };

    printf("# not for this CPU\n");
    trace_guest_load_tcg(env_cpu(&env), guest, word, UINT8_MAX, top);
    trace_cpu_alone_tcg(env_cpu(&env), guest);
    env.parent.is_traced = true;
    printf("# for this CPU\n");
    trace_guest_load_tcg(env_cpu(&env), guest, word, UINT8_MAX, top);
    trace_cpu_alone_tcg(env_cpu(&env), guest);
    printf("# for all CPUs\n");
    trace_every_type_tcg(word, i32, i64, ptr, UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX, top);
    trace_nothing_tcg();
    trace_known_late_tcg(i64);
    trace_known_early_tcg(UINT16_MAX);
    trace_names_tcg(word, 1, 2, ptr);
    printf("# disabled\n");
    trace_never_tcg(env_cpu(&env), guest, word, true, "");
    trace_never_either_tcg();
    printf("# %d constants were not freed\n", tcg_constants);
    return 0;
}
