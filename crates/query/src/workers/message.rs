//! Requests to workers and their answers.
//!
//! A frame is a byte for its kind, its length in 4 bytes (most significant first), and its contents.
//! A client first sends a [`Hello`], and the worker answers with [`ALIVE`] or [`FAILED`]. Then the
//! client sends a [`Request`]. The answer is a sequence of frames, of which the last one is [`DONE`] or
//! [`FAILED`].

use std::io;
use std::time::Duration;

use ringtrace_tracefile::{Causes, Dropped};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use crate::error::{Error, ErrorKind};
use crate::report::Findings;

/// The version of the messages. It changes with each change of this file.
const PROTOCOL: u32 = 1;

/// The kinds of frames.
pub(super) const HELLO: u8 = b'H';
/// A request: JSON.
pub(super) const REQUEST: u8 = b'Q';
/// A sign of life, without contents.
pub(super) const ALIVE: u8 = b'A';
/// Rows: an Arrow IPC stream.
pub(super) const ROWS: u8 = b'R';
/// The end of the answer: JSON.
pub(super) const DONE: u8 = b'D';
/// The end of the answer: the error as JSON.
pub(super) const FAILED: u8 = b'F';

/// The largest message of a client whose token was not checked.
pub(super) const MAX_HELLO_BYTES: usize = 16 << 10;
/// The largest request. It contains the declarations of events.
pub(super) const MAX_REQUEST_BYTES: usize = 64 << 20;
/// The largest frame of an answer.
pub(super) const MAX_ANSWER_BYTES: usize = 1 << 30;

/// The number of bytes that are read at once.
const CHUNK_BYTES: usize = 1 << 20;

/// Returns the version of this program for workers: client and worker must have the same one.
pub fn version() -> String {
    let own = env!("CARGO_PKG_VERSION");
    format!("{own} (protocol {PROTOCOL}, DataFusion {})", datafusion::DATAFUSION_VERSION)
}

/// The permission of a client. It is the same in all versions.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) token: String,
    pub(super) version: String,
}

/// A request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) options: ReadOptions,
    pub(super) body: Body,
}

/// How workers read traces.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ReadOptions {
    /// Names and contents of the files with declarations.
    pub declarations: Vec<(String, String)>,
    /// Pairs, as on the command line.
    pub pairs: Vec<String>,
    /// Patterns of the selected events.
    pub events: Vec<String>,
    /// Whether damaged parts are skipped.
    pub keep_going: bool,
    /// Whether warnings are errors.
    pub strict: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Body {
    /// Which traces are at these paths? The answer is an [`Inventory`].
    Open { paths: Vec<String> },
    /// Which columns does this table have? The answer is a list of [`UnitColumns`].
    Columns { units: Vec<Unit>, table: String },
    /// Runs a part of a plan. The answer is rows, and then a list of [`UnitFindings`].
    Run { scan: Scan, plan: Vec<u8> },
}

/// The traces that are opened together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Unit {
    /// Identifies the unit among those of all workers.
    pub(super) key: String,
    /// A trace, a folder of a rotated trace, or a dataset.
    pub(super) path: String,
    /// The ids of the traces of a dataset.
    pub(super) traces: Option<Vec<String>>,
}

/// Which rows a part of a plan reads.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Scan {
    pub(super) units: Vec<Unit>,
    pub(super) table: String,
    /// The columns of the result, as the schema of an Arrow IPC stream.
    pub(super) schema: Vec<u8>,
    /// For each column, its names in the units: the first one with the same type is used.
    pub(super) names: Vec<Vec<String>>,
    /// Conditions of which all must be true, as protocol buffers. They may be ignored.
    pub(super) conditions: Vec<Vec<u8>>,
    /// The largest number of rows that are needed.
    pub(super) rows: Option<usize>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Inventory {
    /// The trace or dataset at each path.
    pub(super) found: Vec<Option<Found>>,
    /// The names of all tables.
    pub(super) tables: Vec<String>,
}

