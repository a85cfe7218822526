//! Simulates programs, each recorded twice. The tests measure how often equal recordings are
//! reported as different, and whether a change is found without false findings.
//!
//! The simulation includes the difficulties of real programs. A slow request delays the next
//! request. The machine's speed varies, or the machine does other work. Programs start slowly, and
//! recordings have different lengths. A program at full load does less of everything when one
//! operation is slow.
//!
//! `RINGTRACE_DIFF_PAIRS=500 cargo test --release -p ringtrace-report --test diff -- --nocapture`
//! compares 500 pairs of each nature, and prints how often a difference was found. docs/diff.md
//! contains these numbers.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

use ringtrace_events::SourceFile;
use ringtrace_report::diff::{Change, Difference, Recording, Settings, Subject};
use ringtrace_tracefile::pair::{Description, PairDescription, PairSpec, SpanTracker};
use ringtrace_tracefile::{Input, Needs, Options, Reader, Traces};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

const DECLARATIONS: &str = "\
read_begin(uint64_t id) \"%u\"
read_look(uint64_t id) \"%u\"
read_copy(uint64_t id) \"%u\"
read_end(uint64_t id) \"%u\"
write_begin(uint64_t id) \"%u\"
write_copy(uint64_t id) \"%u\"
write_log(uint64_t id) \"%u\"
write_end(uint64_t id) \"%u\"
task_begin(uint64_t id) \"%u\"
task_end(uint64_t id) \"%u\"
idle(uint64_t id) \"%u\"
";

const NAMES: [&str; 11] = [
    "read_begin",
    "read_look",
    "read_copy",
    "read_end",
    "write_begin",
    "write_copy",
    "write_log",
    "write_end",
    "task_begin",
    "task_end",
    "idle",
];

