/*
 * The USDT probes of extended.
 * Generated from extended.events. Make changes there.
 */

provider qemu {
    probe measured(double seconds, const char *name, float share, int n);
    probe many_doubles(double a, double b, float bits_a, const double d, int rec);
    probe state_changed(int disk, int from, int to);
    probe queued(int kind, const char *name, int state);
};
