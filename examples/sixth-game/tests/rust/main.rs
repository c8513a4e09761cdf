//! Tests the sixth game in a crate of its own, with the laws that gridwright tests for all games and the game's own
//! tests.

extern crate sixth_game as gridwright;

#[path = "../../../../tests/rust/laws.rs"]
mod laws;
mod lightsout;

use gridwright::levels;

mod enrolled {
    use crate::laws::laws;

    laws!(lightsout, gridwright::lightsout::LightsOut);
}
