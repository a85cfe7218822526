//! The factor by which tests run longer than usual.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

/// The value of `RINGTRACE_STRESS`, by default 1.
pub fn scale() -> u64 {
    std::env::var("RINGTRACE_STRESS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
