//! Loops compiled for several sets of vector instructions; the best set that the machine has is chosen at run time.
//!
//! A Python wheel must run on every machine of its architecture, so by default the compiler uses only the oldest vector
//! instructions, which process 16 bytes at a time on x86. [`vectorized!`] also compiles a call for newer ones, which
//! process up to 64 bytes at a time. Only integers are computed this way, so the result does not depend on the machine.

/// Calls an `#[inline(always)]` function with the best vector instructions of the machine.
///
/// `vectorized!(simd => f(simd))` binds `simd` to the token of these instructions, for functions that use vectors
/// themselves.
macro_rules! vectorized {
    ($simd:ident => $call:expr) => {
        fearless_simd::dispatch!(fearless_simd::Level::new(), $simd => $call)
    };
    ($call:expr) => {
        crate::core::simd::vectorized!(_simd => $call)
    };
}

pub(crate) use vectorized;
