//! The integration tests, compiled into one binary. Each `laws!` line enrolls one game in the tests of `laws.rs`.

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

/// The tests that every game must pass, one module per game.
mod enrolled {
    use crate::laws::laws;

    laws!(bloxorz, gridwright::bloxorz::Bloxorz);
    laws!(lightemall, gridwright::lightemall::LightEmAll);
    laws!(photon, gridwright::photon::MyPhoton);
    laws!(domination, gridwright::domination::LinearDomination);
    laws!(geese, gridwright::geese::GeeseSpotter);
}
