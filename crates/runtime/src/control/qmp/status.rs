//! The recording status, rendered as the result of `query-trace-status`.

use crate::control::command::Report;
use crate::control::json::Writer;
use crate::options::{Clock, Policy};
use crate::session::status::{EventCounts, RingLevel};

pub(super) fn write(writer: &mut Writer, report: &Report) {
    let status = &report.status;
    writer.object(|writer| {
        writer.name("program").text(&report.program);
        writer.name("pid").number(std::process::id().into());
        writer.name("time-ns").number(status.time_ns);
        if let Some(file) = &status.file {
            writer.name("file").text(&file.to_string_lossy());
        }
        writer.name("state").text(match status.file {
            None => "not-started",
            Some(_) if status.recording => "on",
            Some(_) => "off",
        });
        writer.name("backends").list(|writer| {
            status.backends.iter().for_each(|backend| writer.text(backend.name));
        });
        writer.name("policy").text(match status.policy {
            Policy::Discard => "discard",
            Policy::Block { .. } => "block",
            Policy::Overwrite => "overwrite",
        });
        if let Policy::Block { timeout: Some(timeout) } = status.policy {
            writer.name("block-timeout-ms").number(u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX));
        }
        writer.name("clock").text(match status.clock {
            Clock::Exact => "exact",
            Clock::Coarse => "coarse",
            Clock::Gettime => "gettime",
        });
        writer.name("format").text(status.format.name());
        if let Some(compression) = status.format.compression() {
            writer.name("compress").text(compression);
        }
        writer.name("buffer-bytes").number(status.buffer_bytes);
        writer.name("written-bytes").number(status.written_bytes);
        if status.format.compression().is_some() {
            writer.name("uncompressed-bytes").number(status.uncompressed_bytes);
        }
        writer.name("recorded").number(status.recorded);
        writer.name("dropped").number(status.dropped);
        writer.name("overwritten").number(status.overwritten);
        if let Some(error) = &status.file_error {
            writer.name("file-error").text(error);
        }
        if let Some(paused_ns) = status.paused_ns {
            writer.name("paused-ns").number(paused_ns);
        }
        writer.name("rings").list(|writer| status.rings.iter().for_each(|ring| write_ring(writer, ring)));
        writer
            .name("events")
            .list(|writer| report.events.iter().for_each(|counts| write_counts(writer, counts)));
    });
}

fn write_ring(writer: &mut Writer, ring: &RingLevel) {
    writer.object(|writer| {
        writer.name("thread").number(ring.tid.into());
        writer.name("name").text(&ring.name);
        writer.name("used-bytes").number(ring.used_bytes);
        writer.name("size-bytes").number(ring.size_bytes);
        writer.name("dropped").number(ring.dropped);
    });
}

fn write_counts(writer: &mut Writer, counts: &EventCounts) {
    writer.object(|writer| {
        writer.name("name").text(&counts.name);
        writer.name("group").text(&counts.group);
        writer.name("state").text(&counts.state.to_string());
        if let Some(recorded) = counts.recorded {
            writer.name("recorded").number(recorded);
        }
        writer.name("dropped").number(counts.dropped);
    });
}
