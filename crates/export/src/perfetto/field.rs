//! Field numbers and constants of Perfetto's messages.
//!
//! They are stable, because Perfetto reads files of all versions.

/// A `Trace`, which is a whole file: a sequence of packets.
pub(super) mod trace {
    pub(in crate::perfetto) const PACKET: u32 = 1;
}

/// A `TracePacket`.
pub(super) mod packet {
    pub(in crate::perfetto) const CLOCK_SNAPSHOT: u32 = 6;
    pub(in crate::perfetto) const TIMESTAMP: u32 = 8;
    pub(in crate::perfetto) const SEQUENCE: u32 = 10;
    pub(in crate::perfetto) const TRACK_EVENT: u32 = 11;
    pub(in crate::perfetto) const INTERNED_DATA: u32 = 12;
    pub(in crate::perfetto) const SEQUENCE_FLAGS: u32 = 13;
    pub(in crate::perfetto) const DEFAULTS: u32 = 59;
    pub(in crate::perfetto) const TRACK_DESCRIPTOR: u32 = 60;

    /// Strings that were interned in earlier packets are no longer valid.
    pub(in crate::perfetto) const STATE_CLEARED: u64 = 1;
    /// The packet refers to strings that were interned in earlier packets.
    pub(in crate::perfetto) const STATE_NEEDED: u64 = 2;
}

/// `TracePacketDefaults`: values for all packets of a sequence.
pub(super) mod defaults {
    pub(in crate::perfetto) const TIMESTAMP_CLOCK: u32 = 58;
}

/// A `ClockSnapshot`: the times of several clocks at the same moment.
pub(super) mod clock_snapshot {
    pub(in crate::perfetto) const CLOCK: u32 = 1;
    pub(in crate::perfetto) const PRIMARY: u32 = 2;
    /// Fields of a clock.
    pub(in crate::perfetto) const CLOCK_ID: u32 = 1;
    pub(in crate::perfetto) const CLOCK_TIMESTAMP: u32 = 2;

    pub(in crate::perfetto) const REALTIME: u64 = 1;
    pub(in crate::perfetto) const MONOTONIC: u64 = 3;
}

/// `InternedData`: strings with numbers.
pub(super) mod interned {
    pub(in crate::perfetto) const CATEGORY: u32 = 1;
    pub(in crate::perfetto) const EVENT_NAME: u32 = 2;
    pub(in crate::perfetto) const ARGUMENT_NAME: u32 = 3;
    /// Fields of a string.
    pub(in crate::perfetto) const ID: u32 = 1;
    pub(in crate::perfetto) const TEXT: u32 = 2;
}

/// A `TrackDescriptor`.
pub(super) mod track {
    pub(in crate::perfetto) const UUID: u32 = 1;
    pub(in crate::perfetto) const NAME: u32 = 2;
    pub(in crate::perfetto) const PROCESS: u32 = 3;
    pub(in crate::perfetto) const THREAD: u32 = 4;
    pub(in crate::perfetto) const PARENT: u32 = 5;
    pub(in crate::perfetto) const COUNTER: u32 = 8;
    pub(in crate::perfetto) const DESCRIPTION: u32 = 14;

    /// Fields of a process.
    pub(in crate::perfetto) const PROCESS_PID: u32 = 1;
    pub(in crate::perfetto) const PROCESS_NAME: u32 = 6;
    /// Fields of a thread.
    pub(in crate::perfetto) const THREAD_PID: u32 = 1;
    pub(in crate::perfetto) const THREAD_TID: u32 = 2;
    pub(in crate::perfetto) const THREAD_NAME: u32 = 5;
}

/// A `TrackEvent`.
pub(super) mod event {
    pub(in crate::perfetto) const CATEGORY_ID: u32 = 3;
    pub(in crate::perfetto) const ARGUMENT: u32 = 4;
    pub(in crate::perfetto) const TYPE: u32 = 9;
    pub(in crate::perfetto) const NAME_ID: u32 = 10;
    pub(in crate::perfetto) const TRACK: u32 = 11;
    pub(in crate::perfetto) const NAME: u32 = 23;
    pub(in crate::perfetto) const COUNTER_VALUE: u32 = 30;
    pub(in crate::perfetto) const DOUBLE_COUNTER_VALUE: u32 = 44;
    pub(in crate::perfetto) const FLOW_ID: u32 = 47;
    /// Versions before 53 ignore call stacks.
    pub(in crate::perfetto) const CALL_STACK: u32 = 55;

    /// The field of a call stack, from the outermost frame to the innermost one.
    pub(in crate::perfetto) const FRAME: u32 = 1;
    /// Fields of a frame.
    pub(in crate::perfetto) const FUNCTION: u32 = 1;
    pub(in crate::perfetto) const SOURCE_FILE: u32 = 2;
    pub(in crate::perfetto) const LINE: u32 = 3;
}

/// A `DebugAnnotation`: an argument's name and value.
pub(super) mod argument {
    pub(in crate::perfetto) const NAME_ID: u32 = 1;
    pub(in crate::perfetto) const BOOL: u32 = 2;
    pub(in crate::perfetto) const UINT: u32 = 3;
    pub(in crate::perfetto) const INT: u32 = 4;
    pub(in crate::perfetto) const DOUBLE: u32 = 5;
    pub(in crate::perfetto) const STRING: u32 = 6;
    pub(in crate::perfetto) const POINTER: u32 = 7;
    /// A nested argument.
    pub(in crate::perfetto) const ENTRY: u32 = 11;
    /// An element of an array.
    pub(in crate::perfetto) const ELEMENT: u32 = 12;
}
