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

    /// Records a string and a u64.
    pub fn string(|number, text: &[u8]| trace::cost_string(text, number));

    /// Records a C string and a u64.
    pub fn c_string(|number, text: Unmeasured| trace::cost_string(text.measure(), number));

    /// Does the simulated work, and records its result.
    pub fn work_and_two(|number, chain: &mut Chain| {
        chain.go_on();
        trace::cost_two(number, chain.value());
    });
}
