//! Text is either rejected with a line and a column, or read as a position that passes the checks of `law::parse`.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod law;

/// The largest size of the boards that are tested. Larger boards are skipped: the same code parses them, and clearing
/// their cells would take nearly all of the time. The limit is above 32, the largest size at which the game decides
/// whether a legal play is left.
const LARGEST: u32 = 40;

fuzz_target!(|text: &str| {
    let size = text.split_ascii_whitespace().next().and_then(|word| word.parse().ok());
    if !size.is_some_and(|size| (LARGEST + 1..=8192).contains(&size)) {
        law::parse::<gridwright::domination::LinearDomination>(text);
    }
});
