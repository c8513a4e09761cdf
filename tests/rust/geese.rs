//! Compares GeeseSpotter with the source document and with a slow second implementation of the rules.

use gridwright::core::{Budget, Cell, Error, Game, History, Rng, Status, game};
use gridwright::geese::{Deal, GeeseSpotter, deal_many, fields};

fn count_geese(board: &[u8]) -> usize {
    board.iter().map(|&field| usize::from(field % 16 == 9)).sum()
}

/// Calls `see` with boards of all sizes up to 8 x 8 and of some large sizes, each with a label. Boards of four of
/// the large sizes have more rows than the fast count handles at a time. The first board of each size is full of
/// geese, and the others have random numbers of geese.
fn boards(mut see: impl FnMut(usize, usize, Vec<u8>, &str)) {
    let seed = 20261;
    let mut rng = Rng::new(seed);
    let sizes = (1..9).flat_map(|h| (1..9).map(move |w| (h, w)));
    let long = [(1, 20_000), (20_000, 1), (3, 9_000), (70, 257), (600, 31), (33, 1000), (2, 8192)];
    for (height, width) in sizes.chain(long) {
        for round in 0..if height * width > 100 { 2 } else { 12 } {
            let cells = height * width;
            let geese = if round == 0 { cells } else { rng.index(cells + 1) };
            let mut board = vec![0; cells];
            fields::spread_geese(&mut board, geese, &mut rng).unwrap();
            assert_eq!(count_geese(&board), geese, "seed {seed}");
            see(height, width, board, &format!("{height} x {width}, {geese} geese, seed {seed}, round {round}"));
        }
    }
}

/// A second implementation of `compute_neighbours` and `reveal`. It works field by field with coordinates and shares no
/// code with the fast implementation.
mod slow {
    pub(super) fn around(h: i64, w: i64, r: i64, c: i64) -> Vec<usize> {
        let mut places = Vec::new();
        for (dr, dc) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            if (0..h).contains(&(r + dr)) && (0..w).contains(&(c + dc)) {
                places.push(((r + dr) * w + c + dc) as usize);
            }
        }
        places
    }

    pub(super) fn count(board: &[u8], h: usize, w: usize) -> Vec<u8> {
        let mut counted = board.to_vec();
        for r in 0..h {
            for c in 0..w {
                if board[r * w + c] != 9 {
                    let around = around(h as i64, w as i64, r as i64, c as i64);
                    counted[r * w + c] = around.into_iter().filter(|&at| board[at] == 9).count() as u8;
                }
            }
        }
        counted
    }

    pub(super) fn reveal(board: &mut [u8], h: usize, w: usize, r: usize, c: usize) -> u8 {
        let at = r * w + c;
        let (hidden, marked, value) = (board[at] / 32 == 1, board[at] / 16 % 2 == 1, board[at] % 16);
        if marked {
            return 1;
        }
        board[at] = value;
        if value == 0 {
            for at in around(h as i64, w as i64, r as i64, c as i64) {
                if board[at] / 16 == 2 {
                    board[at] -= 32;
                }
            }
        }
        match (hidden, value) {
            (false, _) => 2,
            (true, 9) => 9,
            (true, _) => 0,
        }
    }
}

#[test]
fn neighbor_counts_agree_with_a_slow_count() {
    boards(|height, width, mut board, what| {
        let expected = slow::count(&board, height, width);
        fields::compute_neighbours(&mut board, width);
        assert_eq!(board, expected, "{what}");
        fields::compute_neighbours(&mut board, width);
        assert_eq!(board, expected, "{what}: counted twice");
    });
}

