//! Compares QEMU on ringtrace with QEMU's own backend `simple`, in interleaved rounds.

use std::time::Duration;

use super::build::Build;
use super::job::{Job, script};
use super::tree::at;

/// The number of commands in the job. It records some 700,000 events.
const COMMANDS: usize = 8000;

/// The number of times that qemu-io is started in each round.
const STARTS: usize = 5;

/// One of the programs, with or without tracing.
struct Case {
    name: &'static str,
    is_ours: bool,
    /// The value of `--trace`, without `file=`.
    options: Option<&'static str>,
}

const CASES: [Case; 5] = [
    Case { name: "QEMU, no --trace", is_ours: false, options: None },
    Case { name: "ringtrace, no --trace", is_ours: true, options: None },
    Case { name: "QEMU, --trace '*'", is_ours: false, options: Some("*") },
    Case { name: "ringtrace, --trace '*'", is_ours: true, options: Some("*") },
    Case { name: "ringtrace, --trace '*,policy=block'", is_ours: true, options: Some("*,policy=block") },
];

/// The measurements of one case.
#[derive(Default)]
struct Measured {
    walls: Vec<Duration>,
    /// The processor time of all threads of the job.
    cpus: Vec<Duration>,
    starts: Vec<Duration>,
    recorded: Vec<u64>,
    lost: Vec<u64>,
}

/// Measures the job and the start-up of qemu-io. Returns a table.
///
/// # Errors
/// Fails if a run fails.
pub fn compare(job: &Job<'_>, ours: &Build, theirs: &Build, rounds: usize) -> Result<String, String> {
    let script = script(COMMANDS);
    let mut measured: [Measured; CASES.len()] = std::array::from_fn(|_| Measured::default());
    // The first round is not counted. It reads the programs into the page cache.
    for round in 0..=rounds {
        for turn in 0..CASES.len() {
            // Rotate the order, so that each case runs in every position.
            let case = (turn + round) % CASES.len();
            let one = measure(job, &CASES[case], ours, theirs, &script)?;
            if round > 0 {
                let all = &mut measured[case];
                all.walls.extend(one.walls);
                all.cpus.extend(one.cpus);
                all.starts.extend(one.starts);
                all.recorded.extend(one.recorded);
                all.lost.extend(one.lost);
            }
        }
    }
    Ok(table(&measured))
}

fn measure(
    job: &Job<'_>,
    case: &Case,
    ours: &Build,
    theirs: &Build,
    script: &str,
) -> Result<Measured, String> {
    let build = if case.is_ours { ours } else { theirs };
    let trace = job.folder.join("compared.trace");
    let options = case.options.map(|options| format!("{options},file=compared.trace"));
    let mut one = Measured::default();
    let run = job.run(build, script, options.as_deref())?;
    one.walls.push(run.wall);
    one.cpus.extend(run.cpu);
    if options.is_some() {
        let counts = job.counts(build, &trace)?;
        one.recorded.push(counts.recorded);
        one.lost.push(counts.lost);
        std::fs::remove_file(&trace).map_err(|error| at(&trace, &error))?;
    }
    for _ in 0..STARTS {
        one.starts.push(job.start(build, options.as_deref())?.wall);
    }
    Ok(one)
}

fn table(measured: &[Measured]) -> String {
    let mut table = format!(
        "{:<37} {:>8} {:>15} {:>8} {:>9} {:>9} {:>9} {:>9} {:>15}\n",
        "qemu-io (medians)",
        "job ms",
        "quarters",
        "cpu ms",
        "recorded",
        "lost",
        "most lost",
        "start ms",
        "quarters"
    );
    for (case, Measured { walls, cpus, starts, recorded, lost }) in CASES.iter().zip(measured) {
        let (job, cpu, start) = (Quartiles::of(walls), Quartiles::of(cpus), Quartiles::of(starts));
        let text = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
        table += &format!(
            "{:<37} {:>8.0} {:>15} {:>8.0} {:>9} {:>9} {:>9} {:>9.1} {:>15}\n",
            case.name,
            job.middle,
            format!("{:.0} to {:.0}", job.first, job.third),
            cpu.middle,
            text(median(recorded)),
            text(median(lost)),
            text(lost.iter().copied().max()),
            start.middle,
            format!("{:.1} to {:.1}", start.first, start.third),
        );
    }
    table
}

/// The quartiles of times, in milliseconds.
struct Quartiles {
    first: f64,
    middle: f64,
    third: f64,
}

impl Quartiles {
    fn of(times: &[Duration]) -> Quartiles {
        let mut times = times.to_vec();
        times.sort();
        let at = |quarter: usize| {
            let time = times.get((times.len().saturating_sub(1) * quarter + 2) / 4);
            time.map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
        };
        Quartiles { first: at(1), middle: at(2), third: at(3) }
    }
}

fn median(numbers: &[u64]) -> Option<u64> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_sorted_times() {
        let times: Vec<Duration> = [9, 1, 5, 3, 7].map(Duration::from_millis).to_vec();
        let Quartiles { first, middle, third } = Quartiles::of(&times);
        assert_eq!([first, middle, third].map(f64::round), [3.0, 5.0, 7.0]);
        assert!(Quartiles::of(&[]).middle.is_nan());
        assert_eq!(median(&[4, 1, 3]), Some(3));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn the_table_has_a_row_for_each_case() {
        let one = |lost| Measured {
            walls: vec![Duration::from_millis(1500)],
            cpus: vec![Duration::from_millis(900)],
            starts: vec![Duration::from_micros(4200)],
            recorded: vec![300; 3],
            lost: vec![lost, 0, lost + 1],
        };
        let table = table(&[Measured::default(), Measured::default(), one(100), one(0), one(0)]);
        let rows: Vec<&str> = table.lines().collect();
        assert_eq!(rows.len(), CASES.len() + 1);
        assert!(
            rows[3].contains("1500") && rows[3].contains(" 900 ") && rows[3].contains(" 4.2 "),
            "{table}"
        );
        assert!(
            rows[3].contains("  300       100       101 ") && rows[4].contains("  300         0         1 "),
            "{table}"
        );
    }
}
