//! Compares exact chances with counts over all boards, which are tried one by one.
#![allow(clippy::float_cmp)] // if a field is certain, its chance is exactly 0 or 1

use gridwright::core::{Budget, Error, Rng};
use gridwright::geese::{Chances, View, fields};

/// Returns all boards that agree with a view, each as a bitset of the fields with a goose. Tries every set of fields.
fn boards_like(view: &View) -> Vec<u32> {
    let (h, w) = (view.height(), view.width());
    let cells = h * w;
    let looks = |geese: u32| {
        (0..cells).all(|at| match view.fields()[at] {
            View::UNKNOWN => true,
            9 => geese >> at & 1 == 1,
            value => {
                let (r, c) = ((at / w) as i32, (at % w) as i32);
                let near = (0..cells).filter(|&o| {
                    let (dr, dc) = ((o / w) as i32 - r, (o % w) as i32 - c);
                    dr.abs() <= 1 && dc.abs() <= 1 && geese >> o & 1 == 1
                });
                geese >> at & 1 == 0 && near.count() == usize::from(value)
            }
        })
    };
    (0..1u32 << cells).filter(|geese| geese.count_ones() as usize == view.geese()).filter(|&g| looks(g)).collect()
}

fn compare(view: &View, what: &str) {
    let boards = boards_like(view);
    match view.chances(&mut Budget::unlimited()) {
        Err(Error::NotFound(_)) => assert!(boards.is_empty(), "{what}: {} boards\n{view:?}", boards.len()),
        Err(error) => panic!("{what}: {error:?}"),
        Ok(Chances { geese, ln_ways }) => {
            assert!(!boards.is_empty(), "{what}: a contradiction was not detected\n{view:?}");
            assert!(
                (ln_ways - (boards.len() as f64).ln()).abs() < 1e-11,
                "{what}: expected ln {}, got {ln_ways}",
                boards.len()
            );
            let mut sum = 0.0;
            for at in 0..geese.len() {
                let with = boards.iter().filter(|&&board| board >> at & 1 == 1).count();
                let expected = with as f64 / boards.len() as f64;
                assert!(
                    (geese[at] - expected).abs() < 1e-12,
                    "{what}: expected {expected} at {at}, got {}\n{view:?}",
                    geese[at]
                );
                assert_eq!(with == 0, geese[at] == 0.0, "{what}: certainly free, at {at}\n{view:?}");
                assert_eq!(with == boards.len(), geese[at] == 1.0, "{what}: certainly a goose, at {at}\n{view:?}");
                sum += geese[at];
            }
            assert!((sum - view.geese() as f64).abs() < 1e-11, "{what}: the chances add up to {sum}");
        }
    }
}

/// Returns a view of a random small board with a random share of its fields revealed. A few numbers are one too high,
/// so some views agree with no board.
fn random_view(rng: &mut Rng) -> View {
    let (h, w) = (1 + rng.index(4), 1 + rng.index(4));
    let geese = rng.index(h * w + 1);
    let mut board = vec![0; h * w];
    fields::spread_geese(&mut board, geese, rng).unwrap();
    fields::compute_neighbours(&mut board, w);
    let shown = rng.unit();
    let lost = rng.chance(0.2);
    for field in &mut board {
        if !rng.chance(shown) || (*field == 9 && !lost) {
            *field |= 0x20;
        } else if rng.chance(0.01) && *field < 8 {
            *field += 1;
        }
    }
    View::new(h, w, geese, &board).unwrap()
}

#[test]
fn chances_agree_with_counts_over_all_boards() {
    let seed = 20262;
    let mut rng = Rng::new(seed);
    for round in 0..4000 {
        let view = random_view(&mut rng);
        if view.height() * view.width() < 16 || round % 20 == 0 {
            compare(&view, &format!("seed {seed}, round {round}"));
        }
    }
}

#[test]
fn all_fields_of_a_blank_board_have_equal_chances() {
    let chances = View::blank(16, 30, 99).chances(&mut Budget::unlimited()).unwrap();
    assert!(chances.geese.iter().all(|chance| (chance - 99.0 / 480.0).abs() < 1e-15));
    for (geese, chance) in [(0, 0.0), (480, 1.0)] {
        let chances = View::blank(16, 30, geese).chances(&mut Budget::unlimited()).unwrap();
        assert!(chances.geese.iter().all(|&found| found == chance) && chances.ln_ways == 0.0);
    }
}

