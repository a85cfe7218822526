//! The parts of the summary that exist only for ringtrace's own traces: recording options, how the
//! trace ended, and threads.

use ringtrace_events::message::visible;
use ringtrace_tracefile::metadata::{self, Metadata};
use ringtrace_tracefile::pauses;
use ringtrace_tracefile::summary::{Span, Summary, Thread};

use super::lines::Lines;
use super::report::LOST;
use crate::quantity::{self, counted};
use crate::reading::Ending;
use crate::terminal::Terminal;
use ringtrace_display::Table;
use ringtrace_report::wording::{command_line, describe_pauses, visible_text};

/// The number of threads listed without `--top`.
const SHOWN_THREADS: usize = 50;

/// Adds a line for each piece of metadata about the program.
pub fn program(pieces: &[Metadata], lines: &mut Lines<'_>) {
    for piece in pieces {
        let Metadata::Other(key, value) = piece else { continue };
        let head = match key.as_str() {
            metadata::SITE | metadata::ENDED => continue,
            metadata::HOST => "Host",
            metadata::BOOT => "Boot",
            metadata::MACHINE => "Machine",
            metadata::TRACE => "Trace",
            metadata::EXECUTABLE => "Executable",
            metadata::BUILD_ID => "Build id",
            metadata::COMMAND => "Command",
            metadata::POLICY => "Policy",
            metadata::CLOCK => "Clock type",
            metadata::CLOCK_JUMPS => "Clock jumps",
            metadata::SELECTED => "Selected",
            metadata::SNAPSHOT => "Snapshot",
            metadata::RECOVERED => "Recovered",
            metadata::LATE => "Late",
            other => other,
        };
        let text = if key == metadata::COMMAND { command_line(value) } else { visible_text(value) };
        lines.line(head, &text);
    }
    let declarations = pieces.iter().filter(|piece| matches!(piece, Metadata::Declaration(_))).count();
    let is_site = |piece: &&Metadata| matches!(piece, Metadata::Other(key, _) if key == metadata::SITE);
    let sites = pieces.iter().filter(is_site).count() as u64;
    if declarations > 0 {
        let sites = match sites {
            0 => String::new(),
            _ => format!("; --json shows the source locations of {}", quantity::count(sites)),
        };
        lines.line("Declares", &(counted(declarations as u64, "event", "events") + &sites));
    }
}

/// Adds a line about how the trace ended, if known. `ending` is derived from the program's arenas.
pub fn ended(summary: &Summary, pieces: &[Metadata], ending: Option<Ending>, lines: &mut Lines<'_>) {
    let has = |wanted| pieces.iter().any(|piece| matches!(piece, Metadata::Other(key, _) if key == wanted));
    match summary.ended {
        Some(_) if let Some(Ending::Killed(pid) | Ending::Unwritten(pid)) = ending => {
            let how = match ending {
                Some(Ending::Unwritten(_)) => "by the program, but it could not write its last events: those",
                _ => "killed: the last events",
            };
            lines.line_in(LOST, "Ended", &format!("{how} of process {pid} are still in memory"));
            lines.line("", &format!("help: to recover them, run `ringtrace recover {pid}`"));
        }
        Some(_) if let Some(Ending::Running(pid)) = ending => {
            lines.line("Ended", &format!("not yet: process {pid} is running"));
        }
        Some(_) if let Some(Ending::Empty(pid)) = ending => {
            lines.line_in(
                LOST,
                "Ended",
                &format!("not by the program: process {pid} left no events in memory"),
            );
        }
        None => {}
        Some(false) if has(metadata::SNAPSHOT) => {
            lines.line("Ended", "not yet: this is a snapshot of a running program");
        }
        Some(false) if has(metadata::RECOVERED) => {
            lines.line_in(LOST, "Ended", "not by the program: the trace was recovered");
        }
        Some(true) => lines.line("Ended", "by the program"),
        Some(false) => {
            lines.line_in(LOST, "Ended", "not by the program, which may still be running or was killed");
            lines.line("", "help: `ringtrace recover` finds events that a killed program left behind");
        }
    }
}

