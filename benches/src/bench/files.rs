//! What the runs read: where it is, how large, and how it comes to be.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use ringtrace_wire::Little;
use ringtrace_wire::simpletrace::header::HEADER_BYTES;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ByLength, Layout, Step};

use crate::declarations;
use crate::generate::{self, Shape};

/// A file that command lines name by its word.
pub struct Kind {
    pub word: &'static str,
    source: Source,
}

enum Source {
    /// Generated records, as many as are asked for.
    Records(Shape),
    /// The recording in testdata, repeated to the size that as many records of two u64 have.
    Recording,
    /// A trace without records, and a mapping for each of the declarations.
    Empty,
    /// The declarations of the generated records.
    Events,
    /// QEMU's, where there is a corpus; else others like them.
    Declarations,
    /// A hundred of others like QEMU's: a large group.
    Group,
    /// A file of the tree.
    Tree(&'static str),
}

/// All files.
pub const FILES: &[Kind] = &[
    Kind { word: "two", source: Source::Records(Shape::Two) },
    Kind { word: "mixed", source: Source::Records(Shape::Mixed) },
    Kind { word: "pairs", source: Source::Records(Shape::Pairs) },
    Kind { word: "late", source: Source::Records(Shape::Late) },
    Kind { word: "many", source: Source::Records(Shape::Many) },
    Kind { word: "alone", source: Source::Records(Shape::Alone) },
    Kind { word: "events", source: Source::Events },
    Kind { word: "real", source: Source::Recording },
    Kind { word: "real-events", source: Source::Tree("testdata/boot-small.events") },
    Kind { word: "empty", source: Source::Empty },
    Kind { word: "declarations", source: Source::Declarations },
    Kind { word: "hundred", source: Source::Group },
];

/// How much a run reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub bytes: u64,
    pub records: u64,
}

impl Size {
    /// Both.
    pub fn plus(self, other: Size) -> Size {
        Size { bytes: self.bytes + other.bytes, records: self.records + other.records }
    }
}

/// The files of one run of the bench.
pub struct Files {
    /// The workspace's.
    root: PathBuf,
    /// Where cargo put this program, and the others.
    programs: PathBuf,
    /// Where generated files are.
    folder: PathBuf,
    records: u64,
    recording: Recording,
}

/// The recording that is repeated.
struct Recording {
    bytes: Vec<u8>,
    /// Where its records begin: after the header and the mappings.
    records_at: usize,
    records: u64,
}

/// The recording, in the tree.
const RECORDING: &str = "testdata/boot-small.bin";

/// Size of a record of two u64.
const TWO_BYTES: u64 = 48;

impl Files {
    /// Files with traces of `records` records.
    ///
    /// # Errors
    /// When this program does not know where it is, or the tree lacks its recording.
    pub fn new(records: u64) -> Result<Files, String> {
        let own = std::env::current_exe().map_err(|error| format!("where am I: {error}"))?;
        let programs = own.parent().unwrap_or(Path::new(".")).to_owned();
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.parent().unwrap_or(manifest).to_owned();
        // Beside the profiles: a clean build throws them away, another build of the tool does not.
        let folder = programs.parent().unwrap_or(&programs).join("benches");
        let recording = Recording::read(&root.join(RECORDING))?;
        Ok(Files { root, programs, folder, records, recording })
    }

