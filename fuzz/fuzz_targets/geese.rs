//! Every text is either refused with a line and a column, or read as a position that obeys the laws of all games.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod law;

fuzz_target!(|text: &str| law::parse::<gridwright::geese::GeeseSpotter>(text));
