//! The terrain with its switches and bridges, and the notation.
//!
//! Rows of tiles come first: `-` none, `o` (or `0`) tile, `.` light tile, `S` start, `T` target, other capitals switches,
//! other small letters bridges; short rows are filled with `-`. Then lines in any order:
//!
//! * `#AOh` soft switch A toggles bridge h (letter O or digit 0), `#AXh` heavy; `#AO+h` turns it on, `#AO-h` off; several
//!   lines for one switch add up.
//! * `#AS x y x y` makes A a splitter: the cubes appear there, the first in control.
//! * `%h` bridge h is on at the start of the level.
//! * A position in mid-play adds `@ x y` (standing), `@ x y x y` (lying) or `@ x y * x y` (cubes, `*` after the one in
//!   control), and `%=abc`, all bridges that are on now, where they are not those of the start.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::{Block, Bloxorz, CODES};
use crate::core::text::{self, Line, Word};
use crate::core::{Cell, Error, Grid};

/// What lies on a cell of the terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tile {
    /// Nothing: the block falls.
    None,
    /// A tile that holds everything. The start is one.
    Floor,
    /// A tile that breaks under a standing block.
    Light,
    /// The tile where the block must stand.
    Target,
    /// A switch or a splitter, by the index of its capital letter.
    Switch(u8),
    /// A piece of a bridge, by the index of its small letter.
    Bridge(u8),
}

impl Tile {
    pub(crate) const BRIDGE_OFF: u8 = CODES[7].1;
    pub(crate) const BRIDGE_ON: u8 = CODES[8].1;
}

/// When a switch fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchKind {
    /// Under any part of the block.
    Soft,
    /// Under the whole block, standing.
    Heavy,
    /// Under the whole block, standing: it becomes two cubes on these cells, the first in control.
    Splitter(Cell, Cell),
}

/// A switch: all its lines composed into one change of the bridges, `bits' = (bits & keep) ^ flip`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// When it fires.
    pub kind: SwitchKind,
    /// Bridges whose state still matters.
    pub keep: u32,
    /// Bridges that are toggled after that.
    pub flip: u32,
    /// Bridges that its lines name, even where two lines undo each other.
    pub named: u32,
}

const LETTERS: usize = 26;

/// How far a roll goes.
const FRAME: usize = 2;

/// A level of Bloxorz: everything that never changes while it is played.
///
/// Invariant: start and target lie on the terrain; every switch tile has its switch; every bridge that a switch names has
/// a tile; the cells of a splitter are tiles, apart from each other.
#[derive(Clone, Debug)]
pub struct Level {
    tiles: Grid<Tile>,
    start: Cell,
    target: Cell,
    switches: [Option<Switch>; LETTERS],
    bridges_on: u32,
    /// Derived: the board codes at the start of the level, without a block, in a frame of nothing as wide as a roll is far:
    /// wherever a block rolls to, there is a code.
    codes: Vec<u8>,
    /// Derived: the cells of each bridge, row-major indices.
    bridge_tiles: [Vec<u32>; LETTERS],
}

impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start
            && self.target == other.target
            && self.bridges_on == other.bridges_on
            && self.switches == other.switches
            && self.tiles == other.tiles
    }
}

