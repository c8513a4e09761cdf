//! Tests of Lights Out in addition to the laws. One compares the solver with a search over all sets of presses.

use gridwright::core::{Budget, Error, Game, game};
use gridwright::lightsout::{LightsOut, generate};

/// Returns the fewest presses that put out all lights, found by trying all sets of presses.
fn by_trial(start: &LightsOut) -> Option<usize> {
    let fields = start.height() * start.width();
    let presses = |set: &u32| {
        let mut game = start.clone();
        for index in (0..fields).filter(|index| set >> index & 1 == 1) {
            game.apply([(index / start.width()) as i32, (index % start.width()) as i32]);
        }
        game.status().is_over().then(|| set.count_ones() as usize)
    };
    (0..1u32 << fields).filter_map(|set| presses(&set)).min()
}

#[test]
fn solutions_have_the_fewest_presses() {
    for seed in 0..40 {
        let (height, width) = (1 + seed as usize % 4, 1 + seed as usize % 3);
        let start = generate(height, width, None, seed, &mut Budget::unlimited()).unwrap();
        let found = start.solve(&mut Budget::unlimited()).unwrap().expect("generated boards have solutions");
        assert_eq!(Some(found.presses.len()), by_trial(&start), "seed {seed}");
        let mut game = start.clone();
        for &press in &found.presses {
            game::play(&mut game, press).unwrap();
        }
        assert!(game.status().is_over());
    }
}

#[test]
fn grades_are_from_1_to_5() {
    for grade in [0, 6, 255] {
        let error = generate(4, 4, Some(grade), 1, &mut Budget::unlimited()).unwrap_err();
        assert_eq!(error, Error::Invalid(format!("difficulty must be between 1 and 5, got {grade}")));
    }
}

#[test]
fn boards_without_a_solution_are_recognized() {
    let corner = LightsOut::parse("#....\n.....\n.....\n.....\n.....").unwrap();
    assert!(corner.solve(&mut Budget::unlimited()).unwrap().is_none());
    let two = LightsOut::parse("##").unwrap();
    assert_eq!(two.solve(&mut Budget::unlimited()).unwrap().unwrap().presses, [[0, 0]]);
}