/// The boards have at least 2048 fields and 64 to 200 or 1000 columns. Those with more than 64 columns are counted in
/// strips of 64 columns: two to four strips for 65 to 200 columns.
#[test]
fn neighbor_counts_on_wide_boards_agree_with_a_slow_count() {
    for (seed, width) in (64..=200).chain([1000]).enumerate() {
        let mut rng = Rng::new(seed as u64);
        let height = 2048_usize.div_ceil(width) + rng.index(40);
        let (mut board, geese) = (vec![0; height * width], rng.index(height * width));
        fields::spread_geese(&mut board, geese, &mut rng).unwrap();
        let expected = slow::count(&board, height, width);
        for _ in 0..2 {
            fields::compute_neighbours(&mut board, width);
            assert!(board == expected, "{height} x {width}, seed {seed}");
        }
    }
}

#[test]
fn shows_agree_with_the_slow_function_and_marks_change_one_bit() {
    let mut rng = Rng::new(5);
    boards(|height, width, mut board, what| {
        if board.len() > 100 {
            return;
        }
        fields::compute_neighbours(&mut board, width);
        assert!(fields::is_game_won(&board), "{what}: all fields are revealed");
        fields::hide_board(&mut board);
        assert!(board.iter().all(|&field| field & 0x30 == 0x20), "{what}");
        let mut other = board.clone();
        for _ in 0..30 {
            let (r, c) = (rng.index(height), rng.index(width));
            let at = r * width + c;
            if rng.chance(0.3) {
                let expected = if board[at] & 0x20 == 0 { 2 } else { 0 };
                let before = board[at];
                assert_eq!(fields::mark(&mut board, at), expected, "{what}");
                assert_eq!(board[at] ^ before, if expected == 0 { 0x10 } else { 0 }, "{what}");
                other[at] = board[at];
            } else {
                let code = fields::reveal(&mut board, height, width, at);
                assert_eq!(code, slow::reveal(&mut other, height, width, r, c), "{what}");
            }
            assert_eq!(board, other, "{what}");
            let won = (0..board.len()).all(|at| board[at] % 16 == 9 || board[at] / 32 == 0);
            assert_eq!(fields::is_game_won(&board), won, "{what}");
            assert_eq!(fields::check_fields(&board, width), Ok(()));
        }
    });
}

#[test]
fn each_set_of_fields_gets_geese_equally_often() {
    for (geese, safe) in [(2, None), (4, None), (2, Some(0)), (1, Some(4))] {
        let mut counts = std::collections::HashMap::new();
        let mut rng = Rng::new(11);
        let rounds = 30_000;
        for _ in 0..rounds {
            let mut board = [0u8; 6];
            if let Some(at) = safe {
                board[at] = 1;
            }
            fields::spread_geese(&mut board, geese, &mut rng).unwrap();
            *counts.entry(board).or_insert(0u32) += 1;
        }
        let free = 6 - usize::from(safe.is_some());
        let sets = (0..geese).fold(1, |sets, k| sets * (free - k) / (k + 1));
        assert_eq!(counts.len(), sets);
        let mean = f64::from(rounds) / sets as f64;
        for (board, count) in counts {
            assert!(
                (f64::from(count) - mean).abs() < 5.0 * mean.sqrt(),
                "{board:?}: expected about {mean}, got {count}"
            );
        }
    }
}

#[test]
fn invalid_boards_are_refused_with_a_reason() {
    let error = |board: &[u8]| fields::check_fields(board, 3).unwrap_err().to_string();
    assert_eq!(error(&[0, 0, 0, 0x40, 0, 0]), "board must have bits 6 and 7 clear in every field, got 0x40 at (1, 0)");
    assert_eq!(
        error(&[0, 0x2a, 0]),
        "board must have a value of 0 to 9 in the lower four bits of every field, got 0x2a at (0, 1)"
    );
    for field in 0..=255u8 {
        let sound = field < 0x40 && field % 16 < 10;
        assert_eq!(fields::check_fields(&[field], 1).is_ok(), sound, "{field:#x}");
        assert_eq!(fields::check_open(&[field], 1).is_ok(), field < 10, "{field:#x}");
    }
    let error = fields::spread_geese(&mut vec![0; 1 << 32], 5, &mut Rng::new(1)).unwrap_err().to_string();
    assert_eq!(error, "board must have fewer than 2^32 fields, got 4294967296");
    let error = fields::spread_geese(&mut [0; 4], 5, &mut Rng::new(1)).unwrap_err().to_string();
    assert_eq!(error, "num_geese must be between 0 and 4, the number of fields that are 0, got 5");
    assert!(fields::check_dimensions(0, 5).is_err() && fields::check_dimensions(usize::MAX, 2).is_err());
    assert_eq!(fields::check_dimensions(60, 20), Ok(1200));
}

