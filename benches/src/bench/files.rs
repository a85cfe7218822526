//! The files that the runs read: their paths, sizes and origins.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_wire::Little;
use ringtrace_wire::simpletrace::header::HEADER_BYTES;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ByLength, Layout, Step};

use crate::declarations;
use crate::generate::{self, Shape};

/// A file, and the word that stands for it in command lines.
pub struct BenchFile {
    pub word: &'static str,
    source: FileSource,
}

/// How a file is created.
enum FileSource {
    /// Generated records.
    Records(Shape),
    /// The compact trace of the records in another file.
    Compact(&'static str),
    /// The recording in testdata, repeated to the size of the generated traces.
    Recording,
    /// A trace without records, with a mapping for each declaration.
    Empty,
    /// The declarations of the generated records.
    Events,
    /// QEMU's declarations if the corpus is available, otherwise similar ones.
    Declarations,
    /// A hundred declarations similar to QEMU's.
    Group,
    /// A file in the repository.
    Tree(&'static str),
}

pub const FILES: &[BenchFile] = &[
    BenchFile { word: "two", source: FileSource::Records(Shape::Two) },
    BenchFile { word: "mixed", source: FileSource::Records(Shape::Mixed) },
    BenchFile { word: "pairs", source: FileSource::Records(Shape::Pairs) },
    BenchFile { word: "two-compact", source: FileSource::Compact("two") },
    BenchFile { word: "pairs-compact", source: FileSource::Compact("pairs") },
    BenchFile { word: "late", source: FileSource::Records(Shape::Late) },
    BenchFile { word: "many", source: FileSource::Records(Shape::Many) },
    BenchFile { word: "alone", source: FileSource::Records(Shape::Alone) },
    BenchFile { word: "events", source: FileSource::Events },
    BenchFile { word: "real", source: FileSource::Recording },
    BenchFile { word: "real-events", source: FileSource::Tree("testdata/boot-small.events") },
    BenchFile { word: "empty", source: FileSource::Empty },
    BenchFile { word: "declarations", source: FileSource::Declarations },
    BenchFile { word: "hundred", source: FileSource::Group },
];

/// The size of an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub bytes: u64,
    pub records: u64,
}

impl Size {
    /// Returns the sum of two sizes.
    pub fn plus(self, other: Size) -> Size {
        Size { bytes: self.bytes + other.bytes, records: self.records + other.records }
    }
}

pub struct Files {
    root: PathBuf,
    /// The folder that contains this program and the programs that it runs.
    programs: PathBuf,
    /// The folder of generated files.
    folder: PathBuf,
    records: u64,
    recording: Recording,
}

/// The recording in testdata.
struct Recording {
    bytes: Vec<u8>,
    /// Offset of its first record, after the header and the mappings.
    records_at: usize,
    records: u64,
}

const RECORDING: &str = "testdata/boot-small.bin";

/// Size in bytes of a record with two `u64` arguments.
const TWO_BYTES: u64 = 48;

impl Files {
    /// Describes the files, without creating them. Generated traces have `records` records.
    ///
    /// # Errors
    /// Fails if the path of this program is unknown, or the recording cannot be read.
    pub fn new(records: u64) -> Result<Files, String> {
        let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        let programs = own.parent().unwrap_or(Path::new(".")).to_owned();
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.parent().unwrap_or(manifest).to_owned();
        // Use a folder outside the profile's folder, so that builds in other profiles use the same
        // files.
        let folder = programs.parent().unwrap_or(&programs).join("benches");
        let recording = Recording::read(&root.join(RECORDING))?;
        Ok(Files { root, programs, folder, records, recording })
    }

    /// Returns the path of a program that was built together with this one.
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name).with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// Returns the path of the file that `word` stands for.
    pub fn path(&self, word: &str) -> PathBuf {
        match source(word) {
            Some(FileSource::Tree(path)) => self.root.join(path),
            Some(FileSource::Declarations) => {
                self.corpus_declarations().unwrap_or_else(|| self.folder.join("declarations"))
            }
            Some(FileSource::Records(_) | FileSource::Compact(_) | FileSource::Recording) => {
                self.folder.join(format!("{word}-{}.trace", self.records))
            }
            _ => self.folder.join(word),
        }
    }

    /// Returns the size of the trace that `word` stands for, or zero if the file is not a trace. For a compact
    /// trace, this is the size as v4.
    pub fn size(&self, word: &str) -> Size {
        let records = match source(word) {
            Some(FileSource::Compact(of)) => return self.size(of),
            Some(FileSource::Records(_)) => self.records,
            Some(FileSource::Recording) => self.copies() * self.recording.records,
            _ => return Size::default(),
        };
        let bytes = std::fs::metadata(self.path(word)).map_or(0, |metadata| metadata.len());
        Size { bytes, records }
    }

