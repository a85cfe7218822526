/*
 * The USDT probes of disabled.
 * Generated from disabled.events. Make changes there.
 */

provider qemu {
    probe between(int x);
};
