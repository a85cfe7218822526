//! Loads the library in `examples/library`. It has been built, because this package depends on it.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]
#![allow(dead_code, reason = "not every test uses all functions")]

use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};

pub struct Library(*mut c_void);

// SAFETY: any thread may use a library's handle.
unsafe impl Send for Library {}
// SAFETY: several threads may use a library's handle at the same time.
unsafe impl Sync for Library {}

impl Library {
    pub fn path() -> PathBuf {
        let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
        folder.join("libringtrace_example_library.so")
    }

    pub fn load() -> Library {
        let path = CString::new(Library::path().to_str().unwrap()).unwrap();
        // SAFETY: `path` is NUL-terminated, and loading the library only registers its events.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        assert!(!handle.is_null(), "{path:?} cannot be loaded");
        Library(handle)
    }

    fn function(&self, name: &std::ffi::CStr) -> *mut c_void {
        // SAFETY: the handle is open, and `name` is NUL-terminated.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        assert!(!found.is_null());
        found
    }

    pub fn work(&self, from: u64, count: u64) {
        // SAFETY: the library declares the function with this signature.
        let work: extern "C" fn(u64, u64) = unsafe { std::mem::transmute(self.function(c"library_work")) };
        work(from, count);
    }

    pub fn work_alone(&self, file: &Path, from: u64, count: u64) -> bool {
        let file = CString::new(file.to_str().unwrap()).unwrap();
        // SAFETY: the library declares the function with this signature, and `file` is
        // NUL-terminated.
        unsafe {
            let work: unsafe extern "C" fn(*const c_char, u64, u64) -> bool =
                std::mem::transmute(self.function(c"library_work_alone"));
            work(file.as_ptr(), from, count)
        }
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: nothing uses the library after this.
        assert_eq!(unsafe { libc::dlclose(self.0) }, 0);
    }
}
