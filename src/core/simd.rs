//! Loops compiled for several sets of vector instructions; the best set that the machine supports is chosen at run
//! time.
//!
//! A Python wheel must run on every machine of its architecture, so by default the compiler uses only the oldest vector
//! instructions, which process 16 bytes at a time on x86. [`vectorized!`] also compiles a call for newer ones, which
//! process up to 64 bytes at a time. These loops compute only with integers, so the result does not depend on the
//! machine.

/// Calls an `#[inline(always)]` function with the best vector instructions that the machine supports.
///
/// `vectorized!(simd => f(simd))` binds `simd` to a token for these instructions, which functions that use vectors
/// explicitly take as an argument.
macro_rules! vectorized {
    ($simd:ident => $call:expr) => {
        fearless_simd::dispatch!(fearless_simd::Level::new(), $simd => $call)
    };
    ($call:expr) => {
        crate::core::simd::vectorized!(_simd => $call)
    };
}

pub(crate) use vectorized;
