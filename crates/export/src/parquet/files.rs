//! The files of all tables.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::file::metadata::KeyValue;
use ringtrace_tracefile::columns::{Batch, Table, TableKind};

use super::chunk::{Encoder, properties};
use super::part::{PartFile, io_error};
use super::schema::Schema;
use super::writer::Store;
use super::{Limits, Metadata};
use crate::shared::record_types::slot;

/// Maximum number of row groups in a file, which is about four million rows.
pub(super) const MAX_ROW_GROUPS: usize = 32;

/// Maximum length of an event's name in a folder name. Folder names are limited to 255 bytes.
const MAX_NAME_BYTES: usize = 200;

/// Writes batches as row groups. The files of a table are in a folder, or the table is one file.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
    metadata: Metadata,
    limits: Limits,
    /// By schema index.
    events: Vec<Option<TableFiles>>,
    /// By pair.
    spans: Vec<Option<TableFiles>>,
    /// The tables that are one file.
    others: Vec<TableFiles>,
    /// Number of files created in folders so far. Each file is named after its number.
    created: u32,
    /// Row groups in unfinished files of events.
    row_groups: usize,
    encoder: Encoder,
}

#[derive(Debug)]
struct TableFiles {
    table: Arc<Table>,
    schema: Schema,
    location: Location,
    metadata: Metadata,
    part: Option<PartFile>,
    /// Whether the table has a file that is finished.
    is_written: bool,
}

#[derive(Debug)]
enum Location {
    File(PathBuf),
    /// Files in a folder. Each is named after its number and the times that it covers.
    Folder(PathBuf),
}

impl Files {
    pub(super) fn new(folder: PathBuf, metadata: Metadata, limits: Limits) -> Files {
        Files {
            folder,
            metadata,
            limits,
            events: Vec::new(),
            spans: Vec::new(),
            others: Vec::new(),
            created: 0,
            row_groups: 0,
            encoder: Encoder::default(),
        }
    }

    fn append(&mut self, batch: &Batch, encoder: &mut Encoder) -> io::Result<()> {
        let mut created = self.created;
        let files = self.table(&batch.table)?;
        let before = files.row_groups();
        let mut part = match files.part.take() {
            Some(part) => part,
            None => files.begin_part(&mut created)?,
        };
        part.append(batch.rows, |group| encoder.row_group(&files.schema, batch, group))?;
        files.part = Some(part);
        if files.row_groups() >= MAX_ROW_GROUPS && matches!(files.location, Location::Folder(_)) {
            files.end_part()?;
        }
        let after = files.row_groups();
        self.created = created;
        if matches!(batch.table.kind, TableKind::Event(_)) {
            self.row_groups = self.row_groups + after - before;
        }
        self.end_parts()
    }

    /// Finishes the files with the most row groups, until the rest is within the limit.
    fn end_parts(&mut self) -> io::Result<()> {
        while self.row_groups > self.limits.row_groups {
            let most = self.events.iter_mut().flatten().max_by_key(|files| files.row_groups());
            let Some(files) = most else { return Ok(()) };
            self.row_groups -= files.row_groups();
            files.end_part()?;
        }
        Ok(())
    }

    /// Returns the files of `table`. If its columns have changed, the next rows are in another file.
    fn table(&mut self, table: &Arc<Table>) -> io::Result<&mut TableFiles> {
        let folder = |of: &str, key: &str, index| {
            Location::Folder(self.folder.join(of).join(format!("{key}={}", folder_name(&table.name, index))))
        };
        let (place, location) = match table.kind {
            TableKind::Event(index) => {
                let index = index as usize;
                (slot(&mut self.events, index), folder("events", "event", index))
            }
            TableKind::Spans(index) => (slot(&mut self.spans, index), folder("spans", "pair", index)),
            _ => {
                let known = self.others.iter().position(|files| files.table.kind == table.kind);
                let index = match known {
                    Some(index) => index,
                    None => {
                        let path = self.folder.join(format!("{}.parquet", table.name));
                        let files = TableFiles::new(table, Location::File(path), self.metadata.clone())?;
                        self.others.push(files);
                        self.others.len() - 1
                    }
                };
                return Ok(&mut self.others[index]);
            }
        };
        let files = match place.take() {
            Some(files) if Arc::ptr_eq(&files.table, table) => files,
            Some(mut files) => {
                if files.table.fields == table.fields {
                    files.table = Arc::clone(table);
                } else {
                    let is_written = files.part.is_some() || files.is_written;
                    files.end_part()?;
                    let TableFiles { location, metadata, .. } = files;
                    files = TableFiles { is_written, ..TableFiles::new(table, location, metadata)? };
                }
                files
            }
            None => {
                let mut metadata = self.metadata.clone();
                let key = match table.kind {
                    TableKind::Event(_) => "ringtrace.event",
                    _ => "ringtrace.pair",
                };
                metadata.push(KeyValue::new(key.to_owned(), table.name.clone()));
                TableFiles::new(table, location, metadata)?
            }
        };
        Ok(place.insert(files))
    }
}

