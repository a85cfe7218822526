//! The header of a `trace.dat` file, version 6.

use std::collections::BTreeMap;

use ringtrace_tracefile::metadata::Anchor;

use super::page::{PAGE_BYTES, RECORDS_AT};

const MAGIC: &[u8] = b"\x17\x08\x44tracing6\0";
const TRACE_CLOCK: u16 = 4;
const OFFSET: u16 = 7;
const DONE: u16 = 0;

const HEADER_EVENT: &str = "\
# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
";

fn header_page() -> String {
    let data_bytes = PAGE_BYTES - RECORDS_AT;
    format!(
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
         \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
         \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\
         \tfield: char data;\toffset:{RECORDS_AT};\tsize:{data_bytes};\tsigned:1;\n"
    )
}

/// Returns the header. `systems` are groups of events, each with a name and its events'
/// descriptions. `tasks` are the names of threads. `buffers` are the sizes of each processor's
/// records.
pub(super) fn header(
    systems: &[(&str, Vec<String>)],
    tasks: &BTreeMap<u32, String>,
    anchor: Option<Anchor>,
    buffers: [u64; 2],
) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    // Little-endian, with words of eight bytes.
    header.extend_from_slice(&[0, 8]);
    header.extend_from_slice(&(PAGE_BYTES as u32).to_le_bytes());
    for (name, text) in [("header_page\0", header_page()), ("header_event\0", HEADER_EVENT.to_owned())] {
        header.extend_from_slice(name.as_bytes());
        push_sized(&text, &mut header);
    }
    // No events from the kernel's own tracers.
    header.extend_from_slice(&0_u32.to_le_bytes());
    header.extend_from_slice(&(systems.len() as u32).to_le_bytes());
    for (system, formats) in systems {
        header.extend_from_slice(system.as_bytes());
        header.push(0);
        header.extend_from_slice(&(formats.len() as u32).to_le_bytes());
        for format in formats {
            push_sized(format, &mut header);
        }
    }
    // There are no kernel symbols and no `printk` formats.
    header.extend_from_slice(&[0_u32.to_le_bytes(); 2].concat());
    let line = |(tid, name): (&u32, &String)| format!("{tid} {}\n", name.replace(char::is_control, " "));
    push_sized(&tasks.iter().map(line).collect::<String>(), &mut header);
    header.extend_from_slice(&(buffers.len() as u32).to_le_bytes());
    header.extend_from_slice(b"options  \0");
    push_option(TRACE_CLOCK, b"[mono]\0", &mut header);
    if let Some(anchor) = anchor {
        push_option(OFFSET, format!("{}\0", anchor.realtime_ns(0)).as_bytes(), &mut header);
    }
    header.extend_from_slice(&DONE.to_le_bytes());
    header.extend_from_slice(b"flyrecord\0");
    let mut at = (header.len() + 16 * buffers.len()).next_multiple_of(PAGE_BYTES);
    let records_at = at;
    for bytes in buffers {
        header.extend_from_slice(&(at as u64).to_le_bytes());
        header.extend_from_slice(&bytes.to_le_bytes());
        at += bytes as usize;
    }
    header.resize(records_at, 0);
    header
}

fn push_sized(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u64).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn push_option(number: u16, data: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&number.to_le_bytes());
    out.extend_from_slice(&(data.len() as u32).to_le_bytes());
    out.extend_from_slice(data);
}
