//! Creation of a summary: reads the whole input, and sorts the result.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ringtrace_wire::simpletrace::{Layout, LayoutVisitor, MAX_RECORD_BYTES, Version, with_layout};

use super::walk::{Walk, WalkOptions};
use super::{EventCount, EventName, Process, Summary, Thread};
use crate::entry::Causes;
use crate::error::{Anomaly, Error};
use crate::metadata::{self, Metadata, Total};
use crate::read::decode::WindowEnd;
use crate::read::reader::{Growth, Reader};
use crate::read::state::DecodeState;

impl Reader {
    /// Summarizes the rest of the trace. With `check`, compares the arguments of all declared
    /// records with their declarations, which takes longer.
    ///
    /// The length field of a record determines where it ends. In v2 and v3, whose readers use the
    /// declared arguments, the record ends after these arguments if they are known.
    pub fn summarize(&mut self, check: bool) -> Summary {
        self.summarize_part(check, false)
    }

    /// Summarizes like [`Reader::summarize`]. `is_part` means that blocks are skipped, so that the counts
    /// in the trace do not match the records.
    pub(super) fn summarize_part(&mut self, check: bool, is_part: bool) -> Summary {
        let declared = self.schemas().declared().next().is_some();
        let mut walk = Walk::new(WalkOptions {
            // Only v4 traces can contain declarations.
            by_declaration: !self.is_by_length() && (declared || self.version() == Version::V4),
            // Damaged bytes can look like a record, but rarely match the declared arguments.
            check: check || self.keeps_going(),
            keep_going: self.keeps_going(),
            names_expected: declared || (self.version() == Version::V4 && self.header().is_some()),
        });
        let mut skipped_bytes = 0;
        // Continue after damaged blocks: the start of the next block is known.
        self.skips_damage = true;
        let failed = self.walk(&mut walk, &mut skipped_bytes).err();
        walk.end(&self.state);
        self.finished = true;
        let read_bytes = self.read_bytes() - skipped_bytes;
        let checked = check.then_some(walk.checked);
        let mut summary = self.summary(walk, read_bytes, checked, failed);
        if summary.failed.is_none() && summary.ended == Some(true) && !is_part && !self.is_selected() {
            for thread in summary.threads.iter().filter(|thread| !thread.matches_total()) {
                summary.anomalies.add(Anomaly::Total, || self.contradiction(thread));
            }
        }
        summary
    }

    /// Walks to the end. Adds the size of unreadable and truncated records to `skipped_bytes`.
    fn walk(&mut self, walk: &mut Walk, skipped_bytes: &mut u64) -> Result<(), Error> {
        let decoded = std::mem::take(&mut self.decoded);
        self.skip(decoded)?;
        self.finished = false;
        while !self.finished {
            self.note_progress();
            let (version, order) = self.layout;
            let (window, offset) = (self.input.window(), self.input.offset());
            let run = WalkWindow { walk, state: &mut self.state, window, offset };
            let (ended, done) = with_layout(version, order, run);
            self.input.consume(done);
            let need = match ended {
                WindowEnd::NeedMore(need) => need,
                WindowEnd::Failed(error) => {
                    self.resume_after(error, skipped_bytes)?;
                    continue;
                }
                WindowEnd::Stopped => return Ok(()),
            };
            let is_oversized = match self.grow_window(need)? {
                Growth::More => continue,
                Growth::Ended if self.is_live() => return Ok(()),
                Growth::Ended => false,
                Growth::Oversized if self.keeps_going() => {
                    self.state.tally.number = walk.records();
                    let error = self.state.tally.error_at(self.input.offset(), self.oversized(need));
                    self.resume_after(error, skipped_bytes)?;
                    continue;
                }
                Growth::Oversized => true,
            };
            let (window, offset, read) = (self.input.window(), self.input.offset(), self.input.read_bytes());
            if window.is_empty() {
                return Ok(());
            }
            let window = &window[..window.len().min(MAX_RECORD_BYTES)];
            let oversized = is_oversized.then(|| self.oversized(need));
            let left = if is_oversized { need } else { window.len() };
            let need = self.record_bytes(need);
            let tail = WalkTail { walk, state: &mut self.state, window, offset, need, oversized };
            if let Err(error) = with_layout(version, order, tail) {
                self.resume_after(error, skipped_bytes)?;
                continue;
            }
            self.skip(left)?;
            *skipped_bytes += self.input.read_bytes() - read;
            self.finished = !is_oversized;
        }
        Ok(())
    }

    /// Skips an unreadable part, or returns `error` if the reader does not skip damage.
    fn resume_after(&mut self, error: Error, skipped_bytes: &mut u64) -> Result<(), Error> {
        if !self.keeps_going() {
            return Err(error);
        }
        let from = self.input.read_bytes();
        self.skip_damage(error)?;
        *skipped_bytes += self.input.read_bytes() - from;
        Ok(())
    }

