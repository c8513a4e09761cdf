//! The law of every parser: rejected text gets an error with a line and a column; accepted text survives a round trip,
//! and its position can be played without errors.

use gridwright::core::game::{self, Game};
use gridwright::core::{Error, History, Rng};

pub fn parse<G: Game>(text: &str) {
    match G::parse(text) {
        Err(Error::Level { line, column, reason }) => assert!(line >= 1 && column >= 1 && !reason.is_empty()),
        Err(error) => panic!("expected an error with a line and a column, got {error:?}"),
        Ok(start) => {
            if start.height() * start.width() > 4096 {
                return; // valid, but too slow to play in millions of runs
            }
            let again = G::parse(&start.text()).expect("the text of a position can be parsed");
            assert!(again == start && again.text() == start.text());
            let mut rng = Rng::new(text.len() as u64);
            let mut history = History::new(start.clone());
            let mut board = vec![0; start.height() * start.width()];
            for _ in 0..8 {
                let Some(mv) = game::sample_legal(history.state(), &mut rng) else { break };
                history.play(mv).expect("a sampled move is legal");
                history.state().write_board(&mut board);
            }
            history.reset();
            assert!(*history.state() == start);
        }
    }
}