fn level(name: &str) -> GeeseSpotter {
    GeeseSpotter::parse(&crate::laws::text("geese", name)).unwrap()
}

/// Counts the sequences of `depth` legal moves with the slow functions only, without a chain reaction. `acted` is
/// whether a move was made before.
fn slow_perft(board: &[u8], h: usize, w: usize, acted: bool, depth: u32) -> u64 {
    let lost = board.contains(&9);
    let won = acted && board.iter().all(|field| field % 16 == 9 || field / 32 == 0);
    if depth == 0 || lost || won {
        return u64::from(depth == 0);
    }
    let mut count = 0;
    for r in 0..h {
        for c in 0..w {
            let mut shown = board.to_vec();
            slow::reveal(&mut shown, h, w, r, c);
            if shown != board {
                count += slow_perft(&shown, h, w, true, depth - 1);
            }
            if board[r * w + c] / 32 == 1 {
                let mut marked = board.to_vec();
                marked[r * w + c] ^= 16;
                count += slow_perft(&marked, h, w, true, depth - 1);
            }
        }
    }
    count
}

#[test]
fn perft_agrees_with_a_slow_count() {
    for (name, depth) in [
        ("section41", 3),
        ("section42", 2),
        ("only_geese", 2),
        ("no_geese", 3),
        ("marked", 3),
        ("fifty_fifty", 4),
        ("lane", 3),
    ] {
        let game = level(name);
        let found = game::perft(&game, depth, &mut Budget::unlimited()).unwrap();
        // No move has been made yet, so a board full of geese is not won.
        assert_eq!(found, slow_perft(game.secret(), game.height(), game.width(), false, depth), "{name}");
    }
}

/// Plays shows, each given as `(x, y)`, and returns the board after each one as the source document prints it, with a
/// space between rows.
fn printed(name: &str, shows: &[(i32, i32)]) -> Vec<String> {
    let mut game = level(name);
    let shows = shows.iter().map(|&(x, y)| {
        game::play(&mut game, [0, y, x]).unwrap();
        fields::print_board(game.secret(), game.width()).trim_end().replace('\n', " ")
    });
    shows.collect()
}

#[test]
fn shows_print_the_pictures_of_the_source() {
    assert_eq!(printed("section41", &[(0, 0), (2, 1)]), ["01** 12** **** ****", "01** 122* **** ****"]);
    let section42 = [
        "00*** 11*** ***** ***** *****",
        "00**1 11*** ***** ***** *****",
        "00**1 11*** ***** 111** 000**",
        "00**1 11*** ***** 1110* 0000*",
    ];
    assert_eq!(printed("section42", &[(0, 0), (4, 0), (1, 4), (2, 4)]), section42);
    assert_eq!(printed("section72", &[(2, 3)]), ["****** ****** *210** *100** *101** ******"]);
    // The source's picture of the recursive reveal, in section 7.2, contradicts itself: the field at x 3, y 4 shows a
    // 1, but all its neighbors are shown and none is a goose. `the_chain_reaction_shows_whole_regions` compares the
    // recursive reveal with a slow flood fill instead.
}