    /// Returns the offsets of the first record and the middle record, in a file whose records all
    /// have the same size.
    pub fn halves(&self, word: &str) -> (u64, u64) {
        let bytes = self.size(word).bytes;
        let records_at = bytes - self.records * TWO_BYTES;
        (records_at, records_at + self.records / 2 * TWO_BYTES)
    }

    /// Creates the files that `words` stand for, unless they exist.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn provide(&self, words: impl Iterator<Item = &'static str>) -> Result<(), String> {
        let mut words: Vec<&str> = words.collect();
        words.sort_unstable();
        words.dedup();
        std::fs::create_dir_all(&self.folder)
            .map_err(|error| format!("{}: {error}", self.folder.display()))?;
        for word in words {
            let path = self.path(word);
            let source = source(word).ok_or_else(|| format!("unknown file `{word}`"))?;
            // Small files are always written, because their contents may depend on the environment.
            let large =
                matches!(source, FileSource::Records(_) | FileSource::Compact(_) | FileSource::Recording);
            if path.starts_with(&self.folder) && !(large && path.exists()) {
                // An interrupted run must not leave an incomplete file under the final name.
                let unfinished = path.with_extension("unfinished");
                self.write(source, &unfinished)
                    .and_then(|()| std::fs::rename(&unfinished, &path))
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        Ok(())
    }

    /// Describes the generated files in one line.
    pub fn describe(&self) -> String {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let bytes: u64 =
            entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum();
        let declarations = if self.corpus_declarations().is_some() { "QEMU's" } else { "generated" };
        format!(
            "traces of {} records, {declarations} declarations; generated files take {:.1} GB in target/",
            self.records,
            bytes as f64 / 1e9,
        )
    }

    /// Returns how many times the recording is repeated.
    fn copies(&self) -> u64 {
        let once = self.recording.bytes.len() - self.recording.records_at;
        (self.records * TWO_BYTES).div_ceil(once as u64)
    }

    fn write(&self, source: &FileSource, path: &Path) -> std::io::Result<()> {
        if let FileSource::Compact(of) = source {
            return self.convert(of, path);
        }
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        match source {
            FileSource::Records(shape) => generate::trace(*shape, self.records, &mut out)?,
            FileSource::Recording => {
                let (head, records) = self.recording.bytes.split_at(self.recording.records_at);
                out.write_all(head)?;
                for _ in 0..self.copies() {
                    out.write_all(records)?;
                }
            }
            FileSource::Empty => {
                let declarations = match self.corpus_declarations() {
                    Some(path) => std::fs::read(path)?,
                    None => declarations::generate().into_bytes(),
                };
                generate::empty(&declarations, &mut out)?;
            }
            FileSource::Events => out.write_all(generate::DECLARATIONS.as_bytes())?,
            FileSource::Declarations => out.write_all(declarations::generate().as_bytes())?,
            FileSource::Group => out.write_all(declarations::group().as_bytes())?,
            FileSource::Compact(_) | FileSource::Tree(_) => {}
        }
        out.flush()
    }

    /// Converts the trace that `of` stands for to a compact one.
    fn convert(&self, of: &'static str, path: &Path) -> std::io::Result<()> {
        self.provide([of, "events"].into_iter()).map_err(std::io::Error::other)?;
        let mut convert = Command::new(self.program("ringtrace"));
        convert.args(["convert", "--to", "compact", "--force", "--events"]).arg(self.path("events"));
        match convert.arg(self.path(of)).arg(path).status()? {
            status if status.success() => Ok(()),
            status => Err(std::io::Error::other(format!("`ringtrace convert` failed: {status}"))),
        }
    }

    fn corpus_declarations(&self) -> Option<PathBuf> {
        ringtrace_corpus::find("qemu/trace-events-all")
    }
}

fn source(word: &str) -> Option<&'static FileSource> {
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
    fn the_recording_starts_with_mappings() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(RECORDING);
        let recording = Recording::read(&path).unwrap();
        assert!(recording.records > 10_000);
        assert!(recording.records_at < recording.bytes.len() / 2);
    }

    #[test]
    fn cases_read_known_files() {
        for case in crate::cases::CASES {
            for word in case.files() {
                assert!(source(word).is_some(), "{}: {word}", case.name);
            }
        }
    }
}
