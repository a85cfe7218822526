//! Continuing the trace in another file.
//!
//! The rings, their threads and the clock are not affected. The writer thread changes the file
//! between two writes: everything collected before is in the previous file, which gets its end, and
//! everything collected later goes to the new file. A commit makes the change in the arena. The
//! steps are in this order, so that a process can be killed between any two of them:
//!
//! 1. The preamble is written to the new file.
//! 2. The end is written to the previous file. It is not committed, so recovery removes it.
//! 3. The path of the new file is stored in the arena. Both commits there refer to the previous
//!    file, so nothing refers to the path yet.
//! 4. A commit refers to the new file.
//! 5. The previous file is closed.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::sink::Sink;
use super::{Output, Writer};
use crate::event::registry;
use crate::os::{error_text, stack};
use crate::ring::inbox::Inbox;
use crate::ring::recording::REMOVED;

/// The delay before the next attempt to continue in another file of the folder.
const ROTATION_RETRY: Duration = Duration::from_secs(1);

/// A request to continue in another file.
#[derive(Debug)]
pub(crate) struct SinkRequest {
    pub(crate) sink: Sink,
    pub(crate) answer: SyncSender<io::Result<()>>,
}

pub(crate) type SinkRequests = Inbox<SinkRequest>;

impl Writer {
    /// Continues in the requested file. Everything published so far is in the previous file, unless
    /// writing to that file fails.
    pub(super) fn change_sinks(&mut self) {
        for SinkRequest { sink, answer } in self.requests.take() {
            self.is_changing = true;
            self.write();
            if self.out.is_empty() {
                self.pass(true);
                self.recycle(false);
            }
            let changed = self.change_sink(sink, false);
            self.is_changing = false;
            if changed.is_ok() {
                self.sink.remove_old_files();
            }
            // Ignore an error: the requesting thread may no longer be waiting.
            let _ = answer.send(changed);
        }
    }

    /// Continues in the file of `sink`.
    ///
    /// # Errors
    /// Fails if the first data cannot be written to the new file. The trace then continues in the
    /// current file. Unless `needs_space` is set, a new file may be full if the current file
    /// contains everything collected so far: the data is then written later.
    fn change_sink(&mut self, mut sink: Sink, needs_space: bool) -> io::Result<()> {
        if self.commits_of_file < 2 {
            self.store_commit();
        }
        let is_whole = self.out.is_empty();
        if self.preamble.has_modules() {
            self.declare_changed_modules();
        }
        let groups = registry::groups_ever();
        let mut preamble = self.preamble.next(!is_whole);
        let mut out = Output::new(self.format, &preamble);
        if !is_whole {
            for reader in self.readers.iter_mut().filter(|reader| !reader.mapped.is_empty()) {
                reader.restate_names(&mut preamble, &mut out.v4);
            }
            out.v4.append(&mut self.out.decode_v4());
        }
        // A pipe whose reader does not read must not stop the writer thread for ever.
        let written = out.write(&mut sink, &preamble, || !needs_space);
        sink.restart_timeout();
        if let Err(error) = written
            && (needs_space || !is_whole)
        {
            return Err(error);
        }
        sink.retain();
        let is_ended = is_whole && self.end_file();
        if !is_whole {
            self.report_carried(&sink);
        }

        self.file_number += 1;
        self.commits_of_file = 0;
        if let Some(first) = self.recording.arenas().next() {
            first.set_trace_path(self.file_number, sink.path().as_os_str().as_bytes());
        }
        let previous = std::mem::replace(&mut self.sink, sink);
        self.out = out;
        let before = std::mem::replace(&mut self.preamble, preamble);
        self.preamble.adopt_arguments(&before);
        self.groups_declared = groups;
        self.event_counts.start_file();
        (self.newest_ns, self.late, self.jumps_before) = (0, 0, self.times.jumps());
        for reader in &mut self.readers {
            if is_whole {
                reader.start_file(is_ended);
            } else {
                reader.carry_over();
            }
        }
        self.recording.set_trace_path(self.sink.path());
        self.commit();
        drop(previous);
        // If the preamble could not be written, this reports the error.
        self.write();
        Ok(())
    }

    /// Continues in another file of the folder, if it is time for it. The current file must contain
    /// everything that was collected. If this fails, the trace continues in the current file, and
    /// the next attempt is made later.
    pub(super) fn rotate_if_due(&mut self) {
        if self.is_changing || !self.out.is_empty() || !self.sink.is_due() {
            return;
        }
        if self.no_rotation_before.is_some_and(|before| Instant::now() < before)
            || self.recording.pauses().is_paused()
        {
            return;
        }
        self.rotate();
    }

    /// Continues in another file of the folder, because the current one was removed. What is not written yet is
    /// written to the other file. Returns false if that is not possible, or was not possible a moment ago.
    pub(super) fn replace_removed(&mut self) -> bool {
        self.no_rotation_before.is_none_or(|before| Instant::now() >= before) && self.rotate()
    }

    /// Continues in another file of the folder, and returns whether that was possible.
    fn rotate(&mut self) -> bool {
        let Some(next) = self.sink.create_after() else { return false };
        match next.and_then(|sink| self.change_sink(sink, true)) {
            Ok(()) => {
                (self.no_rotation_before, self.failed_rotations) = (None, 0);
                self.recording.set_failure(None);
                self.sink.remove_old_files();
                true
            }
            Err(error) => {
                self.report_failed_rotation(&error);
                false
            }
        }
    }

    fn report_failed_rotation(&mut self, error: &io::Error) {
        self.no_rotation_before = Some(Instant::now() + ROTATION_RETRY);
        self.failed_rotations += 1;
        let consequence = match self.sink.left_its_folder() {
            true => format!("this file {REMOVED}"),
            false => "the trace continues in this file".to_owned(),
        };
        let text = format!("cannot continue in another file: {}; {consequence}", error_text(error));
        if self.failed_rotations == 1 {
            self.sink.report_text(&text);
        }
        let attempts = self.failed_rotations;
        self.recording.note_condition(format!("{text} ({attempts} failed attempts)"));
    }

    /// If another program has truncated the file, prepares to rewrite it.
    pub(super) fn mend_sink(&mut self) -> io::Result<()> {
        let mended = if self.sink.is_shortened()? { self.rewrite() } else { Ok(()) };
        if self.sink.is_removed() {
            self.recording.note_removal();
        }
        mended
    }

    /// Writes the end of the current file, and returns whether that was possible.
    fn end_file(&mut self) -> bool {
        let ended = self.mend_sink().and_then(|()| {
            let (preamble, out) = (&mut self.preamble, &mut self.out.v4);
            self.readers.iter_mut().for_each(|reader| reader.end_file(preamble, out));
            self.push_end();
            self.append()
        });
        if let Err(error) = &ended {
            self.sink.report_unended(error);
        }
        ended.is_ok()
    }

    /// Writes the executable segments in the process to the file and to the arena, if a stack was
    /// recorded since the last call and the segments have changed.
    pub(super) fn declare_modules(&mut self) {
        if stack::take_walked() {
            self.declare_changed_modules();
        }
    }

    pub(super) fn declare_changed_modules(&mut self) {
        let bytes = self.preamble.declare_modules();
        self.out.v4.extend_from_slice(bytes);
        if !bytes.is_empty()
            && let Some(first) = self.recording.arenas().next()
        {
            // If there is no room, recovery does not know these modules.
            first.append_metadata(bytes);
        }
    }
}
