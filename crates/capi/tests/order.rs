//! Programs whose main() is like QEMU's: options, registration, backends and the trace file, in its order and others.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::path::PathBuf;
use std::sync::LazyLock;

use program::Bench;

const ALL: [&str; 3] =
    ["demo_two 1 2", "demo_named fffffffffffffffd \"three\"", "demo_named ffffffff80000000 \"\""];

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| program::compile("order", "cc", "order.c", &[]));

#[test]
fn what_options_ask_for_is_recorded() {
    let bench = Bench::new();
    bench.run(&PROGRAM, &["--trace", "demo_*,file=t"]);
    assert_eq!(bench.trace("t").lines, ALL);
    assert_eq!(bench.trace("t").totals[0].recorded, 3);
    bench.run(&PROGRAM, &["--trace", "demo_named", "--trace", "file=u"]);
    assert_eq!(bench.trace("u").lines, ALL[1..]);
}

#[test]
fn help_lists_all_events() {
    let output = Bench::new().run(&PROGRAM, &["--trace", "help"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "demo_two\ndemo_named\ndemo_wide\ndemo_off\n");
}