/// Adds a line about the periods in which recording was off.
pub fn paused(pieces: &[Metadata], lines: &mut Lines<'_>) {
    if let Some(pauses) = describe_pauses(&pauses(pieces), lines.units()) {
        lines.line_in(LOST, "Off", &format!("{pauses}; events from that time are not in the trace"));
    }
}

/// Adds the number of threads, or the label of a single thread.
pub fn threads(threads: &[Thread], lines: &mut Lines<'_>) {
    match threads {
        [] => {}
        [one] => lines.line("Thread", &label(one)),
        several => {
            let losing = several.iter().filter(|thread| lost(thread) > 0).count() as u64;
            let all = quantity::count(several.len() as u64);
            let text = match losing {
                0 => all,
                1 => format!("{all}; 1 of them lost events"),
                _ => format!("{all}; {} of them lost events", quantity::count(losing)),
            };
            lines.line("Threads", &text);
        }
    }
}

fn lost(thread: &Thread) -> u64 {
    thread.lost.iter().map(|(_, events)| events).sum()
}

/// Returns a label such as `4711 worker`.
fn label(thread: &Thread) -> String {
    match &thread.name {
        None if thread.tid == 0 => "(unknown)".to_owned(),
        Some(name) => format!("{} {}", thread.tid, visible::text(name)),
        None => thread.tid.to_string(),
    }
}

#[derive(Default)]
struct Row {
    label: String,
    records: u64,
    dropped: u64,
    overwritten: u64,
    refused: u64,
}

type Field = fn(&Row) -> u64;

impl Row {
    fn add(&mut self, thread: &Thread) {
        self.records += thread.records;
        self.dropped = self.dropped.saturating_add(thread.lost.dropped);
        self.overwritten = self.overwritten.saturating_add(thread.lost.overwritten);
        self.refused = self.refused.saturating_add(thread.lost.refused);
    }
}

/// Appends the table of threads if there are several: one row each for the first `top` threads, and
/// one row for the rest.
pub fn thread_table(
    threads: &[Thread],
    span: Option<Span>,
    top: Option<usize>,
    terminal: &Terminal,
    out: &mut String,
) {
    if threads.len() < 2 {
        return;
    }
    let top = top.map_or(SHOWN_THREADS, |top| if top == 0 { usize::MAX } else { top });
    let (shown, hidden) = threads.split_at(threads.len().min(top));
    let mut rows: Vec<Row> = Vec::new();
    for thread in shown {
        let mut row = Row { label: label(thread), ..Row::default() };
        row.add(thread);
        rows.push(row);
    }
    let mut sum = |label: String, threads: &[Thread]| {
        let mut row = Row { label, ..Row::default() };
        threads.iter().for_each(|thread| row.add(thread));
        rows.push(row);
    };
    if !hidden.is_empty() {
        sum(format!("({} more)", quantity::count(hidden.len() as u64)), hidden);
    }
    sum("(all)".to_owned(), threads);
    let all = rows.last().map_or(0, |row| row.records).max(1);
    let duration_s = span.map_or(0.0, |span| span.duration_ns() as f64 / 1e9);
    let mut table = Table::new("THREAD");
    let counts = |field: Field| rows.iter().map(move |row| quantity::count(field(row)));
    table.column("COUNT", 0, counts(|row| row.records));
    table.column("%", 1, rows.iter().map(|row| format!("{:.1}", row.records as f64 * 100.0 / all as f64)));
    table.column(
        "PER S",
        2,
        rows.iter().map(|row| match duration_s {
            0.0 => "-".to_owned(),
            _ => quantity::per_second(row.records as f64 / duration_s),
        }),
    );
    let losses: [(&'static str, Field); 3] = [
        ("DROPPED", |row| row.dropped),
        ("OVERWRITTEN", |row| row.overwritten),
        ("REFUSED", |row| row.refused),
    ];
    for (head, field) in losses {
        if rows.iter().any(|row| field(row) > 0) {
            table.column(head, 0, counts(field));
        }
    }
    table.names(rows.iter().map(|row| row.label.clone()));
    out.push('\n');
    terminal.table(&table, out);
}
