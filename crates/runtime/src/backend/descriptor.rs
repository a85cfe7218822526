//! File descriptors that are never closed.

#![expect(unsafe_code, reason = "probes use descriptors without a lock, because they are never closed")]

use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::io::{DupFlags, dup3};

/// A descriptor that is never closed. Its number stays the same when it is redirected to another
/// file. Probes can therefore use it without a lock: they write to the old or the new file, but
/// never to an unrelated one.
#[derive(Debug)]
pub(crate) struct Descriptor(AtomicI32);

const NONE: RawFd = -1;

impl Descriptor {
    pub(crate) const fn new() -> Descriptor {
        Descriptor(AtomicI32::new(NONE))
    }

    /// Returns the descriptor, or `None` if no file has been set.
    pub(crate) fn get(&self) -> Option<BorrowedFd<'_>> {
        match self.0.load(Ordering::Acquire) {
            NONE => None,
            // SAFETY: the descriptor is from an `OwnedFd` that was converted to a number, and it is
            // never closed.
            number => Some(unsafe { BorrowedFd::borrow_raw(number) }),
        }
    }

    /// Sets or replaces the file.
    ///
    /// # Errors
    /// Returns the errors of `dup3`.
    pub(crate) fn put(&self, file: OwnedFd) -> io::Result<()> {
        let number = file.into_raw_fd();
        if let Err(present) = self.0.compare_exchange(NONE, number, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: the number was just taken from an `OwnedFd`, and has not been published.
            let file = unsafe { OwnedFd::from_raw_fd(number) };
            // SAFETY: the descriptor is never closed. `ManuallyDrop` ensures that it is not closed
            // here.
            let mut present = ManuallyDrop::new(unsafe { OwnedFd::from_raw_fd(present) });
            dup3(&file, &mut present, DupFlags::CLOEXEC)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Descriptor;
    use std::os::fd::AsRawFd;

    #[test]
    fn the_number_stays_and_the_file_changes() {
        let [first, second] = [tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap()];
        let descriptor = Descriptor::new();
        assert!(descriptor.get().is_none());
        descriptor.put(first.try_clone().unwrap().into()).unwrap();
        let number = descriptor.get().unwrap().as_raw_fd();
        rustix::io::write(descriptor.get().unwrap(), b"one").unwrap();
        descriptor.put(second.try_clone().unwrap().into()).unwrap();
        rustix::io::write(descriptor.get().unwrap(), b"three").unwrap();
        assert_eq!(descriptor.get().unwrap().as_raw_fd(), number);
        assert_eq!([first.metadata().unwrap().len(), second.metadata().unwrap().len()], [3, 5]);
    }
}
