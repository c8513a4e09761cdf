//! The integration tests, in one binary. One line enrolls a game in the laws.

mod bloxorz;
mod bloxorz_reason;
mod domination;
mod geese;
mod geese_chances;
mod geese_play;
mod laws;
mod lightemall;
mod lightemall_frontier;
mod lines;
mod photon;
mod tracing;

use gridwright::levels;

/// The laws, one module per game.
mod enrolled {
    use crate::laws::laws;

    laws!(bloxorz, gridwright::bloxorz::Bloxorz);
    laws!(lightemall, gridwright::lightemall::LightEmAll);
    laws!(photon, gridwright::photon::MyPhoton);
    laws!(domination, gridwright::domination::LinearDomination);
    laws!(geese, gridwright::geese::GeeseSpotter);
}
