//! Tracks for processes, threads, pairs, counters and gaps.

use std::collections::HashMap;

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::key::KeyMap;
use ringtrace_tracefile::pair::{Track, TrackOwner};

use super::field::track;
use super::packets::{Packets, Uuid};
use crate::exporter::TraceInfo;
use crate::shared::process_ids::ProcessIds;

#[derive(Default)]
pub(super) struct Tracks {
    count: Uuid,
    process_ids: ProcessIds,
    /// By number of the process.
    processes: HashMap<u32, Uuid>,
    /// By number of the process, and by thread.
    threads: KeyMap<(Option<u32>, Option<u32>), ThreadTrack>,
    pairs: HashMap<usize, Uuid>,
    /// The tracks of lanes, by lane and by the track's index in the span tracker.
    lanes: KeyMap<(u32, usize), Uuid>,
    /// The tracks of nested slices, by stack.
    stacks: HashMap<usize, Uuid>,
    counters: HashMap<u32, Uuid>,
    standalone: HashMap<(&'static str, usize), Uuid>,
}

struct ThreadTrack {
    uuid: Uuid,
    /// The last name that was written for the thread.
    name: Option<Box<str>>,
}

impl Tracks {
    pub(super) fn new(info: &TraceInfo) -> Tracks {
        Tracks { process_ids: ProcessIds::new(info), ..Tracks::default() }
    }

    /// Returns the track of `entry`: its thread's track, or else its process's track, or else the
    /// track for all records that have neither.
    pub(super) fn of(&mut self, entry: &Entry<'_>, out: &mut Packets) -> Uuid {
        let number = entry.version.info().has_pid.then(|| self.process_ids.number(entry));
        let name = entry.thread_name();
        if let Some(track) = self.threads.get(&(number, entry.tid()))
            && track.name.as_deref() == name
        {
            return track.uuid;
        }
        self.add_thread(number, entry, out)
    }

    #[cold]
    fn add_thread(&mut self, number: Option<u32>, entry: &Entry<'_>, out: &mut Packets) -> Uuid {
        let (pid, tid, name) = (number.map(|_| entry.pid), entry.tid(), entry.thread_name());
        let parent = pid.and_then(known_to_perfetto).map(|_| self.process(entry, out));
        let uuid = match self.threads.get(&(number, tid)) {
            Some(track) => track.uuid,
            None => self.next(),
        };
        self.threads.insert((number, tid), ThreadTrack { uuid, name: name.map(Box::from) });
        let own_pid = pid.and_then(known_to_perfetto).filter(|pid| Some(*pid) == number);
        let thread = tid.and_then(known_to_perfetto).zip(own_pid);
        out.write_track(|descriptor| {
            descriptor.uint(track::UUID, uuid);
            if let Some(parent) = parent {
                descriptor.uint(track::PARENT, parent);
            }
            match (thread, pid, tid) {
                (Some((tid, pid)), _, _) => descriptor.message(track::THREAD, |thread| {
                    thread.uint(track::THREAD_PID, u64::from(pid));
                    thread.uint(track::THREAD_TID, u64::from(tid));
                    if let Some(name) = name {
                        thread.text(track::THREAD_NAME, name);
                    }
                }),
                (None, Some(pid), None) if parent.is_none() => {
                    descriptor.text(track::NAME, &format!("events of process {pid}"));
                }
                (None, _, Some(tid)) => {
                    let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
                    descriptor.text(track::NAME, &format!("events of thread {tid}{name}"));
                }
                _ => descriptor.text(track::NAME, "events"),
            }
        });
        uuid
    }

    fn process(&mut self, entry: &Entry<'_>, out: &mut Packets) -> Uuid {
        let number = self.process_ids.number(entry);
        if let Some(uuid) = self.processes.get(&number) {
            return *uuid;
        }
        let uuid = self.next();
        self.processes.insert(number, uuid);
        let name = self.process_ids.name(number);
        out.write_track(|descriptor| {
            descriptor.uint(track::UUID, uuid);
            match name {
                // Perfetto would join processes with the same id.
                Some(name) if number != entry.pid => descriptor.text(track::NAME, name),
                name => descriptor.message(track::PROCESS, |process| {
                    process.uint(track::PROCESS_PID, u64::from(entry.pid));
                    if let Some(name) = name {
                        process.text(track::PROCESS_NAME, name);
                    }
                }),
            }
        });
        uuid
    }

