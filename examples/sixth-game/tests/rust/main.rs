//! Tests the sixth game in a crate of its own: the laws that gridwright tests for all games, and the tests of the game.

extern crate sixth_game as gridwright;

#[path = "../../../../tests/rust/laws.rs"]
mod laws;
mod lightsout;

use gridwright::levels;

mod enrolled {
    use crate::laws::laws;

    laws!(lightsout, gridwright::lightsout::LightsOut);
}