/// Compares the chances of a view of many components with a formula. Each block `*1*1*` has one goose in the middle or
/// two geese, one at each end. The counts span hundreds of orders of magnitude, but sums must not lose precision.
#[test]
fn sums_over_many_components_lose_no_precision() {
    let blocks = 700usize;
    let mut row = Vec::new();
    for _ in 0..blocks {
        row.extend([0x20, 1, 0x20, 1, 0x20]);
    }
    let ln_factorial = |n: usize| (1..=n).map(|i| (i as f64).ln()).sum::<f64>();
    let ln_choose = |n: usize, k: usize| ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    for (free, geese) in [(1, 700), (1, 701), (1, 1050), (1, 1401), (50, 1400), (300, 760), (300, 1395)] {
        let mut fields = row.clone();
        fields.extend(vec![0x20; free]);
        let view = View::new(1, fields.len(), geese, &fields).unwrap();
        let chances = view.chances(&mut Budget::unlimited()).unwrap();
        // One term per number `two` of blocks with two geese: C(blocks, two) ways to choose these blocks, times the
        // ways to place the remaining geese on the free fields.
        let terms: Vec<(usize, f64)> = (0..=blocks)
            .filter(|two| (blocks + two..=blocks + two + free).contains(&geese))
            .map(|two| (two, ln_choose(blocks, two) + ln_choose(free, geese - blocks - two)))
            .collect();
        let largest = terms.iter().map(|term| term.1).fold(f64::MIN, f64::max);
        let all: f64 = terms.iter().map(|(_, ln)| (ln - largest).exp()).sum();
        let two: f64 = terms.iter().map(|&(two, ln)| two as f64 * (ln - largest).exp()).sum::<f64>() / all;
        let outer = two / blocks as f64;
        let what = format!("{free} free fields, {geese} geese");
        for (at, expected) in [(0, outer), (2, 1.0 - outer), (4, outer), (5 * blocks - 1, outer)] {
            assert!(
                (chances.geese[at] - expected).abs() < 1e-10,
                "{what}: expected {expected}, got {}",
                chances.geese[at]
            );
        }
        let expected = (geese as f64 - blocks as f64 - two) / free as f64;
        let last = chances.geese[fields.len() - 1];
        assert!((last - expected).abs() < 1e-9, "{what}: expected {expected}, got {last}");
        assert!((chances.ln_ways - largest - all.ln()).abs() < 1e-7, "{what}");
    }
}

/// The count gives up early on a large board with numbers on about a third of its fields.
#[test]
fn entangled_views_reach_the_limit() {
    let mut rng = Rng::new(4);
    let (h, w) = (120, 120);
    let mut board = vec![0; h * w];
    fields::spread_geese(&mut board, h * w / 3, &mut rng).unwrap();
    fields::compute_neighbours(&mut board, w);
    for (at, field) in board.iter_mut().enumerate() {
        if *field == 9 || (at / w + at % w) % 2 == 0 {
            *field |= 0x20;
        }
    }
    let view = View::new(h, w, h * w / 3, &board).unwrap();
    match view.chances(&mut Budget::unlimited()) {
        Err(Error::Limit(reason)) => assert!(reason.contains("too entangled"), "{reason}"),
        other => panic!("{other:?}"),
    }
    let limit = view.chances(&mut Budget::new("states", Some(1000), None));
    assert_eq!(limit, Err(Error::spent(1000, "states")));
}

#[test]
fn invalid_views_are_refused_with_a_reason() {
    let error = |h, w, geese, fields: &[u8]| View::new(h, w, geese, fields).unwrap_err();
    assert_eq!(error(2, 2, 1, &[0; 3]).reason(), "fields must hold height * width fields (2 * 2), at least 1, got 3");
    assert_eq!(error(2, 2, 5, &[0x20; 4]).reason(), "geese must be between 0 and 4, got 5");
    assert!(error(1, 1, 0, &[0x0a]).reason().contains("0x0a"));
    assert!(error(0, 0, 0, &[]).reason().contains("got 0"));
}

