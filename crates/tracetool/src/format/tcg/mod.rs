//! C for QEMU's translator (TCG), for events whose values are known only when translated code runs.
//! QEMU had such events from 2.1 to 6.2. The output is the same as the 2021 script's.
//!
//! ```text
//! trace_foo_tcg --> trace_foo_trans                       tcg-h: runs at translation
//!               \-> gen_helper_trace_foo_exec             tcg-helper-wrapper-h: makes constants
//!                   \-> gen_helper_trace_foo_exec_proxy   tcg-helper-h: QEMU's macros generate the call
//!                       ..> helper_trace_foo_exec_proxy   tcg-helper-c: runs with the translated code
//!                           \-> _nocheck__trace_foo_exec
//! ```

mod event;
pub(super) mod tcg_h;
pub(super) mod tcg_helper_c;
pub(super) mod tcg_helper_h;
pub(super) mod tcg_helper_wrapper_h;
