//! Trace files to typed events.