    fn summary(&self, walk: Walk, read_bytes: u64, checked: Option<u64>, failed: Option<Error>) -> Summary {
        let schemas = self.schemas();
        let records = walk.records();
        let threads = self.threads_of(&walk);
        let named = walk.named.into_iter().map(|(name, count)| EventCount {
            declared: schemas.find(&name).is_some(),
            name: EventName::Name(name),
            count,
        });
        let unnamed = walk.unnamed.into_iter().map(|(id, count)| EventCount {
            declared: false,
            name: EventName::Id(id),
            count,
        });
        let mut events: Vec<EventCount> = named.chain(unnamed).collect();
        events.sort_unstable_by(|a, b| {
            Reverse(a.count.records).cmp(&Reverse(b.count.records)).then_with(|| a.name.cmp(&b.name))
        });

        let mut processes: Vec<Process> = match self.header().and_then(|header| header.pid) {
            Some(pid) => vec![Process { pid: pid as u32, records }],
            None if !self.version().info().has_pid => Vec::new(),
            None => walk.pids.into_iter().map(|(pid, records)| Process { pid, records }).collect(),
        };
        processes.sort_unstable_by_key(|process| (Reverse(process.records), process.pid));

        let has = |wanted| {
            self.metadata().iter().any(|piece| matches!(piece, Metadata::Other(key, _) if key == wanted))
        };
        let ended = has(metadata::POLICY).then(|| {
            // The last file of a folder may have no records and no totals. Totals of other files are not the end.
            let of_last = |piece: &Metadata| matches!(piece, Metadata::Total(_));
            let has_end = has(metadata::ENDED)
                || (!threads.is_empty() && (self.files().is_none() || self.metadata().iter().any(of_last)));
            has_end && threads.iter().all(Thread::has_ended)
        });
        Summary {
            records,
            read_bytes,
            mappings: walk.mappings,
            span: walk.span,
            backwards: walk.backwards,
            dropped: walk.dropped,
            events,
            other_ids: walk.other_ids,
            processes,
            other_processes: walk.other_pids,
            threads,
            ended,
            checked,
            anomalies: self.anomalies().clone(),
            failed,
            unread: None,
        }
    }
}

impl Reader {
    /// Returns the threads, sorted by number of records, the largest first.
    fn threads_of(&self, walk: &Walk) -> Vec<Thread> {
        let mut totals: BTreeMap<u32, Total> = BTreeMap::new();
        for metadata in self.metadata_of_files() {
            if let Metadata::Total(total) = metadata {
                totals.entry(total.tid).and_modify(|sum| add(sum, total)).or_insert(*total);
            }
        }
        let tids: BTreeSet<u32> =
            walk.threads.keys().chain(walk.lost.keys()).chain(totals.keys()).copied().collect();
        let thread = |tid: u32| Thread {
            tid,
            name: self.threads().name(tid).map(str::to_owned),
            records: walk.threads.get(&tid).copied().unwrap_or(0),
            lost: walk.lost.get(&tid).copied().unwrap_or_default(),
            total: totals.get(&tid).copied(),
        };
        let mut threads: Vec<Thread> = tids.into_iter().map(thread).collect();
        threads.sort_by_key(|thread| Reverse(thread.records));
        threads
    }

    fn is_selected(&self) -> bool {
        let selected =
            |metadata: &Metadata| matches!(metadata, Metadata::Other(key, _) if key == metadata::SELECTED);
        self.metadata().iter().any(selected)
    }

    #[cold]
    fn contradiction(&self, thread: &Thread) -> Error {
        let Thread { tid, records, lost, .. } = thread;
        let reported = thread.total.map_or(String::new(), |total| {
            let Total { issued, recorded, dropped, overwritten, refused, .. } = total;
            format!(
                "the program reported {issued} events in thread {tid}: {recorded} recorded, {dropped} dropped, \
                 {overwritten} overwritten, {refused} refused"
            )
        });
        let Causes { dropped, overwritten, refused } = lost;
        let found = format!("the trace contains {records}, {dropped}, {overwritten} and {refused}");
        Error::new(self.file(), format!("{reported}; {found}"))
            .help("a part of the trace is missing, or the program counted incorrectly")
    }
}

/// Adds totals, because another thread can get the same id later, and tracing can end more than
/// once.
fn add(sum: &mut Total, total: &Total) {
    sum.issued = sum.issued.saturating_add(total.issued);
    sum.recorded = sum.recorded.saturating_add(total.recorded);
    sum.dropped = sum.dropped.saturating_add(total.dropped);
    sum.overwritten = sum.overwritten.saturating_add(total.overwritten);
    sum.refused = sum.refused.saturating_add(total.refused);
}

struct WalkWindow<'w> {
    walk: &'w mut Walk,
    state: &'w mut DecodeState,
    window: &'w [u8],
    offset: u64,
}

impl LayoutVisitor for WalkWindow<'_> {
    type Output = (WindowEnd, usize);

    fn visit<L: Layout>(self) -> (WindowEnd, usize) {
        let WalkWindow { walk, state, window, offset } = self;
        if walk.options.by_declaration || walk.options.check {
            walk.run::<L, false>(state, window, offset)
        } else {
            walk.run::<L, true>(state, window, offset)
        }
    }
}

struct WalkTail<'w> {
    walk: &'w mut Walk,
    state: &'w mut DecodeState,
    window: &'w [u8],
    offset: u64,
    /// The size of the record, if known.
    need: Option<usize>,
    /// The error message if the record is too long; `None` if the end of the file truncates it.
    oversized: Option<String>,
}

impl LayoutVisitor for WalkTail<'_> {
    type Output = Result<(), Error>;

    fn visit<L: Layout>(self) -> Result<(), Error> {
        self.walk.tail::<L>(self.state, self.window, self.offset, self.need, self.oversized)
    }
}
