//! What is measured, and what it must come to.

use crate::child::Run;

/// One line of the report.
pub struct Case {
    pub name: &'static str,
    /// What it shows, for people.
    pub about: &'static str,
    pub kind: Kind,
}

pub enum Kind {
    /// How fast the one run is in units of the other, byte for byte of what they read.
    Ratio { ours: Run, against: Run, at_least: Option<f64> },
    /// How long a whole process takes.
    Time { run: Run, at_most_ms: f64 },
    /// How many records of what it reads a run takes in a second.
    Pace { run: Run, at_least_mrec_s: f64 },
    /// How long it takes to read the declarations, in this process.
    Declarations { at_most_ms: f64 },
    /// How much memory a process has at most that is not a file's.
    Memory { run: Run },
    /// What the thread pays that emits, for each event: a case of the program `cost`.
    Cost { case: &'static str, against: &'static str, bound: Bound },
}

/// What a cost may be.
#[derive(Clone, Copy)]
pub enum Bound {
    /// In units of what it is compared with.
    Times(f64),
    /// More than what it is compared with, in ns.
    AddedNs(f64),
    /// A time by itself, in ns.
    Takes(f64),
    /// Only for information: in units of what it is compared with.
    AnyTimes,
    /// Only for information: more than what it is compared with.
    AnyAdded,
}

/// To switch all events of a large program is less than a millisecond.
const MOST_SWITCHING: Bound = Bound::Takes(1e6);

/// 10 million records in 3 s.
const SOON: f64 = 10.0 / 3.0;

/// What any of them may take, whatever the size of its input.
pub const MOST_MEMORY_MIB: f64 = 64.0;

const PRINT_TWO: Run = Run::ringtrace("print --events {events} {two} --threads 1");
const PRINT_TWO_THREADS: Run = Run::ringtrace("print --events {events} {two} --threads 2");
const PRINT_MIXED: Run = Run::ringtrace("print --events {events} {mixed} --threads 1");
const PRINT_MIXED_THREADS: Run = Run::ringtrace("print --events {events} {mixed} --threads 2");

