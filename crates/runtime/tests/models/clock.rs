//! Time stands still: no order depends on it.

pub(crate) fn stamp() -> u64 {
    1
}
