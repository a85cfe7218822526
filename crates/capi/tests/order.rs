//! Programs whose main() is like QEMU's: options, registration, backends and the trace file, in its order and others.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use program::Bench;

const ALL: [&str; 3] =
    ["demo_two 1 2", "demo_named fffffffffffffffd \"three\"", "demo_named ffffffff80000000 \"\""];

fn bench() -> Bench {
    let bench = Bench::new();
    bench.compile("order", "cc", &["order.c", "trace-demo.c"], &[]);
    bench
}

#[test]
fn what_options_ask_for_is_recorded() {
    let bench = bench();
    bench.run("order", &["--trace", "demo_*,file=t"]);
    assert_eq!(bench.trace("t").lines, ALL);
    assert_eq!(bench.trace("t").totals[0].recorded, 3);
    bench.run("order", &["--trace", "demo_named", "--trace", "file=u"]);
    assert_eq!(bench.trace("u").lines, ALL[1..]);
}

#[test]
fn help_lists_all_events() {
    let output = bench().run("order", &["--trace", "help"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "demo_two\ndemo_named\ndemo_off\n");
}
