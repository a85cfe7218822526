//! The results of pieces, which are checked and passed on in order.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{Step, Version, step_by_length};

use super::PieceSink;
use crate::error::Error;
use crate::read::state::{Context, DecodeState};

/// A piece with new mappings has a copy of the whole context. If the context is larger than this
/// and still grows, copying costs more time than parallel work saves.
const COPIED_BYTES: usize = 4 << 20;

/// The result of a piece, and the data needed to check that it is correct.
pub(super) struct FilePiece<O> {
    pub(super) output: O,
    pub(super) begin: usize,
    /// The offset of the first record after the piece.
    pub(super) end: usize,
    /// The context with which the piece was decoded.
    pub(super) context: Context,
    /// The state after the piece. Its tally counts only the records of the piece.
    pub(super) state: DecodeState,
    /// The offsets and the bytes of the mapping records.
    pub(super) mappings: Vec<(u64, Vec<u8>)>,
    /// Threads whose name was needed but unknown.
    pub(super) unnamed: HashSet<u32>,
    pub(super) ended: Option<PieceEnd>,
}

/// The reason why no piece follows.
#[derive(Debug)]
pub(super) enum PieceEnd {
    Failed(Error),
    /// The reader must process the rest, because it handles the end of a file.
    Unfinished,
}

/// The reason why the work ends.
pub(super) enum Ended<E> {
    Piece(PieceEnd),
    /// The sink receives no more results.
    Refused(E),
}

/// Passes on the results of the pieces in order.
pub(super) struct PieceOutput<'s, S, E> {
    pub(super) sink: &'s mut S,
    pub(super) state: DecodeState,
    /// The offset at which the next piece must start.
    pub(super) expected: usize,
    pub(super) ended: Option<Ended<E>>,
    pub(super) layout: (Version, ByteOrder),
    pub(super) progress: Arc<AtomicU64>,
}

impl<S, E> PieceOutput<'_, S, E> {
    /// Returns true if `piece` was decoded from the right offset, with the right preceding loss,
    /// and with the right names. Names that have become known since must not affect its result.
    pub(super) fn is_right<O>(&self, piece: &FilePiece<O>, thread_names: bool) -> bool {
        if piece.begin != self.expected || self.state.lost_at(piece.begin as u64).is_some() {
            return false;
        }
        let (now, then) = (self.state.context.for_part(thread_names), &piece.context);
        now.changes() == then.changes()
            || (piece.ended.is_none()
                && !now.contradicts(then)
                && now.modules.changes() == then.modules.changes()
                && now.threads.renamings() == then.threads.renamings()
                && piece.unnamed.iter().all(|&tid| now.threads.name(tid).is_none())
                // If an event is declared twice, the first declaration counts.
                && (Arc::ptr_eq(&now.schemas, &then.schemas) || Arc::ptr_eq(&then.schemas, &piece.state.context.schemas)))
    }

    /// Continues at `begin`, after blocks with `missed_records` records that were skipped.
    pub(super) fn skip_to(&mut self, begin: usize, missed_records: u64) {
        if self.ended.is_none() {
            self.expected = self.expected.max(begin);
            self.state.tally.number += missed_records;
        }
    }

    /// Passes on the result of a piece, which is right. Returns memory for another result.
    pub(super) fn put<O>(&mut self, mut piece: FilePiece<O>) -> Option<O>
    where
        S: PieceSink<O, Error = E>,
    {
        if self.ended.is_some() {
            return Some(piece.output);
        }
        let memory = match self.sink.put(piece.output, self.state.tally.number) {
            Ok(memory) => memory,
            Err(error) => {
                // The reader can continue with this piece.
                self.ended = Some(Ended::Refused(error));
                return None;
            }
        };
        self.ended = piece.ended.take().map(|ended| {
            Ended::Piece(match ended {
                PieceEnd::Failed(error) => {
                    PieceEnd::Failed(error.renumbered(self.state.tally.number_in_file()))
                }
                PieceEnd::Unfinished => PieceEnd::Unfinished,
            })
        });
        self.expected = piece.end;
        self.progress.store(piece.end as u64, Ordering::Relaxed);
        let tally = &mut self.state.tally;
        let FilePiece { mut state, mappings, .. } = piece;
        let anomalies = std::mem::take(&mut state.tally.anomalies);
        tally.anomalies.append(anomalies.renumbered(tally.number_in_file()));
        tally.number += state.tally.number;
        let changes = self.state.context.changes();
        self.learn(&mappings, &state);
        // Each further piece would start with a copy of the whole context.
        if changes != self.state.context.changes() && self.state.context.copied_bytes() > COPIED_BYTES {
            self.ended.get_or_insert(Ended::Piece(PieceEnd::Unfinished));
        }
        Some(memory)
    }

    /// Processes the mapping records of a piece, and adds them to the current context.
    fn learn(&mut self, mappings: &[(u64, Vec<u8>)], state: &DecodeState) {
        // The anomalies of these records were counted when the piece was decoded.
        let reported = std::mem::take(&mut self.state.tally.anomalies);
        for (offset, bytes) in mappings {
            if let Step::Mapping(mapping) = step_by_length(self.layout.0, self.layout.1, bytes) {
                let _ = self.state.map(&mapping, *offset);
            }
        }
        self.state.tally.anomalies = reported;
        self.state.lost = state.lost.or(self.state.lost);
    }
}
