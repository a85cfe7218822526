//! Decodes bytes to entries, in the loops that determine the speed of all commands.

use ringtrace_wire::simpletrace::context::RecordContext;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{
    ArgumentKind, ByLength, Framing, Layout, LayoutVisitor, Mapping, Record, Step, Tail, Version,
    step_by_length, with_layout,
};
use ringtrace_wire::{ByteOrder, Little, Order};

use crate::entry::{Entry, Schema};
use crate::error::{Anomaly, CUT_FILE_HELP, CUT_MAPPING, Error, cut_record, remainder, unknown_record_type};
use crate::read::state::{Context, DecodeState};
use crate::read::visitor::{Flow, OrdinaryRecords, Visitor};

#[derive(Debug)]
pub(crate) enum WindowEnd {
    /// The window ends within a record. It must contain at least this many bytes.
    NeedMore(usize),
    Stopped,
    Failed(Error),
}

/// Framing by the declared arguments, as in readers before QEMU 6.1.
pub(crate) struct ByDeclaration<'s>(pub(crate) &'s Context);

impl Framing for ByDeclaration<'_> {
    fn kinds(&self, id: u64) -> Option<&[ArgumentKind]> {
        self.0.table.schema(id).map(|index| self.0.schemas.get(index).kinds.as_slice())
    }
    const BY_LENGTH: bool = false;
}

/// Decodes `window`, whose first byte is at `offset` in the file, and passes every entry to
/// `visit`. Returns the reason why decoding ended, and the number of decoded bytes.
#[inline(never)]
pub(crate) fn run<L: Layout, const BY_LENGTH: bool>(
    window: &[u8],
    offset: u64,
    state: &mut DecodeState,
    visit: &mut (impl Visitor + ?Sized),
) -> (WindowEnd, usize) {
    let mut here = window;
    // The context of the next record, and its size.
    let mut context: Option<(RecordContext<'_>, usize)> = None;
    let max_record_bytes = state.tally.max_record_bytes();
    loop {
        if BY_LENGTH
            && L::VERSION == Version::V4
            && context.is_none()
            && <L::Order as Order>::ORDER == ByteOrder::Little
        {
            let here_at = offset + (window.len() - here.len()) as u64;
            let (context, number) = (&state.context, state.tally.number);
            let mut records = OrdinaryRecords::new(here, here_at, context, max_record_bytes, number);
            let flow = visit.fast_path(&mut records);
            let (count, done) = (records.count(), here.len() - records.bytes_left());
            state.tally.number += count;
            here = &here[done..];
            if flow == Flow::Stop {
                return (WindowEnd::Stopped, window.len() - here.len());
            }
        }
        let at = window.len() - here.len();
        let step =
            if BY_LENGTH { L::step(here, &ByLength) } else { L::step(here, &ByDeclaration(&state.context)) };
        match step {
            // The result must not depend on how much of the record is in the window.
            Step::Record(Record { size, .. }) | Step::Mapping(Mapping { size, .. })
                if size > max_record_bytes =>
            {
                return need_more(size, at, context);
            }
            Step::Record(record) => {
                let its = context.take().map(|(context, _)| context).unwrap_or_default();
                let flow = visit_record::<L>(&record, its, offset + at as u64, state, visit);
                match flow {
                    Ok(Flow::Continue) => here = &here[record.size..],
                    Ok(Flow::Stop) => return (WindowEnd::Stopped, at + record.size),
                    Err(error) => return (WindowEnd::Failed(error), at),
                }
            }
            Step::Mapping(mapping) => {
                context = RecordContext::of(&mapping).map(|context| (context, mapping.size));
                if context.is_some() {
                    here = &here[mapping.size..];
                    continue;
                }
                if let Err(error) = state.map(&mapping, offset + at as u64) {
                    return (WindowEnd::Failed(error), at);
                }
                here = &here[mapping.size..];
            }
            Step::NeedMore(need) => return need_more(need, at, context),
            Step::Fault(fault) => {
                return (WindowEnd::Failed(state.tally.fault(fault, offset + at as u64)), at);
            }
        }
    }
}

/// Returns the size of the context at the start of `window`; 0 if there is none.
pub(crate) fn context_bytes(layout: (Version, ByteOrder), window: &[u8]) -> usize {
    match step_by_length(layout.0, layout.1, window) {
        Step::Mapping(mapping) if RecordContext::of(&mapping).is_some() => mapping.size,
        _ => 0,
    }
}

/// Ends a window in which the record at `at` is incomplete. Its context, which precedes it, must be in
/// the same window, so it is decoded again.
#[cold]
fn need_more(need: usize, at: usize, context: Option<(RecordContext<'_>, usize)>) -> (WindowEnd, usize) {
    let bytes = context.map_or(0, |(_, bytes)| bytes);
    (WindowEnd::NeedMore(need.saturating_add(bytes)), at - bytes)
}

#[inline(always)]
fn visit_record<L: Layout>(
    record: &Record<'_>,
    record_context: RecordContext<'_>,
    offset: u64,
    state: &mut DecodeState,
    visit: &mut (impl Visitor + ?Sized),
) -> Result<Flow, Error> {
    let Some(schema_index) = state.context.table.schema(record.id) else {
        return Err(state.unknown_id(record.id, offset, L::VERSION));
    };
    let lost = if schema_index == Schema::DROPPED { state.lost_at(offset) } else { None };
    let DecodeState { context, tally, .. } = state;
    let schema = context.schemas.get(schema_index);
    tally.check_fit::<L>(schema, record.payload, offset)?;
    // Check the type last. With `keep_going`, a record whose arguments do not fit is decoded again,
    // and this anomaly would be counted twice.
    if record.record_type != 1 {
        tally.tolerate(Anomaly::RecordType, offset, || unknown_record_type(record.record_type))?;
    }
    tally.number += 1;
    let layout = (L::VERSION, <L::Order as Order>::ORDER);
    let its = context.entry(record, schema_index, tally.number, offset, layout);
    let mut entry = Entry { lost, context: record_context, ..its };
    if let Some(mut lost) = lost {
        // In damaged traces, the metadata can contain another count than the record.
        lost.count = entry.dropped().unwrap_or(0);
        entry.lost = Some(lost);
    }
    Ok(visit.entry(&entry))
}

pub(crate) fn run_any(
    layout: (Version, ByteOrder),
    by_length: bool,
    window: &[u8],
    offset: u64,
    state: &mut DecodeState,
    visit: &mut impl Visitor,
) -> (WindowEnd, usize) {
    struct AnyRun<'r> {
        by_length: bool,
        window: &'r [u8],
        offset: u64,
        state: &'r mut DecodeState,
        visit: &'r mut dyn Visitor,
    }
    impl LayoutVisitor for AnyRun<'_> {
        type Output = (WindowEnd, usize);
        fn visit<L: Layout>(self) -> (WindowEnd, usize) {
            if self.by_length {
                run::<L, true>(self.window, self.offset, self.state, self.visit)
            } else {
                run::<L, false>(self.window, self.offset, self.state, self.visit)
            }
        }
    }
    // Multi-gigabyte traces have this layout, so it gets a separate loop with the visitor compiled
    // in. Each other layout has a single loop, which calls the visitor.
    if layout == (Version::V4, ByteOrder::Little) && by_length {
        return run::<V4<Little>, true>(window, offset, state, visit);
    }
    with_layout(layout.0, layout.1, AnyRun { by_length, window, offset, state, visit })
}

