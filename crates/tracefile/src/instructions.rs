//! Which instructions the processor has.

/// Whether the processor has AVX2, BMI and LZCNT, as those of the last ten years have. Loops are then faster in a
/// second version that is compiled for them: digits are counted by LZCNT, which is faster than BSR on AMD's
/// processors, and a block of 32 bytes is copied at once.
#[inline]
pub(crate) fn has_modern() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}