#[test]
fn the_chain_reaction_shows_whole_regions() {
    let mut rng = Rng::new(23);
    for _ in 0..200 {
        let (h, w) = (1 + rng.index(7), 1 + rng.index(7));
        let mut game = Deal::new(h, w, rng.index(h * w / 4 + 1), None).unwrap().game(rng.bits()).with_flood(true);
        for _ in 0..5 {
            let mv = [i32::from(rng.chance(0.4)), rng.index(h) as i32, rng.index(w) as i32];
            if !game::is_legal(&game, mv) {
                continue;
            }
            let mut board = game.secret().to_vec();
            let [action, r, c] = mv.map(|n| n as usize);
            if action == 1 {
                board[r * w + c] ^= 0x10;
            } else {
                slow::reveal(&mut board, h, w, r, c);
                // Reveals the neighbors of every newly opened zero until nothing changes.
                loop {
                    let before = board.clone();
                    for at in 0..h * w {
                        if board[at] == 0 && game.secret()[at] != 0 {
                            slow::reveal(&mut board, h, w, at / w, at % w);
                        }
                    }
                    if board == before {
                        break;
                    }
                }
            }
            let before = game.clone();
            let change = game.apply(mv);
            assert_eq!(game.secret(), board, "{mv:?} on\n{}", before.text());
            let mut undone = game.clone();
            undone.revert(mv, change);
            assert!(undone == before);
        }
    }
}

/// Two positions that look the same to a player have the same view and the same legal moves, and the board that the
/// player sees has no values in hidden fields.
#[test]
fn a_player_cannot_see_hidden_values() {
    let mut rng = Rng::new(17);
    let mut pairs = 0;
    for _ in 0..300 {
        let (height, width, geese) = (2 + rng.index(3), 2 + rng.index(3), 1 + rng.index(3));
        let deal = Deal::new(height, width, geese, None).unwrap();
        let (mut one, mut other) = (deal.game(rng.bits()), deal.game(rng.bits()));
        for _ in 0..4 {
            let mv = [i32::from(rng.chance(0.3)), rng.index(height) as i32, rng.index(width) as i32];
            if game::is_legal(&one, mv) && game::is_legal(&other, mv) {
                one.apply(mv);
                other.apply(mv);
            }
        }
        let mut boards = [vec![0; height * width], vec![0; height * width]];
        one.write_board(&mut boards[0]);
        other.write_board(&mut boards[1]);
        if boards[0] == boards[1] && one.secret() != other.secret() {
            pairs += 1;
            assert_eq!(one.view(), other.view());
            assert_eq!(game::legal_moves(&one, 99), game::legal_moves(&other, 99));
            assert!(boards[0].iter().all(|field| field / 32 == 0 || field % 16 == 0));
        }
    }
    assert!(pairs > 30, "only {pairs} pairs");
}

#[test]
fn losing_shows_are_undone_and_counted() {
    let mut history = History::new(level("section41"));
    history.play([0, 0, 0]).unwrap();
    history.play([0, 0, 2]).unwrap();
    assert_eq!((history.state().status(), history.state().lives()), (Status::Lost, 0));
    assert_eq!(history.undo(), Some([0, 0, 2]));
    assert_eq!((history.state().status(), history.state().lives()), (Status::Open, 1));
    history.undo();
    assert_eq!(history.state().lives(), 1, "undoing a safe show leaves the lives unchanged");
    assert!(*history.state() == level("section41"));
}

#[test]
fn boards_do_not_depend_on_the_number_of_threads() {
    let deal = Deal::new(16, 30, 99, Some(Cell::new(3, 3))).unwrap();
    let mut one = vec![0; 600 * 480];
    let mut many = one.clone();
    deal_many(&deal, 3, 0, &mut one, 1);
    deal_many(&deal, 3, 0, &mut many, 3);
    assert!(one == many);
    deal_many(&deal, 3, 7, &mut many, 1);
    assert_eq!(one[7 * 480..], many[..593 * 480]);
    for board in one.chunks(480) {
        let bare: Vec<u8> = board.iter().map(|field| if field % 16 == 9 { 9 } else { 0 }).collect();
        assert_eq!(count_geese(&bare), 99);
        let counted: Vec<u8> = slow::count(&bare, 16, 30).iter().map(|field| field | 0x20).collect();
        assert_eq!(board, counted);
        assert_eq!(board[3 * 30 + 3], 0x20, "the safe field is a zero");
    }
    let refused = |deal: Result<Deal, Error>| deal.unwrap_err().to_string();
    let over = refused(Deal::new(4, 4, 8, Some(Cell::new(1, 1))));
    assert_eq!(over, "geese must be between 0 and 7, since the safe field and its neighbors stay free, got 8");
    assert_eq!(refused(Deal::new(4, 4, 8, Some(Cell::new(4, 1)))), "safe must be on the 4 x 4 board, got (4, 1)");
    assert!(refused(Deal::new(0, 4, 0, None)).contains("height * width must be"));
    assert_eq!(Deal::with_first(4, 4, 15, Cell::new(0, 0)).unwrap().game(1).secret()[0], 0x23);
}

