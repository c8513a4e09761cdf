//! The notation: reads a level or a position from text, and writes one.
//!
//! Rows of tiles come first: `-` no tile, `o` (or `0`) tile, `.` light tile, `S` start, `T` target, other capital
//! letters switches, other lowercase letters bridges. Short rows are padded with `-`. Blank lines are skipped. The
//! following lines come after the rows, in any order:
//!
//! * `#AOh` (letter O or digit 0): soft switch A toggles bridge h; `#AXh`: heavy switch. `#AO+h` turns bridge h on,
//!   `#AO-h` off. Several lines of one switch apply one after the other.
//! * `#AS x y x y`: A is a splitter; the cubes appear on the two given cells, and the first cube is in control.
//! * `%h`: bridge h is on at the start of the level.
//! * A position during play adds `@ x y` (standing), `@ x y x y` (lying), or `@ x y * x y` or `@ x y x y *` (split, `*`
//!   after the cube in control). `%=abc` lists all bridges that are on now; without this line, the bridges are as
//!   at the start.
//!
//! ```text
//! oSoa    soft switch A toggles bridge a, which is off at the start of the level
//! ooAT    a position during play: the block lies on the first two tiles of row 0, and bridge a is on
//! #AOa
//! @ 0 0 1 0
//! %=a
//! ```

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::level::LETTERS;
use super::{Block, Bloxorz, Level, Switch, SwitchKind, Tile};
use crate::core::text::{self, Line, Word};
use crate::core::{Cell, Error, Grid, counted};

/// A place in the text: line and column in characters, both 1-based.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    line: usize,
    column: usize,
}

const A_SWITCH: &str = "switch must be a letter A to Z other than S and T";
const A_BRIDGE: &str = "bridge must be a letter a to z other than o";
const A_KIND: &str = "kind must be O (soft), X (heavy) or S (splitter)";

