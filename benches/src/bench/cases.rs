//! The cases, and their requirements.

use crate::child::Run;

/// One line of the report.
pub struct Case {
    pub name: &'static str,
    /// Its description in `--list`.
    pub about: &'static str,
    pub measurement: Measurement,
}

/// The quantity that a case measures.
pub enum Measurement {
    /// The speed of `ours` divided by the speed of `against`, both in bytes read per second.
    Ratio { ours: Run, against: Run, at_least: Option<f64> },
    /// Duration of a process.
    Time { run: Run, at_most_ms: f64 },
    /// Records read per second.
    Pace { run: Run, at_least_mrec_s: f64 },
    /// Duration of parsing the declarations, in this process.
    Declarations { at_most_ms: f64 },
    /// Peak memory of a process, excluding mapped files.
    Memory { run: Run },
    /// The cost of an event for the thread that emits it, as measured by a case of the program
    /// `cost`.
    Cost { case: &'static str, against: &'static str, bound: Bound },
}

/// The upper limit of a cost.
#[derive(Clone, Copy)]
pub enum Bound {
    /// A multiple of the other side's time.
    Times(f64),
    /// A difference from the other side's time, in ns.
    AddedNs(f64),
    /// An absolute time, in ns.
    Takes(f64),
    /// No limit; the report shows the multiple of the other side's time.
    AnyTimes,
    /// No limit; the report shows the difference from the other side's time.
    AnyAdded,
}

/// The limit for enabling or disabling all events of a large program: a millisecond.
const MAX_SWITCHING: Bound = Bound::Takes(1e6);

/// 10 million records in 3 s.
const MIN_MREC_S: f64 = 10.0 / 3.0;

/// The memory limit for all cases. It does not depend on the size of the input.
pub const MAX_MEMORY_MIB: f64 = 64.0;

const PRINT_TWO: Run = Run::ringtrace("print --events {events} {two} --threads 1");
const PRINT_TWO_THREADS: Run = Run::ringtrace("print --events {events} {two} --threads 2");
const PRINT_COMPACT: Run = Run::ringtrace("print --events {events} {two-compact} --threads 1");
const PRINT_MIXED: Run = Run::ringtrace("print --events {events} {mixed} --threads 1");
const PRINT_MIXED_THREADS: Run = Run::ringtrace("print --events {events} {mixed} --threads 2");

