//! A package with probes. Compiling it is the test.
//!
//! It forbids everything that strict users forbid.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings)]

#[cfg(feature = "std")]
extern crate std;

pub mod blk;
#[cfg(feature = "std")]
pub mod files;
pub mod usdt;
#[cfg(has_lttng)]
pub mod ust;

/// All golden files, one module each.
mod golden {
    include!(concat!(env!("OUT_DIR"), "/golden.rs"));
}

/// The samples in the document. They are compiled as in a package like this one.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/generate.md")]
mod document {}

/// Declarations that a test selects.
#[cfg(another)]
mod another {
    ringtrace::include_trace!("another");
}

#[cfg(mistakes)]
mod mistakes;
