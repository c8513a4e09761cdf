//! Text is either rejected with a line and a column, or read as a position that passes the checks of `law::parse`.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod law;

fuzz_target!(|text: &str| law::parse::<gridwright::lightemall::LightEmAll>(text));
