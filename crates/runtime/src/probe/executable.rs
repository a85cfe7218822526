//! Finds the executable's copy of the runtime, whether or not the executable exports its symbols.
//!
//! An executable exports symbols only if its linker is given an option, which builds of C programs
//! seldom use. Each copy of the runtime therefore contains an ELF note with the distance
//! from the note to a function that returns the copy's table. The kernel passes the address of the
//! executable's program headers to the process, and these contain the addresses of its notes.
//! `dlopen` and symbols are not involved, so this also works if the executable is static or
//! stripped.

#![expect(unsafe_code, reason = "reads the executable's program headers, and emits a note in assembler")]

use std::ptr;

use ringtrace_wire::ByteOrder;
use ringtrace_wire::note::{Note, Notes};

use super::host::{OWN, Runtime};

/// The owner of the note.
const OWNER: &[u8] = b"ringtrace-runtime";

/// The length of an ELF file's header. Program headers follow it.
const FILE_HEADER_BYTES: usize = size_of::<libc::Elf64_Ehdr>();

/// Returns the table of the executable's copy of the runtime. It may be of any version.
pub(super) fn table() -> Option<*mut Runtime> {
    emit_note();
    // SAFETY: the function has no preconditions.
    let (at, count) = unsafe { (libc::getauxval(libc::AT_PHDR), libc::getauxval(libc::AT_PHNUM)) };
    if at == 0 {
        return None;
    }
    let at = at as usize;
    // SAFETY: the kernel passes the address and the number of the executable's program headers. They
    // are in a read-only segment, which stays mapped.
    let headers = unsafe {
        std::slice::from_raw_parts(ptr::with_exposed_provenance::<libc::Elf64_Phdr>(at), count as usize)
    };
    let base = base(at, headers)?;
    headers.iter().filter(|header| header.p_type == libc::PT_NOTE).find_map(|header| {
        let notes = ptr::with_exposed_provenance::<u8>(base.wrapping_add(header.p_vaddr as usize));
        // SAFETY: notes in program headers are part of a loaded segment, as above.
        let notes = unsafe { std::slice::from_raw_parts(notes, header.p_memsz as usize) };
        let own = |note: &Note<'_>| note.owner == OWNER && note.kind == 1;
        let note = Notes::new(notes, ByteOrder::NATIVE).map_while(Result::ok).find(own)?;
        let distance = ByteOrder::NATIVE.u64(note.descriptor.try_into().ok()?);
        let function = note.descriptor.as_ptr().wrapping_add(distance as usize);
        // SAFETY: a note of this owner and kind refers to a function of this type.
        let function = unsafe { std::mem::transmute::<*const u8, extern "C" fn() -> *mut Runtime>(function) };
        Some(function())
    })
}

/// The function that the note refers to. Its address is known when a library is linked, because the
/// function is private. The table's address may not be known, because another library could replace
/// the table's symbol.
extern "C" fn own_table() -> *mut Runtime {
    ptr::from_ref(&OWN).cast_mut()
}

/// Adds this copy's note to the linked file. The linker keeps unreferenced notes only if it needs
/// something else from the same object file. So this is not `global_asm!`, whose object file may
/// contain nothing else that is needed.
#[inline(never)]
fn emit_note() {
    // SAFETY: this contains no instructions.
    unsafe {
        std::arch::asm!(
            ".pushsection .note.ringtrace-runtime, \"a\", \"note\"",
            ".balign 4",
            ".4byte 992f-991f, 994f-993f, 1",
            "991: .asciz \"ringtrace-runtime\"",
            "992: .balign 4",
            "993: .8byte {own_table} - 993b",
            "994: .balign 4",
            ".popsection",
            own_table = sym own_table,
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// Returns the distance between addresses in the file and in memory.
fn base(at: usize, headers: &[libc::Elf64_Phdr]) -> Option<usize> {
    if let Some(own) = headers.iter().find(|header| header.p_type == libc::PT_PHDR) {
        return Some(at.wrapping_sub(own.p_vaddr as usize));
    }
    // Static executables do not list the headers themselves. The first segment starts with the
    // file's header.
    let first = headers.iter().find(|header| header.p_type == libc::PT_LOAD && header.p_offset == 0)?;
    let start = at.checked_sub(FILE_HEADER_BYTES)?;
    // SAFETY: program headers never overlap the file's header, so the address is in the segment.
    let magic = unsafe { ptr::with_exposed_provenance::<[u8; 4]>(start).read() };
    (magic == *b"\x7fELF").then(|| start.wrapping_sub(first.p_vaddr as usize))
}