/// All cases, in the order in which they are measured. Words in `{}` stand for files in
/// [`crate::files::FILES`].
pub const CASES: &[Case] = &[
    ratio(
        "print-two",
        "printing records of two u64, on one thread; compared with a handwritten loop",
        PRINT_TWO,
        Run::yardstick("text {two}"),
        Some(0.8),
    ),
    ratio(
        "print-mixed",
        "printing records, one in five with a string of 32 bytes; compared with a handwritten loop",
        PRINT_MIXED,
        Run::yardstick("text {mixed}"),
        Some(0.8),
    ),
    ratio(
        "print-real",
        "printing a QEMU recording, in bytes per second; compared with records of two u64",
        Run::ringtrace("print --events {real-events} {real} --threads 1"),
        PRINT_TWO,
        Some(0.6),
    ),
    ratio(
        "threads-two",
        "printing on two threads; compared with one thread",
        PRINT_TWO_THREADS,
        PRINT_TWO,
        Some(1.6),
    ),
    ratio(
        "threads-mixed",
        "printing strings on two threads; compared with one thread",
        PRINT_MIXED_THREADS,
        PRINT_MIXED,
        Some(1.6),
    ),
    ratio(
        "many-threads",
        "printing a trace of forty threads; compared with the same records from one thread",
        Run::ringtrace("print {many} --threads 1"),
        Run::ringtrace("print {alone} --threads 1"),
        Some(0.9),
    ),
    ratio(
        "many-parallel",
        "printing a trace of forty threads on two threads; compared with records from one thread",
        Run::ringtrace("print {many} --threads 2"),
        Run::ringtrace("print {alone} --threads 2"),
        Some(0.9),
    ),
    ratio(
        "many-info",
        "summarizing a trace of forty threads; compared with records from one thread",
        Run::ringtrace("info {many}"),
        Run::ringtrace("info {alone}"),
        Some(0.9),
    ),
    ratio(
        "many-stat",
        "statistics of a trace of forty threads; compared with records from one thread",
        Run::ringtrace("stat {many} --threads 1"),
        Run::ringtrace("stat {alone} --threads 1"),
        Some(0.9),
    ),
    ratio(
        "many-convert",
        "byte-swapping a trace of forty threads; compared with records from one thread",
        Run::ringtrace("convert --to-order big {many} /dev/null"),
        Run::ringtrace("convert --to-order big {alone} /dev/null"),
        Some(0.9),
    ),
    ratio("compact-print", "printing a compact trace; compared with v4", PRINT_COMPACT, PRINT_TWO, Some(0.9)),
    ratio(
        "threads-compact",
        "printing a compact trace on two threads; compared with one thread",
        Run::ringtrace("print --events {events} {two-compact} --threads 2"),
        PRINT_COMPACT,
        Some(1.8),
    ),
    ratio(
        "compact-stat",
        "statistics of a compact trace; compared with v4",
        Run::ringtrace("stat --events {events} {two-compact} --threads 1"),
        Run::ringtrace("stat --events {events} {two} --threads 1"),
        Some(1.0),
    ),
    ratio(
        "compact-pair",
        "latencies of pairs in a compact trace, on all cores; compared with v4",
        Run::ringtrace("stat --events {events} --pair perf_begin:perf_end:key {pairs-compact}"),
        Run::ringtrace("stat --events {events} --pair perf_begin:perf_end:key {pairs}"),
        Some(1.0),
    ),
    ratio(
        "compact-report",
        "a report of a compact trace; compared with v4",
        Run::ringtrace("report --events {events} {two-compact} --output {out.html} --force"),
        Run::ringtrace("report --events {events} {two} --output {out.html} --force"),
        Some(1.0),
    ),
    ratio(
        "compact-jsonl",
        "export of a compact trace to JSON lines, to /dev/null; compared with v4",
        Run::ringtrace("export --events {events} {two-compact} --to jsonl --output -"),
        Run::ringtrace("export --events {events} {two} --to jsonl --output -"),
        Some(1.0),
    ),
    ratio(
        "compact-perfetto",
        "export of a compact trace to Perfetto, to /dev/null; compared with v4",
        Run::ringtrace("export --events {events} {two-compact} --to perfetto --output -"),
        Run::ringtrace("export --events {events} {two} --to perfetto --output -"),
        Some(1.0),
    ),
    ratio(
        "compact-parquet",
        "export of a compact trace to Parquet; compared with v4",
        Run::ringtrace("export --events {events} {two-compact} --output {out.parquet} --force"),
        Run::ringtrace("export --events {events} {two} --output {out.parquet} --force"),
        Some(1.0),
    ),
    ratio(
        "info",
        "summarizing a trace; compared with a handwritten loop over the record lengths",
        Run::ringtrace("info {two}"),
        Run::yardstick("walk {two}"),
        Some(0.7),
    ),
    ratio(
        "stat",
        "statistics; compared with printing by a handwritten loop",
        Run::ringtrace("stat --events {events} {mixed} --threads 1"),
        Run::yardstick("text {mixed}"),
        None,
    ),
    ratio(
        "threads-stat",
        "statistics on two threads; compared with one thread",
        Run::ringtrace("stat --events {events} {mixed} --threads 2"),
        Run::ringtrace("stat --events {events} {mixed} --threads 1"),
        Some(1.6),
    ),
    ratio(
        "stat-pair",
        "latencies of pairs; compared with a handwritten loop that prints the same number of bytes",
        Run::ringtrace("stat --events {events} --pair perf_begin:perf_end:key {pairs}"),
        Run::yardstick("text {two}"),
        None,
    ),
    pace(
        "pace-stat-pair",
        "latencies of pairs, on all cores",
        Run::ringtrace("stat --events {events} --pair perf_begin:perf_end:key {pairs}"),
    ),
    pace(
        "pace-report",
        "a report of pairs",
        Run::ringtrace(
            "report --events {events} --pair perf_begin:perf_end:key {pairs} --output {out.html} --force",
        ),
    ),
    ratio(
        "export-perfetto",
        "export to Perfetto; compared with printing",
        Run::ringtrace("export --events {events} {two} --output {out.pftrace} --force"),
        PRINT_TWO,
        Some(0.3),
    ),
    ratio(
        "export-ctf",
        "export to Common Trace Format; compared with printing",
        Run::ringtrace("export --events {events} {two} --output {out.ctf} --force"),
        PRINT_TWO,
        Some(0.3),
    ),
    ratio(
        "export-parquet",
        "export to Parquet; compared with printing",
        Run::ringtrace("export --events {events} {two} --output {out.parquet} --force"),
        PRINT_TWO,
        Some(0.3),
    ),
    ratio(
        "export-csv",
        "export to CSV; compared with printing",
        Run::ringtrace("export --events {events} {two} --output {out.csv} --force"),
        PRINT_TWO,
        None,
    ),
    ratio(
        "export-pairs",
        "export of pairs to Perfetto; compared with printing the same number of bytes",
        Run::ringtrace(
            "export --events {events} --pair perf_begin:perf_end:key {pairs} --output {out.pftrace} --force",
        ),
        PRINT_TWO,
        None,
    ),
    ratio(
        "convert",
        "byte-swapping a trace; compared with printing by a handwritten loop",
        Run::ringtrace("convert --to v4 --to-order big --events {events} {mixed} /dev/null"),
        Run::yardstick("text {mixed}"),
        None,
    ),
    ratio(
        "sort",
        "printing a trace of four threads in sorted order; compared with file order",
        Run::ringtrace("print --sort --events {events} {late} --threads 1"),
        Run::ringtrace("print --events {events} {late} --threads 1"),
        None,
    ),
    Case {
        name: "declarations",
        about: "parsing a file of 6,011 declarations",
        measurement: Measurement::Declarations { at_most_ms: 5.0 },
    },
    Case {
        name: "generate-h",
        about: "generating a C header for 100 events",
        measurement: Measurement::Time {
            run: Run::tracetool("--format=h --backends=simple,log --group=g {hundred} -"),
            at_most_ms: 3.0,
        },
    },
    Case {
        name: "generate-c",
        about: "generating a C source file for 100 events",
        measurement: Measurement::Time {
            run: Run::tracetool("--format=c --backends=simple,log --group=g {hundred} -"),
            at_most_ms: 3.0,
        },
    },
    Case {
        name: "print-empty",
        about: "printing a trace with 6,011 declared events and no records",
        measurement: Measurement::Time {
            run: Run::ringtrace("print --events {declarations} {empty}"),
            at_most_ms: 15.0,
        },
    },
    memory("memory-print", "printing from a file", Run::ringtrace("print --events {events} {mixed}")),
    memory("memory-pipe", "printing from a pipe", Run::ringtrace("print --events {events} -").fed("{mixed}")),
    memory(
        "memory-tail",
        "printing the last 1000 lines, from a pipe",
        Run::ringtrace("print --tail 1000 --events {events} -").fed("{mixed}"),
    ),
    memory(
        "memory-sort",
        "printing in sorted order, from a pipe; a trace of four threads",
        Run::ringtrace("print --sort --events {events} -").fed("{late}"),
    ),
    memory(
        "memory-sort-far",
        "printing in sorted order, from a pipe; the halves of the trace are swapped",
        Run::ringtrace("print --sort --events {events} -").fed_halves_swapped("{two}"),
    ),
    memory(
        "memory-stat",
        "statistics, from a pipe",
        Run::ringtrace("stat --events {events} -").fed("{mixed}"),
    ),
    memory(
        "memory-pair",
        "latencies, from a pipe",
        Run::ringtrace("stat --events {events} --pair perf_begin:perf_end:key -").fed("{pairs}"),
    ),
    memory(
        "memory-merge",
        "printing the merged records of two files and a pipe",
        Run::ringtrace("print --events {events} {two} {mixed} -").fed("{late}"),
    ),
    memory(
        "memory-perfetto",
        "export to Perfetto, from a pipe",
        Run::ringtrace("export --events {events} - --output {out.pftrace} --force").fed("{mixed}"),
    ),
    memory(
        "memory-chrome",
        "export to Chrome's JSON, from a pipe",
        Run::ringtrace("export --events {events} - --output {out.trace.json} --force").fed("{mixed}"),
    ),
    memory(
        "memory-ctf",
        "export to Common Trace Format, from a pipe; includes sorting",
        Run::ringtrace("export --events {events} - --output {out.ctf} --force").fed("{mixed}"),
    ),
    memory(
        "memory-parquet",
        "export to Parquet, from a pipe",
        Run::ringtrace("export --events {events} - --output {out.parquet} --force").fed("{mixed}"),
    ),
    memory(
        "memory-firefox",
        "export to Firefox Profiler, from a pipe",
        Run::ringtrace("export --events {events} - --output {out.firefox.json} --force").fed("{mixed}"),
    ),
    memory(
        "memory-speedscope",
        "export to speedscope, from a pipe",
        Run::ringtrace("export --events {events} - --output {out.speedscope.json} --force").fed("{mixed}"),
    ),
    memory(
        "memory-dat",
        "export to trace.dat, from a pipe",
        Run::ringtrace("export --events {events} - --output {out.dat} --force").fed("{mixed}"),
    ),
    memory(
        "memory-slices",
        "export of pairs to Perfetto, from a pipe",
        Run::ringtrace(
            "export --events {events} --pair perf_begin:perf_end:key - --output {out.pftrace} --force",
        )
        .fed("{pairs}"),
    ),
    memory(
        "memory-report",
        "a report, from a pipe",
        Run::ringtrace(
            "report --events {events} --pair perf_begin:perf_end:key - --output {out.html} --force",
        )
        .fed("{pairs}"),
    ),
    memory("memory-info", "a summary, from a pipe", Run::ringtrace("info -").fed("{mixed}")),
    cost("record-off", "a disabled probe", "off", "empty loop", Bound::AddedNs(0.1)),
    cost(
        "record-off-eight",
        "eight disabled probes; the time of one is shown",
        "off-eight",
        "empty loop",
        Bound::AnyAdded,
    ),
    cost(
        "record-two",
        "two u64 values, while the writer thread sleeps",
        "two",
        "clock, 4 stores",
        Bound::Times(1.05),
    ),
    cost(
        "record-two-writer",
        "two u64 values, while the writer thread is awake",
        "two-writer",
        "clock, 4 stores",
        Bound::Times(1.15),
    ),
    cost("record-coarse", "two u64 values, with the coarse clock", "coarse", "4 stores", Bound::Times(1.8)),
    cost(
        "record-gettime",
        "two u64 values, with the kernel's clock",
        "gettime",
        "clock, 4 stores",
        Bound::AnyTimes,
    ),
    cost("record-string", "a string of 32 bytes and a u64", "string", "clock, copy", Bound::Times(1.1)),
    cost("record-work", "two u64 values and 40 ns of other work", "work", "work", Bound::AddedNs(2.0)),
    cost(
        "record-work-coarse",
        "two u64 values and 40 ns of other work, with the coarse clock",
        "work-coarse",
        "work",
        Bound::AnyAdded,
    ),
    cost(
        "record-work-clock",
        "two u64 values and 40 ns of other work; compared with the same work and a clock read",
        "work-clock",
        "work, clock",
        Bound::AnyAdded,
    ),
    cost(
        "record-threads",
        "two threads at the same time; the time of the slower one is shown",
        "threads",
        "one thread",
        Bound::Times(1.05),
    ),
    cost("record-block", "`policy=block`, while no thread waits", "block", "discard", Bound::Times(1.1)),
    cost("record-overwrite", "policy overwrite", "overwrite", "discard", Bound::Times(1.1)),
    cost("in-c-off", "a disabled probe in C", "in-c-off", "Rust", Bound::AddedNs(0.1)),
    cost("in-c-two", "two u64 from C", "in-c-two", "Rust", Bound::Times(1.3)),
    cost(
        "in-c-string",
        "a C string of 32 bytes and a u64",
        "in-c-string",
        "Rust, with strlen",
        Bound::Times(1.3),
    ),
    cost("sustain-null", "sustained, no losses, to /dev/null", "sustain-null", "pipeline", Bound::Times(1.5)),
    cost(
        "sustain-file",
        "sustained recording without losses, to a preallocated file in memory",
        "sustain-file",
        "pipeline",
        Bound::Times(1.4),
    ),
    cost(
        "sustain-compact",
        "the same, with format=compact",
        "sustain-compact",
        "pipeline",
        Bound::Times(1.05),
    ),
    cost(
        "sustain-cpu-null",
        "processor time of both threads, to /dev/null",
        "cpu-null",
        "pipeline",
        Bound::Times(2.0),
    ),
    cost(
        "sustain-cpu-file",
        "processor time of both threads, to a file in memory",
        "cpu-file",
        "pipeline",
        Bound::Times(2.0),
    ),
    cost(
        "sustain-cpu-compact",
        "processor time of both threads, to a compact file in memory",
        "cpu-compact",
        "pipeline",
        Bound::Times(1.0),
    ),
    cost("control-switch", "enabling and disabling 6,011 events", "control-switch", "off", MAX_SWITCHING),
    cost(
        "control-text",
        "enabling and disabling 6,011 events with a log",
        "control-text",
        "off",
        MAX_SWITCHING,
    ),
    cost("control-c", "enabling and disabling 6,011 C events", "control-c", "off", MAX_SWITCHING),
    cost(
        "control-status",
        "querying the counts of 6,011 events",
        "control-status",
        "totals",
        Bound::Takes(1e6),
    ),
    cost("start", "start and exit of a process that traces", "start", "untraced", Bound::Times(3.0)),
    cost(
        "start-many",
        "start and exit of a process that traces and has 6,011 events",
        "start-many",
        "untraced",
        Bound::AnyTimes,
    ),
    cost(
        "hand-clock",
        "handwritten: a clock read and 40 ns of other work",
        "clock-by-hand",
        "work",
        Bound::AnyAdded,
    ),
    cost(
        "hand-work",
        "handwritten: a clock read, 4 stores and 40 ns of other work",
        "work-by-hand",
        "work",
        Bound::AnyAdded,
    ),
    cost(
        "hand-skip",
        "handwritten ring: skipping the unused space at the end",
        "skip",
        "mapped twice",
        Bound::AnyTimes,
    ),
    cost(
        "hand-two",
        "handwritten: a clock read and 4 stores; compared with C",
        "c-two",
        "limit.c",
        Bound::Times(1.05),
    ),
    cost("hand-coarse", "handwritten: 4 stores; compared with C", "c-coarse", "limit.c", Bound::Times(1.05)),
    cost(
        "hand-string",
        "handwritten: a clock read and a copy; compared with C",
        "c-string",
        "limit.c",
        Bound::Times(1.05),
    ),
    cost(
        "hand-sustain",
        "the handwritten pipeline; compared with C",
        "c-sustain",
        "sustain.c",
        Bound::Times(1.1),
    ),
];

