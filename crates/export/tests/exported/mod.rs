//! Exports that tests look at, and what our own reader says of the same traces.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ringtrace_events::Source;
use ringtrace_export::{Place, Setting, format, run};
use ringtrace_tracefile::pair::{Description, Meanings};
use ringtrace_tracefile::{Entry, Flow, Input, Needs, Options, Reader, Traces};
use tempfile::TempDir;

/// A trace, and declarations of its events.
pub struct Recording {
    pub trace: PathBuf,
    pub events: Option<PathBuf>,
}

impl Recording {
    /// One of `testdata`.
    pub fn of_testdata(name: &str) -> Recording {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        Recording {
            trace: folder.join(format!("{name}.bin")),
            events: Some(folder.join(format!("{name}.events"))),
        }
    }

    fn traces(&self) -> Traces {
        let sources =
            self.events.iter().map(|events| Source::new("events", fs::read_to_string(events).unwrap()));
        let options = Options { sources: sources.collect(), ..Options::default() };
        let reader = Reader::new("trace", Input::open(&self.trace).unwrap(), &options).unwrap();
        Traces::sorted(vec![reader], Needs { anchor: true, ..Needs::default() }).unwrap()
    }

    /// It in the format `to`, in a file of a temporary folder.
    pub fn export(&self, to: &str, description: &Description) -> (TempDir, PathBuf) {
        let mut traces = self.traces();
        let mut meanings = Meanings::new(description.clone()).keep_begins(true);
        let format = format(to).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(format!("out{}", format.endings[0]));
        let setting = Setting {
            traces: vec!["recording".to_owned()],
            anchor: traces.times().anchor,
            description: description.clone(),
            processes: Vec::new(),
        };
        let exporter = (format.begin)(Place::File(File::create(&out).unwrap()), &setting).unwrap();
        run(&mut traces, &mut meanings, exporter).unwrap();
        (folder, out)
    }

    /// Looks at all entries, in the order in which they are exported.
    pub fn for_each(&self, mut look: impl FnMut(&Entry<'_>)) {
        let mut look = |entry: &Entry<'_>| {
            look(entry);
            Flow::Continue
        };
        self.traces().for_each(&mut look).unwrap();
    }
}