/// A set of contradictory numbers is minimal if leaving out any one of them makes the rest consistent.
#[test]
fn errors_name_a_minimal_set_of_contradictory_numbers() {
    let error = |h, w, geese, fields: &[u8]| {
        View::new(h, w, geese, fields).unwrap().chances(&mut Budget::unlimited()).unwrap_err().to_string()
    };
    assert_eq!(
        error(1, 3, 2, &[0x20, 1, 0x20]),
        "board must be consistent, got the number 1 at (0, 1), which no placement of 2 geese explains"
    );
    assert_eq!(
        error(1, 9, 3, &[0x20, 1, 0x20, 0x20, 0x20, 0, 0x20, 2, 0x20]),
        "board must be consistent, got the numbers 0 at (0, 5), 2 at (0, 7), which no placement of 3 geese explains"
    );
    assert_eq!(error(1, 2, 0, &[9, 0x20]), "board must be consistent, got more geese shown than the total of 0 geese");
    let few = "board must be consistent, got fewer fields that can hold a goose than the total of 2 geese";
    assert_eq!(error(1, 2, 2, &[0, 0x20]), few);
    let seed = 20270;
    let mut rng = Rng::new(seed);
    let mut seen = 0;
    for round in 0..6000 {
        let view = random_view(&mut rng);
        let Err(Error::NotFound(sentence)) = view.chances(&mut Budget::unlimited()) else { continue };
        seen += 1;
        let named: Vec<usize> = sentence
            .split("at (")
            .skip(1)
            .map(|part| {
                let numbers: Vec<usize> =
                    part.split(')').next().unwrap().split(", ").map(|n| n.parse().unwrap()).collect();
                numbers[0] * view.width() + numbers[1]
            })
            .collect();
        // Returns whether some board agrees with the numbers that are `kept`, has a goose wherever one is revealed, and
        // has none on a field with a number.
        let fits = |kept: &dyn Fn(usize) -> bool| {
            let (h, w) = (view.height(), view.width());
            (0..1u32 << (h * w)).any(|board| {
                board.count_ones() as usize == view.geese()
                    && (0..h * w).all(|at| {
                        let goose = board >> at & 1 == 1;
                        match view.fields()[at] {
                            View::UNKNOWN => true,
                            9 => goose,
                            value => {
                                let (r, c) = ((at / w) as i32, (at % w) as i32);
                                let near = (0..h * w).filter(|&o| {
                                    let (dr, dc) = ((o / w) as i32 - r, (o % w) as i32 - c);
                                    dr.abs() <= 1 && dc.abs() <= 1 && board >> o & 1 == 1
                                });
                                !goose && (!kept(at) || near.count() == usize::from(value))
                            }
                        }
                    })
            })
        };
        let what = format!("seed {seed}, round {round}: {sentence}\n{view:?}");
        assert!(!fits(&|at| named.contains(&at)), "{what}");
        for left_out in &named {
            assert!(fits(&|at| named.contains(&at) && at != *left_out), "{what}: without {left_out}");
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn a_chance_that_rounds_to_1_is_reported_below_1() {
    // Eight ones surround a hidden field. Either this field holds a goose, or four of the 16 fields around the ones do,
    // in one of 2 ways. Of the boards with 4 geese, 2 have no goose in the middle, and C(n * n - 25, 3) have one goose
    // in the middle and three outside the 5 x 5 block. So the chance of a goose in the middle is below 1 but rounds to
    // 1.
    let n = 900;
    let (mut fields, middle) = (vec![View::UNKNOWN; n * n], n / 2);
    for at in (0..9).filter(|&at| at != 4) {
        fields[(middle - 1 + at / 3) * n + middle - 1 + at % 3] = 1;
    }
    let chances = View::new(n, n, 4, &fields).unwrap().chances(&mut Budget::unlimited()).unwrap();
    let chance = chances.geese[middle * n + middle];
    assert!((0.999..1.0).contains(&chance), "{chance}");
    assert!(chances.geese[(middle - 2) * n + middle - 1] > 0.0);
}