/// A generator of random numbers: Marsaglia's xorshift.
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Chance {
        Chance((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Returns a number from 0 to 1, excluding 1.
    fn part(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.part().max(1e-300), self.part());
        (-2.0 * radius.ln()).sqrt() * (2.0 * std::f64::consts::PI * angle).cos()
    }
}

/// A value that varies randomly, correlated over about `steps` steps.
struct Drift {
    value: f64,
    memory: f64,
    size: f64,
}

impl Drift {
    fn new(size: f64, steps: f64, chance: &mut Chance) -> Drift {
        Drift { value: size * chance.normal(), memory: (-1.0 / steps).exp(), size }
    }

    fn step(&mut self, chance: &mut Chance) -> f64 {
        let news = self.size * (1.0 - self.memory * self.memory).sqrt();
        self.value = self.memory * self.value + news * chance.normal();
        self.value.exp()
    }
}

/// The behaviour of a program and its machine.
#[derive(Clone, Copy)]
struct Nature {
    name: &'static str,
    /// How much a request's time varies, and the correlation length of that variation, in requests.
    requests: (f64, f64),
    /// How much the machine's speed varies, and the correlation length of that variation, as a
    /// fraction of all requests.
    machine: (f64, f64),
    /// Whether other work slows down the machine for some time, in every other recording.
    bursts: bool,
    /// Whether the first requests are slow.
    warms: bool,
    /// Whether the program waits for the next request. Otherwise it runs at full load.
    waits: bool,
    /// The number of requests in the second recording, as a multiple of the number in the first
    /// recording.
    longer: usize,
    /// The duration of all operations in the second recording, as a multiple of their duration in
    /// the first recording.
    slower: f64,
}

const PLAIN: Nature = Nature {
    name: "plain",
    requests: (0.0, 1.0),
    machine: (0.0, 1.0),
    bursts: false,
    warms: false,
    waits: false,
    longer: 1,
    slower: 1.0,
};

const NATURES: [Nature; 8] = [
    PLAIN,
    Nature { name: "autocorrelated", requests: (0.3, 100.0), ..PLAIN },
    Nature { name: "slow machine by turns", machine: (0.15, 0.1), ..PLAIN },
    Nature { name: "another machine each time", machine: (0.3, 20.0), ..PLAIN },
    Nature { name: "bursts", bursts: true, ..PLAIN },
    Nature { name: "warming up, longer", warms: true, longer: 3, ..PLAIN },
    Nature { name: "waiting", waits: true, requests: (0.2, 30.0), ..PLAIN },
    Nature {
        name: "everything",
        requests: (0.2, 30.0),
        machine: (0.1, 0.5),
        bursts: true,
        warms: true,
        longer: 2,
        ..PLAIN
    },
];

/// The type of request that is slower in a recording, and the factor.
type Slow = Option<(usize, f64)>;

/// Returns a trace of `requests` requests. They are reads and writes, one after the other, within
/// tasks of five requests.
fn trace(nature: Nature, requests: usize, slow: Slow, seed: u64) -> Vec<u8> {
    let chance = &mut Chance::new(seed);
    let mut of_requests = [(); 2].map(|()| Drift::new(nature.requests.0, nature.requests.1, chance));
    let mut machine = Drift::new(nature.machine.0, nature.machine.1 * requests as f64, chance);
    let burst = (chance.part() * requests as f64) as usize;
    let burst = if nature.bursts && seed % 2 == 1 { burst..burst + requests / 5 } else { 0..0 };
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut out = Vec::new();
    encoder.header(0, 0, &mut out);
    for (id, name) in NAMES.iter().enumerate() {
        encoder.mapping(id as u64, name.as_bytes(), &mut out);
    }
    let mut now_ns = 1e9;
    let mut waited_ns = 1e9;
    let mut record = |event: u64, ns: f64, id: usize| {
        encoder.record(event, ns as u64, 7, &[Value::Integer(id as u64)], &mut out).unwrap();
    };
    for request in 0..requests {
        let mut speed = machine.step(chance) * if seed % 2 == 1 { nature.slower } else { 1.0 };
        if burst.contains(&request) {
            speed *= 2.0;
        }
        if nature.warms {
            speed *= 1.0 + 2.0 * (-(request as f64) / 200.0).exp();
        }
        if request % 5 == 0 {
            record(8, now_ns, request);
        }
        let step_type = usize::from(chance.part() < 0.4);
        let own = of_requests[step_type].step(chance)
            * slow.filter(|(slow, _)| *slow == step_type).map_or(1.0, |(_, factor)| factor);
        let first = 4 * step_type as u64;
        for step in 0..4 {
            record(first + step, now_ns, request);
            let ns = [3_000.0, 5_000.0, 2_000.0, 0.0][step as usize];
            now_ns += ns * speed * own * (0.4 * chance.normal()).exp();
            if step == 3 {
                now_ns += 1_500.0 * speed * (0.3 * chance.normal()).exp();
            }
        }
        if request % 5 == 4 {
            record(9, now_ns, request - 4);
        }
        if chance.part() < 0.1 {
            record(10, now_ns, request);
            now_ns += 800.0 * speed * (0.3 * chance.normal()).exp();
        }
        if nature.waits {
            waited_ns += 30_000.0;
            now_ns = f64::max(now_ns, waited_ns);
        }
    }
    out
}

fn recording(bytes: Vec<u8>) -> Recording {
    let input = Input::from_reader(Box::new(std::io::Cursor::new(bytes)));
    let options =
        Options { sources: vec![SourceFile::new("declarations", DECLARATIONS)], ..Options::default() };
    let reader = Reader::new("made up", input, &options).unwrap();
    let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
    let pairs = ["read_begin:read_end:id", "write_begin:write_end:id", "task_begin:task_end:id"];
    let pairs = pairs.map(|pair| PairDescription::from(&PairSpec::parse(pair).unwrap()));
    let mut tracker = SpanTracker::new(Description { pairs: pairs.into(), ..Description::default() });
    let (recording, errors) = Recording::read(&mut traces, &mut tracker).unwrap();
    assert!(errors.is_empty(), "{errors:?}");
    recording
}

/// Returns the findings of a comparison of two recordings: the subject of each, and its change.
fn found(nature: Nature, requests: usize, slow: [Slow; 2], seed: u64) -> Vec<(String, Change)> {
    let a = recording(trace(nature, requests, slow[0], 2 * seed));
    let b = recording(trace(nature, requests * nature.longer, slow[1], 2 * seed + 1));
    findings(&Difference::between(&a, &b, Settings::default()))
}

fn findings(difference: &Difference) -> Vec<(String, Change)> {
    let name = |of| match of {
        Subject::Event(index) => difference.events[index].name.clone(),
        Subject::Pair(index) => difference.pairs[index].name.clone(),
    };
    difference.findings.iter().map(|finding| (name(finding.subject), finding.change)).collect()
}

/// Returns how many pairs of recordings to compare for each nature.
fn pairs() -> u64 {
    std::env::var("RINGTRACE_DIFF_PAIRS").map_or(4, |text| text.parse().unwrap())
}

#[test]
fn equal_recordings_differ_at_most_once_in_a_hundred() {
    let (mut all, mut wrong) = (0_u64, 0_u64);
    for (number, nature) in NATURES.into_iter().enumerate() {
        let mut of_this = 0_u64;
        for pair in 0..pairs() {
            let changes = found(nature, 1500, [None, None], 1000 * number as u64 + pair);
            if !changes.is_empty() {
                of_this += 1;
                eprintln!("{}: {changes:?}", nature.name);
            }
        }
        eprintln!("{}: {of_this} of {} equal pairs", nature.name, pairs());
        all += pairs();
        wrong += of_this;
    }
    // Among a few pairs, allow one false finding by chance. Among many pairs, allow as many as the
    // significance level permits.
    assert!(
        wrong as f64 <= 1.0 + 0.01 * all as f64,
        "{wrong} of {all} equal pairs were reported as different"
    );
}

/// Compares several runs of each side, which have different lengths.
fn found_in_runs(nature: Nature, slow: [Slow; 2], seed: u64) -> Vec<(String, Change)> {
    let side = |side: u64| {
        let runs = (0..3).map(|run| {
            let requests = 800 + 100 * run as usize;
            recording(trace(nature, requests, slow[side as usize], 100 * seed + 2 * run + side))
        });
        runs.collect()
    };
    let [a, b] = Recording::join([side(0), side(1)]);
    findings(&Difference::between(&a, &b, Settings::default()))
}

#[test]
fn joined_runs_differ_only_if_the_program_does() {
    let (mut wrong, mut all) = (0_u64, 0_u64);
    for nature in NATURES {
        for pair in 0..pairs().div_ceil(2) {
            let changes = found_in_runs(nature, [None, None], pair);
            all += 1;
            if !changes.is_empty() {
                wrong += 1;
                eprintln!("{}: {changes:?}", nature.name);
            }
        }
    }
    eprintln!("{wrong} of {all} equal pairs of three runs were reported as different");
    assert!(
        wrong as f64 <= 1.0 + 0.01 * all as f64,
        "{wrong} of {all} equal pairs were reported as different"
    );
    for pair in 0..pairs() {
        let changes = found_in_runs(NATURES[0], [None, Some((0, 1.3))], pair);
        let names: Vec<&str> = changes.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"read_begin:read_end:id"), "{changes:?}");
    }
}