impl Level {
    /// Reads a level; a position in mid-play is read as the level that it is played on.
    ///
    /// # Errors
    /// The first complaint, with line and column.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let game = parse(text)?;
        Ok(Arc::unwrap_or_clone(game.level))
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.tiles.height()
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.tiles.width()
    }

    /// Where the block starts, standing.
    pub fn start(&self) -> Cell {
        self.start
    }

    /// Where the block must stand at last.
    pub fn target(&self) -> Cell {
        self.target
    }

    /// The terrain.
    pub fn tiles(&self) -> &Grid<Tile> {
        &self.tiles
    }

    /// What lies on a cell; nothing lies off the board.
    #[inline]
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles.get(cell).copied().unwrap_or(Tile::None)
    }

    /// The switch on a cell.
    #[inline]
    pub fn switch_at(&self, cell: Cell) -> Option<&Switch> {
        match self.tile(cell) {
            Tile::Switch(letter) => self.switches[letter as usize].as_ref(),
            _ => None,
        }
    }

    /// The switches by the index of their letter.
    pub fn switches(&self) -> &[Option<Switch>; LETTERS] {
        &self.switches
    }

    /// The bridges that have tiles, a bit a letter.
    pub fn bridges(&self) -> u32 {
        (0..LETTERS).filter(|&letter| !self.bridge_tiles[letter].is_empty()).fold(0, |bits, letter| bits | 1 << letter)
    }

    /// The bridges that are on at the start, a bit a letter.
    pub fn bridges_on(&self) -> u32 {
        self.bridges_on
    }

    /// The row-major indices of the tiles of a bridge.
    pub(crate) fn bridge_tiles(&self, letter: u8) -> &[u32] {
        &self.bridge_tiles[letter as usize]
    }

    /// The board codes at the start of the level, without a block, a row after the other.
    pub(crate) fn code_rows(&self) -> impl Iterator<Item = &[u8]> {
        let rows = self.codes.chunks_exact(self.width() + 2 * FRAME);
        rows.skip(FRAME).take(self.height()).map(|row| &row[FRAME..row.len() - FRAME])
    }

    /// The largest of the codes that [`Level::plain`] gives for cells without switches and bridges.
    pub(crate) const MOST_PLAIN: u8 = CODES[3].1;

    /// The code of a light tile.
    pub(crate) const LIGHT: u8 = CODES[2].1;

    /// The code of a cell at the start of the level, which a block on the board can roll to.
    #[inline]
    pub(crate) fn plain(&self, cell: Cell) -> u8 {
        let frame = FRAME as i32;
        self.codes[(cell.row + frame) as usize * (self.width() + 2 * FRAME) + (cell.col + frame) as usize]
    }

    /// Whether a cell holds a cube, with these bridges on.
    #[inline]
    pub fn holds(&self, cell: Cell, bridges: u32) -> bool {
        match self.tile(cell) {
            Tile::None => false,
            Tile::Bridge(letter) => bridges >> letter & 1 == 1,
            _ => true,
        }
    }

    /// What the source document's `at` says of a cell at the start of the level: 2 a tile, 1 a light tile, 0 nothing.
    pub fn at(&self, cell: Cell) -> u8 {
        match self.tile(cell) {
            Tile::Light => 1,
            _ => 2 * u8::from(self.holds(cell, self.bridges_on)),
        }
    }

    /// Whether a block rests safely on the terrain at the start of the level.
    pub fn can_hold(&self, block: Block) -> bool {
        let least = if block.is_standing() { 2 } else { 1 };
        block.cells().all(|cell| self.at(cell) >= least)
    }

    /// Puts checked parts together and derives the rest.
    pub(super) fn new(
        tiles: Grid<Tile>,
        start: Cell,
        target: Cell,
        switches: &[Option<Switch>; LETTERS],
        bridges_on: u32,
    ) -> Self {
        let mut bridge_tiles: [Vec<u32>; LETTERS] = Default::default();
        let mut code = |(index, tile): (usize, &Tile)| match *tile {
            Tile::None => CODES[0].1,
            Tile::Floor => CODES[1].1,
            Tile::Light => CODES[2].1,
            Tile::Target => CODES[3].1,
            Tile::Switch(letter) => match switches[letter as usize].map(|switch| switch.kind) {
                Some(SwitchKind::Heavy) => CODES[5].1,
                Some(SwitchKind::Splitter(..)) => CODES[6].1,
                _ => CODES[4].1,
            },
            Tile::Bridge(letter) => {
                bridge_tiles[letter as usize].push(index as u32);
                if bridges_on >> letter & 1 == 1 { Tile::BRIDGE_ON } else { Tile::BRIDGE_OFF }
            }
        };
        let stride = tiles.width() + 2 * FRAME;
        let mut codes = vec![CODES[0].1; (tiles.height() + 2 * FRAME) * stride];
        for (index, tile) in tiles.as_slice().iter().enumerate() {
            let cell = tiles.cell(index);
            codes[(cell.row as usize + FRAME) * stride + cell.col as usize + FRAME] = code((index, tile));
        }
        Self { tiles, start, target, switches: *switches, bridges_on, codes, bridge_tiles }
    }
}

