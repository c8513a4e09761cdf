//! Any text is either refused with a line and a column, or read as a valid position.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod law;

fuzz_target!(|text: &str| law::parse::<gridwright::geese::GeeseSpotter>(text));