#[test]
fn joined_runs_keep_their_counts() {
    let made = |seed| recording(trace(PLAIN, 500, None, seed));
    let events = (made(1).events(), made(1).span_ns());
    let [a, b] = Recording::join([vec![made(1), made(1)], vec![made(1), made(1)]]);
    assert_eq!((a.events(), a.span_ns()), (b.events(), b.span_ns()));
    // The last block of a run is omitted, because it is incomplete.
    assert!((events.0 * 2 * 9 / 10..=events.0 * 2).contains(&a.events()), "{} {events:?}", a.events());
    assert!((events.1 * 2 * 9 / 10..=events.1 * 2).contains(&a.span_ns()), "{} {events:?}", a.span_ns());
}

#[test]
fn a_slower_machine_is_factored_out_unless_absolute_durations_are_compared() {
    let nature = Nature { slower: 1.6, ..PLAIN };
    let [a, b] = [0, 1].map(|seed| recording(trace(nature, 1500, None, seed)));
    let compare = |absolute| Difference::between(&a, &b, Settings { absolute, ..Settings::default() });
    assert_eq!(findings(&compare(false)), []);
    let absolute = compare(true);
    assert!((1.5..1.7).contains(&absolute.machine), "{}", absolute.machine);
    assert!(absolute.pairs.iter().flat_map(|pair| &pair.levels).all(|level| level.machine == 1.0));
    let slower = findings(&absolute).into_iter().filter(|(_, change)| *change == Change::Slower);
    assert!(slower.count() >= 2, "{:?}", findings(&absolute));
}

