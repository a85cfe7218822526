//! Exports for the tests, and the contents of the same traces according to ringtrace's own reader.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ringtrace_events::SourceFile;
use ringtrace_export::{ExportTarget, TraceInfo, format, run};
use ringtrace_tracefile::pair::{BUILT_IN, Description, SpanEvent, SpanTracker, Track, parse};
use ringtrace_tracefile::{Entry, Flow, Input, Needs, Options, Pause, Reader, Schemas, Traces, pauses};
use tempfile::TempDir;

/// A trace, its declarations, and the description of its spans.
pub struct Recording {
    trace: PathBuf,
    events: Option<PathBuf>,
    pub description: Description,
}

/// The description for `testdata/export/everything.trace`.
const EVERYTHING: &str = include_str!("../../../../testdata/export/everything.pairs");

impl Recording {
    /// Creates a recording from a trace and its declarations.
    pub fn new(trace: PathBuf, events: PathBuf) -> Recording {
        Recording { trace, events: Some(events), description: Description::default() }
    }

    /// Opens one of QEMU's recordings in `testdata`, with the built-in description.
    pub fn of_qemu(name: &str) -> Recording {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        let trace = folder.join(name).with_extension("bin");
        let mut recording = Recording::new(trace, folder.join(name).with_extension("events"));
        let traces = recording.traces();
        let schemas = traces.readers()[0].schemas().clone();
        recording.description = BUILT_IN[0].description().known_to(&[&schemas]);
        recording
    }

    /// Opens one of the traces in `testdata/export`.
    pub fn made_up(name: &str) -> Recording {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/export");
        let (description, diagnostics) = parse(&SourceFile::new("everything.pairs", EVERYTHING));
        assert!(diagnostics.is_empty());
        Recording { trace: folder.join(name).with_extension("trace"), events: None, description }
    }

    fn traces(&self) -> Traces {
        let sources =
            self.events.iter().map(|events| SourceFile::new("events", fs::read_to_string(events).unwrap()));
        let options = Options { sources: sources.collect(), ..Options::default() };
        let reader = Reader::new("recording", Input::open(&self.trace).unwrap(), &options).unwrap();
        Traces::sorted(vec![reader], Needs { anchor: true, ..Needs::default() }).unwrap()
    }

    fn tracker(&self, traces: &Traces) -> SpanTracker {
        let mut tracker = SpanTracker::new(self.description.clone()).keep_begins(true);
        let schemas: Vec<&Schemas> = traces.readers().iter().map(|reader| &**reader.schemas()).collect();
        tracker.bind(&schemas).unwrap();
        tracker
    }

    /// Exports the recording in the format `to` to a file in a temporary folder.
    pub fn export(&self, to: &str) -> (TempDir, PathBuf) {
        let mut traces = self.traces();
        let mut tracker = self.tracker(&traces);
        let format = format(to).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(format!("out{}", format.endings[0]));
        let info = TraceInfo {
            traces: vec!["recording".to_owned()],
            anchor: traces.times().anchor,
            description: tracker.description().clone(),
            ..TraceInfo::default()
        };
        let exporter = (format.start)(ExportTarget::File(File::create(&out).unwrap()), &info).unwrap();
        run(&mut traces, &mut tracker, exporter, 1).unwrap();
        (folder, out)
    }

    /// Visits all entries in the order in which they are exported. Returns the tracker and the
    /// pauses.
    pub fn follow(
        &self,
        mut look: impl FnMut(&Entry<'_>, &[SpanEvent<'_>], &[Track]),
    ) -> (SpanTracker, Vec<Pause>) {
        let mut traces = self.traces();
        let mut tracker = self.tracker(&traces);
        let _ = traces.for_each(&mut |entry: &Entry<'_>| {
            let (span_events, tracks) = tracker.of(entry).unwrap();
            look(entry, &span_events, tracks);
            Flow::Continue
        });
        let pauses = traces.readers().iter().flat_map(|reader| pauses(reader.metadata())).collect();
        (tracker, pauses)
    }
}
