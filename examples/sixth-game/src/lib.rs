//! A sixth game in a crate of its own: all it needs is one folder that implements `gridwright::core::Game`.
//!
//! `crate::core` is the same path as in gridwright, so that the folder can be moved there unchanged.

pub use gridwright::core;

pub mod lightsout;

/// Three of the packaged levels, with the functions of `gridwright::levels`.
pub mod levels {
    const LEVELS: [(&str, &str); 3] = [
        ("level01", include_str!("../levels/lightsout/level01.txt")),
        ("level02", include_str!("../levels/lightsout/level02.txt")),
        ("level03", include_str!("../levels/lightsout/level03.txt")),
    ];

    /// Returns the names of the levels of a game; none for any other game.
    pub fn names(game: &str) -> Vec<&'static str> {
        LEVELS.iter().filter(|_| game == "lightsout").map(|&(name, _)| name).collect()
    }

    /// Returns the text of a level.
    pub fn text(game: &str, name: &str) -> Option<&'static str> {
        LEVELS.iter().find(|&&(known, _)| game == "lightsout" && known == name).map(|&(_, text)| text)
    }
}
