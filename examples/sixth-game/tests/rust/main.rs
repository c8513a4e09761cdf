//! The laws of the house and the tests of the game, run on a game that stands outside.

extern crate sixth_game as gridwright;

#[path = "../../../../tests/rust/laws.rs"]
mod laws;
mod lightsout;

use gridwright::levels;

mod enrolled {
    use crate::laws::laws;

    laws!(lightsout, gridwright::lightsout::LightsOut);
}
