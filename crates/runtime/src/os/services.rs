//! File descriptors and threads of monitors, which a forked child must close and forget.
//!
//! If a child kept a listening socket, a dead parent would look alive. If it kept a connection, the
//! client would wait for ever. So every descriptor of a monitor is in one table. A fork locks the
//! table, and the child closes the descriptors. A child created by a bare `clone` keeps them,
//! because `clone` runs no fork handlers.

#![expect(unsafe_code, reason = "descriptors are closed by number in the child of a fork")]

use std::fmt;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

static SERVICES: Mutex<Services> =
    Mutex::new(Services { last: 0, descriptors: Vec::new(), running: Vec::new() });

/// A service of this process, such as a monitor. It ends before the process exits.
pub(crate) trait Service: fmt::Debug + Send + Sync {
    /// The path of the socket at which it listens.
    fn socket(&self) -> &Path;
    fn end(&self);
}

#[derive(Debug)]
pub(crate) struct Services {
    /// The number of the newest entry. Unlike the number of a descriptor, it is never reused.
    last: u64,
    descriptors: Vec<(u64, RawFd)>,
    running: Vec<Arc<dyn Service>>,
}

/// Locks the table. Hold the lock only briefly, because forks wait for it.
pub(crate) fn lock_services() -> MutexGuard<'static, Services> {
    super::lock(&SERVICES)
}

pub(crate) fn add(service: Arc<dyn Service>) {
    lock_services().running.push(service);
}

pub(crate) fn remove(service: *const ()) {
    lock_services().running.retain(|running| !std::ptr::addr_eq(Arc::as_ptr(running), service));
}

/// Ends all services, because the process exits or the library with this code is unloaded.
pub(crate) fn end_all() {
    let running = lock_services().running.clone();
    for service in running {
        service.end();
    }
}

impl Services {
    /// Returns the socket of the first service that runs.
    pub(crate) fn socket(&self) -> Option<&Path> {
        self.running.first().map(|service| service.socket())
    }

    /// Closes the parent's descriptors in a forked child, and forgets its services.
    pub(crate) fn close_inherited(&mut self) {
        // Do not end the services: their threads do not exist here, and their sockets belong to the
        // parent.
        self.running.drain(..).for_each(std::mem::forget);
        for (_, descriptor) in self.descriptors.drain(..) {
            // SAFETY: the descriptor was open during the fork, which held the lock. Its owner is a
            // thread that does not exist in the child, or a `Descriptor` that finds no entry in the
            // table when it is dropped.
            unsafe { rustix::io::close(descriptor) };
        }
    }
}

/// A descriptor that forked children close.
#[derive(Debug)]
pub(crate) struct Descriptor {
    number: u64,
    owned: ManuallyDrop<OwnedFd>,
}

impl Descriptor {
    /// Opens a descriptor with `open`, which must not block, because forks wait for it.
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
            // In a forked child the descriptor was closed, and its number may now belong to another
            // file.
            return;
        };
        services.descriptors.swap_remove(at);
        // SAFETY: the value is dropped nowhere else.
        unsafe { ManuallyDrop::drop(&mut self.owned) };
    }
}
