//! The results as a table: on the terminal, row by row, and as a Markdown file.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::cases::{Case, MAX_MEMORY_MIB};
use crate::measure::{Outcome, Ratio};

/// A case and its result.
pub struct Row<'c> {
    pub case: &'c Case,
    pub outcome: Outcome,
}

/// Length of the longest name.
const NAME_COLUMNS: usize = 18;

/// The columns: heading and width. A negative width aligns text to the left.
const COLUMNS: [(&str, isize); 10] = [
    ("case", -NAME_COLUMNS.cast_signed()),
    ("ours", 9),
    ("Mrec/s", 6),
    ("GB/s", 5),
    ("against", -15),
    ("theirs", 9),
    ("ratio", 5),
    ("quarters", 10),
    ("required", 9),
    ("", -7),
];

pub fn print_heading() {
    println!("{}", line(&COLUMNS.map(|(heading, _)| heading.to_owned())));
}

impl Row<'_> {
    pub fn print(&self) {
        println!("{}", line(&self.cells()));
        if let Some(note) = self.note() {
            println!("{:NAME_COLUMNS$}  {note}", "");
        }
    }

    /// Returns the text below the figures.
    fn note(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Skipped(note) | Outcome::Failed(note) => Some(note),
            Outcome::Cost(cost) => cost.note.as_deref(),
            _ => None,
        }
    }

    /// Returns false if a requirement was missed.
    pub fn is_fine(&self) -> bool {
        self.outcome.is_met() != Some(false)
    }

    fn cells(&self) -> [String; COLUMNS.len()] {
        let mut cells = <[String; COLUMNS.len()]>::default();
        cells[0] = self.case.name.to_owned();
        match &self.outcome {
            Outcome::Ratio(ratio) => {
                let Ratio { size, ours_ms, against, against_ms, ratios, at_least } = ratio;
                cells[1] = format!("{:.0} ms", ours_ms.median);
                cells[2] = format!("{:.1}", size.records as f64 / ours_ms.median / 1e3);
                cells[3] = format!("{:.2}", size.bytes as f64 / ours_ms.median / 1e6);
                cells[4] = against.clone();
                cells[5] = format!("{:.0} ms", against_ms.median);
                cells[6] = format!("{:.2}", ratios.median);
                cells[7] = format!("{:.2}-{:.2}", ratios.lower, ratios.upper);
                cells[8] = at_least.map_or(String::new(), |least| format!(">= {least:.2}"));
            }
            Outcome::Time { ms, at_most_ms } => {
                cells[1] = format!("{:.1} ms", ms.median);
                cells[7] = format!("{:.1}-{:.1}", ms.lower, ms.upper);
                cells[8] = format!("<= {at_most_ms} ms");
            }
            Outcome::Pace { size, ms, at_least_mrec_s } => {
                cells[1] = format!("{:.0} ms", ms.median);
                cells[2] = format!("{:.1}", size.records as f64 / ms.median / 1e3);
                cells[3] = format!("{:.2}", size.bytes as f64 / ms.median / 1e6);
                cells[8] = format!(">= {at_least_mrec_s:.1}M");
            }
            Outcome::Memory { peak } => {
                let mib = peak.own_mib();
                cells[1] = format!("{mib:.1} MiB");
                cells[8] = format!("<= {MAX_MEMORY_MIB}");
            }
            Outcome::Cost(cost) => {
                cells[1] = format!("{:.2} ns", cost.ours_ns.median);
                cells[4] = cost.against.to_owned();
                cells[5] = format!("{:.2} ns", cost.theirs_ns.median);
                [cells[6], cells[7], cells[8]] = cost.figures();
            }
            Outcome::Skipped(_) | Outcome::Failed(_) => {}
        }
        cells[9] = match (&self.outcome, self.outcome.is_met()) {
            (Outcome::Skipped(_), _) => "skipped",
            (Outcome::Failed(_), _) => "failed",
            (_, Some(true)) => "ok",
            (_, Some(false)) => "missed",
            (_, None) => "",
        }
        .to_owned();
        cells
    }
}

fn line(cells: &[String; COLUMNS.len()]) -> String {
    let mut line = String::new();
    for (cell, (_, width)) in cells.iter().zip(COLUMNS) {
        let columns = width.unsigned_abs();
        // Writing to a string does not fail.
        let _ =
            if width < 0 { write!(line, "{cell:columns$}  ") } else { write!(line, "{cell:>columns$}  ") };
    }
    line.trim_end().to_owned()
}

/// Writes the table to a file whose name contains the name of this machine. Returns the path.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_record(machine: &str, setting: &str, rows: &[Row<'_>]) -> Result<PathBuf, String> {
    let mut text = format!(
        "# {machine}\n\nWritten by `cargo xtask bench --record`; [docs/performance.md](../../docs/performance.md) \
         explains it.\n{setting}.\n\n"
    );
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    text.push_str(&row(&COLUMNS.map(|(heading, _)| heading.to_owned())));
    text.push_str(&row(&COLUMNS.map(|(_, width)| if width < 0 { "---" } else { "---:" }.to_owned())));
    for each in rows {
        text.push_str(&row(&each.cells()));
    }
    text.push('\n');
    for (each, note) in rows.iter().filter_map(|each| Some((each, each.note()?))) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "* {}: {note}", each.case.name);
    }
    let name = machine.split(',').next().unwrap_or(machine);
    let name: String = name
        .to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("record").join(format!("{name}.md"));
    std::fs::create_dir_all(path.with_file_name(""))
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}