    /// Returns the track of a `lane`. `engine` is the span tracker's track at `index`; it belongs
    /// to the pair called `pair`.
    pub(super) fn lane(
        &mut self,
        index: u32,
        lane: usize,
        engine: &Track,
        pair: &str,
        out: &mut Packets,
    ) -> Uuid {
        if let Some(uuid) = self.lanes.get(&(index, lane)) {
            return *uuid;
        }
        let TrackOwner::Pair(of) = engine.of else { return 0 };
        let parent = match self.pairs.get(&of) {
            Some(parent) => *parent,
            None => {
                let parent = self.next();
                self.pairs.insert(of, parent);
                out.write_track(|descriptor| {
                    descriptor.uint(track::UUID, parent);
                    descriptor.text(track::NAME, pair);
                });
                parent
            }
        };
        let uuid = self.next();
        self.lanes.insert((index, lane), uuid);
        // The text after the pair's name distinguishes the track from others.
        let name = engine.name.strip_prefix(pair).map(str::trim_start).filter(|name| !name.is_empty());
        // Perfetto shows tracks with the same parent and name as rows of one track.
        out.write_track(|descriptor| {
            descriptor.uint(track::UUID, uuid);
            descriptor.uint(track::PARENT, parent);
            descriptor.text(track::NAME, name.unwrap_or(&engine.name));
        });
        uuid
    }

    /// Returns the track of a stack of nested slices.
    pub(super) fn of_stack(&self, stack: usize) -> Option<Uuid> {
        self.stacks.get(&stack).copied()
    }

    pub(super) fn set_stack(&mut self, stack: usize, uuid: Uuid) {
        self.stacks.insert(stack, uuid);
    }

    /// Returns the track of a stack that contains span trees. The spans belong to the same process
    /// as `entry`.
    pub(super) fn tree(&mut self, stack: usize, entry: &Entry<'_>, out: &mut Packets) -> Uuid {
        if let Some(uuid) = self.of_stack(stack) {
            return uuid;
        }
        let parent = known_to_perfetto(entry.pid).map(|_| self.process(entry, out));
        let uuid = self.next();
        self.set_stack(stack, uuid);
        // Perfetto shows tracks with the same parent and name as rows of one track.
        out.write_track(|descriptor| {
            descriptor.uint(track::UUID, uuid);
            if let Some(parent) = parent {
                descriptor.uint(track::PARENT, parent);
            }
            descriptor.text(track::NAME, "Spans");
        });
        uuid
    }

    pub(super) fn counter(&mut self, index: u32, name: &str, out: &mut Packets) -> Uuid {
        if let Some(uuid) = self.counters.get(&index) {
            return *uuid;
        }
        let uuid = self.next();
        self.counters.insert(index, uuid);
        out.write_track(|descriptor| {
            descriptor.uint(track::UUID, uuid);
            descriptor.text(track::NAME, name);
            descriptor.message(track::COUNTER, |_| {});
        });
        uuid
    }

    /// Returns a track without a parent. Each `row` of a `name` has a separate track.
    pub(super) fn standalone(
        &mut self,
        name: &'static str,
        row: usize,
        description: &str,
        out: &mut Packets,
    ) -> Uuid {
        if let Some(uuid) = self.standalone.get(&(name, row)) {
            return *uuid;
        }
        let uuid = self.next();
        self.standalone.insert((name, row), uuid);
        out.write_track(|descriptor| {
            descriptor.uint(track::UUID, uuid);
            descriptor.text(track::NAME, name);
            descriptor.text(track::DESCRIPTION, description);
        });
        uuid
    }

    fn next(&mut self) -> Uuid {
        self.count += 1;
        self.count
    }
}

/// Returns a process or thread id that Perfetto supports: it reserves 0 for idle threads, and
/// stores signed numbers.
fn known_to_perfetto(number: u32) -> Option<u32> {
    (1..=i32::MAX as u32).contains(&number).then_some(number)
}
