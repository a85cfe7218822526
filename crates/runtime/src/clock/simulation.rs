//! Simulations of the clock, in which the test controls time, the counter and the kernel's clock.

use std::cell::{Cell, RefCell};

use proptest::prelude::*;

use ringtrace_wire::ticks::Piece;

use super::calibration::FIRST_BASELINE_NS;
use super::sample::{Sample, TimeSource};
use super::timeline::Timeline;

const SECOND_NS: u64 = 1_000_000_000;

/// The number of fractional bits in a world's clocks, for fractions of ticks and nanoseconds.
const FRACTION: u32 = 40;

/// A simulated machine. Time passes only when the test advances it, or when a clock is read.
#[derive(Debug)]
struct World {
    ticks: Cell<u128>,
    monotonic: Cell<u128>,
    /// The advance of the counter per nanosecond, with fractional bits.
    ticks_each_ns: Cell<u128>,
    monotonic_each_ns: Cell<u128>,
}

impl World {
    /// Creates a world whose counter runs at `hertz`, and is at `ticks` when the kernel's clock is
    /// at `ns`.
    fn new(hertz: u64, ticks: u64, ns: u64) -> World {
        World {
            ticks: Cell::new(u128::from(ticks) << FRACTION),
            monotonic: Cell::new(u128::from(ns) << FRACTION),
            ticks_each_ns: Cell::new((u128::from(hertz) << FRACTION) / u128::from(SECOND_NS)),
            monotonic_each_ns: Cell::new(1 << FRACTION),
        }
    }

    fn pass(&self, ns: u64) {
        self.ticks.set(self.ticks.get() + u128::from(ns) * self.ticks_each_ns.get());
        self.monotonic.set(self.monotonic.get() + u128::from(ns) * self.monotonic_each_ns.get());
    }

    fn set_ticks(&self, forward: bool, by: u64) {
        let whole = 1_u128 << (64 + FRACTION);
        let by = u128::from(by) << FRACTION;
        let ticks = self.ticks.get();
        self.ticks.set(if forward { ticks + by } else { (ticks + whole - by) % whole });
    }

    /// Slews the kernel's clock by parts per million, like NTP.
    fn slew(&self, ppm: i32) {
        self.slew_ppb(1000 * ppm);
    }

    fn slew_ppb(&self, ppb: i32) {
        let one = 1_i128 << FRACTION;
        self.monotonic_each_ns.set((one + one * i128::from(ppb) / 1_000_000_000).cast_unsigned());
    }

    fn true_ns(&self) -> u64 {
        (self.monotonic.get() >> FRACTION) as u64
    }
}

impl TimeSource for World {
    fn ticks(&self) -> u64 {
        self.pass(8);
        (self.ticks.get() >> FRACTION) as u64
    }

    fn monotonic_ns(&self) -> u64 {
        self.pass(12);
        let ns = self.true_ns();
        self.pass(12);
        ns
    }
}

struct Run {
    world: World,
    timeline: RefCell<Timeline>,
    /// Stamps that the writer thread has not collected yet.
    ring: RefCell<Vec<Stamped>>,
    last_ns: Cell<u64>,
    worst_ns: Cell<u64>,
    /// Converted stamps with their times. They must all belong to a single function.
    given: RefCell<Vec<(u64, u64)>>,
}

struct Stamped {
    ticks: u64,
    true_ns: u64,
}

impl Run {
    fn start(world: World) -> Run {
        let before = Sample::best(&world);
        world.pass(FIRST_BASELINE_NS);
        let now = Sample::best(&world);
        let timeline = Timeline::new(now.rate_since(&before).unwrap(), now);
        Run {
            world,
            timeline: RefCell::new(timeline),
            ring: RefCell::default(),
            last_ns: Cell::new(0),
            worst_ns: Cell::new(0),
            given: RefCell::default(),
        }
    }

    fn record(&self) {
        let stamped = self.stamp();
        self.ring.borrow_mut().push(stamped);
    }

    fn stamp(&self) -> Stamped {
        Stamped { ticks: self.world.ticks(), true_ns: self.world.true_ns() }
    }

