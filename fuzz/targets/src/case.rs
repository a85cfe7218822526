//! The input of several targets: a trace with declarations, and options for reading it.
//!
//! The input starts with strings that each end with a zero byte: five characters of options, a pair
//! of events, a condition, and declarations. The trace follows.

use std::borrow::Cow;
use std::io::{Cursor, Write};
use std::sync::Arc;

use ringtrace_events::SourceFile;
use ringtrace_tracefile::era::ERAS;
use ringtrace_tracefile::input::map::MappedFile;
use ringtrace_tracefile::{Error as TraceError, Input, Options, Reader};
use ringtrace_wire::ByteOrder;

use crate::choices::{Choices, Chunks};
use crate::chunked_reader::ChunkedReader;
use crate::steps::VERSIONS;

/// The name of the file in error messages.
const NAME: &str = "fuzz";

pub(crate) struct Case<'a> {
    options: Options,
    /// The seed for further choices.
    pub(crate) seed: u8,
    pub(crate) look: u8,
    pub(crate) pair: Cow<'a, str>,
    pub(crate) condition: Cow<'a, str>,
    trace: &'a [u8],
    map: Option<Arc<MappedFile>>,
}

impl<'a> Case<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Case<'a> {
        let mut choices = Choices::new(data);
        let mut letters = Choices::new(choices.until(0));
        let [era, shape, layout, seed, look] = std::array::from_fn(|_| letters.byte());
        let pair = String::from_utf8_lossy(choices.until(0));
        let condition = String::from_utf8_lossy(choices.until(0));
        let options = options(era, shape, layout, choices.until(0));
        let trace = choices.rest();
        Case { options, seed, look, pair, condition, trace, map: map(trace) }
    }

    pub(crate) fn trace(&self) -> &'a [u8] {
        self.trace
    }

    /// Opens a reader that gets the whole trace at once.
    pub(crate) fn whole(&self) -> Result<Reader, TraceError> {
        self.open(Input::from_reader(Box::new(Cursor::new(self.trace.to_vec()))))
    }

    /// Opens a reader of a pipe, from which the trace arrives in chunks.
    pub(crate) fn pipe(&self) -> Result<Reader, TraceError> {
        self.open(Input::from_reader(Box::new(ChunkedReader::new(
            self.trace.to_vec(),
            Chunks::new(self.seed),
        ))))
    }

    /// Opens a reader of a mapped file.
    pub(crate) fn file(&self) -> Result<Reader, TraceError> {
        match &self.map {
            Some(map) => self.open(Input::from_map(Arc::clone(map))),
            None => self.whole(),
        }
    }

    /// Returns whether the reader skips damage.
    pub(crate) fn keeps_going(&self) -> bool {
        self.options.keep_going
    }

    /// Returns whether a reader of a part of a compact trace visits the headers of all blocks.
    pub(crate) fn visits_all(&self) -> bool {
        self.options.keep_going || self.options.strict
    }

    fn open(&self, input: Input) -> Result<Reader, TraceError> {
        Reader::new(NAME, input, &self.options)
    }
}

fn options(era: u8, shape: u8, layout: u8, declarations: &[u8]) -> Options {
    let order = if layout & 16 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    Options {
        sources: vec![SourceFile::from_bytes("events", declarations)],
        era: ERAS.get(usize::from(era & 7)).map(|info| info.era),
        no_header: shape & 1 != 0,
        version: VERSIONS.get(usize::from(layout & 7)).copied(),
        order: (layout & 8 == 0).then_some(order),
        count_disabled: [None, None, Some(true), Some(false)][usize::from(shape >> 1 & 3)],
        era_dialect: shape & 8 != 0,
        strict: shape & 16 != 0,
        keep_going: shape & 32 != 0,
        ..Options::default()
    }
}

/// Maps the trace. Returns `None` if it is empty.
fn map(trace: &[u8]) -> Option<Arc<MappedFile>> {
    let mut file = tempfile::tempfile().expect("a temporary file can be created");
    file.write_all(trace).expect("the file can be written");
    MappedFile::new(&file).expect("a regular file can be mapped").map(Arc::new)
}
