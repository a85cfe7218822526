//! A small file system that a test can fill.

use std::path::Path;
use std::process::Command;

/// A mounted file system in memory, unmounted on drop.
pub struct SmallDisk<'f>(&'f Path);

impl SmallDisk<'_> {
    /// Mounts a file system at `folder`, which is created if it does not exist. `size` is an option
    /// of mount(8), such as `size=4m`. Prints a message and returns `None` if the test may not mount.
    pub fn mounted_at<'f>(folder: &'f Path, size: &str) -> Option<SmallDisk<'f>> {
        std::fs::create_dir_all(folder).unwrap();
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", size, "none"]).arg(folder).output();
        let is_root = rustix::process::geteuid().is_root();
        let mounted = is_root && mount.is_ok_and(|mount| mount.status.success());
        if !mounted {
            eprintln!("SKIPPED: only root may mount a small file system");
        }
        mounted.then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").args(["-l"]).arg(self.0).status();
    }
}