    /// A program that was built with this one.
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name).with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// Where the file of `word` is.
    pub fn path(&self, word: &str) -> PathBuf {
        match source(word) {
            Some(Source::Tree(path)) => self.root.join(path),
            Some(Source::Declarations) => {
                self.corpus_declarations().unwrap_or_else(|| self.folder.join("declarations"))
            }
            Some(Source::Records(_) | Source::Recording) => {
                self.folder.join(format!("{word}-{}.trace", self.records))
            }
            _ => self.folder.join(word),
        }
    }

    /// How much of a trace the file of `word` is; nothing when it is none.
    pub fn size(&self, word: &str) -> Size {
        let records = match source(word) {
            Some(Source::Records(_)) => self.records,
            Some(Source::Recording) => self.copies() * self.recording.records,
            _ => return Size::default(),
        };
        let bytes = std::fs::metadata(self.path(word)).map_or(0, |metadata| metadata.len());
        Size { bytes, records }
    }

    /// Where the records of a file of equal records begin, and where the second half of them does.
    pub fn halves(&self, word: &str) -> (u64, u64) {
        let bytes = self.size(word).bytes;
        let records_at = bytes - self.records * TWO_BYTES;
        (records_at, records_at + self.records / 2 * TWO_BYTES)
    }

    /// Makes those of `words` that are not there.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn provide(&self, words: impl Iterator<Item = &'static str>) -> Result<(), String> {
        let mut words: Vec<&str> = words.collect();
        words.sort_unstable();
        words.dedup();
        std::fs::create_dir_all(&self.folder)
            .map_err(|error| format!("{}: {error}", self.folder.display()))?;
        for word in words {
            let path = self.path(word);
            let source = source(word).ok_or_else(|| format!("no file is called `{word}`"))?;
            // Small files may depend on what else is there: they are always written.
            let large = matches!(source, Source::Records(_) | Source::Recording);
            if path.starts_with(&self.folder) && !(large && path.exists()) {
                // Half a file must not look like a whole one.
                let unfinished = path.with_extension("unfinished");
                self.write(source, &unfinished)
                    .and_then(|()| std::fs::rename(&unfinished, &path))
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        Ok(())
    }

    /// What the folder holds, for people.
    pub fn describe(&self) -> String {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let bytes: u64 =
            entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum();
        let declarations = if self.corpus_declarations().is_some() { "QEMU's" } else { "generated" };
        format!(
            "traces of {} records, {declarations} declarations; generated files take {:.1} GB of target/",
            self.records,
            bytes as f64 / 1e9,
        )
    }

    /// How often the recording is repeated.
    fn copies(&self) -> u64 {
        let once = self.recording.bytes.len() - self.recording.records_at;
        (self.records * TWO_BYTES).div_ceil(once as u64)
    }

    fn write(&self, source: &Source, path: &Path) -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        match source {
            Source::Records(shape) => generate::trace(*shape, self.records, &mut out)?,
            Source::Recording => {
                let (head, records) = self.recording.bytes.split_at(self.recording.records_at);
                out.write_all(head)?;
                for _ in 0..self.copies() {
                    out.write_all(records)?;
                }
            }
            Source::Empty => {
                let declarations = match self.corpus_declarations() {
                    Some(path) => std::fs::read(path)?,
                    None => declarations::generate().into_bytes(),
                };
                generate::empty(&declarations, &mut out)?;
            }
            Source::Events => out.write_all(generate::DECLARATIONS.as_bytes())?,
            Source::Declarations => out.write_all(declarations::generate().as_bytes())?,
            Source::Group => out.write_all(declarations::group().as_bytes())?,
            Source::Tree(_) => {}
        }
        out.flush()
    }

    fn corpus_declarations(&self) -> Option<PathBuf> {
        ringtrace_corpus::find("qemu/trace-events-all")
    }
}

fn source(word: &str) -> Option<&'static Source> {
    FILES.iter().find(|kind| kind.word == word).map(|kind| &kind.source)
}

impl Recording {
    fn read(path: &Path) -> Result<Recording, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut recording = Recording { records_at: HEADER_BYTES, records: 0, bytes };
        let mut at = HEADER_BYTES;
        loop {
            match V4::<Little>::step(recording.bytes.get(at..).unwrap_or_default(), &ByLength) {
                Step::Mapping(mapping) => {
                    at += mapping.size;
                    recording.records_at = at;
                }
                Step::Record(record) => {
                    at += record.size;
                    recording.records += 1;
                }
                Step::NeedMore(_) if at == recording.bytes.len() => return Ok(recording),
                step => return Err(format!("{}: {step:?} at offset {at}", path.display())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recording_is_mappings_and_then_records() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(RECORDING);
        let recording = Recording::read(&path).unwrap();
        assert!(recording.records > 10_000);
        assert!(recording.records_at < recording.bytes.len() / 2);
    }

    #[test]
    fn cases_read_files_that_there_are() {
        for case in crate::cases::CASES {
            for word in case.files() {
                assert!(source(word).is_some(), "{}: {word}", case.name);
            }
        }
    }
}