    /// Collects the stamps in the ring and converts them, as the writer thread does. Checks that
    /// times do not decrease, and that adjacent pieces meet unless a clock has jumped.
    fn collect(&self) {
        let collected = self.ring.take();
        let jumps = self.timeline.borrow().jumps();
        let before = self.timeline.borrow().newest();
        self.timeline.borrow_mut().decide(&self.world);
        for pieces in self.timeline.borrow().pieces_from(before).windows(2) {
            let meets = pieces[0].ns_at(pieces[1].first_ticks) == pieces[1].first_ns;
            assert!(meets || self.timeline.borrow().jumps() > jumps, "{pieces:?}");
        }
        for stamped in collected {
            let ns = self.ns_of(stamped.ticks);
            assert!(ns >= self.last_ns.get(), "{ns} after {}", self.last_ns.get());
            self.last_ns.set(ns);
            self.worst_ns.set(self.worst_ns.get().max(ns.abs_diff(stamped.true_ns)));
        }
    }

    fn ns_of(&self, ticks: u64) -> u64 {
        let ns = self.timeline.borrow().ns_at(ticks);
        self.given.borrow_mut().push((ticks, ns));
        ns
    }

    /// Lets time pass. The writer thread wakes every 100 ms, and a thread records more often.
    /// Returns the greatest error of a converted time.
    fn pass(&self, ns: u64) -> u64 {
        self.worst_ns.set(0);
        let steps = ns.div_ceil(SECOND_NS / 50).max(1);
        for step in 0..steps {
            self.world.pass(ns / steps);
            self.record();
            if step % 5 == 4 {
                self.collect();
            }
        }
        self.collect();
        self.worst_ns.get()
    }

    /// Checks that a single function that does not decrease gives the times of all converted
    /// stamps. The stamps are ordered relative to `first`, because the counter may wrap.
    fn check_that_it_is_one_function(&self, first: u64) {
        let mut given = self.given.borrow().clone();
        given.sort_unstable_by_key(|&(ticks, _)| ticks.wrapping_sub(first));
        for pair in given.windows(2) {
            assert!(pair[0].1 <= pair[1].1, "{:?} {:?}", pair[0], pair[1]);
            assert!(pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1, "{:?} {:?}", pair[0], pair[1]);
        }
        // Converting with the writer thread's cached piece must give the same times.
        let timeline = self.timeline.borrow();
        let mut cached: Option<(Piece, u64)> = None;
        for &(ticks, ns) in &given {
            assert_eq!(timeline.ns_at(ticks), ns);
            if let Some((piece, span_ticks)) = cached
                && piece.elapsed(ticks).is_some_and(|elapsed| elapsed < span_ticks)
            {
                assert_eq!(piece.ns_at(ticks), ns, "{piece:?}");
            }
            cached = timeline.piece_at(ticks);
            if let Some((piece, span_ticks)) = cached {
                assert!(piece.elapsed(ticks).unwrap() < span_ticks, "{piece:?}");
            }
        }
    }
}

fn hertz() -> impl Strategy<Value = u64> {
    prop_oneof![1_000_000_000_u64..6_000_000_000, Just(24_000_000), Just(2_100_000_000), Just(3_000_000_000)]
}

/// Generates worlds whose clocks have just started, or have run for up to thirty years. The counter
/// may wrap.
fn world() -> impl Strategy<Value = World> {
    let years_30_ns = 30 * 366 * 86400 * SECOND_NS;
    let ticks =
        prop_oneof![0_u64..1 << 40, (1_u64 << 62) - (1 << 36)..1 << 62, u64::MAX - (1 << 34)..=u64::MAX];
    (hertz(), ticks, 1..years_30_ns).prop_map(|(hertz, ticks, ns)| World::new(hertz, ticks, ns))
}

#[derive(Debug, Clone)]
enum Act {
    Pass {
        ns: u64,
    },
    Slew {
        ppm: i32,
    },
    Record,
    /// Another thread reads the counter.
    BeginRecord,
    /// The thread of the latest `BeginRecord` publishes its record, after any number of
    /// collections.
    EndRecord,
    Collect,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        2 => (0_u64..40_000_000).prop_map(|ns| Act::Pass { ns }),
        1 => (0_u64..2_000_000_000).prop_map(|ns| Act::Pass { ns }),
        1 => (-500..=500).prop_map(|ppm| Act::Slew { ppm }),
        4 => Just(Act::Record),
        2 => Just(Act::BeginRecord),
        2 => Just(Act::EndRecord),
        3 => Just(Act::Collect),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Times never decrease, however NTP slews the clock, and whenever threads run or are
    /// preempted.
    #[test]
    fn times_never_decrease(world in world(), acts in prop::collection::vec(act(), 1..300)) {
        let first = world.ticks();
        let run = Run::start(world);
        let mut begun = Vec::new();
        for act in acts {
            match act {
                Act::Pass { ns } => run.world.pass(ns),
                Act::Slew { ppm } => run.world.slew(ppm),
                Act::Record => run.record(),
                Act::BeginRecord => begun.push(run.stamp()),
                Act::EndRecord => {
                    if let Some(stamped) = begun.pop() {
                        run.timeline.borrow_mut().decide(&run.world);
                        run.ns_of(stamped.ticks);
                    }
                }
                Act::Collect => run.collect(),
            }
        }
        prop_assert_eq!(run.timeline.borrow().jumps(), 0);
        run.check_that_it_is_one_function(first);
    }

