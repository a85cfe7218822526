//! The executable segments in this process, as far as the dynamic linker knows them.

#![expect(unsafe_code, reason = "the dynamic linker passes pointers to its tables")]

use std::ffi::{CStr, OsStr, c_int, c_void};
use std::mem::offset_of;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use ringtrace_wire::ByteOrder;
use ringtrace_wire::note::Notes;
use ringtrace_wire::simpletrace::metadata::Module;

/// The maximum length of a build id. Linkers write at most 32 bytes.
const MAX_BUILD_ID: usize = 64;

/// The kind of the note of the owner `GNU` that contains a build id.
const BUILD_ID_KIND: u32 = 3;

/// The dynamic linker's numbers of objects ever loaded and unloaded.
pub(crate) type Changes = [u64; 2];

/// Returns all executable segments, and the numbers of changes so far. Returns `None` if they are
/// still those of `known`, or there is no memory.
pub(crate) fn list(known: Option<Changes>) -> Option<(Vec<Module>, Changes)> {
    let list = segments(known)?;
    let changes = list.changes?;
    Some((list.segments.iter().map(|segment| list.module(segment)).collect(), changes))
}

/// Returns the first executable segment of the program's own file.
pub(crate) fn executable() -> Option<Module> {
    // The dynamic linker lists the program's file before libraries.
    let list = segments(None)?;
    list.segments.first().map(|segment| list.module(segment))
}

/// Returns all executable segments, unless the numbers of changes are still `known`.
fn segments(known: Option<Changes>) -> Option<List> {
    let mut list = List { known, ..List::default() };
    loop {
        // Allocate before the dynamic linker's lock is taken: an allocator may take it, too.
        list.segments.reserve(64.max(2 * list.segments.capacity()));
        list.names.reserve((8 << 10).max(2 * list.names.capacity()));
        (list.is_full, list.changes) = (false, None);
        list.segments.clear();
        list.names.clear();
        // SAFETY: `add` has the right type, and its last argument is the list.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut list).cast()) };
        if !list.is_full {
            break;
        }
    }
    if known.is_some() && known == list.changes { None } else { Some(list) }
}

impl List {
    fn module(&self, segment: &Segment) -> Module {
        Module {
            start: segment.start,
            end: segment.end,
            address: segment.address,
            build_id: segment.build_id[..segment.build_id_bytes].to_vec(),
            path: full_path(&self.names[segment.name.clone()]),
        }
    }
}

/// Returns the path of an object from its name. The executable has no name.
fn full_path(name: &[u8]) -> Vec<u8> {
    let found = match name {
        [] => std::fs::read_link("/proc/self/exe"),
        _ => std::fs::canonicalize(Path::new(OsStr::from_bytes(name))),
    };
    found.map_or_else(|_| name.to_vec(), |path| path.into_os_string().into_vec())
}

#[derive(Debug, Default)]
struct List {
    known: Option<Changes>,
    changes: Option<Changes>,
    segments: Vec<Segment>,
    names: Vec<u8>,
    is_full: bool,
}

#[derive(Debug)]
struct Segment {
    start: u64,
    end: u64,
    address: u64,
    build_id: [u8; MAX_BUILD_ID],
    build_id_bytes: usize,
    name: std::ops::Range<usize>,
}

/// Adds the segments of an object. Ends the iteration if nothing has changed, or there is no room.
///
/// The dynamic linker holds a lock, so that no object is unloaded meanwhile. Nothing here allocates
/// or panics.
unsafe extern "C" fn add(info: *mut libc::dl_phdr_info, bytes: usize, list: *mut c_void) -> c_int {
    // SAFETY: the dynamic linker passes its table, and the last argument of the call in `list`.
    let (info, list) = unsafe { (&*info, &mut *list.cast::<List>()) };
    // All versions of the C libraries in use have these fields; without them, list once.
    let has_changes = bytes >= offset_of!(libc::dl_phdr_info, dlpi_subs) + size_of::<u64>();
    if list.changes.is_none() {
        let changes = if has_changes { [info.dlpi_adds, info.dlpi_subs] } else { [0; 2] };
        list.changes = Some(changes);
        if list.known == Some(changes) {
            return 1;
        }
    }
    if info.dlpi_phdr.is_null() {
        return 0;
    }
    // SAFETY: these are the object's program headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let name = if info.dlpi_name.is_null() {
        &[]
    } else {
        // SAFETY: the object's name ends with NUL.
        unsafe { CStr::from_ptr(info.dlpi_name) }.to_bytes()
    };
    let at = list.names.len();
    if list.names.capacity() - at < name.len() {
        list.is_full = true;
        return 1;
    }
    list.names.extend_from_slice(name);
    let (mut build_id, mut build_id_bytes) = ([0; MAX_BUILD_ID], 0);
    for header in headers.iter().filter(|header| header.p_type == libc::PT_NOTE) {
        let notes = info.dlpi_addr.wrapping_add(header.p_vaddr);
        // SAFETY: notes in program headers are part of a loaded segment, which stays mapped as long
        // as the lock is held.
        let notes = unsafe {
            let notes = std::ptr::with_exposed_provenance::<u8>(notes as usize);
            std::slice::from_raw_parts(notes, header.p_memsz as usize)
        };
        let mut notes = Notes::new(notes, ByteOrder::NATIVE).map_while(Result::ok);
        if let Some(note) = notes.find(|note| note.owner == b"GNU" && note.kind == BUILD_ID_KIND)
            && let Some(place) = build_id.get_mut(..note.descriptor.len())
        {
            place.copy_from_slice(note.descriptor);
            build_id_bytes = note.descriptor.len();
        }
    }
    let is_code =
        |header: &&libc::Elf64_Phdr| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0;
    for header in headers.iter().filter(is_code) {
        if list.segments.len() == list.segments.capacity() {
            list.is_full = true;
            return 1;
        }
        let start = info.dlpi_addr.wrapping_add(header.p_vaddr);
        list.segments.push(Segment {
            start,
            end: start.wrapping_add(header.p_memsz),
            address: header.p_vaddr,
            build_id,
            build_id_bytes,
            name: at..at + name.len(),
        });
    }
    0
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test reads its own path")]
mod tests {
    use super::*;

    #[test]
    fn the_executable_and_its_libraries_are_listed_until_nothing_changes() {
        let (modules, changes) = list(None).unwrap();
        let here = list as *const () as u64;
        let own = modules.iter().find(|module| module.file_address(here).is_some()).unwrap();
        assert_eq!(Path::new(OsStr::from_bytes(&own.path)), std::env::current_exe().unwrap());
        assert_eq!(executable().unwrap().path, own.path);
        let code = libc::getpid as *const () as u64;
        let library = modules.iter().find(|module| module.file_address(code).is_some()).unwrap();
        assert!(Path::new(OsStr::from_bytes(&library.path)).is_file(), "{library:?}");
        assert!(list(Some(changes)).is_none());
        assert!(list(Some([changes[0] + 1, changes[1]])).is_some());
    }
}
