//! A package with probes: that it compiles is the test, and how it is compiled.
//!
//! It forbids what the strictest of users forbid.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings)]

pub mod blk;
pub mod usdt;
#[cfg(has_lttng)]
pub mod ust;

/// All golden files, a module each.
mod golden {
    include!(concat!(env!("OUT_DIR"), "/golden.rs"));
}

/// The samples in the document, compiled as a package like this one would.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/generate.md")]
mod document {}

/// What a test asked for.
#[cfg(another)]
mod another {
    ringtrace::include_trace!("another");
}
