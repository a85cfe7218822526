//! Bursts of our own events, in the shape of those by hand.

use ringtrace_benches::burst;
use ringtrace_benches::recording::burst::step;
use ringtrace_benches::recording::in_c::Unmeasured;
use ringtrace_benches::recording::work::Chain;

ringtrace::include_trace!("cost");

burst! {
    /// An event that is off.
    pub fn off(|number| trace::cost_off(number, number.wrapping_mul(7)));

    /// An event that is off, eight times a step.
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

    /// Two u64.
    pub fn two(|number| trace::cost_two(number, number.wrapping_mul(7)));

    /// A string and a u64.
    pub fn string(|number, text: &[u8]| trace::cost_string(text, number));

    /// A string as C has it, and a u64.
    pub fn c_string(|number, text: Unmeasured| trace::cost_string(text.measure(), number));

    /// Work whose result is recorded.
    pub fn work_and_two(|number, chain: &mut Chain| {
        chain.go_on();
        trace::cost_two(number, chain.value());
    });
}
