//! C for QEMU's translator (TCG): events whose values are known only when translated code runs. QEMU had them from 2.1 to 6.2; what is
//! generated here is what 2021's had.
//!
//! ```text
//! trace_foo_tcg --> trace_foo_trans                       tcg-h: while code is translated
//!               \-> gen_helper_trace_foo_exec             tcg-helper-wrapper-h: constants become values of the translated code
//!                   \-> gen_helper_trace_foo_exec_proxy   tcg-helper-h declares it: QEMU's macros make it, a call in the translated code
//!                       ..> helper_trace_foo_exec_proxy   tcg-helper-c: while that code runs
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

/// What can be no `tcg` event, or no C.
const DENIED_LINTS: &[&str] = &["duplicate-event", "impossible-type", "tcg-argument-type"];
