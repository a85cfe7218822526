//! A program for external tracers to listen to. It reads commands from standard input, one word per
//! line, and replies to each with a line.

use std::io::{self, BufRead, Write};
use std::ptr::null;

ringtrace::include_trace!("listened");

fn main() -> io::Result<()> {
    for word in io::stdin().lock().lines() {
        writeln!(io::stdout(), "{}", answer(&word?))?;
    }
    Ok(())
}

fn answer(word: &str) -> String {
    match word {
        "listened" => return format!("{} events are listened to", listened()),
        "extremes" => extremes(),
        "numbers" => numbers(),
        "lazy" => return format!("{} arguments were computed", lazily()),
        "done" => trace::done(),
        _ => return "what?".to_owned(),
    }
    word.to_owned()
}

/// Returns the number of events that a tracer listens to.
fn listened() -> usize {
    let all = [
        trace::nothing_enabled(),
        trace::signs_enabled(),
        trace::widths_enabled(),
        trace::pointers_enabled(),
        trace::strings_enabled(),
        trace::lazy_enabled(),
        trace::one_enabled(),
        trace::two_enabled(),
        trace::three_enabled(),
        trace::four_enabled(),
        trace::five_enabled(),
        trace::six_enabled(),
        trace::seven_enabled(),
        trace::eight_enabled(),
        trace::nine_enabled(),
        trace::ten_enabled(),
        trace::done_enabled(),
        trace::never_enabled(),
    ];
    all.into_iter().filter(|enabled| *enabled).count()
}

/// Records minimum, maximum and unusual values.
fn extremes() {
    trace::nothing();
    trace::signs(i8::MIN, i16::MIN, i32::MIN, i64::MIN, isize::MIN, -1);
    trace::signs(i8::MAX, i16::MAX, i32::MAX, i64::MAX, isize::MAX, 0);
    trace::widths(u8::MAX, u16::MAX, u32::MAX, u64::MAX, usize::MAX, true);
    trace::widths(0, 1, 2, 1 << 63, 4, false);
    trace::pointers(0xdead_beef_usize as *const u8, null::<u32>(), None::<&u8>);
    // A literal that has never been read, and bytes that are not UTF-8.
    trace::strings("never touched", None::<&str>, b"caf\xe9");
    trace::strings("", "one\0two", "x".repeat(600));
    trace::never(1);
}

fn numbers() {
    trace::one(-1);
    trace::two(-1, 2);
    trace::three(-1, 2, -3);
    trace::four(-1, 2, -3, 4);
    trace::five(-1, 2, -3, 4, -5);
    trace::six(-1, 2, -3, 4, -5, 6);
    trace::seven(-1, 2, -3, 4, -5, 6, -7);
    trace::eight(-1, 2, -3, 4, -5, 6, -7, 8);
    trace::nine(-1, 2, -3, 4, -5, 6, -7, 8, -9);
    trace::ten(i64::MIN, u64::MAX, -1, 255, "fifth", i16::MIN, u16::MAX, "eighth", i32::MIN, 1 << 63);
}

/// Returns the number of arguments that are computed for an event with two arguments.
fn lazily() -> i64 {
    let mut computed = 0;
    let mut count = || {
        computed += 1;
        computed
    };
    trace::lazy!(count(), if count() > 0 { "computed" } else { "" });
    computed
}
