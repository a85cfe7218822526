/*
 * The USDT probes of names.
 * Generated from names.events. Make changes there.
 */

provider qemu {
    probe arguments(int type, int fn, int self_, int Self, int crate, int super, int _, int gen, int size, int len);
    probe prelude(int None, int Some, int Ok, int Err, int u64, int str, int Option);
    probe bodies(int emit, int emit_, int events, int macros, int trace, int record, int ringtrace, int core);
    probe probes(int probes, int bodies, int GROUP, int ENTER, int event);
    probe twice(int a, int a__, int a_);
    probe type(int type);
    probe fn(int x);
    probe self(int x);
    probe Self(int x);
    probe crate(int x);
    probe _(int x);
    probe 9p(int x);
    probe Some(int x);
    probe None(int x);
    probe UPPER(int X);
    probe mixedCase(int argumentToo);
    probe _x(int x);
    probe __x(int x);
    probe x(int x);
    probe emit(int x);
    probe emit_x(int x);
    probe events(int x);
    probe macros(int x);
    probe trace(int x);
    probe core(int x);
    probe ringtrace(int x);
    probe main(int x);
    probe GROUP(int x);
    probe include(int x);
    probe concat(int x);
    probe env(int x);
    probe println(int x);
    probe inline(int x);
    probe allow(int x);
    probe derive(int x);
    probe macro_rules(int x);
    probe group(int x);
    probe u64(int x);
    probe str(int x);
    probe static_(int x);
    probe drop(int x);
    probe span(int x);
};
