//! Writing the contents of all rings at one moment: at the end of a flight recorder, and for
//! snapshots.

#![expect(unsafe_code, reason = "a ring's records are read as a slice")]

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::assembly::{Assembly, Output, Ring, Run};
use ringtrace_wire::simpletrace::metadata::{self, Cause, Metadata};

use super::output;
use super::{BATCH_BYTES, Writer};
use crate::clock::Times;
use crate::event::registry;
use crate::os::files;
use crate::ring::flight::{AfterRead, Pages};
use crate::ring::recording::Recording;
use crate::ring::slot::FREE;
use crate::ring::snapshot_requests::SnapshotRequest;
use crate::ring::{consumer, ownership};

impl Writer {
    pub(super) fn take_snapshots(&mut self) {
        let (requests, signalled) =
            (self.recording.snapshots().inbox.take(), self.recording.snapshots().take_signal());
        if requests.is_empty() && !signalled {
            return;
        }
        self.add_readers();
        if self.recording.full == FullPolicy::Overwrite {
            self.write_pauses();
        }
        for SnapshotRequest { file, answer } in requests {
            let written = self.write_snapshot(&file);
            // Ignore an error: the requesting thread may no longer be waiting.
            let _ = answer.send(written);
        }
        if signalled {
            // Ignore an error, because no caller waits for it. A truncated or missing file shows
            // the failure.
            if let Ok((file, _)) = create_numbered(self.recording) {
                let _ = self.write_snapshot(&file);
            }
        }
    }

    /// Writes the contents of a flight recorder's rings. Nothing is committed until everything is
    /// in the file. If the process is killed meanwhile, the rings still contain everything. Returns
    /// `false` if writing fails.
    pub(super) fn finish_flight(&mut self) -> bool {
        let rings: Vec<Pages> =
            self.readers.iter().map(|reader| Pages::of(&reader.slot, AfterRead::Keep)).collect();
        self.declare_new();
        self.declare_modules();
        self.times.renew();
        let mut found = HashMap::new();
        for (reader, pages) in self.readers.iter_mut().zip(&rings) {
            pages.count(&mut found);
            reader.close_flight(pages);
            if ownership::state(&reader.slot) != FREE {
                let done = reader.tally(pages.issued());
                self.tallies.add(reader.slot.tid().load(Ordering::Relaxed), done);
            }
        }
        let mut assembly = assembly(self.recording.pid, self.preamble.next_number());
        self.tallies.introduce(&found, &mut assembly);
        let rings: Vec<Ring<'_>> = rings.iter().map(Pages::ring).collect();
        let (sink, times, preamble) = (&mut self.sink, &mut self.times, &self.preamble);
        let output::Output { v4: out, compact, .. } = &mut self.out;
        let write = |bytes: &[u8]| match compact {
            None => sink.append(bytes, || true),
            Some(compact) => {
                compact.push(bytes, preamble);
                compact.write(sink, || true)
            }
        };
        let merged = assembly.merge(&rings, &mut Drain { write, times }, out);
        if let Err(error) = &merged {
            self.sink.report(error);
        } else {
            self.tallies.conclude(&found, true, &mut assembly, out);
        }
        self.preamble.skip_numbers(assembly.next_number());
        merged.is_ok()
    }

    /// Writes the current contents of the rings to `file`, as a separate trace, without draining
    /// the rings. Returns the number of records.
    pub(super) fn write_snapshot(&mut self, mut file: &File) -> io::Result<u64> {
        self.declare_new();
        self.declare_modules();
        let [stored, rest] = self.preamble.start(self.preamble.len());
        let mut out = [stored, rest, &self.changes].concat();
        let assembly = assembly(self.recording.pid, self.preamble.next_number());
        let mut assembly = match self.recording.full {
            FullPolicy::Overwrite => self.snapshot_flight(assembly, &mut file, &mut out)?,
            FullPolicy::Discard | FullPolicy::Block => self.snapshot_rest(assembly, &mut file, &mut out)?,
        };
        let by = Metadata::Other(metadata::SNAPSHOT.to_owned(), b"by the program".to_vec());
        assembly.push_metadata(&by, &mut out);
        file.write_all(&out)?;
        Ok(assembly.recorded().values().sum())
    }

