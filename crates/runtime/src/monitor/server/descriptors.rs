//! Descriptors of monitors, and their sockets in the file system: what a child of a fork must not keep, and what is
//! taken away when the process ends.
//!
//! A child that kept a listening socket would make a dead parent look alive, and one that kept a connection would let its client wait for
//! ever. So every descriptor of a monitor is in one table, which a fork locks: in the child, those that are in it are closed. A child by a
//! bare `clone`, of which nobody is told, keeps them.

use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

static TABLE: Mutex<Table> = Mutex::new(Table { last: 0, descriptors: Vec::new(), sockets: Vec::new() });

/// What the monitors of this process have open.
#[derive(Debug)]
pub(crate) struct Table {
    /// The number of the newest entry. A number is never used again, as a descriptor's is.
    last: u64,
    descriptors: Vec<(u64, RawFd)>,
    sockets: Vec<(u64, Bound)>,
}

/// Where a socket stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bound {
    /// Absolute: the program may go to another folder.
    pub(super) path: PathBuf,
    pub(super) device: u64,
    pub(super) inode: u64,
}

/// Takes the table's lock, which is held for a call or two. For forks too, which hold it meanwhile.
pub(crate) fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// In the child of a fork: closes what is the parent's, and forgets all.
    pub(crate) fn close_inherited(&mut self) {
        self.sockets.clear();
        for (_, descriptor) in self.descriptors.drain(..) {
            // SAFETY: it was open when the process forked, which held the lock. Its owner is a thread that the child does not have, or a
            // `Descriptor` that finds no entry when it is dropped.
            unsafe { rustix::io::close(descriptor) };
        }
    }

    /// Notes a socket; it is taken away when the process ends.
    pub(super) fn add_socket(&mut self, bound: Bound) -> u64 {
        let number = self.number();
        self.sockets.push((number, bound));
        number
    }

    /// Forgets a socket. `None`: it was another process's.
    pub(super) fn remove_socket(&mut self, number: u64) -> Option<Bound> {
        let at = self.sockets.iter().position(|(found, _)| *found == number)?;
        Some(self.sockets.swap_remove(at).1)
    }

    /// Forgets all sockets.
    pub(super) fn take_sockets(&mut self) -> Vec<Bound> {
        self.sockets.drain(..).map(|(_, bound)| bound).collect()
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
        let number = table.number();
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