/// Reads the last bytes of a window as an incomplete record.
pub(crate) struct TailRun<'r, V> {
    pub(crate) window: &'r [u8],
    pub(crate) offset: u64,
    pub(crate) by_length: bool,
    /// The size of the record, if known.
    pub(crate) need: Option<usize>,
    /// The error message if the record is too long; `None` if the end of the file truncates it.
    pub(crate) oversized: Option<String>,
    pub(crate) state: &'r mut DecodeState,
    pub(crate) visit: &'r mut V,
}

impl<V: Visitor> LayoutVisitor for TailRun<'_, V> {
    type Output = Result<Flow, Error>;

    fn visit<L: Layout>(self) -> Result<Flow, Error> {
        let TailRun { window, offset, by_length, need, oversized, state, visit } = self;
        let tail = if by_length {
            L::tail(window, &ByLength)
        } else {
            L::tail(window, &ByDeclaration(&state.context))
        };
        match tail {
            Tail::Fault(fault) => Err(state.tally.fault(fault, offset).help(CUT_FILE_HELP)),
            Tail::Ignored { have, need } => {
                state.tally.tolerate(Anomaly::Remainder, offset, || remainder(have, need))?;
                Ok(Flow::Continue)
            }
            Tail::Cut(Step::Record(record)) => {
                let flow = visit_record::<L>(&record, RecordContext::default(), offset, state, visit);
                let flow = flow.map_err(|error| match state.context.table.schema(record.id) {
                    // Its arguments do not match the declaration because it is truncated. Without a length in
                    // the record, a damaged argument may be the reason.
                    Some(_) if oversized.is_none() && need.is_some() => {
                        state.tally.error_at(offset, cut_record(window.len(), need)).help(CUT_FILE_HELP)
                    }
                    _ => error,
                })?;
                state.tally.number -= 1;
                let tolerated = match oversized {
                    Some(message) => state.tally.tolerate(Anomaly::Oversized, offset, || message),
                    None => {
                        state.tally.tolerate(Anomaly::CutRecord, offset, || cut_record(window.len(), need))
                    }
                };
                state.tally.number += 1;
                tolerated.map(|()| flow)
            }
            Tail::Cut(Step::Mapping(mapping)) => {
                match oversized {
                    Some(message) => state.tally.tolerate(Anomaly::Oversized, offset, || message)?,
                    None => state.tally.tolerate(Anomaly::CutMapping, offset, || CUT_MAPPING.to_owned())?,
                }
                if !mapping.name.is_empty() {
                    state.map(&mapping, offset)?;
                }
                Ok(Flow::Continue)
            }
            Tail::Cut(_) => Ok(Flow::Continue),
        }
    }
}