/// All cases, in the order in which they are measured; a word of `{}` is one of [`crate::files::FILES`].
pub const CASES: &[Case] = &[
    ratio(
        "print-two",
        "text of records of two u64, one thread, against the loop written for it",
        PRINT_TWO,
        Run::yardstick("text {two}"),
        Some(0.8),
    ),
    ratio(
        "print-mixed",
        "the same where one record in five has a string of 32 bytes",
        PRINT_MIXED,
        Run::yardstick("text {mixed}"),
        Some(0.8),
    ),
    ratio(
        "print-real",
        "text of a recording of QEMU, bytes a second against those of records of two u64",
        Run::ringtrace("print --events {real-events} {real} --threads 1"),
        PRINT_TWO,
        Some(0.6),
    ),
    ratio("threads-two", "text on two threads against one", PRINT_TWO_THREADS, PRINT_TWO, Some(1.6)),
    ratio(
        "threads-mixed",
        "text with strings on two threads against one",
        PRINT_MIXED_THREADS,
        PRINT_MIXED,
        Some(1.6),
    ),
    ratio(
        "many-threads",
        "text of a trace that forty threads wrote, against that of the same records of one",
        Run::ringtrace("print {many} --threads 1"),
        Run::ringtrace("print {alone} --threads 1"),
        Some(0.9),
    ),
    ratio(
        "many-parallel",
        "the same, on two threads",
        Run::ringtrace("print {many} --threads 2"),
        Run::ringtrace("print {alone} --threads 2"),
        Some(0.9),
    ),
    ratio(
        "many-info",
        "a summary of it",
        Run::ringtrace("info {many}"),
        Run::ringtrace("info {alone}"),
        Some(0.9),
    ),
    ratio(
        "many-stat",
        "counts, rates and gaps of it",
        Run::ringtrace("stat {many}"),
        Run::ringtrace("stat {alone}"),
        Some(0.9),
    ),
    ratio(
        "many-convert",
        "a copy of it in the other byte order",
        Run::ringtrace("convert --to-order big {many} /dev/null"),
        Run::ringtrace("convert --to-order big {alone} /dev/null"),
        Some(0.9),
    ),
    ratio(
        "info",
        "a summary, against a walk from length to length",
        Run::ringtrace("info {two}"),
        Run::yardstick("walk {two}"),
        Some(0.7),
    ),
    ratio(
        "stat",
        "counts, rates and gaps, in units of the text by hand",
        Run::ringtrace("stat --events {events} {mixed}"),
        Run::yardstick("text {mixed}"),
        None,
    ),
    ratio(
        "stat-pair",
        "latencies of pairs, in units of the text by hand of as many bytes",
        Run::ringtrace("stat --events {events} --pair perf_begin:perf_end:key {pairs}"),
        Run::yardstick("text {two}"),
        None,
    ),
    pace(
        "pace-stat-pair",
        "latencies of pairs, on as many cores as there are",
        Run::ringtrace("stat --events {events} --pair perf_begin:perf_end:key {pairs}"),
    ),
    pace(
        "pace-report",
        "a page of the same",
        Run::ringtrace("report --events {events} --pair perf_begin:perf_end:key {pairs} --output {out.html}"),
    ),
    ratio(
        "export-perfetto",
        "records of two u64 as Perfetto's messages, in a file, against their text",
        Run::ringtrace("export --events {events} {two} --output {out.pftrace}"),
        PRINT_TWO,
        Some(0.3),
    ),
    ratio(
        "export-ctf",
        "the same in Common Trace Format",
        Run::ringtrace("export --events {events} {two} --output {out.ctf}"),
        PRINT_TWO,
        Some(0.3),
    ),
    ratio(
        "export-parquet",
        "the same as a Parquet table",
        Run::ringtrace("export --events {events} {two} --output {out.parquet}"),
        PRINT_TWO,
        Some(0.3),
    ),
    ratio(
        "export-csv",
        "the same as comma-separated values",
        Run::ringtrace("export --events {events} {two} --output {out.csv}"),
        PRINT_TWO,
        None,
    ),
    ratio(
        "export-pairs",
        "begins and ends as Perfetto's slices, in units of the text of as many bytes",
        Run::ringtrace(
            "export --events {events} --pair perf_begin:perf_end:key {pairs} --output {out.pftrace}",
        ),
        PRINT_TWO,
        None,
    ),
    ratio(
        "convert",
        "a copy in the other byte order, in units of the text by hand",
        Run::ringtrace("convert --to v4 --to-order big --events {events} {mixed} /dev/null"),
        Run::yardstick("text {mixed}"),
        None,
    ),
    ratio(
        "sort",
        "text by time of a trace that four threads wrote, against its text unsorted",
        Run::ringtrace("print --sort --events {events} {late} --threads 1"),
        Run::ringtrace("print --events {events} {late} --threads 1"),
        None,
    ),
    Case {
        name: "declarations",
        about: "reading 6,011 declarations from a file, in the bench's own process",
        kind: Kind::Declarations { at_most_ms: 5.0 },
    },
    Case {
        name: "generate-h",
        about: "a C header of 100 events: what a build does hundreds of times",
        kind: Kind::Time {
            run: Run::tracetool("--format=h --backends=simple,log --group=g {hundred} -"),
            at_most_ms: 3.0,
        },
    },
    Case {
        name: "generate-c",
        about: "and the source file beside it",
        kind: Kind::Time {
            run: Run::tracetool("--format=c --backends=simple,log --group=g {hundred} -"),
            at_most_ms: 3.0,
        },
    },
    Case {
        name: "print-empty",
        about: "text of a trace without records, with 6,011 declarations and as many mappings",
        kind: Kind::Time { run: Run::ringtrace("print --events {declarations} {empty}"), at_most_ms: 15.0 },
    },
    memory("memory-print", "text of a file", Run::ringtrace("print --events {events} {mixed}")),
    memory("memory-pipe", "text of a pipe", Run::ringtrace("print --events {events} -").fed("{mixed}")),
    memory(
        "memory-tail",
        "the last 1000 lines of a pipe",
        Run::ringtrace("print --tail 1000 --events {events} -").fed("{mixed}"),
    ),
    memory(
        "memory-sort",
        "text by time of a pipe that four threads wrote",
        Run::ringtrace("print --sort --events {events} -").fed("{late}"),
    ),
    memory(
        "memory-sort-far",
        "text by time of a pipe whose second half comes first",
        Run::ringtrace("print --sort --events {events} -").fed_halves_swapped("{two}"),
    ),
    memory("memory-stat", "statistics of a pipe", Run::ringtrace("stat --events {events} -").fed("{mixed}")),
    memory(
        "memory-pair",
        "latencies of a pipe",
        Run::ringtrace("stat --events {events} --pair perf_begin:perf_end:key -").fed("{pairs}"),
    ),
    memory(
        "memory-merge",
        "text of two files and a pipe by time",
        Run::ringtrace("print --events {events} {two} {mixed} -").fed("{late}"),
    ),
    memory(
        "memory-perfetto",
        "Perfetto's messages of a pipe",
        Run::ringtrace("export --events {events} - --output {out.pftrace}").fed("{mixed}"),
    ),
    memory(
        "memory-chrome",
        "Chrome's JSON",
        Run::ringtrace("export --events {events} - --output {out.trace.json}").fed("{mixed}"),
    ),
    memory(
        "memory-ctf",
        "Common Trace Format, which is sorted",
        Run::ringtrace("export --events {events} - --output {out.ctf}").fed("{mixed}"),
    ),
    memory(
        "memory-parquet",
        "Parquet tables",
        Run::ringtrace("export --events {events} - --output {out.parquet}").fed("{mixed}"),
    ),
    memory(
        "memory-firefox",
        "a profile of Firefox Profiler",
        Run::ringtrace("export --events {events} - --output {out.firefox.json}").fed("{mixed}"),
    ),
    memory(
        "memory-speedscope",
        "a profile of speedscope",
        Run::ringtrace("export --events {events} - --output {out.speedscope.json}").fed("{mixed}"),
    ),
    memory(
        "memory-dat",
        "a trace.dat",
        Run::ringtrace("export --events {events} - --output {out.dat}").fed("{mixed}"),
    ),
    memory(
        "memory-slices",
        "pairs as Perfetto's slices",
        Run::ringtrace("export --events {events} --pair perf_begin:perf_end:key - --output {out.pftrace}")
            .fed("{pairs}"),
    ),
    memory(
        "memory-report",
        "a report of a pipe",
        Run::ringtrace("report --events {events} --pair perf_begin:perf_end:key - --output {out.html}")
            .fed("{pairs}"),
    ),
    memory("memory-info", "a summary of a pipe", Run::ringtrace("info -").fed("{mixed}")),
    cost("record-off", "a probe that is off, against nothing", "off", "empty loop", Bound::AddedNs(0.1)),
    cost(
        "record-off-eight",
        "eight probes that are off, one of them",
        "off-eight",
        "empty loop",
        Bound::AnyAdded,
    ),
    cost("record-two", "two u64, the writer thread asleep", "two", "clock, 4 stores", Bound::Times(1.05)),
    cost(
        "record-two-writer",
        "two u64, the writer thread awake",
        "two-writer",
        "clock, 4 stores",
        Bound::Times(1.15),
    ),
    cost("record-coarse", "two u64 with the coarse clock", "coarse", "4 stores", Bound::Times(1.8)),
    cost("record-gettime", "two u64 with the kernel's clock", "gettime", "clock, 4 stores", Bound::AnyTimes),
    cost("record-string", "a string of 32 bytes and a u64", "string", "clock, copy", Bound::Times(1.1)),
    cost("record-work", "two u64 beside 40 ns of work", "work", "work", Bound::AddedNs(2.0)),
    cost("record-work-coarse", "the same with the coarse clock", "work-coarse", "work", Bound::AnyAdded),
    cost(
        "record-work-clock",
        "the same against work that looks at the clock by hand",
        "work-clock",
        "work, clock",
        Bound::AnyAdded,
    ),
    cost(
        "record-threads",
        "two threads at once, the one that has the worse of it",
        "threads",
        "one thread",
        Bound::Times(1.05),
    ),
    cost("record-block", "policy block while nobody waits", "block", "discard", Bound::Times(1.1)),
    cost("record-overwrite", "policy overwrite", "overwrite", "discard", Bound::Times(1.1)),
    cost(
        "in-c-off",
        "a probe in C that is off, against one in Rust",
        "in-c-off",
        "Rust",
        Bound::AddedNs(0.1),
    ),
    cost("in-c-two", "two u64 from C, against Rust's probe", "in-c-two", "Rust", Bound::Times(1.3)),
    cost(
        "in-c-string",
        "a C string of 32 bytes and a u64",
        "in-c-string",
        "Rust, with strlen",
        Bound::Times(1.3),
    ),
    cost("sustain-null", "nothing lost, to /dev/null", "sustain-null", "pipeline", Bound::Times(1.5)),
    cost(
        "sustain-file",
        "nothing lost, to a preallocated file in memory",
        "sustain-file",
        "pipeline",
        Bound::Times(1.5),
    ),
    cost("sustain-cpu-null", "processor time of both threads", "cpu-null", "pipeline", Bound::Times(2.0)),
    cost("sustain-cpu-file", "processor time of both threads", "cpu-file", "pipeline", Bound::Times(2.0)),
    cost("control-switch", "6,011 events on by `*`, and off", "control-switch", "off", MOST_SWITCHING),
    cost("control-text", "the same with a log beside the trace", "control-text", "off", MOST_SWITCHING),
    cost("control-c", "the same with events of C", "control-c", "off", MOST_SWITCHING),
    cost(
        "control-status",
        "what became of each of 6,011 events",
        "control-status",
        "totals",
        Bound::Takes(1e6),
    ),
    cost(
        "hand-clock",
        "a look at the clock by hand beside 40 ns of work",
        "clock-by-hand",
        "work",
        Bound::AnyAdded,
    ),
    cost(
        "hand-work",
        "clock and 4 stores by hand beside 40 ns of work",
        "work-by-hand",
        "work",
        Bound::AnyAdded,
    ),
    cost(
        "hand-skip",
        "rings by hand: a record that is skipped at the end",
        "skip",
        "mapped twice",
        Bound::AnyTimes,
    ),
    cost(
        "hand-two",
        "clock and 4 stores by hand, against those in C",
        "c-two",
        "limit.c",
        Bound::Times(1.05),
    ),
    cost("hand-coarse", "4 stores by hand, against those in C", "c-coarse", "limit.c", Bound::Times(1.05)),
    cost(
        "hand-string",
        "clock and a copy by hand, against those in C",
        "c-string",
        "limit.c",
        Bound::Times(1.05),
    ),
    cost(
        "hand-sustain",
        "the pipeline by hand, against that in C",
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
    Case { name, about, kind: Kind::Cost { case, against, bound } }
}

const fn ratio(
    name: &'static str,
    about: &'static str,
    ours: Run,
    against: Run,
    at_least: Option<f64>,
) -> Case {
    Case { name, about, kind: Kind::Ratio { ours, against, at_least } }
}

const fn pace(name: &'static str, about: &'static str, run: Run) -> Case {
    Case { name, about, kind: Kind::Pace { run, at_least_mrec_s: SOON } }
}

const fn memory(name: &'static str, about: &'static str, run: Run) -> Case {
    Case { name, about, kind: Kind::Memory { run } }
}

impl Case {
    /// The words of [`crate::files::FILES`] that it reads.
    pub fn files(&self) -> Vec<&'static str> {
        match &self.kind {
            Kind::Ratio { ours, against, .. } => ours.files().chain(against.files()).collect(),
            Kind::Time { run, .. } | Kind::Pace { run, .. } | Kind::Memory { run } => run.files().collect(),
            Kind::Declarations { .. } => vec!["declarations"],
            Kind::Cost { .. } => Vec::new(),
        }
    }
}