const fn cost(
    name: &'static str,
    about: &'static str,
    case: &'static str,
    against: &'static str,
    bound: Bound,
) -> Case {
    Case { name, about, measurement: Measurement::Cost { case, against, bound } }
}

const fn ratio(
    name: &'static str,
    about: &'static str,
    ours: Run,
    against: Run,
    at_least: Option<f64>,
) -> Case {
    Case { name, about, measurement: Measurement::Ratio { ours, against, at_least } }
}

const fn pace(name: &'static str, about: &'static str, run: Run) -> Case {
    Case { name, about, measurement: Measurement::Pace { run, at_least_mrec_s: MIN_MREC_S } }
}

const fn memory(name: &'static str, about: &'static str, run: Run) -> Case {
    Case { name, about, measurement: Measurement::Memory { run } }
}

impl Case {
    /// Returns the words for the files in [`crate::files::FILES`] that the case reads.
    pub fn files(&self) -> Vec<&'static str> {
        match &self.measurement {
            Measurement::Ratio { ours, against, .. } => ours.files().chain(against.files()).collect(),
            Measurement::Time { run, .. } | Measurement::Pace { run, .. } | Measurement::Memory { run } => {
                run.files().collect()
            }
            Measurement::Declarations { .. } => vec!["declarations"],
            Measurement::Cost { .. } => Vec::new(),
        }
    }
}
