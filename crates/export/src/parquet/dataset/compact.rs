//! Merges the small files of a dataset. `docs/formats/dataset.md` describes how.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Dataset;
use super::leaf;
use super::merge::{self, Input, State, trace_of};
use super::staging::{Lock, Staging, at, committed};
use crate::dataset::{Compacted, CompactionLimits, CompactionPlan, Leaf};

/// The tables with files that can be merged.
const TABLES: [&str; 6] = ["events", "spans", "dropped", "pauses", "steps", "counters"];

/// The id in the name of the staging folder.
const ID: &str = "compact";

/// The number of folders whose files are replaced together, because it takes time to wait for the disk.
const BATCH: usize = 32;

/// The merged files of a folder, before they replace the others.
struct Prepared<'l> {
    leaf: &'l Leaf,
    staging: Staging,
    inputs: Vec<(State, PathBuf)>,
    traces: BTreeSet<String>,
    add: Vec<PathBuf>,
}

impl Dataset {
    /// Returns the files that [`Dataset::compact`] would merge now.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn plan_compaction(&self, limits: CompactionLimits) -> io::Result<CompactionPlan> {
        // The lock completes what killed processes have left.
        drop(Lock::take(&self.folder)?);
        let mut plan = CompactionPlan::default();
        for table in TABLES {
            self.plan_folder(table, limits, &mut plan)?;
        }
        plan.leaves.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(plan)
    }

    fn plan_folder(
        &self,
        folder: &str,
        limits: CompactionLimits,
        plan: &mut CompactionPlan,
    ) -> io::Result<()> {
        let path = self.folder.join(folder);
        let entries = match fs::read_dir(&path) {
            // Another process has deleted it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(at(&path))?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry.map_err(at(&path))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.contains('=') {
                self.plan_folder(&format!("{folder}/{name}"), limits, plan)?;
            } else if name.ends_with(".parquet")
                && let Ok(metadata) = entry.metadata()
            {
                files.push((name, metadata.len()));
            }
        }
        files.sort();
        plan.files += files.len() as u64;
        plan.bytes += files.iter().map(|(_, bytes)| bytes).sum::<u64>();
        let mut merges: Vec<Vec<(String, u64)>> = Vec::new();
        let (mut merge, mut size) = (Vec::new(), 0);
        // Merged files are first, so that they are extended.
        files.sort_by_key(|(name, _)| !merge::is_merged(name));
        for (name, bytes) in files {
            // Larger files are not merged again and again.
            if bytes > limits.file_bytes / 2 {
                continue;
            }
            if size + bytes > limits.file_bytes || merge.len() == limits.files {
                merges.push(std::mem::take(&mut merge));
                size = 0;
            }
            size += bytes;
            merge.push((name, bytes));
        }
        merges.push(merge);
        merges.retain(|merge| merge.len() > 1);
        if !merges.is_empty() {
            plan.merged += merges.iter().map(Vec::len).sum::<usize>() as u64;
            plan.results += merges.len() as u64;
            plan.merged_bytes += merges.iter().flatten().map(|(_, bytes)| bytes).sum::<u64>();
            let names = |merge: Vec<(String, u64)>| merge.into_iter().map(|(name, _)| name).collect();
            let merges = merges.into_iter().map(names).collect();
            plan.leaves.push(Leaf { path: folder.to_owned(), merges });
        }
        Ok(())
    }

    /// Merges the files of `plan`, folder by folder. Folders that other processes change at the same
    /// time remain as they are. Adds the number of processed bytes to `done`.
    ///
    /// # Errors
    /// A file cannot be read or written. Folders before it are merged.
    pub fn compact(&self, plan: &CompactionPlan, done: &AtomicU64) -> io::Result<Compacted> {
        let mut compacted = Compacted::default();
        for leaves in plan.leaves.chunks(BATCH) {
            let mut prepared = Vec::new();
            for leaf in leaves {
                let before = self.states(leaf);
                match self.prepare(leaf, done) {
                    Ok(ready) => prepared.push(ready),
                    // Another process has deleted or replaced a file.
                    Err(error) if error.kind() == io::ErrorKind::NotFound || before != self.states(leaf) => {
                        compacted.busy += 1;
                    }
                    Err(error) => return Err(error),
                }
            }
            leaf::sync(&self.folder)?;
            let _lock = Lock::take(&self.folder)?;
            let mut committed = HashMap::new();
            for ready in &mut prepared {
                if !self.is_valid(ready, &mut committed) {
                    compacted.busy += 1;
                    continue;
                }
                let Prepared { leaf, staging, add, .. } = ready;
                let remove = leaf.merges.concat();
                let staged = staging.path().to_owned();
                let replace = || leaf::replace(&self.folder, &leaf.path, &staged, &remove, add);
                staging.unless_stopped(replace)?;
                compacted.folders += 1;
                compacted.merged += remove.len() as u64;
                compacted.results += add.len() as u64;
            }
            // The old files are deleted with the staging folders.
            leaf::sync(&self.folder)?;
        }
        Ok(compacted)
    }

    /// Returns the states of the files to be merged; `None` for missing files.
    fn states(&self, leaf: &Leaf) -> Vec<Option<State>> {
        let folder = self.folder.join(&leaf.path);
        let state = |name: &String| Some(State::of(&fs::metadata(folder.join(name)).ok()?));
        leaf.merges.iter().flatten().map(state).collect()
    }

    /// Writes the merged files of a folder.
    fn prepare<'l>(&self, leaf: &'l Leaf, done: &AtomicU64) -> io::Result<Prepared<'l>> {
        let staging = Staging::new(&self.folder, ID)?;
        let folder = self.folder.join(&leaf.path);
        let (mut inputs, mut traces, mut add) = (Vec::new(), BTreeSet::new(), Vec::new());
        for names in &leaf.merges {
            let files = names.iter().map(|name| Input::open(folder.join(name)));
            let files = files.collect::<io::Result<Vec<_>>>()?;
            let number = add.len().to_string();
            let path = staging.path().join(leaf::unique_name(staging.path(), &[&leaf.path, &number]));
            let progress = |bytes| _ = done.fetch_add(bytes, Ordering::Relaxed);
            if merge::merge(&files, &path, None, &progress)? {
                add.push(path);
            }
            for file in files {
                inputs.push((file.state(), file.path().to_owned()));
                traces.extend(file.parts().into_iter().map(|part| trace_of(part).to_owned()));
            }
        }
        Ok(Prepared { leaf, staging, inputs, traces, add })
    }

    /// Returns whether the files are as they were when they were merged, and belong to committed traces.
    /// The lock of the dataset is held.
    fn is_valid(&self, ready: &Prepared<'_>, committed: &mut HashMap<String, bool>) -> bool {
        let is_same = |(state, path): &(State, PathBuf)| {
            fs::metadata(path).is_ok_and(|metadata| State::of(&metadata) == *state)
        };
        ready.inputs.iter().all(is_same)
            && ready
                .traces
                .iter()
                .all(|trace| *committed.entry(trace.clone()).or_insert_with(|| self.is_committed(trace)))
    }

    fn is_committed(&self, trace: &str) -> bool {
        committed(&self.folder, trace).exists()
    }
}