#[test]
fn whole_recordings_of_different_pace_can_be_compared() {
    let nature = Nature { slower: 70.0, ..PLAIN };
    let [a, b] = [0, 1].map(|seed| recording(trace(nature, 1500, None, seed)));
    let compare = |whole| Difference::between(&a, &b, Settings { whole, ..Settings::default() });
    let [head, whole] = [false, true].map(compare);
    for difference in [&head, &whole] {
        let pace = difference.overall_pace.unwrap();
        assert!((0.9 / 70.0..1.1 / 70.0).contains(&pace), "{pace}");
        assert!(difference.headlines()[0].starts_with("Overall, B has "), "{:?}", difference.headlines());
    }
    assert_eq!(head.headlines()[1], "Nothing else could be compared");
    assert!(whole.comparisons > 10 && whole.is_changed());
    assert!(
        compare(true)
            .events
            .iter()
            .all(|event| !findings(&whole).iter().any(|(name, _)| *name == event.name))
    );
}

#[test]
fn one_slowdown_is_found_and_no_other() {
    for (nature, factor, least) in [
        (NATURES[0], 1.2, 0.9),
        (NATURES[0], 0.8, 0.9),
        (NATURES[2], 1.5, 0.5),
        (NATURES[5], 1.5, 0.5),
        (NATURES[6], 2.0, 0.5),
    ] {
        let (mut found_it, mut found_more) = (0_u64, 0_u64);
        for pair in 0..pairs() {
            let slow = Some((usize::from(pair % 2 == 0), factor));
            let pairs = ["read_begin:read_end:id", "write_begin:write_end:id"];
            let mut change = if factor > 1.0 { Change::Slower } else { Change::Faster };
            let mut slows = [None, slow];
            if pair % 4 > 1 {
                slows.reverse();
                change = if factor > 1.0 { Change::Faster } else { Change::Slower };
            }
            let expected = (pairs[usize::from(pair % 2 == 0)].to_owned(), change);
            let changes = found(nature, 1500, slows, 77_000 + pair);
            found_it += u64::from(changes.contains(&expected));
            if changes.iter().any(|one| *one != expected) {
                found_more += 1;
                eprintln!("{} x {factor}: {changes:?} rather than {expected:?}", nature.name);
            }
        }
        eprintln!("{} x {factor}: {found_it} of {} found, {found_more} with more", nature.name, pairs());
        assert!(
            found_it as f64 >= least * pairs() as f64,
            "{}, {factor}: {found_it} of {}",
            nature.name,
            pairs()
        );
        assert!(found_more as f64 <= 1.0 + 0.02 * pairs() as f64, "{}, {factor}: {found_more}", nature.name);
    }
}
