//! Sketches: the objects that annealing changes step by step, and how a sketch becomes the parts of a level.

use super::generate::Recipe;
use super::{Switch, SwitchKind, Tile};
use crate::core::{Cell, Grid, Rng};

/// The letters of switches, in the order in which they are assigned: all but `S` (start) and `T` (target).
pub(super) const SWITCH_LETTERS: &[u8; 24] = b"ABCDEFGHIJKLMNOPQRUVWXYZ";
/// The letters of bridges, in the order in which they are assigned: all but `o` (a tile).
pub(super) const BRIDGE_LETTERS: &[u8; 25] = b"abcdefghijklmnpqrstuvwxyz";

/// The surface of a cell, without switches, splitters and bridges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surface {
    None,
    Floor,
    Light,
}

/// The effect of a switch on a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Toggle,
    On,
    Off,
}

/// A soft or heavy switch of a sketch.
#[derive(Clone, Debug)]
struct SketchSwitch {
    cell: usize,
    /// Whether the switch is heavy; otherwise it is soft.
    heavy: bool,
    /// One or two effects, each on a bridge given by its index. A second effect on the same bridge is ignored.
    actions: Vec<(usize, Action)>,
}

/// A bridge of a sketch, of one to four cells.
#[derive(Clone, Debug)]
struct SketchBridge {
    cells: Vec<usize>,
    /// Whether the bridge is on at the start.
    on: bool,
}

/// The object that annealing changes: a level without a target. Its parts may be on any cells and may share cells.
///
/// Cells are row-major indices.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    /// The surface of each cell.
    pub(super) surface: Vec<Surface>,
    pub(super) start: usize,
    switches: Vec<SketchSwitch>,
    bridges: Vec<SketchBridge>,
    /// The cell of each splitter and the cells of its two cubes.
    splitters: Vec<[usize; 3]>,
}

/// A sketch as the parts of a level, without a target. The parts may contradict each other: for example, a switch may
/// name a bridge that has no tile.
pub(super) struct Blueprint {
    pub(super) tiles: Grid<Tile>,
    /// The switches by letter, 0 for `A`.
    pub(super) switches: [Option<Switch>; 26],
    /// The bridges that are on at the start, one bit per letter, `a` lowest.
    pub(super) bridges_on: u32,
}

/// Returns the index in the alphabet of `letters[index]`: 0 for `a` and `A`.
pub(super) fn letter(letters: &[u8], index: usize) -> u8 {
    letters[index].to_ascii_lowercase() - b'a'
}

impl Sketch {
    /// Creates a random sketch: a cell has a tile with probability 0.7, each bridge has one cell, and each switch
    /// toggles one bridge. Without bridges, there are no switches.
    pub(super) fn random(recipe: &Recipe, rng: &mut Rng) -> Self {
        let cells = recipe.cells();
        let any = |rng: &mut Rng| rng.index(cells);
        let mut surface = vec![Surface::None; cells];
        for tile in &mut surface {
            if rng.chance(0.7) {
                *tile = if rng.chance(recipe.light) { Surface::Light } else { Surface::Floor };
            }
        }
        let bridges =
            (0..recipe.bridges).map(|_| SketchBridge { cells: vec![any(rng)], on: rng.chance(0.3) }).collect();
        let switches = (0..if recipe.bridges == 0 { 0 } else { recipe.switches })
            .map(|i| SketchSwitch {
                // The cell may have no tile: `draw` replaces the content of the cell with the switch.
                cell: any(rng),
                heavy: rng.chance(0.5),
                actions: vec![(i % recipe.bridges, Action::Toggle)],
            })
            .collect();
        let splitters = (0..recipe.splitters).map(|_| [any(rng), any(rng), any(rng)]).collect();
        Self { surface, start: any(rng), switches, bridges, splitters }
    }

