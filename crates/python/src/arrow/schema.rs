//! `ArrowSchema`: the names and types of columns.

#![expect(unsafe_code, reason = "consumers release the struct through a function pointer")]

use std::ffi::{CString, c_char, c_void};
use std::ptr;

const NULLABLE: i64 = 2;

/// `struct ArrowSchema`.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

// SAFETY: the struct owns everything to which it points, and none of that depends on a thread.
unsafe impl Send for ArrowSchema {}

/// The name and type of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaField {
    /// The name.
    pub name: String,
    /// Arrow's format string. For a dictionary, that of its keys.
    pub format: &'static str,
    /// Whether values can be null.
    pub nullable: bool,
    /// Whether the values are keys of a dictionary of strings.
    pub is_dictionary: bool,
}

/// The memory to which an [`ArrowSchema`] points.
struct Owned {
    format: CString,
    name: CString,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

impl ArrowSchema {
    /// Creates the schema of rows with these columns.
    pub fn of_rows(fields: &[SchemaField]) -> ArrowSchema {
        let children = fields.iter().map(ArrowSchema::of_column).collect();
        ArrowSchema::new("+s", "", 0, children, None)
    }

    fn of_column(field: &SchemaField) -> ArrowSchema {
        let dictionary = field.is_dictionary.then(|| ArrowSchema::new("u", "", NULLABLE, Vec::new(), None));
        let flags = if field.nullable { NULLABLE } else { 0 };
        ArrowSchema::new(field.format, &field.name, flags, Vec::new(), dictionary)
    }

    fn new(
        format: &str,
        name: &str,
        flags: i64,
        children: Vec<ArrowSchema>,
        dictionary: Option<ArrowSchema>,
    ) -> ArrowSchema {
        // Names come from declarations, which contain no zero bytes.
        let text = |text: &str| CString::new(text.replace('\0', "")).unwrap_or_default();
        let boxed = |schema: ArrowSchema| Box::into_raw(Box::new(schema));
        let owned = Box::into_raw(Box::new(Owned {
            format: text(format),
            name: text(name),
            children: children.into_iter().map(boxed).collect(),
            dictionary: dictionary.map_or(ptr::null_mut(), boxed),
        }));
        // SAFETY: the box was created above, and nothing else refers to it. It is not moved or
        // changed until `release` frees it, so the pointers into it remain valid.
        let inner = unsafe { &mut *owned };
        ArrowSchema {
            format: inner.format.as_ptr(),
            name: inner.name.as_ptr(),
            metadata: ptr::null(),
            flags,
            n_children: inner.children.len() as i64,
            children: inner.children.as_mut_ptr(),
            dictionary: inner.dictionary,
            release: Some(release),
            private_data: owned.cast(),
        }
    }
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: `release` is set, so the struct has not been released or moved. It is the
            // function that the struct was created with.
            unsafe { release(self) };
        }
    }
}

/// Frees the memory of a schema.
///
/// # Safety
/// `schema` was created by [`ArrowSchema::new`], possibly moved since, and not yet released.
unsafe extern "C" fn release(schema: *mut ArrowSchema) {
    // SAFETY: the caller passes a valid schema, which nothing else uses at the same time.
    let schema = unsafe { &mut *schema };
    // SAFETY: `private_data` is the box from `new`. It is freed only here, and only once, because
    // `release` is unset below.
    let owned = unsafe { Box::from_raw(schema.private_data.cast::<Owned>()) };
    for child in owned.children.iter().copied().chain([owned.dictionary]).filter(|child| !child.is_null()) {
        // SAFETY: each child is a box from `new`. A consumer can move its contents, and then unsets
        // `release` in it, so dropping the box does not free them again.
        drop(unsafe { Box::from_raw(child) });
    }
    schema.private_data = ptr::null_mut();
    schema.release = None;
}
