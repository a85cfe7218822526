/*
 * The USDT probes of keywords.
 * Generated from keywords.events. Make changes there.
 */

provider qemu {
    probe of_all(int if_, int long_, int return_, int while_, int for_);
    probe of_c(int typeof, int _Bool, int nullptr, int alignas);
    probe of_d(int counter_, int probe_, int provider_, int self_, int string_, int stringof_, int this_, int translator_, int xlate_);
    probe of_systemtap(int catch, int delete, int foreach, int function, int global, int in, int limit, int next, int private, int try);
    probe renamed(int if__, int if_, int in, int in_);
    probe twice(int a, int a__, int a_);
    probe beside_strings(const char *s, int args_str, int args_len, int event_id, int pid);
    probe next(int x);
    probe probe(int x);
};
