//! What monitors have open, for a child of a fork, which must not keep it.
//!
//! A child that kept a listening socket would make a dead parent look alive, and one that kept a connection would let its client wait for
//! ever. So every descriptor of a monitor is in one table, which a fork locks: in the child, those that are in it are closed. A child by a
//! bare `clone`, of which nobody is told, keeps them.

#![expect(unsafe_code, reason = "descriptors are closed by number in the child of a fork")]

use std::fmt;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::{Arc, Mutex, MutexGuard};

static SERVICES: Mutex<Services> =
    Mutex::new(Services { last: 0, descriptors: Vec::new(), running: Vec::new() });

/// A service of this process, such as a monitor, which ends before the process exits.
pub(crate) trait Service: fmt::Debug + Send + Sync {
    /// Ends it, if it has not ended.
    fn end(&self);
}

/// What the monitors of this process have open.
#[derive(Debug)]
pub(crate) struct Services {
    /// The number of the newest entry. A number is never used again, as a descriptor's is.
    last: u64,
    descriptors: Vec<(u64, RawFd)>,
    running: Vec<Arc<dyn Service>>,
}

/// Takes the table's lock, which is held for a call or two, and during forks.
pub(crate) fn lock_services() -> MutexGuard<'static, Services> {
    super::lock(&SERVICES)
}

/// Adds a service that runs.
pub(crate) fn add(service: Arc<dyn Service>) {
    lock_services().running.push(service);
}

/// Removes a service that ends.
pub(crate) fn remove(service: *const ()) {
    lock_services().running.retain(|running| !std::ptr::addr_eq(Arc::as_ptr(running), service));
}

/// Ends all services, because the process exits, or the library that this code is in is unloaded.
pub(crate) fn end_all() {
    let running = lock_services().running.clone();
    for service in running {
        service.end();
    }
}

impl Services {
    /// In the child of a fork: closes what is the parent's, and forgets all.
    pub(crate) fn close_inherited(&mut self) {
        // Their threads do not exist here, and their sockets are the parent's: nothing is to end.
        self.running.drain(..).for_each(std::mem::forget);
        for (_, descriptor) in self.descriptors.drain(..) {
            // SAFETY: it was open when the process forked, which held the lock. Its owner is a thread that the child does not have, or a
            // `Descriptor` that finds no entry when it is dropped.
            unsafe { rustix::io::close(descriptor) };
        }
    }
}

/// A descriptor that children of forks do not keep.
#[derive(Debug)]
pub(crate) struct Descriptor {
    number: u64,
    owned: ManuallyDrop<OwnedFd>,
}

impl Descriptor {
    /// What `open` gives, which must not wait: no fork happens meanwhile.
    pub(crate) fn open<E>(open: impl FnOnce() -> Result<OwnedFd, E>) -> Result<Descriptor, E> {
        let mut services = lock_services();
        let owned = open()?;
        services.last += 1;
        let number = services.last;
        services.descriptors.push((number, owned.as_raw_fd()));
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
        let mut services = lock_services();
        let Some(at) = services.descriptors.iter().position(|(number, _)| *number == self.number) else {
            // A child of a fork: it was closed there, and the number may be another file's.
            return;
        };
        services.descriptors.swap_remove(at);
        // SAFETY: it is dropped here only, once.
        unsafe { ManuallyDrop::drop(&mut self.owned) };
    }
}