/// A definition as it was read, with its place.
struct Defined {
    line: usize,
    column: usize,
}

/// Reads rows and definitions one after the other and keeps what later checks need.
#[derive(Default)]
struct Reader<'a> {
    rows: Vec<Line<'a>>,
    start: Option<Cell>,
    target: Option<Cell>,
    /// Where a letter first stands on the terrain: line and column.
    tiles: HashMap<char, (usize, usize)>,
    switches: [Option<Switch>; LETTERS],
    switch_lines: Vec<(u8, Defined)>,
    bridge_lines: Vec<(u8, Defined)>,
    /// Bridges of a position in mid-play: they need tiles, and define nothing.
    bridge_mentions: Vec<(u8, Defined)>,
    splitters: Vec<(Cell, Cell, Line<'a>)>,
    bridges_on: u32,
    bridges_now: Option<(u32, Line<'a>)>,
    block: Option<(Block, Line<'a>)>,
}

/// Reads a position.
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

fn index(letter: char) -> u8 {
    letter.to_ascii_lowercase() as u8 - b'a'
}

fn is_switch(letter: char) -> bool {
    letter.is_ascii_uppercase() && !matches!(letter, 'S' | 'T')
}

fn is_bridge(letter: char) -> bool {
    letter.is_ascii_lowercase() && letter != 'o'
}

impl<'a> Reader<'a> {
    fn row(&mut self, line: Line<'a>) -> Result<(), Error> {
        let defined = !self.switch_lines.is_empty() || !self.bridge_lines.is_empty() || self.block.is_some();
        if defined || self.bridges_now.is_some() {
            return Err(line.error(1, "a row of tiles after the definitions, wanted a line with '#', '%' or '@'"));
        }
        for (column, letter) in line.chars() {
            let cell = Cell::new(self.rows.len() as i32, column as i32 - 1);
            match letter {
                '-' | 'o' | '0' | '.' => {}
                'S' | 'T' => {
                    let (place, name) =
                        if letter == 'S' { (&mut self.start, "start") } else { (&mut self.target, "target") };
                    if place.is_some() {
                        return Err(line.error(column, format!("a second {name} '{letter}', wanted one")));
                    }
                    *place = Some(cell);
                }
                _ if letter.is_ascii_alphabetic() => {
                    self.tiles.entry(letter).or_insert((line.number, column));
                }
                _ => {
                    let shown = text::quote(&letter.to_string());
                    return Err(line.error(column, format!("{shown}, wanted a tile: one of - o . S T or a letter")));
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
        let mut next =
            |wanted: &str| letters.next().ok_or_else(|| line.error(end, format!("the line ends, wanted {wanted}")));
        let (column, letter) = next("the letter of a switch")?;
        if !is_switch(letter) {
            let shown = text::quote(&letter.to_string());
            return Err(line.error(column, format!("{shown}, wanted the letter of a switch: A to Z without S and T")));
        }
        let (kind_column, kind) = next("the kind of the switch: O, X or S")?;
        let mut switch = match kind {
            'O' | '0' => Switch { kind: SwitchKind::Soft, keep: u32::MAX, flip: 0, named: 0 },
            'X' => Switch { kind: SwitchKind::Heavy, keep: u32::MAX, flip: 0, named: 0 },
            'S' => {
                let (first, second) = splitter(line)?;
                self.splitters.push((first, second, line));
                Switch { kind: SwitchKind::Splitter(first, second), keep: u32::MAX, flip: 0, named: 0 }
            }
            _ => {
                let shown = text::quote(&kind.to_string());
                return Err(
                    line.error(kind_column, format!("kind {shown}, wanted O (soft), X (heavy) or S (splitter)"))
                );
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
                let (was, is) = (name(before.kind), name(switch.kind));
                return Err(
                    line.error(kind_column, format!("switch {letter} is {is} here and {was} above, wanted one kind"))
                );
            }
            switch = *before;
        }
        if kind != 'S' {
            let (mut column, mut bridge) = next("the letter of a bridge")?;
            let sign = matches!(bridge, '+' | '-').then_some(bridge);
            if sign.is_some() {
                (column, bridge) = next("the letter of a bridge")?;
            }
            if !is_bridge(bridge) {
                let shown = text::quote(&bridge.to_string());
                return Err(line.error(column, format!("{shown}, wanted the letter of a bridge: a to z without o")));
            }
            if let Some((column, more)) = letters.next() {
                let shown = text::quote(&more.to_string());
                return Err(line.error(column, format!("{shown} after the bridge, wanted the end of the line")));
            }
            let bit = 1 << index(bridge);
            switch.named |= bit;
            match sign {
                None => switch.flip ^= bit,
                Some(sign) => {
                    switch.keep &= !bit;
                    switch.flip = if sign == '+' { switch.flip | bit } else { switch.flip & !bit };
                }
            }
            self.bridge_lines.push((index(bridge), Defined { line: line.number, column }));
        }
        *place = Some(switch);
        self.switch_lines.push((index(letter), Defined { line: line.number, column }));
        Ok(())
    }

    /// Reads `%h`, or `%=abc` of a position in mid-play.
    fn bridges(&mut self, line: Line<'a>) -> Result<(), Error> {
        let mut letters = line.chars().skip(1).filter(|(_, c)| !c.is_whitespace()).peekable();
        let now = letters.next_if(|&(_, c)| c == '=').is_some();
        let mut bits = 0;
        let mut count = 0;
        for (column, letter) in letters {
            if !is_bridge(letter) || (count == 1 && !now) {
                let shown = text::quote(&letter.to_string());
                return Err(line.error(column, format!("{shown}, wanted one letter of a bridge: a to z without o")));
            }
            bits |= 1 << index(letter);
            count += 1;
            let place = Defined { line: line.number, column };
            if now { &mut self.bridge_mentions } else { &mut self.bridge_lines }.push((index(letter), place));
        }
        if now {
            if self.bridges_now.replace((bits, line)).is_some() {
                return Err(line.error(1, "a second line with '%=', wanted one"));
            }
        } else if count == 0 {
            let end = line.text.chars().count() + 1;
            return Err(line.error(end, "the line ends, wanted the letter of a bridge"));
        } else {
            self.bridges_on |= bits;
        }
        Ok(())
    }

    /// Reads `@ x y`, `@ x y x y` or `@ x y * x y`.
    fn position(&mut self, line: Line<'a>) -> Result<(), Error> {
        if self.block.is_some() {
            return Err(line.error(1, "a second line with '@', wanted one"));
        }
        let words: Vec<Word<'_>> = blank_first(line).words().collect();
        let stars: Vec<usize> = (0..words.len()).filter(|&i| words[i].text == "*").collect();
        let numbers: Vec<Word<'_>> = words.iter().copied().filter(|word| word.text != "*").collect();
        let cells = cells(line, &numbers)?;
        let block = match (&cells[..], &stars[..]) {
            (&[cell], []) => Block::standing(cell),
            (&[one, other], [] | [2]) => Block::split(one, other),
            (&[one, other], [4]) => Block::split(other, one),
            _ => return Err(line.error(1, "wanted '@ x y', '@ x y x y' or '@ x y * x y'")),
        };
        if cells.len() == 2 && block.is_standing() {
            return Err(line.error(1, "two cubes on one cell, wanted two cells or one of a standing block"));
        }
        if block.is_split() == stars.is_empty() && cells.len() == 2 {
            let wanted = if block.is_split() { "'*' after the cube in control" } else { "no '*' for a lying block" };
            return Err(line.error(1, format!("'*' {} times, wanted {wanted}", stars.len())));
        }
        self.block = Some((block, line));
        Ok(())
    }

    fn finish(self, text: &str) -> Result<Bloxorz, Error> {
        let (line, column) = text::end(text);
        if self.rows.is_empty() {
            return Err(Error::level(line, column, "no row of tiles, wanted at least one"));
        }
        let width = self.rows.iter().map(|row| row.text.chars().count()).max().unwrap_or(0);
        text::check_size(self.rows.len(), width).map_err(|error| error.at(self.rows[0].number, 1))?;
        let missing = |name| Error::level(line, column, format!("no {name}, wanted one"));
        let start = self.start.ok_or_else(|| missing("start 'S'"))?;
        let target = self.target.ok_or_else(|| missing("target 'T'"))?;
        self.check_letters()?;
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
        for (first, second, line) in self.splitters {
            if let Some(cell) = [first, second].into_iter().find(|&cell| level.tile(cell) == Tile::None) {
                return Err(line.error(1, format!("a cube at x {} y {}, wanted it on a tile", cell.col, cell.row)));
            }
            if !Block::split(first, second).is_split() {
                return Err(line.error(1, "cubes on one cell or on neighbouring cells, wanted them apart"));
            }
        }
        let level = Arc::new(level);
        let bridges = self.bridges_now.map_or(self.bridges_on, |(bits, _)| bits);
        match self.block {
            Some((block, line)) => Bloxorz::new(level, block, bridges).map_err(|error| error.at(line.number, 1)),
            None => match self.bridges_now {
                Some((_, line)) => {
                    Err(line.error(1, "'%=' without a line with '@', wanted both for a position in mid-play"))
                }
                None => Ok(Bloxorz::start(level)),
            },
        }
    }

    /// Checks that letters on the terrain and in the lines belong together.
    fn check_letters(&self) -> Result<(), Error> {
        let mut tiles: Vec<_> = self.tiles.iter().collect();
        tiles.sort_unstable_by_key(|&(_, place)| place);
        for (&letter, &(line, column)) in tiles {
            let lines = if is_switch(letter) { &self.switch_lines } else { &self.bridge_lines };
            if !lines.iter().any(|&(defined, _)| defined == index(letter)) {
                let wanted = if is_switch(letter) {
                    format!("switch {letter} without a definition, wanted a line like '#{letter}Oh'")
                } else {
                    format!("bridge {letter} without a switch, wanted a line like '#AO{letter}' or '%{letter}'")
                };
                return Err(Error::level(line, column, wanted));
            }
        }
        let of = |base: u8, lines: &[(u8, Defined)], name: &str| {
            lines.iter().find(|(letter, _)| !self.tiles.contains_key(&((base + letter) as char))).map(|(letter, at)| {
                let letter = (base + letter) as char;
                Error::level(
                    at.line,
                    at.column,
                    format!("{name} {letter} has no tile, wanted at least one on the terrain"),
                )
            })
        };
        let missing = of(b'A', &self.switch_lines, "switch")
            .or_else(|| of(b'a', &self.bridge_lines, "bridge"))
            .or_else(|| of(b'a', &self.bridge_mentions, "bridge"));
        missing.map_or(Ok(()), Err)
    }
}

/// The line with its first character blanked out, so that columns stay true.
fn blank_first(line: Line<'_>) -> Line<'_> {
    // The first character is one byte, '@' or '#': the words start after it, one column later.
    Line { number: line.number, text: &line.text[1..] }
}

/// Reads pairs `x y` of words; the words were read one column too far to the left.
fn cells(line: Line<'_>, words: &[Word<'_>]) -> Result<Vec<Cell>, Error> {
    let end = line.text.chars().count() + 1;
    if words.len() % 2 == 1 || words.is_empty() {
        return Err(line.error(end, format!("{} numbers, wanted x and y of each cell", words.len())));
    }
    let number =
        |word: Word<'_>, name| Word { column: word.column + 1, ..word }.number(name, 0, i64::from(i32::MAX / 2));
    words
        .chunks_exact(2)
        .map(|pair| Ok(Cell::new(number(pair[1], "y")? as i32, number(pair[0], "x")? as i32)))
        .collect()
}

/// Reads the cells of `#AS x y x y`.
fn splitter(line: Line<'_>) -> Result<(Cell, Cell), Error> {
    let words: Vec<Word<'_>> = blank_first(line).words().collect();
    let from = words.iter().position(|word| word.text.ends_with('S')).map_or(words.len(), |i| i + 1);
    match cells(line, &words[from..])?[..] {
        [first, second] => Ok((first, second)),
        ref cells => Err(line.error(1, format!("{} cells, wanted two: '#AS x y x y'", cells.len()))),
    }
}

/// Writes a position; the level alone where the game stands at its start.
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
