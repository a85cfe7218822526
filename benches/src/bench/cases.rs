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
    /// How long it takes to read the declarations, in this process.
    Declarations { at_most_ms: f64 },
    /// How much memory a process has at most that is not a file's.
    Memory { run: Run },
}

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
    memory("memory-info", "a summary of a pipe", Run::ringtrace("info -").fed("{mixed}")),
];

const fn ratio(
    name: &'static str,
    about: &'static str,
    ours: Run,
    against: Run,
    at_least: Option<f64>,
) -> Case {
    Case { name, about, kind: Kind::Ratio { ours, against, at_least } }
}

const fn memory(name: &'static str, about: &'static str, run: Run) -> Case {
    Case { name, about, kind: Kind::Memory { run } }
}

impl Case {
    /// The words of [`crate::files::FILES`] that it reads.
    pub fn files(&self) -> Vec<&'static str> {
        match &self.kind {
            Kind::Ratio { ours, against, .. } => ours.files().chain(against.files()).collect(),
            Kind::Time { run, .. } | Kind::Memory { run } => run.files().collect(),
            Kind::Declarations { .. } => vec!["declarations"],
        }
    }
}