    /// Writes a flight recorder's rings, and the number of overwritten records.
    fn snapshot_flight<'n>(
        &mut self,
        mut assembly: Assembly<'n>,
        file: &mut &File,
        out: &mut Vec<u8>,
    ) -> io::Result<Assembly<'n>> {
        let rings: Vec<Pages> =
            self.readers.iter().map(|reader| Pages::of(&reader.slot, AfterRead::Release)).collect();
        self.times.renew();
        let (mut found, mut tallies) = (HashMap::new(), self.tallies.clone());
        for (reader, pages) in self.readers.iter().zip(&rings) {
            pages.count(&mut found);
            if ownership::state(&reader.slot) != FREE {
                tallies.add(reader.slot.tid().load(Ordering::Relaxed), reader.done(pages.issued()));
            }
        }
        tallies.introduce(&found, &mut assembly);
        let rings: Vec<Ring<'_>> = rings.iter().map(Pages::ring).collect();
        let mut drain = Drain { write: |bytes: &[u8]| file.write_all(bytes), times: &mut self.times };
        assembly.merge(&rings, &mut drain, out)?;
        tallies.conclude(&found, false, &mut assembly, out);
        Ok(assembly)
    }

    /// Writes the records and losses that are not in the trace file yet.
    fn snapshot_rest<'n>(
        &mut self,
        mut assembly: Assembly<'n>,
        file: &mut &File,
        out: &mut Vec<u8>,
    ) -> io::Result<Assembly<'n>> {
        let (mut rings, mut lost) = (Vec::new(), Vec::new());
        for reader in &self.readers {
            if ownership::state(&reader.slot) == FREE {
                continue;
            }
            let tid = reader.slot.tid().load(Ordering::Relaxed);
            let done = reader.done(0);
            assembly.name_thread(tid, &done.name);
            let unreported = reader.slot.dropped().load(Ordering::Relaxed).saturating_sub(reader.reported);
            let length = consumer::readable_bytes(&reader.slot, reader.position);
            // SAFETY: these bytes are readable, and only this thread releases them, which it does
            // later.
            let bytes = unsafe { reader.slot.bytes(reader.position, length) };
            let ring = Ring { runs: vec![Run { tid, bytes }] };
            let in_ring: u64 = ring.records().filter_map(|found| found.dropped()).sum();
            lost.push((tid, Cause::Refused, done.refused));
            lost.push((tid, Cause::Dropped, unreported.saturating_sub(in_ring + done.refused)));
            rings.push(ring);
        }
        self.times.renew();
        let mut drain = Drain { write: |bytes: &[u8]| file.write_all(bytes), times: &mut self.times };
        assembly.merge(&rings, &mut drain, out)?;
        for (tid, cause, count) in lost {
            assembly.add_loss(tid, cause, count);
        }
        assembly.finish(out);
        Ok(assembly)
    }
}

/// Creates the file for a snapshot requested by a signal: `TRACE.snapshot-N` with the first free N.
/// If the trace is not a regular file, the name is `trace-PID.snapshot-N`.
pub(super) fn create_numbered(recording: &Recording) -> io::Result<(File, PathBuf)> {
    let trace = recording.trace_path();
    let is_file = std::fs::metadata(&trace).is_ok_and(|found| found.is_file());
    let base = if is_file { trace } else { PathBuf::from(format!("trace-{}", recording.pid)) };
    let mut number = 1;
    loop {
        let mut path = base.clone().into_os_string();
        path.push(format!(".snapshot-{number}"));
        let path = PathBuf::from(path);
        match files::options().create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn assembly(pid: u32, next_number: u32) -> Assembly<'static> {
    Assembly::new(pid, next_number, |event| registry::describe(event).map(|event| event.name.into_bytes()))
}

struct Drain<'w, W> {
    write: W,
    times: &'w mut Times,
}

impl<W: FnMut(&[u8]) -> io::Result<()>> Output for Drain<'_, W> {
    type Error = io::Error;

    fn time_ns(&mut self, stamp: u64) -> u64 {
        self.times.ns(stamp)
    }

    fn take(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        if bytes.len() >= BATCH_BYTES {
            (self.write)(bytes)?;
            bytes.clear();
        }
        Ok(())
    }
}
