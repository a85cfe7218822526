//! What monitors have open, for a child of a fork, which must not keep it.
//!
//! A child that kept a listening socket would make a dead parent look alive, and one that kept a connection would let its client wait for
//! ever. So every descriptor of a monitor is in one table, which a fork locks: in the child, those that are in it are closed. A child by a
//! bare `clone`, of which nobody is told, keeps them.

use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::running::Running;

static TABLE: Mutex<Table> = Mutex::new(Table { last: 0, descriptors: Vec::new(), servers: Vec::new() });

/// What the monitors of this process have open.
#[derive(Debug)]
pub(crate) struct Table {
    /// The number of the newest entry. A number is never used again, as a descriptor's is.
    last: u64,
    descriptors: Vec<(u64, RawFd)>,
    pub(super) servers: Vec<Arc<Running>>,
}

/// Takes the table's lock, which is held for a call or two, and during forks.
pub(crate) fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    /// In the child of a fork: closes what is the parent's, and forgets all.
    pub(crate) fn close_inherited(&mut self) {
        // Their threads do not exist here, and their sockets are the parent's: nothing is to end.
        self.servers.drain(..).for_each(std::mem::forget);
        for (_, descriptor) in self.descriptors.drain(..) {
            // SAFETY: it was open when the process forked, which held the lock. Its owner is a thread that the child does not have, or a
            // `Descriptor` that finds no entry when it is dropped.
            unsafe { rustix::io::close(descriptor) };
        }
    }
}

/// A descriptor that children of forks do not keep.
#[derive(Debug)]
pub(super) struct Descriptor {
    number: u64,
    owned: ManuallyDrop<OwnedFd>,
}

impl Descriptor {
    /// What `open` gives, which must not wait: no fork happens meanwhile.
    pub(super) fn open<E>(open: impl FnOnce() -> Result<OwnedFd, E>) -> Result<Descriptor, E> {
        let mut table = table();
        let owned = open()?;
        table.last += 1;
        let number = table.last;
        table.descriptors.push((number, owned.as_raw_fd()));
        Ok(Descriptor { number, owned: ManuallyDrop::new(owned) })
    }
}

impl AsFd for Descriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.owned.as_fd()
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        let mut table = table();
        let Some(at) = table.descriptors.iter().position(|(number, _)| *number == self.number) else {
            // A child of a fork: it was closed there, and the number may be another file's.
            return;
        };
        table.descriptors.swap_remove(at);
        // SAFETY: it is dropped here only, once.
        unsafe { ManuallyDrop::drop(&mut self.owned) };
    }
}
