//! `ArrowArray`: the values of columns.

#![expect(unsafe_code, reason = "consumers release the struct through a function pointer")]

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use ringtrace_tracefile::columns::{Bitmap, Column, Strings, Values};

/// `struct ArrowArray`.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

// SAFETY: the struct owns everything to which it points. All of it can be sent to other threads:
// `Owned::data` is checked by the compiler, and its other fields point to it and to children.
unsafe impl Send for ArrowArray {}

/// The values of a column, which several arrays can share.
#[derive(Debug, Clone)]
pub enum ColumnData {
    /// Values, and the bitmap for nulls.
    Values(Arc<(Values, Option<Bitmap>)>),
    /// Nulls of any type.
    Nulls {
        /// Whether the type is a dictionary of strings.
        is_dictionary: bool,
        /// Whether the type is a string.
        is_text: bool,
    },
}

impl From<Column> for ColumnData {
    fn from(column: Column) -> ColumnData {
        ColumnData::Values(Arc::new(column.into_parts()))
    }
}

/// The memory that keeps the buffers of an array alive.
#[expect(dead_code, reason = "only kept until the array is released")]
enum Data {
    Column(Arc<(Values, Option<Bitmap>)>),
    Dictionary(Arc<Strings>),
    Zeros(Vec<u64>),
    Rows,
}

/// The memory to which an [`ArrowArray`] points.
struct Owned {
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
    _data: Data,
}

impl ArrowArray {
    /// Creates an array that is already released. In a stream, it marks the end.
    pub fn released() -> ArrowArray {
        ArrowArray {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }

    /// Creates the array of `rows` rows with these columns.
    pub fn of_rows(rows: usize, columns: &[ColumnData]) -> ArrowArray {
        let children = columns.iter().map(|column| ArrowArray::of_column(rows, column)).collect();
        ArrowArray::new(rows, 0, vec![ptr::null()], children, None, Data::Rows)
    }

    fn of_column(rows: usize, column: &ColumnData) -> ArrowArray {
        match column {
            ColumnData::Values(data) => ArrowArray::of_values(rows, data),
            ColumnData::Nulls { is_dictionary, is_text } => {
                // Zeros are nulls in a bitmap, numbers, keys, and offsets of empty strings.
                let zeros = vec![0_u64; rows + 1];
                let buffer = zeros.as_ptr().cast();
                let buffers = vec![buffer; if *is_text { 3 } else { 2 }];
                let dictionary = is_dictionary.then(|| ArrowArray::of_dictionary(&Arc::default()));
                ArrowArray::new(rows, rows, buffers, Vec::new(), dictionary, Data::Zeros(zeros))
            }
        }
    }

    fn of_values(rows: usize, data: &Arc<(Values, Option<Bitmap>)>) -> ArrowArray {
        let (values, validity) = &**data;
        let nulls = validity.as_ref().map_or(0, Bitmap::count_zeros);
        let mut buffers = vec![validity.as_ref().map_or(ptr::null(), |bits| bits.as_bytes().as_ptr().cast())];
        let mut dictionary = None;
        match values {
            Values::Bool(bits) => buffers.push(bits.as_bytes().as_ptr().cast()),
            Values::Int8(vector) => buffers.push(vector.as_ptr().cast()),
            Values::Int16(vector) => buffers.push(vector.as_ptr().cast()),
            Values::Int32(vector) => buffers.push(vector.as_ptr().cast()),
            Values::Int64(vector) => buffers.push(vector.as_ptr().cast()),
            Values::UInt8(vector) => buffers.push(vector.as_ptr().cast()),
            Values::UInt16(vector) => buffers.push(vector.as_ptr().cast()),
            Values::UInt32(vector) => buffers.push(vector.as_ptr().cast()),
            Values::UInt64(vector) => buffers.push(vector.as_ptr().cast()),
            Values::Float64(vector) => buffers.push(vector.as_ptr().cast()),
            Values::Utf8(strings) => buffers.extend(text_buffers(strings)),
            Values::Dictionary(keys, strings) => {
                buffers.push(keys.as_ptr().cast());
                dictionary = Some(ArrowArray::of_dictionary(strings));
            }
        }
        ArrowArray::new(rows, nulls, buffers, Vec::new(), dictionary, Data::Column(Arc::clone(data)))
    }

    fn of_dictionary(strings: &Arc<Strings>) -> ArrowArray {
        let mut buffers = vec![ptr::null()];
        buffers.extend(text_buffers(strings));
        let data = Data::Dictionary(Arc::clone(strings));
        ArrowArray::new(strings.len(), 0, buffers, Vec::new(), None, data)
    }

    /// Creates an array. `data` keeps the memory of `buffers` alive.
    fn new(
        length: usize,
        nulls: usize,
        buffers: Vec<*const c_void>,
        children: Vec<ArrowArray>,
        dictionary: Option<ArrowArray>,
        data: Data,
    ) -> ArrowArray {
        let boxed = |array: ArrowArray| Box::into_raw(Box::new(array));
        let owned = Box::into_raw(Box::new(Owned {
            buffers,
            children: children.into_iter().map(boxed).collect(),
            dictionary: dictionary.map_or(ptr::null_mut(), boxed),
            _data: data,
        }));
        // SAFETY: the box was created above, and nothing else refers to it. It is not moved or
        // changed until `release` frees it, so the pointers into it remain valid.
        let inner = unsafe { &mut *owned };
        ArrowArray {
            length: length as i64,
            null_count: nulls as i64,
            offset: 0,
            n_buffers: inner.buffers.len() as i64,
            n_children: inner.children.len() as i64,
            buffers: inner.buffers.as_mut_ptr(),
            children: inner.children.as_mut_ptr(),
            dictionary: inner.dictionary,
            release: Some(release),
            private_data: owned.cast(),
        }
    }
}

fn text_buffers(strings: &Strings) -> [*const c_void; 2] {
    [strings.offsets().as_ptr().cast(), strings.as_bytes().as_ptr().cast()]
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: `release` is set, so the struct has not been released or moved. It is the
            // function that the struct was created with.
            unsafe { release(self) };
        }
    }
}

/// Frees the memory of an array.
///
/// # Safety
/// `array` was created by [`ArrowArray::new`], possibly moved since, and not yet released.
unsafe extern "C" fn release(array: *mut ArrowArray) {
    // SAFETY: the caller passes a valid array, which nothing else uses at the same time.
    let array = unsafe { &mut *array };
    // SAFETY: `private_data` is the box from `new`. It is freed only here, and only once, because
    // `release` is unset below.
    let owned = unsafe { Box::from_raw(array.private_data.cast::<Owned>()) };
    for child in owned.children.iter().copied().chain([owned.dictionary]).filter(|child| !child.is_null()) {
        // SAFETY: each child is a box from `new`. A consumer can move its contents, and then unsets
        // `release` in it, so dropping the box does not free them again.
        drop(unsafe { Box::from_raw(child) });
    }
    array.private_data = ptr::null_mut();
    array.release = None;
}
