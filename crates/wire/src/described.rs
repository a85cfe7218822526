//! What groups of C programs say of themselves, in the memory of the program: `struct ringtrace_group` of our
//! `trace/control-internal.h`. And what LTTng's headers have there: `struct lttng_ust_tracepoint` of LTTng-UST 2.13 and later.

use crate::ByteOrder;
use crate::order::{u32_at, u64_at};

/// The section with the structures, one behind the other.
pub const GROUPS_SECTION: &str = "ringtrace_groups";

/// The members of the structure, all of them addresses.
pub const MEMBERS: usize = 4;

/// The member that is the address of the group's name.
pub const NAME: usize = 1;

/// The member that is the address of the declarations: addresses of texts, up to a null.
pub const DECLARATIONS: usize = 3;

/// The section with the addresses of LTTng's structures.
pub const LTTNG_SECTION: &str = "lttng_ust_tracepoints_ptrs";

/// The member, each as long as an address, that is the address of the provider's name.
pub const LTTNG_PROVIDER: usize = 1;

/// The member that is the address of the event's name.
pub const LTTNG_NAME: usize = 2;

/// The address that stands at `offset`, where addresses have `address_bytes` bytes (4 or 8).
pub fn address_at(bytes: &[u8], offset: usize, order: ByteOrder, address_bytes: usize) -> Option<u64> {
    match address_bytes {
        4 => u32_at(bytes, offset, order).map(u64::from),
        _ => u64_at(bytes, offset, order),
    }
}