/// Boards with eight or more columns are handled one word of eight fields at a time, and narrower boards field by
/// field. Compares both with the slow rules on boards of 1 to 4 rows and 1 to 19 columns, and on boards of 8 x 7,
/// 9 x 8 and 16 x 30 fields.
#[test]
fn boards_and_masks_stay_correct_at_every_width() {
    let seed = 20262;
    let mut rng = Rng::new(seed);
    for (height, width) in (1..5).flat_map(|h| (1..20).map(move |w| (h, w))).chain([(16, 30), (9, 8), (8, 7)]) {
        for round in 0..12u64 {
            let cells = height * width;
            let geese = rng.index(1 + cells / [3, 8][round as usize % 2]);
            let mut game = Deal::new(height, width, geese, None).unwrap().game(round).with_flood(round % 3 == 0);
            let (mut board, mut mask) = (vec![0; cells], vec![false; 2 * cells]);
            game.write_board(&mut board);
            game.write_mask(&mut mask);
            let mut fields = game.secret().to_vec();
            for step in 0..40 {
                let what = format!("{height} x {width}, {geese} geese, seed {seed}, round {round}, step {step}");
                let Some(mut mv) = game::sample_legal(&game, &mut rng) else { break };
                let at = mv[1] as usize * width + mv[2] as usize;
                if fields[at] == 0x29 && step % 4 > 0 {
                    mv[0] = 1; // a goose is marked more often than shown, so that games last longer
                }
                let change = game.apply(mv);
                if mv[0] == 1 {
                    fields[at] ^= 0x10;
                } else {
                    let mut open = vec![at];
                    while let Some(at) = open.pop() {
                        fields[at] &= 0x0f;
                        let around =
                            slow::around(height as i64, width as i64, (at / width) as i64, (at % width) as i64);
                        for beside in around {
                            if fields[at] == 0 && fields[beside] & 0x30 == 0x20 {
                                fields[beside] &= 0x0f;
                                if game.flood() {
                                    open.push(beside);
                                }
                            }
                        }
                    }
                }
                assert_eq!(game.secret(), fields, "{what}");
                assert_eq!(game.status(), GeeseSpotter::parse(&game.text()).unwrap().status(), "{what}");
                if game.status() != Status::Open {
                    break;
                }
                game.refresh_board(mv, &change, &mut board);
                game.refresh_mask(mv, &change, &mut mask);
                for (at, &field) in fields.iter().enumerate() {
                    let around = slow::around(height as i64, width as i64, (at / width) as i64, (at % width) as i64);
                    let covered = around.into_iter().any(|beside| fields[beside] & 0x30 == 0x20);
                    let seen = if field & 0x20 == 0 { field } else { field & 0x30 };
                    let can = [field & 0x30 == 0x20 || (field == 0 && covered), field & 0x20 != 0];
                    assert_eq!((board[at], [mask[at], mask[cells + at]]), (seen, can), "{what}, field {at}");
                }
            }
        }
    }
}

#[test]
fn boards_without_fields_are_printed_and_counted() {
    for width in [0, 3] {
        assert_eq!(fields::print_board(&[], width), "");
        fields::compute_neighbours(&mut [], width);
    }
}
