//! `ArrowArrayStream`: batches of rows, one after the other.

#![expect(unsafe_code, reason = "consumers call the stream through function pointers")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use super::array::ArrowArray;
use super::schema::ArrowSchema;

/// The error that ends a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamError {
    /// The number from `errno.h` that represents the error.
    pub number: i32,
    /// The message.
    pub message: String,
}

/// A source of batches for an [`ArrowArrayStream`].
pub trait BatchStream: Send {
    /// Returns the columns.
    fn schema(&self) -> ArrowSchema;

    /// Returns the next batch, or `None` at the end.
    ///
    /// # Errors
    /// The next batch cannot be read.
    fn next(&mut self) -> Result<Option<ArrowArray>, StreamError>;
}

/// `struct ArrowArrayStream`.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

// SAFETY: the struct owns its private data, a `BatchStream`, which can be sent to other threads.
unsafe impl Send for ArrowArrayStream {}

struct Owned {
    batches: Box<dyn BatchStream>,
    last_error: Option<CString>,
}

impl ArrowArrayStream {
    /// Creates a stream of the batches of `batches`.
    pub fn new(batches: Box<dyn BatchStream>) -> ArrowArrayStream {
        let owned = Box::new(Owned { batches, last_error: None });
        ArrowArrayStream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release),
            private_data: Box::into_raw(owned).cast(),
        }
    }
}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: `release` is set, so the struct has not been released or moved. It is the
            // function that the struct was created with.
            unsafe { release(self) };
        }
    }
}

/// Calls `get`, and stores its result in `out`. Returns an error number, or 0.
///
/// # Safety
/// `stream` was created by [`ArrowArrayStream::new`], possibly moved since, and not released.
/// Nothing else uses it at the same time. `out` can be written to.
unsafe fn answer<T>(
    stream: *mut ArrowArrayStream,
    out: *mut T,
    get: impl FnOnce(&mut dyn BatchStream) -> Result<T, StreamError>,
) -> c_int {
    // SAFETY: the caller passes a valid stream, so `private_data` is the box from `new`. Nothing
    // else refers to it, because calls of one stream do not overlap.
    let owned = unsafe { &mut *(*stream).private_data.cast::<Owned>() };
    // A panic must not continue into the consumer's frames.
    let result = catch_unwind(AssertUnwindSafe(|| get(&mut *owned.batches)));
    let result = result.unwrap_or_else(|_| {
        let message = "internal error: the reader of the trace panicked".to_owned();
        Err(StreamError { number: rustix::io::Errno::IO.raw_os_error(), message })
    });
    match result {
        Ok(value) => {
            // SAFETY: the caller passes a place to write to. It is not initialized, so its old
            // contents are not dropped.
            unsafe { ptr::write(out, value) };
            0
        }
        Err(error) => {
            owned.last_error = CString::new(error.message.replace('\0', "\\0")).ok();
            error.number
        }
    }
}

/// # Safety
/// See [`answer`].
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the caller's promise is that of `answer`.
    unsafe { answer(stream, out, |batches| Ok(batches.schema())) }
}

/// # Safety
/// See [`answer`].
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: the caller's promise is that of `answer`.
    unsafe { answer(stream, out, |batches| Ok(batches.next()?.unwrap_or_else(ArrowArray::released))) }
}

/// # Safety
/// `stream` was created by [`ArrowArrayStream::new`], possibly moved since, and not released.
unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: the caller passes a valid stream, so `private_data` is the box from `new`. The string
    // remains until the next call.
    let owned = unsafe { &*(*stream).private_data.cast::<Owned>() };
    owned.last_error.as_ref().map_or(ptr::null(), |error| error.as_ptr())
}

/// # Safety
/// `stream` was created by [`ArrowArrayStream::new`], possibly moved since, and not released.
unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the caller passes a valid stream, which nothing else uses at the same time.
    let stream = unsafe { &mut *stream };
    // SAFETY: `private_data` is the box from `new`. It is freed only here, and only once, because
    // `release` is unset below.
    drop(unsafe { Box::from_raw(stream.private_data.cast::<Owned>()) });
    stream.private_data = ptr::null_mut();
    stream.release = None;
}
