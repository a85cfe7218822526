//! Reads the parts of an ELF file that describe events.

use std::fmt;

use object::read::elf::{ElfFile, FileHeader, SectionHeader, Sym};
use object::{File, FileKind, Object, ObjectSection, ReadRef};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::note::{self, Note, Notes, Usdt, decode_declared};

use crate::memory::MemoryTexts;

/// The reason why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The file is not an ELF file.
    NotElf,
    /// The ELF file is damaged.
    Damaged(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotElf => f.write_str("the file is not an ELF executable or library"),
            Error::Damaged(why) => write!(f, "the ELF file is damaged: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// A USDT probe's note, converted to strings.
#[derive(Debug)]
pub(crate) struct UsdtNote {
    pub provider: String,
    pub name: String,
    pub location: u64,
    pub semaphore: u64,
    pub arguments: String,
}

/// The contents of a file.
#[derive(Debug, Default)]
pub(crate) struct ElfContents {
    /// Declarations: the group and the source text of each.
    pub declared: Vec<(String, String)>,
    pub usdt: Vec<UsdtNote>,
    /// LTTng tracepoints: the provider and the name of each.
    pub lttng: Vec<(String, String)>,
    /// Event names in capitals, from C symbols `_TRACE_FOO_EVENT`.
    pub capitals: Vec<String>,
    /// Invalid parts that were skipped.
    pub anomalies: Vec<String>,
}

/// Reads a file.
pub(crate) fn read_elf<'data, R: ReadRef<'data>>(data: R) -> Result<ElfContents, Error> {
    let damaged = |error: object::Error| {
        let why = error.to_string();
        let mut letters = why.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        Error::Damaged(first.into_iter().chain(letters).collect())
    };
    match FileKind::parse(data) {
        Ok(FileKind::Elf32 | FileKind::Elf64) => {}
        _ => return Err(Error::NotElf),
    }
    let file = File::parse(data).map_err(damaged)?;
    let order = if file.is_little_endian() { ByteOrder::Little } else { ByteOrder::Big };
    let address_bytes = if file.is_64() { 8 } else { 4 };
    // Sections of a damaged file can overlap. Do not read more bytes than the file contains.
    let mut left_bytes = data.len().unwrap_or(0);
    let mut contents = ElfContents::default();
    for section in file.sections() {
        let Ok(name @ (note::USDT_SECTION | note::DECLARATIONS_SECTION)) = section.name() else { continue };
        let bytes = match section.data() {
            Ok(bytes) if bytes.len() as u64 <= left_bytes => bytes,
            Ok(_) => {
                contents
                    .anomalies
                    .push(format!("section {name}: skipped because it overlaps other sections"));
                continue;
            }
            Err(error) => return Err(damaged(error)),
        };
        left_bytes -= bytes.len() as u64;
        for note in Notes::new(bytes, order) {
            match note {
                Ok(note) => contents.note(name, &note, order, address_bytes),
                Err(cut) => {
                    contents
                        .anomalies
                        .push(format!("section {name}: truncated in the note at {:#x}", cut.offset));
                }
            }
        }
    }
    let described = MemoryTexts::read(&file, data.len().unwrap_or(0));
    contents.declared.extend(described.declared);
    contents.lttng = described.lttng;
    contents.capitals = match &file {
        File::Elf32(file) => events_of_symbols(file),
        File::Elf64(file) => events_of_symbols(file),
        _ => Vec::new(),
    };
    Ok(contents)
}

/// Returns the events that have C symbols.
///
/// All names are read as one block, because there can be very many. Each name is read only as far
/// as necessary, because in a damaged file all names can start in the same long string.
fn events_of_symbols<'data, Elf: FileHeader, R: ReadRef<'data>>(
    file: &ElfFile<'data, Elf, R>,
) -> Vec<String> {
    let symbols = file.elf_symbol_table();
    let names = file.elf_section_table().section(symbols.string_section());
    let names = names.and_then(|names| names.data(file.endian(), file.data())).unwrap_or_default();
    let event = |symbol: &Elf::Sym| event_of_symbol(names.get(symbol.st_name(file.endian()) as usize..)?);
    symbols.iter().filter_map(event).take(MAX_EVENTS).collect()
}

/// Maximum number of events, which is more than any program has. In a damaged file, overlapping
/// symbol names could result in more.
const MAX_EVENTS: usize = 1 << 20;

/// Returns `FOO` for the symbol `_TRACE_FOO_EVENT`, which is the object of the event `foo` in
/// generated C. `names` starts with the symbol's name, which ends at a NUL.
fn event_of_symbol(names: &[u8]) -> Option<String> {
    const MAX_NAME_BYTES: usize = 256;
    let name = names.strip_prefix(b"_TRACE_")?;
    let end = name.iter().take(MAX_NAME_BYTES + 1).position(|byte| *byte == 0)?;
    let event = name[..end].strip_suffix(b"_EVENT")?;
    (!event.is_empty()).then(|| String::from_utf8_lossy(event).into_owned())
}

impl ElfContents {
    fn note(&mut self, section: &str, note: &Note<'_>, order: ByteOrder, address_bytes: usize) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if let Some((group, declaration)) = decode_declared(note) {
            self.declared.push((group.to_owned(), declaration.to_owned()));
        } else if let Some(usdt) = Usdt::decode(note, order, address_bytes) {
            self.usdt.push(UsdtNote {
                provider: text(usdt.provider),
                name: text(usdt.name),
                location: usdt.location,
                semaphore: usdt.semaphore,
                arguments: text(usdt.arguments),
            });
        } else {
            self.anomalies.push(format!("section {section}: invalid note at {:#x}", note.offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::event_of_symbol;

    #[test]
    fn symbols_of_events() {
        let long = [&b"_TRACE_"[..], &[b'A'; 1 << 20], b"_EVENT\0"].concat();
        let cases: [(&[u8], Option<&str>); 6] = [
            (b"_TRACE_BLK_READ_EVENT\0main\0", Some("BLK_READ")),
            (b"_TRACE_BLK_READ_DSTATE\0_EVENT\0", None),
            (b"_TRACE__EVENT\0", None),
            (b"_TRACE_X_EVENT", None),
            (b"", None),
            (&long, None),
        ];
        for (names, event) in cases {
            assert_eq!(event_of_symbol(names).as_deref(), event);
        }
    }
}