/// A trace or a dataset at a path.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) is_dataset: bool,
    /// The id of each trace, and a text that is equal for copies of the same trace.
    pub(super) traces: Vec<(String, String)>,
}

/// The columns of a table in a unit, as the schema of an Arrow IPC stream; `None` if the unit has no
/// such table.
pub(super) type UnitColumns = Option<Vec<u8>>;

/// The key of a unit, and what was noticed in it.
pub(super) type UnitFindings = (String, Noticed);

/// [`Findings`] as they are sent.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Noticed {
    errors: Vec<Failure>,
    warnings: Vec<(String, Option<String>)>,
    is_damaged: bool,
    dropped: [u64; 6],
}

/// An [`Error`] as it is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Failure {
    kind: u8,
    message: String,
    help: Option<String>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let kind = match error.kind {
            ErrorKind::Usage => 0,
            ErrorKind::Input => 1,
            ErrorKind::System => 2,
        };
        Failure { kind, message: error.message, help: error.help }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let kind = match failure.kind {
            0 => ErrorKind::Usage,
            1 => ErrorKind::Input,
            _ => ErrorKind::System,
        };
        Error::new(kind, failure.message).maybe_help(failure.help)
    }
}

impl From<Findings> for Noticed {
    fn from(findings: Findings) -> Noticed {
        let Dropped { records, events, miscounted, causes } = findings.dropped;
        Noticed {
            errors: findings.errors.into_iter().map(Failure::from).collect(),
            warnings: findings.warnings,
            is_damaged: findings.is_damaged,
            dropped: [records, events, miscounted, causes.dropped, causes.overwritten, causes.refused],
        }
    }
}

impl From<Noticed> for Findings {
    fn from(noticed: Noticed) -> Findings {
        let [records, events, miscounted, dropped, overwritten, refused] = noticed.dropped;
        let causes = Causes { dropped, overwritten, refused };
        Findings {
            errors: noticed.errors.into_iter().map(Error::from).collect(),
            warnings: noticed.warnings,
            is_damaged: noticed.is_damaged,
            dropped: Dropped { records, events, miscounted, causes },
        }
    }
}

/// Writes a frame. `limit` is the longest time without progress.
pub(super) async fn write_frame(
    stream: &mut (impl AsyncWrite + Unpin),
    kind: u8,
    contents: &[u8],
    limit: Duration,
) -> io::Result<()> {
    let length = u32::try_from(contents.len()).map_err(io::Error::other)?;
    timed(limit, stream.write_u8(kind)).await?;
    timed(limit, stream.write_u32(length)).await?;
    for chunk in contents.chunks(CHUNK_BYTES) {
        timed(limit, stream.write_all(chunk)).await?;
    }
    timed(limit, stream.flush()).await
}

/// Reads a frame of at most `most` bytes. `limit` is the longest time without progress.
pub(super) async fn read_frame(
    stream: &mut (impl AsyncRead + Unpin),
    most: usize,
    limit: Duration,
) -> io::Result<(u8, Vec<u8>)> {
    let kind = timed(limit, stream.read_u8()).await?;
    let length = timed(limit, stream.read_u32()).await? as usize;
    if length > most {
        let message = format!("a message of {length} bytes is longer than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    // The memory grows with the bytes that have arrived.
    let mut contents = Vec::new();
    while contents.len() < length {
        let start = contents.len();
        contents.resize(length.min(start + CHUNK_BYTES), 0);
        let read = timed(limit, stream.read(&mut contents[start..])).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        contents.truncate(start + read);
    }
    Ok((kind, contents))
}

async fn timed<T>(limit: Duration, action: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    match timeout(limit, action).await {
        Ok(done) => done,
        Err(_) => {
            let message = format!("no answer for {} s", limit.as_secs());
            Err(io::Error::new(io::ErrorKind::TimedOut, message))
        }
    }
}

/// Encodes a message as JSON.
pub(super) fn json(message: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(message).map_err(|error| Error::new(ErrorKind::System, error.to_string()))
}
