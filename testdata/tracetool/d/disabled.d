/*
 * The USDT probes of disabled.
 * Generated from disabled.events: changes belong there.
 */

provider qemu {
    probe between(int x);
};
