//! `ringtrace compact-dataset`: merges the small files of a dataset.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use clap::Args;
use ringtrace_events::message::visible;
use ringtrace_export::Dataset;
use ringtrace_export::dataset::{Compacted, CompactionLimits, CompactionPlan, SETTINGS};

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::output::{on_signal, print};
use crate::progress::Progress;
use crate::quantity::{bytes, counted};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "compact-dataset",
    about: "Merge the small files of a dataset",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace compact-dataset fleet
  ringtrace compact-dataset --dry-run fleet

Traces can be ingested at the same time, and queries can run: they see each row
once. A query whose files are deleted while it runs fails, and can be repeated.";

#[derive(Args, Debug)]
struct Arguments {
    /// Folder of the dataset
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,

    /// Print what would be merged, and change nothing
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Largest size of a merged file, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..=4096))]
    max_size: u64,
}

/// Merged files are merged again this often, if there were very many of them.
const MAX_PASSES: usize = 8;

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    // The message names the file.
    let failed = |error: io::Error| CliError::lines(Exit::System, error.to_string());
    if !arguments.dataset.join(SETTINGS).is_file() {
        let name = visible::text(&arguments.dataset.display().to_string());
        return Err(CliError::usage(format!("{name} is not a dataset: it contains no {SETTINGS}"))
            .exit(Exit::System)
            .help("`ringtrace ingest DATASET TRACE...` creates a dataset"));
    }
    let dataset = Dataset::open(&arguments.dataset, false).map_err(failed)?;
    on_signal(ringtrace_export::remove_unfinished);
    let limits = CompactionLimits { file_bytes: arguments.max_size << 20, ..CompactionLimits::default() };
    let before = dataset.plan_compaction(limits).map_err(failed)?;
    if arguments.dry_run {
        print(format!("{}\n", intention(&before)))?;
        return Ok(Exit::Done);
    }
    let mut total = Compacted::default();
    for _ in 0..MAX_PASSES {
        let plan = dataset.plan_compaction(limits).map_err(failed)?;
        if plan.folders() == 0 {
            break;
        }
        let done = Arc::new(AtomicU64::new(0));
        let _progress = Progress::count(Arc::clone(&done), plan.merged_bytes, terminal);
        let compacted = dataset.compact(&plan, &done).map_err(failed)?;
        let is_stuck = compacted.folders == 0;
        total.busy = compacted.busy;
        total.folders += compacted.folders;
        if is_stuck {
            break;
        }
    }
    let after = dataset.plan_compaction(limits).map_err(failed)?;
    print(format!("{}\n", summary(&before, &after, total.folders > 0)))?;
    if total.busy > 0 {
        let folders = counted(total.busy, "folder", "folders");
        terminal.warn(
            &format!("{folders} were changed by other processes at the same time, and are not merged"),
            Some("run the command again"),
        );
    }
    Ok(Exit::Done)
}

fn size(plan: &CompactionPlan) -> String {
    format!("{}, {}", counted(plan.files, "file", "files"), bytes(plan.bytes))
}

/// Returns what a compaction would do.
fn intention(plan: &CompactionPlan) -> String {
    if plan.folders() == 0 {
        return format!("nothing to merge: {}", size(plan));
    }
    format!(
        "would merge {} into {} in {}; the dataset has {}",
        counted(plan.merged, "file", "files"),
        plan.results,
        counted(plan.folders() as u64, "folder", "folders"),
        size(plan)
    )
}

/// Returns what a compaction has done.
fn summary(before: &CompactionPlan, after: &CompactionPlan, has_merged: bool) -> String {
    match has_merged {
        true => format!("before: {}; after: {}", size(before), size(after)),
        false => format!("nothing to merge: {}", size(before)),
    }
}