    /// The first rate is measured only briefly, so an early collection is less accurate. If the
    /// first collection is after a tenth of a second, which is usual, only the error of the samples
    /// themselves remains.
    #[test]
    fn the_first_moments(world in world(), early_ns in 0..10_000_000_u64) {
        let run = Run::start(world);
        run.world.pass(early_ns);
        run.record();
        run.collect();
        prop_assert!(run.worst_ns.get() < 5_000, "{}", run.worst_ns.get());
        prop_assert!(run.pass(SECOND_NS / 10) < 5_000);
        prop_assert!(run.pass(SECOND_NS) < 200);
        let Run { world, .. } = run;
        let run = Run::start(world);
        prop_assert!(run.pass(SECOND_NS / 10) < 200);
    }

    /// After a few seconds without a change of rate, only the measurement error remains.
    #[test]
    fn it_converges(world in world(), before in -500..=500, after in -500..=500) {
        let run = Run::start(world);
        run.world.slew(before);
        run.pass(3 * SECOND_NS);
        let worst_ns = run.pass(5 * SECOND_NS);
        prop_assert!(worst_ns < 100, "{worst_ns}");
        run.world.slew(after);
        let worst_ns = run.pass(4 * SECOND_NS);
        // The change is detected within a second. Until then, the rate is wrong by at most a
        // thousand parts per million. Catching up then takes half a second.
        prop_assert!(worst_ns < 1_600_000, "{worst_ns}");
        let worst_ns = run.pass(20 * SECOND_NS);
        prop_assert!(worst_ns < 100, "{worst_ns}");
        prop_assert_eq!(run.timeline.borrow().jumps(), 0);
    }

    /// NTP changes the rate by one part per million each second, as on a machine that has just
    /// booted.
    #[test]
    fn it_follows_a_clock_that_is_steered(world in world(), changes in prop::collection::vec(-1..=1_i32, 30)) {
        let run = Run::start(world);
        let mut now = 0;
        run.pass(3 * SECOND_NS);
        for change in changes {
            now += change;
            run.world.slew(now);
            let worst_ns = run.pass(SECOND_NS);
            prop_assert!(worst_ns < 5_000, "{worst_ns}");
        }
    }

    /// The counter jumps by any distance, forward or backward, possibly while the writer thread is
    /// asleep.
    #[test]
    fn jumps_of_the_counter(
        world in world(), forward in any::<bool>(), by in 1_u64..1 << 50, late_ns in 0..10 * SECOND_NS,
    ) {
        let run = Run::start(world);
        run.pass(3 * SECOND_NS);
        run.world.pass(late_ns);
        run.world.set_ticks(forward, by);
        run.world.pass(late_ns / 2);
        run.pass(4 * SECOND_NS);
        let worst_ns = run.pass(2 * SECOND_NS);
        prop_assert!(worst_ns < 100, "{worst_ns}");
        prop_assert!(run.timeline.borrow().jumps() <= 1);
    }

    /// The guest is moved to a machine whose counter has another frequency.
    #[test]
    fn another_frequency(world in world(), hertz in hertz()) {
        let run = Run::start(world);
        run.pass(3 * SECOND_NS);
        run.world.ticks_each_ns.set((u128::from(hertz) << FRACTION) / u128::from(SECOND_NS));
        run.pass(8 * SECOND_NS);
        let worst_ns = run.pass(2 * SECOND_NS);
        prop_assert!(worst_ns < 100, "{worst_ns}");
    }

    /// The writer thread stops for years (a debugger, a pipe without a reader). Records from that
    /// time still get the right times.
    #[test]
    fn years_of_silence(world in world(), seconds in 1_u64..30 * 366 * 86400) {
        let run = Run::start(world);
        run.pass(10 * SECOND_NS);
        run.worst_ns.set(0);
        for _ in 0..10 {
            run.world.pass(seconds * (SECOND_NS / 10));
            run.record();
        }
        run.collect();
        // The limit is the rounding error of a rate, multiplied by thirty years.
        prop_assert!(run.worst_ns.get() < 1000, "{}", run.worst_ns.get());
        prop_assert!(run.pass(SECOND_NS) < 1000);
    }
}

