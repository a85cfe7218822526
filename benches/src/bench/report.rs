//! The result as a table: for a terminal while it comes in, and as Markdown for the record.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::cases::{Case, MOST_MEMORY_MIB};
use crate::measure::{Outcome, Ratio};

/// A case and what it came to.
pub struct Row<'c> {
    pub case: &'c Case,
    pub outcome: Outcome,
}

/// The longest names have as many.
const NAME_COLUMNS: usize = 18;

/// Columns: heading and width; a width below zero is one of text, which goes to the left.
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

/// Prints the heading.
pub fn print_heading() {
    println!("{}", line(&COLUMNS.map(|(heading, _)| heading.to_owned())));
}

impl Row<'_> {
    /// Prints it.
    pub fn print(&self) {
        println!("{}", line(&self.cells()));
        if let Some(said) = self.said() {
            println!("{:NAME_COLUMNS$}  {said}", "");
        }
    }

    /// What is to be said beside the figures.
    fn said(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Skipped(said) | Outcome::Failed(said) => Some(said),
            Outcome::Cost(cost) => cost.said.as_deref(),
            _ => None,
        }
    }

    /// Whether nothing that is required is missing.
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
                cells[8] = format!("<= {MOST_MEMORY_MIB}");
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

/// Writes the record of this machine.
///
/// # Errors
/// When it cannot be written.
pub fn write_record(machine: &str, setting: &str, rows: &[Row<'_>]) -> Result<PathBuf, String> {
    let mut text = format!(
        "# {machine}\n\nWritten by `cargo xtask bench --record`; [docs/performance.md](../../docs/performance.md) \
         tells how to read it.\n{setting}.\n\n"
    );
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    text.push_str(&row(&COLUMNS.map(|(heading, _)| heading.to_owned())));
    text.push_str(&row(&COLUMNS.map(|(_, width)| if width < 0 { "---" } else { "---:" }.to_owned())));
    for each in rows {
        text.push_str(&row(&each.cells()));
    }
    text.push('\n');
    for (each, said) in rows.iter().filter_map(|each| Some((each, each.said()?))) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "* {}: {said}", each.case.name);
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
