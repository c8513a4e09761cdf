//! Any text is refused with a place, or read as a position that is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod law;

fuzz_target!(|text: &str| law::parse::<gridwright::geese::GeeseSpotter>(text));