/// The system slept. Meanwhile the counter continued, but CLOCK_MONOTONIC did not.
#[test]
fn sleep_of_the_system_with_a_counter_that_runs_on() {
    let run = Run::start(World::new(2_100_000_000, 1 << 40, SECOND_NS));
    run.pass(3 * SECOND_NS);
    run.world.pass(20_000_000);
    run.record();
    run.world.set_ticks(true, 3600 * 2_100_000_000);
    run.world.pass(20_000_000);
    run.record();
    run.collect();
    // A record from before the sleep gets the time at which the writer thread last read the clock.
    assert!((15_000_000..25_000_000).contains(&run.worst_ns.get()), "{}", run.worst_ns.get());
    assert!(run.pass(SECOND_NS) < 1000);
    assert!(run.pass(SECOND_NS) < 100);
    assert_eq!(run.timeline.borrow().jumps(), 1);
}

/// The system slept, and then the counter restarted near zero.
#[test]
fn sleep_of_the_system_with_a_counter_that_is_reset() {
    let run = Run::start(World::new(2_100_000_000, 1 << 50, SECOND_NS));
    run.pass(3 * SECOND_NS);
    run.world.pass(20_000_000);
    run.record();
    run.world.set_ticks(false, (1 << 50) - 1000);
    run.world.pass(20_000_000);
    run.collect();
    assert!((15_000_000..25_000_000).contains(&run.worst_ns.get()), "{}", run.worst_ns.get());
    assert!(run.pass(SECOND_NS) < 1000);
    assert!(run.pass(SECOND_NS) < 100);
    assert_eq!(run.timeline.borrow().jumps(), 1);
}

/// The calibrated rate survives a small jump, as when a hypervisor moves a guest.
#[test]
fn a_small_jump_of_the_counter() {
    for (forward, by) in [(true, 42_000_000), (false, 42_000_000), (true, 4_200_000), (false, 4_200_000)] {
        let run = Run::start(World::new(2_100_000_000, 1 << 40, SECOND_NS));
        run.pass(20 * SECOND_NS);
        run.world.set_ticks(forward, by);
        run.pass(SECOND_NS / 5);
        let worst_ns = run.pass(SECOND_NS / 10);
        assert!(worst_ns < 100, "{worst_ns}");
    }
}

/// CLOCK_MONOTONIC is set back, as in a restored guest. Times then advance slowly, but never
/// decrease.
#[test]
fn a_true_time_that_is_behind() {
    let run = Run::start(World::new(2_100_000_000, 1 << 40, 100 * SECOND_NS));
    run.pass(20 * SECOND_NS);
    run.world.monotonic.set(run.world.monotonic.get() - (u128::from(2 * SECOND_NS) << FRACTION));
    run.pass(SECOND_NS / 2);
    let (before_ns, true_ns) = (run.last_ns.get(), run.world.true_ns());
    run.pass(SECOND_NS);
    let passed_ns = run.last_ns.get() - before_ns;
    assert!(
        (450_000_000..550_000_000).contains(&passed_ns),
        "{passed_ns} in {}",
        run.world.true_ns() - true_ns
    );
    run.pass(4 * SECOND_NS);
    assert!(run.pass(SECOND_NS) < 100);
    assert_eq!(run.timeline.borrow().jumps(), 1);
}

/// The counter's rate drifts too slowly for one sample to detect, as with a warming oscillator.
#[test]
fn a_rate_that_drifts() {
    let run = Run::start(World::new(2_100_000_000, 1 << 40, SECOND_NS));
    run.pass(3 * SECOND_NS);
    for second in 0..300 {
        run.world.slew_ppb(second * 10);
        let worst_ns = run.pass(SECOND_NS);
        assert!(worst_ns < 200, "{worst_ns}");
    }
}

/// If there are more corrections than retained pieces, the oldest pieces are dropped. The oldest
/// retained piece also applies before its start.
#[test]
fn the_oldest_pieces_are_dropped() {
    let run = Run::start(World::new(2_100_000_000, 1 << 40, SECOND_NS));
    let early = run.stamp();
    for second in 0..3000 {
        run.world.slew(if second % 2 == 0 { 4 } else { -4 });
        run.world.pass(SECOND_NS);
        run.collect();
    }
    let away_ns = run.ns_of(early.ticks).abs_diff(early.true_ns);
    assert!(away_ns < 3000 * 4000, "{away_ns}");
}
