//! Search for the start of a record, from any offset in a file or after damage.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{ByLength, Layout, LayoutVisitor, Step, Version, with_layout};

use crate::metadata;
use crate::read::table::Table;

/// The number of consecutive records that must look valid.
const PLAUSIBLE_RECORDS: usize = 8;

/// The maximum size of a plausible record. A record with ten strings of 512 bytes is smaller.
const PLAUSIBLE_BYTES: usize = 1 << 14;

/// The maximum number of bytes after an offset that the search examines.
pub(crate) const LOOK_BYTES: usize = PLAUSIBLE_RECORDS * PLAUSIBLE_BYTES;

/// A search for records of one layout. Event ids must have a name in `table`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'t> {
    pub(crate) layout: (Version, ByteOrder),
    pub(crate) table: &'t Table,
}

impl Search<'_> {
    /// Returns the first offset in `begin..end` of `bytes` at which records seem to start. The
    /// search also examines bytes after `end`. `bytes` must therefore extend to the end of the
    /// file, or to [`LOOK_BYTES`] beyond `end`.
    pub(crate) fn first(&self, bytes: &[u8], begin: usize, end: usize) -> Option<usize> {
        struct First<'s> {
            bytes: &'s [u8],
            begin: usize,
            end: usize,
            table: &'s Table,
        }
        impl LayoutVisitor for First<'_> {
            type Output = Option<usize>;
            fn visit<L: Layout>(self) -> Option<usize> {
                (self.begin..self.end)
                    .find(|&at| is_plausible_run::<L>(self.bytes.get(at..).unwrap_or_default(), self.table))
            }
        }
        with_layout(self.layout.0, self.layout.1, First { bytes, begin, end, table: self.table })
    }
}

/// Returns whether `name` is valid in a mapping record, as an event's name or as metadata.
pub(crate) fn is_name(name: &[u8]) -> bool {
    let metadata = name.starts_with(metadata::PREFIX.as_bytes()) && std::str::from_utf8(name).is_ok();
    let event = name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    metadata || (event && !name.is_empty())
}

fn is_plausible_run<L: Layout>(bytes: &[u8], table: &Table) -> bool {
    let mut rest = bytes;
    for _ in 0..PLAUSIBLE_RECORDS {
        let window = &rest[..rest.len().min(PLAUSIBLE_BYTES)];
        let size = match L::step(window, &ByLength) {
            Step::Record(record) if record.record_type == 1 && table.is_named(record.id) => record.size,
            Step::Mapping(mapping) if is_name(mapping.name) => mapping.size,
            // The file ends here, after records that look valid.
            Step::NeedMore(_) if window.len() == rest.len() && rest.len() < bytes.len() => return true,
            _ => return false,
        };
        rest = &rest[size..];
        if rest.is_empty() {
            return true;
        }
    }
    true
}