    /// Makes one or more random changes. Their number has a geometric distribution with mean 1 / 0.65, about 1.5.
    pub(super) fn change(&mut self, recipe: &Recipe, rng: &mut Rng) {
        let random_neighbor = |rng: &mut Rng, cell: usize| {
            let (row, col) = (cell / recipe.width, cell % recipe.width);
            // A step of -1, 0 or 1, kept within the board. The result may be the cell itself or a diagonal neighbor.
            let step = |rng: &mut Rng, at: usize, size: usize| (at + rng.index(3)).clamp(1, size) - 1;
            step(rng, row, recipe.height) * recipe.width + step(rng, col, recipe.width)
        };
        // An element moves to a nearby cell or to any cell.
        let moved = |rng: &mut Rng, cell: usize| {
            if rng.chance(0.5) { random_neighbor(rng, cell) } else { rng.index(recipe.cells()) }
        };
        loop {
            let elements = self.switches.len() + self.bridges.len() + self.splitters.len();
            // The probability that an element or the start changes, rather than the surface of a cell.
            let share = if elements == 0 { 0.06 } else { 0.45 };
            if rng.chance(share) {
                let pick = rng.index(elements + 1);
                if pick < self.switches.len() {
                    let switch = &mut self.switches[pick];
                    match rng.index(6) {
                        0..3 => switch.cell = moved(rng, switch.cell),
                        3 => switch.heavy = !switch.heavy,
                        4 => {
                            let changed = rng.index(switch.actions.len());
                            let bridge = rng.index(self.bridges.len());
                            switch.actions[changed] = (bridge, *rng.choose(&[Action::Toggle, Action::On, Action::Off]));
                        }
                        _ if switch.actions.len() > 1 => drop(switch.actions.pop()),
                        _ => switch.actions.push((
                            rng.index(self.bridges.len()),
                            *rng.choose(&[Action::Toggle, Action::On, Action::Off]),
                        )),
                    }
                } else if pick < self.switches.len() + self.bridges.len() {
                    let bridge = &mut self.bridges[pick - self.switches.len()];
                    let at = rng.index(bridge.cells.len());
                    match rng.index(6) {
                        0 => bridge.on = !bridge.on,
                        1 if bridge.cells.len() < 4 => {
                            let cell = random_neighbor(rng, bridge.cells[at]);
                            bridge.cells.push(cell);
                        }
                        1 | 2 if bridge.cells.len() > 1 => drop(bridge.cells.swap_remove(at)),
                        _ => bridge.cells[at] = moved(rng, bridge.cells[at]),
                    }
                } else if pick < elements {
                    let splitter = &mut self.splitters[pick - self.switches.len() - self.bridges.len()];
                    let at = rng.index(3);
                    splitter[at] = moved(rng, splitter[at]);
                } else {
                    self.start = moved(rng, self.start);
                }
            } else {
                let cell = rng.index(self.surface.len());
                self.surface[cell] = match self.surface[cell] {
                    _ if rng.chance(recipe.light) => Surface::Light,
                    Surface::None | Surface::Light => Surface::Floor,
                    Surface::Floor => Surface::None,
                };
                if self.surface[cell] == Surface::Light && recipe.light > 0.0 && rng.chance(0.3) {
                    self.surface[cell] = Surface::None;
                }
            }
            // Changes may come in groups, so that changes that help only together are found.
            if rng.chance(0.65) {
                break;
            }
        }
    }

    /// Turns the sketch into a copy of another one, reusing the memory of its lists. Only the lists inside switches and
    /// bridges are newly allocated.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.surface.clone_from(&other.surface);
        self.start = other.start;
        self.switches.clone_from(&other.switches);
        self.bridges.clone_from(&other.bridges);
        self.splitters.clone_from(&other.splitters);
    }

    /// Writes the sketch to `out` as the parts of a level. `recipe` must have the size of the sketch and of `out`.
    pub(super) fn draw(&self, recipe: &Recipe, out: &mut Blueprint) {
        let tiles = out.tiles.as_mut_slice();
        for (tile, surface) in tiles.iter_mut().zip(&self.surface) {
            *tile = match surface {
                Surface::None => Tile::None,
                Surface::Floor => Tile::Floor,
                Surface::Light => Tile::Light,
            };
        }
        // Parts may be on the same cell; a part written later replaces an earlier one. The order is: surface, bridges,
        // switches, splitters, start.
        out.switches = [None; 26];
        out.bridges_on = 0;
        for (i, bridge) in self.bridges.iter().enumerate() {
            let name = letter(BRIDGE_LETTERS, i);
            out.bridges_on |= u32::from(bridge.on) << name;
            for &cell in &bridge.cells {
                tiles[cell] = Tile::Bridge(name);
            }
        }
        for (i, sketched) in self.switches.iter().enumerate() {
            let name = letter(SWITCH_LETTERS, i);
            let kind = if sketched.heavy { SwitchKind::Heavy } else { SwitchKind::Soft };
            let mut switch = Switch { kind, keep: u32::MAX, flip: 0, named: 0 };
            for &(bridge, action) in &sketched.actions {
                let bit = 1 << letter(BRIDGE_LETTERS, bridge);
                if switch.named & bit != 0 {
                    continue; // at most one line per switch and bridge, so that the level is easy to read
                }
                switch.named |= bit;
                // A switch sets the bridges to (bridges & keep) ^ flip.
                match action {
                    Action::Toggle => switch.flip |= bit,
                    Action::On => (switch.keep, switch.flip) = (switch.keep & !bit, switch.flip | bit),
                    Action::Off => switch.keep &= !bit,
                }
            }
            tiles[sketched.cell] = Tile::Switch(name);
            out.switches[name as usize] = Some(switch);
        }
        let cell = |index: usize| Cell::new((index / recipe.width) as i32, (index % recipe.width) as i32);
        for (i, &[at, first, second]) in self.splitters.iter().enumerate() {
            let name = letter(SWITCH_LETTERS, self.switches.len() + i);
            let (first, second) = (cell(first), cell(second));
            let apart = first.row.abs_diff(second.row) + first.col.abs_diff(second.col) > 1;
            // Cubes on the same cell or side by side would join at once, so such a splitter is left out.
            if apart {
                tiles[at] = Tile::Switch(name);
                let kind = SwitchKind::Splitter(first, second);
                out.switches[name as usize] = Some(Switch { kind, keep: u32::MAX, flip: 0, named: 0 });
            }
        }
        tiles[self.start] = Tile::Floor;
    }
}
