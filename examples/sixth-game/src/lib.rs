//! A sixth game in a crate of its own. For use from Rust, the game needs only the module `lightsout`, which
//! implements `gridwright::core::Game`.
//!
//! This crate has `core` at the same path as gridwright, so the folder `lightsout` can be moved to gridwright's `src`
//! unchanged.

pub use gridwright::core;

pub mod lightsout;

/// Three of the game's levels, with the functions of `gridwright::levels`.
pub mod levels {
    const LEVELS: [(&str, &str); 3] = [
        ("level01", include_str!("../levels/lightsout/level01.txt")),
        ("level02", include_str!("../levels/lightsout/level02.txt")),
        ("level03", include_str!("../levels/lightsout/level03.txt")),
    ];

    /// Returns the names of the levels of `game`; there are none for a game other than Lights Out.
    pub fn names(game: &str) -> Vec<&'static str> {
        LEVELS.iter().filter(|_| game == "lightsout").map(|&(name, _)| name).collect()
    }

    /// Returns the text of the level `name` of `game`, or `None` if there is no such level.
    pub fn text(game: &str, name: &str) -> Option<&'static str> {
        LEVELS.iter().find(|&&(known, _)| game == "lightsout" && known == name).map(|&(_, text)| text)
    }
}
