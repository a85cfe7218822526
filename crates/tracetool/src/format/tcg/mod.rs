//! C for QEMU's translator (TCG), for events whose values are known only when translated code runs.
//! QEMU had such events from 2.1 to 6.2. The output is that of 2021.
//!
//! ```text
//! trace_foo_tcg --> trace_foo_trans                       tcg-h: runs at translation
//!               \-> gen_helper_trace_foo_exec             tcg-helper-wrapper-h: makes constants
//!                   \-> gen_helper_trace_foo_exec_proxy   tcg-helper-h: QEMU's macros generate the call
//!                       ..> helper_trace_foo_exec_proxy   tcg-helper-c: runs with the translated code
//!                           \-> _nocheck__trace_foo_exec
//! ```

mod event;
mod tcg_h;
mod tcg_helper_c;
mod tcg_helper_h;
mod tcg_helper_wrapper_h;

pub(super) use tcg_h::FORMAT as TCG_H;
pub(super) use tcg_helper_c::FORMAT as TCG_HELPER_C;
pub(super) use tcg_helper_h::FORMAT as TCG_HELPER_H;
pub(super) use tcg_helper_wrapper_h::FORMAT as TCG_HELPER_WRAPPER_H;

/// Lints for declarations that are not valid as `tcg` events or in C.
const DENIED_LINTS: &[&str] = &["duplicate-event", "impossible-type", "tcg-argument-type"];