impl Store for Files {
    fn add(&mut self, table: &Arc<Table>) -> io::Result<()> {
        self.table(table).map(|_| ())
    }

    fn write(&mut self, batch: &Batch) -> io::Result<()> {
        let mut encoder = std::mem::take(&mut self.encoder);
        let written = self.append(batch, &mut encoder);
        self.encoder = encoder;
        written
    }

    /// Tables without rows get a file, too, except those of events.
    fn finish(&mut self) -> io::Result<()> {
        let Files { events, spans, others, created, .. } = self;
        for files in events.iter_mut().flatten() {
            files.end_part()?;
        }
        for files in spans.iter_mut().flatten().chain(others) {
            if files.part.is_none() && !files.is_written {
                files.part = Some(files.begin_part(created)?);
            }
            files.end_part()?;
        }
        Ok(())
    }
}

impl TableFiles {
    fn new(table: &Arc<Table>, location: Location, metadata: Metadata) -> io::Result<TableFiles> {
        let schema = Schema::new(table, None).map_err(io_error)?;
        Ok(TableFiles { table: Arc::clone(table), schema, location, metadata, part: None, is_written: false })
    }

    fn row_groups(&self) -> usize {
        self.part.as_ref().map_or(0, |part| part.row_groups)
    }

    fn begin_part(&self, created: &mut u32) -> io::Result<PartFile> {
        let path = match &self.location {
            Location::File(path) => path.clone(),
            Location::Folder(folder) => {
                fs::create_dir_all(folder)?;
                *created += 1;
                folder.join(format!("{:06}", *created - 1))
            }
        };
        let properties = properties(&self.metadata);
        PartFile::new(path, Arc::clone(&self.schema.root), properties)
    }

    /// Finishes the current file, and names it after its contents.
    fn end_part(&mut self) -> io::Result<()> {
        let Some(part) = self.part.take() else { return Ok(()) };
        let (path, span_ns) = part.finish()?;
        self.is_written = true;
        if matches!(self.location, Location::Folder(_)) {
            let (first, last) = span_ns.unwrap_or_default();
            let number = path.file_name().unwrap_or_default().to_string_lossy();
            fs::rename(&path, path.with_file_name(format!("{number}-{first}-{last}.parquet")))?;
        }
        Ok(())
    }
}

/// Returns the folder name for an event or a pair. As in Hive, all characters except letters, digits,
/// `_`, `-` and `.` are escaped as `%XX`. A name that is too long is truncated and gets the suffix
/// `-` and `suffix`; the files contain the whole name.
pub(super) fn folder_name(name: &str, suffix: impl std::fmt::Display) -> String {
    let mut escaped = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => escaped.push(char::from(byte)),
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
        if escaped.len() > MAX_NAME_BYTES {
            escaped.push_str(&format!("-{suffix}"));
            break;
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_escaped() {
        assert_eq!(folder_name("virtio_blk_req_complete", 7), "virtio_blk_req_complete");
        assert_eq!(folder_name("a/../b c=%\u{f6}", 7), "a%2F..%2Fb%20c%3D%25%C3%B6");
        assert_eq!(folder_name(&"x".repeat(300), 7), format!("{}-7", "x".repeat(201)));
    }
}