/// Reads lines one after the other, and keeps what can be checked only after the last line. Letters are indices, 0 for
/// `A` or `a`, except in `tiles`; sets of bridges have one bit per letter.
#[derive(Default)]
struct Reader<'a> {
    /// The rows of tiles.
    rows: Vec<Line<'a>>,
    start: Option<Cell>,
    target: Option<Cell>,
    /// The first place of each letter of a switch or bridge on the terrain.
    tiles: HashMap<char, Place>,
    switches: [Option<Switch>; LETTERS],
    /// The switch of each `#` line.
    switch_lines: Vec<(u8, Place)>,
    /// The bridges that `#` and `%h` lines define by naming them.
    bridge_lines: Vec<(u8, Place)>,
    /// The bridges of a `%=` line: they must have tiles, but the line does not define them.
    bridge_mentions: Vec<(u8, Place)>,
    /// The cells of the two cubes of each splitter, and its line.
    splitters: Vec<(Cell, Cell, Line<'a>)>,
    /// The bridges that `%h` lines turn on.
    bridges_on: u32,
    /// The bridges of the `%=` line.
    bridges_now: Option<(u32, Line<'a>)>,
    /// The block of the `@` line.
    block: Option<(Block, Line<'a>)>,
}

/// Reads a level or a position.
///
/// # Errors
/// Returns [`Error::Level`] with the line and column of the first mistake found.
pub(super) fn parse(text: &str) -> Result<Bloxorz, Error> {
    let mut reader = Reader::default();
    for line in text::lines(text) {
        match line.text.chars().next() {
            None => {}
            Some('#') => reader.switch(line)?,
            Some('%') => reader.bridges(line)?,
            Some('@') => reader.position(line)?,
            Some(_) => reader.row(line)?,
        }
    }
    reader.finish(text)
}

/// Returns the index of a letter, 0 for `a` and `A`.
fn index(letter: char) -> u8 {
    letter.to_ascii_lowercase() as u8 - b'a'
}

/// Returns whether a character of the terrain names a switch.
fn is_switch(letter: char) -> bool {
    letter.is_ascii_uppercase() && !matches!(letter, 'S' | 'T')
}

/// Returns whether a character of the terrain names a bridge.
fn is_bridge(letter: char) -> bool {
    letter.is_ascii_lowercase() && letter != 'o'
}

impl<'a> Reader<'a> {
    /// Reads a row of tiles.
    fn row(&mut self, line: Line<'a>) -> Result<(), Error> {
        let defined = !self.switch_lines.is_empty() || !self.bridge_lines.is_empty() || self.block.is_some();
        if defined || self.bridges_now.is_some() {
            let shown = text::quote(line.text);
            return Err(
                line.error(1, format!("rows of tiles must come before lines with '#', '%' and '@', got {shown}"))
            );
        }
        for (column, letter) in line.chars() {
            let cell = Cell::new(self.rows.len() as i32, column as i32 - 1);
            match letter {
                '-' | 'o' | '0' | '.' => {}
                'S' | 'T' => {
                    let (place, name) =
                        if letter == 'S' { (&mut self.start, "start") } else { (&mut self.target, "target") };
                    if place.is_some() {
                        return Err(line.error(
                            column,
                            format!("{name} '{letter}' must be on the terrain once, got a second one"),
                        ));
                    }
                    *place = Some(cell);
                }
                _ if letter.is_ascii_alphabetic() => {
                    self.tiles.entry(letter).or_insert(Place { line: line.number, column });
                }
                _ => {
                    let shown = text::quote(&letter.to_string());
                    return Err(line.error(column, format!("tile must be one of - o . S T or a letter, got {shown}")));
                }
            }
        }
        self.rows.push(line);
        Ok(())
    }

    /// Reads `#AOh`, `#AX+h` or `#AS x y x y`.
    fn switch(&mut self, line: Line<'a>) -> Result<(), Error> {
        let mut letters = line.chars().skip(1).filter(|(_, c)| !c.is_whitespace());
        let end = line.text.chars().count() + 1;
        let mut next = |expected: &str| {
            letters.next().ok_or_else(|| line.error(end, format!("{expected}, got the end of the line")))
        };
        let (column, letter) = next(A_SWITCH)?;
        if !is_switch(letter) {
            let shown = text::quote(&letter.to_string());
            return Err(line.error(column, format!("{A_SWITCH}, got {shown}")));
        }
        let (kind_column, kind) = next(A_KIND)?;
        let mut switch = match kind {
            'O' | '0' => Switch { kind: SwitchKind::Soft, keep: u32::MAX, flip: 0, named: 0 },
            'X' => Switch { kind: SwitchKind::Heavy, keep: u32::MAX, flip: 0, named: 0 },
            'S' => {
                let (first, second) = splitter(line, kind_column)?;
                self.splitters.push((first, second, line));
                Switch { kind: SwitchKind::Splitter(first, second), keep: u32::MAX, flip: 0, named: 0 }
            }
            _ => {
                let shown = text::quote(&kind.to_string());
                return Err(line.error(kind_column, format!("{A_KIND}, got {shown}")));
            }
        };
        let place = &mut self.switches[index(letter) as usize];
        if let Some(before) = place {
            if before.kind != switch.kind || kind == 'S' {
                let name = |kind| match kind {
                    SwitchKind::Soft => "soft",
                    SwitchKind::Heavy => "heavy",
                    SwitchKind::Splitter(..) => "a splitter",
                };
                let (above, here) = (name(before.kind), name(switch.kind));
                let sentence = if before.kind == switch.kind || above == here {
                    format!("splitter {letter} must have one line, got a second one")
                } else {
                    format!("switch {letter} must be of one kind, got {above} above and {here} here")
                };
                return Err(line.error(kind_column, sentence));
            }
            switch = *before;
        }
        if kind != 'S' {
            let (mut column, mut bridge) = next(A_BRIDGE)?;
            let sign = matches!(bridge, '+' | '-').then_some(bridge);
            if sign.is_some() {
                (column, bridge) = next(A_BRIDGE)?;
            }
            if !is_bridge(bridge) {
                let shown = text::quote(&bridge.to_string());
                return Err(line.error(column, format!("{A_BRIDGE}, got {shown}")));
            }
            if let Some((column, more)) = letters.next() {
                let shown = text::quote(&more.to_string());
                return Err(line.error(column, format!("line must end after the bridge, got {shown}")));
            }
            let bit = 1 << index(bridge);
            switch.named |= bit;
            match sign {
                // Lines of one switch apply one after the other: a toggle is combined with the earlier lines, and a
                // sign overrides them.
                None => switch.flip ^= bit,
                Some(sign) => {
                    switch.keep &= !bit;
                    switch.flip = if sign == '+' { switch.flip | bit } else { switch.flip & !bit };
                }
            }
            self.bridge_lines.push((index(bridge), Place { line: line.number, column }));
        }
        *place = Some(switch);
        self.switch_lines.push((index(letter), Place { line: line.number, column }));
        Ok(())
    }

    /// Reads `%h` of a level or `%=abc` of a position.
    fn bridges(&mut self, line: Line<'a>) -> Result<(), Error> {
        let mut letters = line.chars().skip(1).filter(|(_, c)| !c.is_whitespace()).peekable();
        let now = letters.next_if(|&(_, c)| c == '=').is_some();
        let mut bits = 0;
        let mut count = 0;
        for (column, letter) in letters {
            let shown = text::quote(&letter.to_string());
            if !is_bridge(letter) {
                return Err(line.error(column, format!("{A_BRIDGE}, got {shown}")));
            }
            if count == 1 && !now {
                return Err(line.error(column, format!("line must end after the bridge, got {shown}")));
            }
            bits |= 1 << index(letter);
            count += 1;
            let place = Place { line: line.number, column };
            if now { &mut self.bridge_mentions } else { &mut self.bridge_lines }.push((index(letter), place));
        }
        if now {
            if self.bridges_now.replace((bits, line)).is_some() {
                return Err(line.error(1, "text must have at most one line with '%=', got a second one"));
            }
        } else if count == 0 {
            let end = line.text.chars().count() + 1;
            return Err(line.error(end, format!("{A_BRIDGE}, got the end of the line")));
        } else {
            self.bridges_on |= bits;
        }
        Ok(())
    }

    /// Reads `@ x y`, `@ x y x y`, `@ x y * x y` or `@ x y x y *`.
    fn position(&mut self, line: Line<'a>) -> Result<(), Error> {
        if self.block.is_some() {
            return Err(line.error(1, "text must have at most one line with '@', got a second one"));
        }
        let words = words_after(line, 1);
        let stars: Vec<usize> = (0..words.len()).filter(|&i| words[i].text == "*").collect();
        let numbers: Vec<Word<'_>> = words.iter().copied().filter(|word| word.text != "*").collect();
        let cells = cells(line, &numbers)?;
        let block = match (&cells[..], &stars[..]) {
            (&[cell], []) => Block::standing(cell),
            (&[one, other], [] | [2]) => Block::split(one, other),
            (&[one, other], [4]) => Block::split(other, one),
            _ => {
                let shown = text::quote(line.text);
                return Err(line.error(
                    1,
                    format!("block must be '@ x y', '@ x y x y', '@ x y * x y' or '@ x y x y *', got {shown}"),
                ));
            }
        };
        if cells.len() == 2 && block.is_standing() {
            return Err(
                line.error(1, "cubes must be on different cells, got one cell twice; a standing block is '@ x y'")
            );
        }
        if block.is_split() == stars.is_empty() && cells.len() == 2 {
            let sentence = if block.is_split() {
                "a split block must have one '*', after the cube in control, got none".to_owned()
            } else {
                format!("a lying block must have no '*', got {}", stars.len())
            };
            return Err(line.error(1, sentence));
        }
        self.block = Some((block, line));
        Ok(())
    }

    /// Checks what can be checked only after all lines have been read, and builds the position.
    fn finish(self, text: &str) -> Result<Bloxorz, Error> {
        let (line, column) = text::end(text);
        if self.rows.is_empty() {
            return Err(Error::level(line, column, "a level must have at least one row of tiles, got none"));
        }
        let width = self.rows.iter().map(|row| row.text.chars().count()).max().unwrap_or(0);
        text::check_size(self.rows.len(), width).map_err(|error| error.at(self.rows[0].number, 1))?;
        let missing = |name| Error::level(line, column, format!("{name} must be on the terrain once, got none"));
        let start = self.start.ok_or_else(|| missing("start 'S'"))?;
        let target = self.target.ok_or_else(|| missing("target 'T'"))?;
        self.check_letters()?;
        // Cells beyond the end of a short row have no tile. The start is a plain tile.
        let mut tiles = Grid::new(self.rows.len(), width, Tile::None);
        for (row, cells) in self.rows.iter().zip(tiles.as_mut_slice().chunks_exact_mut(width)) {
            for (cell, letter) in cells.iter_mut().zip(row.text.chars()) {
                *cell = match letter {
                    '-' => Tile::None,
                    '.' => Tile::Light,
                    'T' => Tile::Target,
                    _ if is_switch(letter) => Tile::Switch(index(letter)),
                    _ if is_bridge(letter) => Tile::Bridge(index(letter)),
                    _ => Tile::Floor,
                };
            }
        }
        let level = Level::new(tiles, start, target, &self.switches, self.bridges_on);
        // The cells of splitters are checked on the finished terrain.
        for (first, second, line) in self.splitters {
            if let Some(cell) = [first, second].into_iter().find(|&cell| level.tile(cell) == Tile::None) {
                let Cell { row, col } = cell;
                return Err(line.error(1, format!("cubes must appear on tiles, got nothing at x {col} y {row}")));
            }
            if !Block::split(first, second).is_split() {
                let [a, b] = [first, second];
                return Err(line.error(
                    1,
                    format!(
                        "cubes must not appear on the same cell or on neighboring cells, got x {} y {} and x {} y {}",
                        a.col, a.row, b.col, b.row
                    ),
                ));
            }
        }
        let level = Arc::new(level);
        // Without an `@` line, the text is a level, and the block stands at the start; with one, it is a position.
        let bridges = self.bridges_now.map_or(self.bridges_on, |(bits, _)| bits);
        match self.block {
            Some((block, line)) => Bloxorz::new(level, block, bridges).map_err(|error| error.at(line.number, 1)),
            None => match self.bridges_now {
                Some((_, line)) => Err(line.error(1, "a line with '%=' must come with a line with '@', got none")),
                None => Ok(Bloxorz::start(level)),
            },
        }
    }

    /// Checks that every letter on the terrain is defined, and that every letter that a `#` or `%` line names is on the
    /// terrain.
    fn check_letters(&self) -> Result<(), Error> {
        let mut tiles: Vec<_> = self.tiles.iter().collect();
        tiles.sort_unstable_by_key(|&(_, place)| place);
        for (&letter, &Place { line, column }) in tiles {
            let lines = if is_switch(letter) { &self.switch_lines } else { &self.bridge_lines };
            if !lines.iter().any(|&(defined, _)| defined == index(letter)) {
                let sentence = if is_switch(letter) {
                    format!("switch {letter} must have a line such as '#{letter}Oh', got none")
                } else {
                    format!("bridge {letter} must have a line such as '#AO{letter}' or '%{letter}', got none")
                };
                return Err(Error::level(line, column, sentence));
            }
        }
        let without_tile = |base: u8, lines: &[(u8, Place)], name: &str| {
            lines.iter().find(|(letter, _)| !self.tiles.contains_key(&((base + letter) as char))).map(|(letter, at)| {
                let letter = (base + letter) as char;
                Error::level(at.line, at.column, format!("{name} {letter} must have at least one tile, got none"))
            })
        };
        let missing = without_tile(b'A', &self.switch_lines, "switch")
            .or_else(|| without_tile(b'a', &self.bridge_lines, "bridge"))
            .or_else(|| without_tile(b'a', &self.bridge_mentions, "bridge"));
        missing.map_or(Ok(()), Err)
    }
}

/// Returns the words of a line after its first `column` characters.
fn words_after(line: Line<'_>, column: usize) -> Vec<Word<'_>> {
    let from = line.text.char_indices().nth(column).map_or(line.text.len(), |(at, _)| at);
    let rest = Line { number: line.number, text: &line.text[from..] };
    rest.words().map(|word| Word { column: column + word.column, ..word }).collect()
}

/// Reads words as pairs `x y`.
fn cells(line: Line<'_>, words: &[Word<'_>]) -> Result<Vec<Cell>, Error> {
    let read = |(i, word): (usize, &Word<'_>)| {
        let name = if i % 2 == 0 { "x" } else { "y" };
        word.number(name, 0, i64::from(i32::MAX / 2)).map(|number| number as i32)
    };
    let numbers = words.iter().enumerate().map(read).collect::<Result<Vec<i32>, Error>>()?;
    if numbers.len() % 2 == 1 || numbers.is_empty() {
        let end = line.text.chars().count() + 1;
        let numbers = counted(numbers.len() as u64, "numbers");
        return Err(line.error(end, format!("cells must be pairs of x and y, got {numbers}")));
    }
    Ok(numbers.chunks_exact(2).map(|pair| Cell::new(pair[1], pair[0])).collect())
}

/// Reads the cells of the two cubes of `#AS x y x y`; `kind_column` is the column of the letter `S`.
fn splitter(line: Line<'_>, kind_column: usize) -> Result<(Cell, Cell), Error> {
    match cells(line, &words_after(line, kind_column))?[..] {
        [first, second] => Ok((first, second)),
        ref cells => Err(line.error(1, format!("a splitter must have two cells, '#AS x y x y', got {}", cells.len()))),
    }
}

/// Writes a position; the position at the start of a level is written as the level, without an `@` line.
pub(super) fn write(game: &Bloxorz) -> String {
    let level = &*game.level;
    let mut out = String::with_capacity(level.tiles.len() + level.height() + 64);
    for (cell, tile) in level.tiles.iter() {
        out.push(match *tile {
            _ if cell == level.start => 'S',
            Tile::None => '-',
            Tile::Floor => 'o',
            Tile::Light => '.',
            Tile::Target => 'T',
            Tile::Switch(letter) => (b'A' + letter) as char,
            Tile::Bridge(letter) => (b'a' + letter) as char,
        });
        if cell.col as usize + 1 == level.width() {
            out.push('\n');
        }
    }
    let bits = |set: u32| (0..LETTERS as u8).filter(move |&letter| set >> letter & 1 == 1);
    let name = |letter: u8| (b'a' + letter) as char;
    for (switch, letter) in level.switches.iter().zip('A'..='Z') {
        let Some(switch) = switch else { continue };
        let kind = match switch.kind {
            SwitchKind::Soft => 'O',
            SwitchKind::Heavy => 'X',
            SwitchKind::Splitter(a, b) => {
                let _ = writeln!(out, "#{letter}S {} {} {} {}", a.col, a.row, b.col, b.row);
                continue;
            }
        };
        for bridge in bits(switch.named) {
            let (keep, flip) = (switch.keep >> bridge & 1 == 1, switch.flip >> bridge & 1 == 1);
            // A named bridge that does not change is written as two toggles, which cancel out but still name it.
            let _ = match (keep, flip) {
                (true, true) => writeln!(out, "#{letter}{kind}{}", name(bridge)),
                (true, false) => writeln!(out, "#{letter}{kind}{0}\n#{letter}{kind}{0}", name(bridge)),
                (false, true) => writeln!(out, "#{letter}{kind}+{}", name(bridge)),
                (false, false) => writeln!(out, "#{letter}{kind}-{}", name(bridge)),
            };
        }
    }
    for bridge in bits(level.bridges_on) {
        let _ = writeln!(out, "%{}", name(bridge));
    }
    // Writes the `@` line, and the `%=` line if the bridges are not as at the start.
    if !game.is_start() {
        let (first, second) = (game.block.first(), game.block.second());
        let _ = write!(out, "@ {} {}", first.col, first.row);
        if !game.block.is_standing() {
            let star = if game.block.is_split() { " *" } else { "" };
            let _ = write!(out, "{star} {} {}", second.col, second.row);
        }
        out.push('\n');
        if game.bridges != level.bridges_on {
            out.push_str("%=");
            out.extend(bits(game.bridges).map(name));
            out.push('\n');
        }
    }
    out
}
