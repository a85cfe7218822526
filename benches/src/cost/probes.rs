//! Bursts of events, equivalent to the handwritten bursts.

use ringtrace_benches::burst;
use ringtrace_benches::recording::burst::step;
use ringtrace_benches::recording::in_c::Unmeasured;
use ringtrace_benches::recording::work::Chain;

ringtrace::include_trace!("cost");

burst! {
    /// Calls the probe of a disabled event.
    pub fn off(|number| trace::cost_off(number, number.wrapping_mul(7)));

    /// Calls the probe of a disabled event, eight times in each iteration.
    pub fn eight_times_off(|number| {
        trace::cost_off(number, number); step(number);
        trace::cost_off(number, number); step(number);
        trace::cost_off(number, number); step(number);
        trace::cost_off(number, number); step(number);
        trace::cost_off(number, number); step(number);
        trace::cost_off(number, number); step(number);
        trace::cost_off(number, number); step(number);
        trace::cost_off(number, number);
    });

    /// Records two u64.
    pub fn two(|number| trace::cost_two(number, number.wrapping_mul(7)));

    /// Records two u64, the second of which seems random.
    pub fn scattered(|number| trace::cost_two(number, number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));

    /// Records two u64, the second of which seems random, and so do its differences.
    pub fn random(|number| {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xff51_afd7_ed55_8ccd);
        trace::cost_two(number, mixed ^ mixed >> 29);
    });

    /// Records a string and a u64.
    pub fn string(|number, text: &[u8]| trace::cost_string(text, number));

    /// Records a C string and a u64.
    pub fn c_string(|number, text: Unmeasured| trace::cost_string(text.measure(), number));

    /// Does the simulated work, and records its result.
    pub fn work_and_two(|number, mut chain: Chain| {
        chain.go_on();
        trace::cost_two(number, chain.value());
    });
}
