//! Compression of bodies with zstd, if the feature `zstd` is enabled.

#[cfg(not(feature = "zstd"))]
pub(super) use missing::{Compressor, decompress};
#[cfg(feature = "zstd")]
pub(super) use present::{Compressor, decompress};

#[cfg(feature = "zstd")]
mod present {
    use std::fmt;

    use zstd_safe::{CCtx, CParameter};

    /// A body is compressed only if that makes it smaller by this part of its size. Readers would
    /// otherwise spend more time on it than the space is worth.
    const LEAST_GAIN: usize = 16;

    /// The level of compression. `docs/design/compact.md` compares levels.
    const LEVEL: i32 = 2;

    /// Compresses bodies. It keeps its memory from one body to the next.
    pub(in crate::compact) struct Compressor(CCtx<'static>);

    impl fmt::Debug for Compressor {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("Compressor").finish_non_exhaustive()
        }
    }

    impl Compressor {
        /// Returns `None` if there is not enough memory.
        pub(in crate::compact) fn new() -> Option<Compressor> {
            let mut context = CCtx::try_create()?;
            context.set_parameter(CParameter::CompressionLevel(LEVEL)).ok()?;
            Some(Compressor(context))
        }

        /// Writes `body` to `out` from the offset `at` on, as one frame, and returns its end there. Makes
        /// `out` larger if necessary. Returns `None` if the frame would not be much smaller than the body,
        /// or if there is not enough memory.
        pub(in crate::compact) fn compress(
            &mut self,
            body: &[u8],
            out: &mut Vec<u8>,
            at: usize,
        ) -> Option<usize> {
            let most = body.len() - body.len() / LEAST_GAIN;
            if out.len() < at + most {
                out.resize((2 * out.len()).max(at + most), 0);
            }
            let frame = out.get_mut(at..at + most)?;
            self.0.compress2(frame, body).ok().map(|bytes| at + bytes)
        }
    }

    /// Decompresses a body that consists of one frame. Returns `None` if it is damaged, or has another
    /// size than `plain`.
    pub(in crate::compact) fn decompress(body: &[u8], plain: &mut [u8]) -> Option<()> {
        let bytes = zstd_safe::decompress(plain, body).ok()?;
        (bytes == plain.len()).then_some(())
    }
}

/// The functions for programs that are built without zstd. No [`Compressor`] exists in them.
#[cfg(not(feature = "zstd"))]
mod missing {
    #[derive(Debug)]
    pub(in crate::compact) enum Compressor {}

    impl Compressor {
        pub(in crate::compact) fn new() -> Option<Compressor> {
            None
        }

        pub(in crate::compact) fn compress(&mut self, _: &[u8], _: &mut Vec<u8>, _: usize) -> Option<usize> {
            match *self {}
        }
    }

    pub(in crate::compact) fn decompress(_: &[u8], _: &mut [u8]) -> Option<()> {
        None
    }
}
