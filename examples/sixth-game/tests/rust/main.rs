//! The laws of the house, run on a game that stands outside it.

#[path = "../../../../tests/rust/laws.rs"]
mod laws;

use sixth_game::levels;

mod enrolled {
    use crate::laws::laws;

    laws!(lightsout, sixth_game::lightsout::LightsOut);
}
