/*
 * The USDT probes of legacy.
 * Generated from legacy.events. Make changes there.
 */

provider qemu {
    probe guest_reset(void *__cpu, int index);
    probe guest_halt(void *__cpu);
    probe guest_load_trans(uint8_t size);
    probe guest_load_exec(uint64_t addr, uint8_t size);
};
