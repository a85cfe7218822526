//! Numbers for processes, in formats that identify a process by its id only.

use std::collections::HashMap;

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::key::KeyMap;

use crate::exporter::TraceInfo;

/// The difference between the numbers of processes with the same id. Linux has no larger process ids.
const STEP: u32 = 1 << 22;

/// The numbers of processes. If several traces have a process with the same id, the id is the number of
/// the first one. The others have larger numbers.
#[derive(Debug, Default)]
pub(crate) struct ProcessIds {
    /// The names of traces; empty if there is only one.
    traces: Vec<String>,
    /// By trace and process.
    numbers: KeyMap<(u32, u32), u32>,
    /// By number.
    names: HashMap<u32, Option<String>>,
}

impl ProcessIds {
    pub(crate) fn new(info: &TraceInfo) -> ProcessIds {
        let traces: Vec<String> = info.origins.iter().map(|origin| origin.name.to_string()).collect();
        let traces = if traces.len() > 1 { traces } else { Vec::new() };
        let mut ids = ProcessIds { traces, ..ProcessIds::default() };
        for process in &info.processes {
            ids.add(process.trace, process.pid, Some(&process.name));
        }
        ids
    }

    /// Returns the number of the process that wrote `entry`.
    #[inline]
    pub(crate) fn number(&mut self, entry: &Entry<'_>) -> u32 {
        if self.traces.is_empty() { entry.pid } else { self.find(entry.trace, entry.pid) }
    }

    fn find(&mut self, trace: u32, pid: u32) -> u32 {
        match self.numbers.get(&(trace, pid)) {
            Some(number) => *number,
            None => self.add(trace, pid, None),
        }
    }

    /// Returns the name of the process with this number, if it is known or the number is not its id.
    pub(crate) fn name(&self, number: u32) -> Option<&str> {
        self.names.get(&number)?.as_deref()
    }

    #[cold]
    fn add(&mut self, trace: u32, pid: u32, name: Option<&str>) -> u32 {
        if let Some(number) = self.numbers.get(&(trace, pid)) {
            return *number;
        }
        let mut candidates = (0..).map_while(|step: u32| pid.checked_add(step.checked_mul(STEP)?));
        let number = candidates.find(|number| !self.names.contains_key(number)).unwrap_or(pid);
        let name = match self.traces.get(trace as usize) {
            Some(of) if number != pid => Some(format!("{} {pid} ({of})", name.unwrap_or("process"))),
            _ => name.map(str::to_owned),
        };
        self.numbers.insert((trace, pid), number);
        self.names.entry(number).or_insert(name);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exporter::Process;

    #[test]
    fn processes_with_the_same_id_have_different_numbers() {
        let process = |trace| Process { trace, pid: 7, name: "engine".to_owned() };
        let info = TraceInfo { processes: vec![process(1)], ..TraceInfo::default() };
        let mut ids = ProcessIds::new(&info);
        ids.traces = vec!["one".to_owned(), "two".to_owned(), "three".to_owned()];
        assert_eq!((ids.find(0, 7), ids.find(1, 7), ids.find(2, 7)), (7 + STEP, 7, 7 + 2 * STEP));
        assert_eq!((ids.find(0, 7), ids.find(0, 8), ids.find(1, 8)), (7 + STEP, 8, 8 + STEP));
        assert_eq!((ids.name(7), ids.name(8)), (Some("engine"), None));
        assert_eq!(ids.name(7 + STEP), Some("process 7 (one)"));
        // Without a free number, processes share one.
        let last = u32::MAX - 1;
        assert_eq!((ids.find(0, last), ids.find(1, last)), (last, last));
    }
}
