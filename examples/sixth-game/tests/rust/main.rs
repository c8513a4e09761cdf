//! Runs gridwright's laws for all games, and the tests of Lights Out, on this game in a crate of its own.

extern crate sixth_game as gridwright;

#[path = "../../../../tests/rust/laws.rs"]
mod laws;
mod lightsout;

use gridwright::levels;

mod enrolled {
    use crate::laws::laws;

    laws!(lightsout, gridwright::lightsout::LightsOut);
}
