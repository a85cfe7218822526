//! The numbers of fields and values of Perfetto's messages, as far as they are written here.
//!
//! They never change: Perfetto reads what was written before.

/// A file is a `Trace`: one packet behind the other.
pub(super) mod trace {
    pub(in super::super) const PACKET: u32 = 1;
}

/// A `TracePacket`.
pub(super) mod packet {
    pub(in super::super) const CLOCK_SNAPSHOT: u32 = 6;
    pub(in super::super) const TIMESTAMP: u32 = 8;
    pub(in super::super) const SEQUENCE: u32 = 10;
    pub(in super::super) const TRACK_EVENT: u32 = 11;
    pub(in super::super) const INTERNED_DATA: u32 = 12;
    pub(in super::super) const SEQUENCE_FLAGS: u32 = 13;
    pub(in super::super) const DEFAULTS: u32 = 59;
    pub(in super::super) const TRACK_DESCRIPTOR: u32 = 60;

    /// What was interned before counts no more.
    pub(in super::super) const STATE_CLEARED: u64 = 1;
    /// The packet cannot be understood without what was interned before.
    pub(in super::super) const STATE_NEEDED: u64 = 2;
}

/// `TracePacketDefaults`: what holds for all packets of a sequence.
pub(super) mod defaults {
    pub(in super::super) const TIMESTAMP_CLOCK: u32 = 58;
}

/// A `ClockSnapshot`: clocks that were read at the same moment.
pub(super) mod clock_snapshot {
    pub(in super::super) const CLOCK: u32 = 1;
    pub(in super::super) const PRIMARY: u32 = 2;
    /// Of one clock.
    pub(in super::super) const CLOCK_ID: u32 = 1;
    pub(in super::super) const CLOCK_TIMESTAMP: u32 = 2;

    pub(in super::super) const REALTIME: u64 = 1;
    pub(in super::super) const MONOTONIC: u64 = 3;
}

/// `InternedData`: texts that get numbers.
pub(super) mod interned {
    pub(in super::super) const CATEGORY: u32 = 1;
    pub(in super::super) const EVENT_NAME: u32 = 2;
    pub(in super::super) const ARGUMENT_NAME: u32 = 3;
    /// Of each of them.
    pub(in super::super) const ID: u32 = 1;
    pub(in super::super) const TEXT: u32 = 2;
}

/// A `TrackDescriptor`.
pub(super) mod track {
    pub(in super::super) const UUID: u32 = 1;
    pub(in super::super) const NAME: u32 = 2;
    pub(in super::super) const PROCESS: u32 = 3;
    pub(in super::super) const THREAD: u32 = 4;
    pub(in super::super) const PARENT: u32 = 5;
    pub(in super::super) const COUNTER: u32 = 8;
    pub(in super::super) const DESCRIPTION: u32 = 14;

    /// Of a process.
    pub(in super::super) const PROCESS_PID: u32 = 1;
    pub(in super::super) const PROCESS_NAME: u32 = 6;
    /// Of a thread.
    pub(in super::super) const THREAD_PID: u32 = 1;
    pub(in super::super) const THREAD_TID: u32 = 2;
    pub(in super::super) const THREAD_NAME: u32 = 5;
}

/// A `TrackEvent`.
pub(super) mod event {
    pub(in super::super) const CATEGORY_ID: u32 = 3;
    pub(in super::super) const ARGUMENT: u32 = 4;
    pub(in super::super) const TYPE: u32 = 9;
    pub(in super::super) const NAME_ID: u32 = 10;
    pub(in super::super) const TRACK: u32 = 11;
    pub(in super::super) const NAME: u32 = 23;
    pub(in super::super) const COUNTER_VALUE: u32 = 30;
    pub(in super::super) const DOUBLE_COUNTER_VALUE: u32 = 44;
    pub(in super::super) const FLOW_ID: u32 = 47;

    pub(in super::super) const SLICE_BEGIN: u64 = 1;
    pub(in super::super) const SLICE_END: u64 = 2;
    pub(in super::super) const INSTANT: u64 = 3;
    pub(in super::super) const COUNTER: u64 = 4;
}

/// A `DebugAnnotation`: an argument's name and value.
pub(super) mod argument {
    pub(in super::super) const NAME_ID: u32 = 1;
    pub(in super::super) const BOOL: u32 = 2;
    pub(in super::super) const UINT: u32 = 3;
    pub(in super::super) const INT: u32 = 4;
    pub(in super::super) const STRING: u32 = 6;
    pub(in super::super) const POINTER: u32 = 7;
}
