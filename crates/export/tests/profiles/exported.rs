//! Exports that tests look at, and what our own reader says of the same traces.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ringtrace_events::SourceFile;
use ringtrace_export::{ExportTarget, TraceInfo, format, run};
use ringtrace_tracefile::pair::{BUILT_IN, Description, SpanEvent, SpanTracker, Track, parse};
use ringtrace_tracefile::{Entry, Flow, Input, Needs, Options, Pause, Reader, Schemas, Traces, pauses};
use tempfile::TempDir;

/// A trace, and what is told about it record.
pub struct Recording {
    trace: PathBuf,
    events: Option<PathBuf>,
    /// What records mean.
    pub description: Description,
}

/// What `testdata/export/everything.trace` is described by.
const EVERYTHING: &str = include_str!("../../../../testdata/export/everything.pairs");

impl Recording {
    /// A trace with declarations beside it.
    pub fn new(trace: PathBuf, events: PathBuf) -> Recording {
        Recording { trace, events: Some(events), description: Description::default() }
    }

    /// QEMU's of `testdata`, by its ready description.
    pub fn of_qemu(name: &str) -> Recording {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        let trace = folder.join(name).with_extension("bin");
        let mut recording = Recording::new(trace, folder.join(name).with_extension("events"));
        let traces = recording.traces();
        let schemas = traces.readers()[0].schemas().clone();
        recording.description = BUILT_IN[0].description().known_to(&[&schemas]);
        recording
    }

    /// One of `testdata/export`, by the description of everything.
    pub fn made_up(name: &str) -> Recording {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/export");
        let (description, mistakes) = parse(&SourceFile::new("everything.pairs", EVERYTHING));
        assert!(mistakes.is_empty());
        Recording { trace: folder.join(name).with_extension("trace"), events: None, description }
    }

    fn traces(&self) -> Traces {
        let sources =
            self.events.iter().map(|events| SourceFile::new("events", fs::read_to_string(events).unwrap()));
        let options = Options { sources: sources.collect(), ..Options::default() };
        let reader = Reader::new("recording", Input::open(&self.trace).unwrap(), &options).unwrap();
        Traces::sorted(vec![reader], Needs { anchor: true, ..Needs::default() }).unwrap()
    }

    fn meanings(&self, traces: &Traces) -> SpanTracker {
        let mut meanings = SpanTracker::new(self.description.clone()).keep_begins(true);
        let schemas: Vec<&Schemas> = traces.readers().iter().map(|reader| &**reader.schemas()).collect();
        meanings.bind(&schemas).unwrap();
        meanings
    }

    /// It in the format `to`, in a file of a temporary folder.
    pub fn export(&self, to: &str) -> (TempDir, PathBuf) {
        let mut traces = self.traces();
        let mut meanings = self.meanings(&traces);
        let format = format(to).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(format!("out{}", format.endings[0]));
        let info = TraceInfo {
            traces: vec!["recording".to_owned()],
            anchor: traces.times().anchor,
            description: meanings.description().clone(),
            processes: Vec::new(),
        };
        let exporter = (format.start)(ExportTarget::File(File::create(&out).unwrap()), &info).unwrap();
        run(&mut traces, &mut meanings, exporter).unwrap();
        (folder, out)
    }

    /// Looks at all entries in the order in which they are exported; gives what is known in the end.
    pub fn follow(
        &self,
        mut look: impl FnMut(&Entry<'_>, &[SpanEvent<'_>], &[Track]),
    ) -> (SpanTracker, Vec<Pause>) {
        let mut traces = self.traces();
        let mut meanings = self.meanings(&traces);
        let _ = traces.for_each(&mut |entry: &Entry<'_>| {
            let (meant, tracks) = meanings.of(entry).unwrap();
            look(entry, &meant, tracks);
            Flow::Continue
        });
        let pauses = traces.readers().iter().flat_map(|reader| pauses(reader.metadata())).collect();
        (meanings, pauses)
    }
}
