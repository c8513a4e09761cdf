//! The longest shortest solution of every floor of a rectangle.
//!
//! A floor is a set of tiles, some of which may be light. The search starts simultaneously from all cells on which a
//! block can stand: each pose holds one bit per start, and a step rolls all poses of all starts. A bit is kept only if
//! its start reaches the pose for the first time.
//!
//! ```text
//! floor 1 1 1 1   four starts, bits 0 to 3; a block stands on one of four cells or lies on one of three pairs
//! step 0          stands 0001 0010 0100 1000   lies 0000 0000 0000
//! step 1          stands 0000 0000 0000 0000   lies 0100 1001 0010     start 2 lies on 0 and 1, start 3 on 1 and 2
//! step 2          stands 1000 0000 0000 0001   lies 0000 0000 0000     start 3 stands on 0, start 0 on 3: 2 rolls
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use crate::core::grid::{image, symmetries};
use crate::core::{Budget, Error};

/// The largest number of cells of a rectangle: a set of starts is one 32-bit word.
pub const MAX_CELLS: usize = 32;

/// The length of an array of places: the cells of a rectangle, two rows above it, two rows below it and two columns to
/// its right. The places outside are never part of a floor, so no roll needs a check against the border. A rectangle of
/// 1 x 32 cells has the most places, 5 * 34 = 170.
const PLACES: usize = 192;

/// For each place, a set of starts: one bit per start, at the row-major index of its cell.
type Starts = [u32; PLACES];

/// The floor, start and target with the longest shortest solution of the census.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LongestFloor {
    /// The cells with a tile, one bit per cell, row-major.
    pub tiles: u32,
    /// The cells with a light tile, one bit per cell, row-major.
    pub light: u32,
    /// The row-major index of the cell on which the block stands at the start.
    pub start: u32,
    /// The row-major index of the target.
    pub target: u32,
}

/// The number of floors by the length of their longest shortest solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FloorCensus {
    /// For each number of rolls, the number of floors whose longest shortest solution takes that many rolls: up to
    /// symmetry, and in total. A floor on which no start leads to another cell to stand on counts as 0 rolls.
    pub floors: BTreeMap<u32, [u64; 2]>,
    /// The first floor found with the largest number of rolls; all fields are 0 if that number is 0.
    pub longest: LongestFloor,
}

/// The symmetries of a rectangle other than the identity: for each, three tables. Table `i` maps a set of cells with
/// indices from `i * THIRD` to `(i + 1) * THIRD - 1` to its image.
struct Symmetries {
    images: Vec<[Vec<u32>; 3]>,
}

/// The number of cells that one of the three tables of a symmetry maps.
const THIRD: usize = 11;

impl Symmetries {
    /// Creates the tables for a rectangle of at most [`MAX_CELLS`] cells.
    fn new(height: usize, width: usize) -> Self {
        let mut images = Vec::new();
        for symmetry in 1..symmetries(height, width) {
            let table = |third: usize| {
                (0..1u32 << THIRD)
                    .map(|bits| {
                        (0..THIRD)
                            .filter(|&bit| bits >> bit & 1 != 0 && third * THIRD + bit < height * width)
                            .fold(0, |set, bit| set | 1 << image(height, width, symmetry, third * THIRD + bit))
                    })
                    .collect()
            };
            images.push([table(0), table(1), table(2)]);
        }
        Self { images }
    }

    /// Returns the number of different images of a floor, itself included, or 0 if an image comes before the floor in
    /// the order of `tiles`, then `light`.
    fn orbit(&self, tiles: u32, light: u32) -> u64 {
        // The number of symmetries that leave the floor unchanged. The number of images is the number of all symmetries
        // divided by `fixed`.
        let mut fixed = 1;
        for [low, middle, high] in &self.images {
            let image = |set: u32| {
                low[set as usize & 0x7ff]
                    | middle[(set >> THIRD) as usize & 0x7ff]
                    | high[(set >> (2 * THIRD)) as usize]
            };
            let other = image(tiles);
            if other < tiles {
                return 0;
            }
            if other == tiles {
                match image(light).cmp(&light) {
                    std::cmp::Ordering::Less => return 0,
                    std::cmp::Ordering::Equal => fixed += 1,
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        (self.images.len() as u64 + 1) / fixed
    }
}

/// Poses in three arrays: standing, lying along a row (by the left cell) and along a column (by the upper cell).
struct Poses {
    stand: Starts,
    row: Starts,
    column: Starts,
}

impl Poses {
    /// Returns arrays of empty sets.
    fn none() -> Self {
        Self { stand: [0; PLACES], row: [0; PLACES], column: [0; PLACES] }
    }
}

/// The search from all starts of a floor. Its memory is reused for the next floor.
struct AllStarts {
    height: usize,
    width: usize,
    /// The number of places of a row: its cells and two more.
    pitch: usize,
    /// For each pose of the floor, the starts that have not reached it yet.
    fresh: Poses,
    /// For each pose, the starts that reached it for the first time in the previous step.
    layer: Poses,
    /// For each pose, the starts that reach it for the first time in the current step.
    next: Poses,
}

impl AllStarts {
    /// Creates a search for floors of a rectangle of at most [`MAX_CELLS`] cells.
    fn new(height: usize, width: usize) -> Self {
        Self { height, width, pitch: width + 2, fresh: Poses::none(), layer: Poses::none(), next: Poses::none() }
    }

    /// Returns the place of a cell, given by its row-major index.
    fn place(&self, cell: usize) -> usize {
        (cell / self.width + 2) * self.pitch + cell % self.width
    }

    /// Returns the number of rolls of the longest shortest solution of a floor, and the row-major indices of its start
    /// and target; all 0 if no start reaches another cell to stand on.
    fn longest(&mut self, tiles: u32, light: u32) -> (u32, u32, u32) {
        let (pitch, cells) = (self.pitch, self.height * self.width);
        let inside = 2 * pitch..(self.height + 2) * pitch;
        for poses in [&mut self.fresh, &mut self.layer] {
            for array in [&mut poses.stand, &mut poses.row, &mut poses.column] {
                array[inside.clone()].fill(0);
            }
        }
        let all = |there: bool| if there { u32::MAX } else { 0 };
        for cell in 0..cells {
            if tiles >> cell & 1 == 0 {
                continue;
            }
            let place = self.place(cell);
            let start = u32::from(light >> cell & 1 == 0) << cell;
            self.layer.stand[place] = start;
            self.fresh.stand[place] = all(start != 0) & !start;
            self.fresh.row[place] = all(cell % self.width + 1 < self.width && tiles >> (cell + 1) & 1 != 0);
            self.fresh.column[place] = all(cell + self.width < cells && tiles >> (cell + self.width) & 1 != 0);
        }
        let (mut rolls, mut longest, mut there, mut from) = (0, 0, 0, 0);
        loop {
            rolls += 1;
            let (stands, lies) = self.roll(&inside);
            if stands != 0 {
                let place = inside.clone().find(|&place| self.next.stand[place] != 0).unwrap_or(inside.start);
                (longest, there, from) = (rolls, place, self.next.stand[place].trailing_zeros());
            }
            if stands | lies == 0 {
                let target = if longest == 0 { 0 } else { (there / pitch - 2) * self.width + there % pitch };
                return (longest, from, target as u32);
            }
            std::mem::swap(&mut self.layer, &mut self.next);
        }
    }

    /// Rolls all poses of `layer` into `next`. Returns the starts whose block stands, and those whose block lies, in a
    /// pose that it has not reached before. `inside` is the range of places in the rows of the rectangle.
    fn roll(&mut self, inside: &Range<usize>) -> (u32, u32) {
        let (len, pitch) = (inside.len(), self.pitch);
        // Returns the sets of the places that are `by` ahead of the places in `inside`: a pose that rolls left by one
        // place comes from one place ahead.
        let window = |array, by: isize| view(array, (inside.start as isize + by) as usize, len);
        let (one, two) = (pitch as isize, 2 * pitch as isize);
        let (layer, fresh, next) = (&self.layer, &mut self.fresh, &mut self.next);
        let stands = step(
            [window(&layer.row, -2), window(&layer.row, 1), window(&layer.column, -two), window(&layer.column, one)],
            &mut fresh.stand[inside.clone()],
            &mut next.stand[inside.clone()],
        );
        let rows = step(
            [window(&layer.stand, -1), window(&layer.stand, 2), window(&layer.row, -one), window(&layer.row, one)],
            &mut fresh.row[inside.clone()],
            &mut next.row[inside.clone()],
        );
        let columns = step(
            [
                window(&layer.stand, -one),
                window(&layer.stand, two),
                window(&layer.column, -1),
                window(&layer.column, 1),
            ],
            &mut fresh.column[inside.clone()],
            &mut next.column[inside.clone()],
        );
        (stands, rows | columns)
    }
}

/// Returns the sets of `len` places, starting with place `from`.
fn view(array: &Starts, from: usize, len: usize) -> &[u32] {
    &array[from..from + len]
}

/// Moves the starts from the poses in four arrays into the poses that they roll to. A start does not enter a pose that
/// it has reached before. Writes the starts that enter each pose to `next` and removes them from `fresh`. Returns the
/// set of all starts that enter a pose.
fn step(from: [&[u32]; 4], fresh: &mut [u32], next: &mut [u32]) -> u32 {
    let len = fresh.len();
    // The slices have the same known length, so the loop below compiles to vector instructions without bounds checks.
    let [a, b, c, d] = from.map(|window| &window[..len]);
    let next = &mut next[..len];
    let mut any = 0;
    for i in 0..len {
        let entered = (a[i] | b[i] | c[i] | d[i]) & fresh[i];
        fresh[i] &= !entered;
        next[i] = entered;
        any |= entered;
    }
    any
}

/// Counts the floors of a rectangle by their longest shortest solution.
///
/// * `height`, `width`: the numbers of rows and columns; the rectangle has 1 to [`MAX_CELLS`] cells
/// * `light`: whether tiles may be light; each choice of light tiles is then a floor of its own
/// * `tiles`: the range of the sets of tiles to examine, one bit per cell, row-major; `0..1 << (height * width)` has
///   all of them, and sets beyond it are ignored
/// * `budget`: counts sets of tiles
///
/// Floors that are images of each other are counted together when the first of them in the order of
/// [`LongestFloor::tiles`], then [`LongestFloor::light`], is examined, even if the others lie outside the range. So the
/// counts of disjoint ranges that together cover all sets of tiles add up to those of the full range.
///
/// # Errors
/// Returns [`Error::Invalid`] if the rectangle has no cell or more than [`MAX_CELLS`], and [`Error::Limit`] or
/// [`Error::Interrupted`] if the budget ends the census.
pub fn floor_census(
    height: usize,
    width: usize,
    light: bool,
    tiles: Range<u64>,
    budget: &mut Budget<'_>,
) -> Result<FloorCensus, Error> {
    let cells = height.saturating_mul(width);
    if cells == 0 || cells > MAX_CELLS {
        return Err(Error::Invalid(format!(
            "height * width must be between 1 and {MAX_CELLS}, got {height} * {width}"
        )));
    }
    let symmetries = Symmetries::new(height, width);
    let mut search = AllStarts::new(height, width);
    let mut found = FloorCensus::default();
    let mut most = 0;
    for tiles in tiles.start..tiles.end.min(1 << cells) {
        budget.spend(1)?;
        let tiles = tiles as u32;
        // Examines the subsets of the tiles in descending order, from all to none.
        let mut light_tiles = if light { tiles } else { 0 };
        loop {
            // One set of tiles has up to 2^32 subsets: calls of `pause` are at most 4096 subsets apart.
            if light_tiles != 0 && light_tiles.trailing_zeros() >= 12 {
                budget.pause()?;
            }
            let orbit = symmetries.orbit(tiles, light_tiles);
            if orbit != 0 {
                let (rolls, start, target) = search.longest(tiles, light_tiles);
                let [floors, all] = found.floors.entry(rolls).or_default();
                (*floors, *all) = (*floors + 1, *all + orbit);
                if rolls > most {
                    (most, found.longest) = (rolls, LongestFloor { tiles, light: light_tiles, start, target });
                }
            }
            if light_tiles == 0 {
                break;
            }
            light_tiles = (light_tiles - 1) & tiles;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn census(height: usize, width: usize, light: bool) -> FloorCensus {
        floor_census(height, width, light, 0..1 << (height * width), &mut Budget::unlimited()).unwrap()
    }

    #[test]
    fn the_longest_solutions_take_the_known_numbers_of_rolls() {
        for (height, width, rolls) in [(3, 3, 10), (3, 4, 13), (3, 5, 16), (4, 4, 15)] {
            let found = census(height, width, false).floors;
            assert_eq!(found.keys().last(), Some(&rolls), "{height} x {width}");
            assert_eq!(found.values().map(|[_, all]| all).sum::<u64>(), 1 << (height * width));
        }
    }

    #[test]
    fn the_counts_of_parts_add_up_to_those_of_the_whole() {
        let whole = census(3, 4, true);
        assert_eq!(whole.floors.values().map(|[_, all]| all).sum::<u64>(), 3u64.pow(12));
        let mut sum: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
        for first in (0..1 << 12).step_by(1000) {
            let part = floor_census(3, 4, true, first..first + 1000, &mut Budget::unlimited()).unwrap();
            for (rolls, [floors, all]) in part.floors {
                let counts = sum.entry(rolls).or_default();
                *counts = [counts[0] + floors, counts[1] + all];
            }
        }
        assert_eq!(sum, whole.floors);
    }

    #[test]
    fn rectangles_with_no_cell_or_too_many_are_refused() {
        assert!(floor_census(3, 11, false, 0..1, &mut Budget::unlimited()).is_err());
        assert!(floor_census(0, 3, false, 0..1, &mut Budget::unlimited()).is_err());
        assert!(floor_census(usize::MAX / 2 + 2, 2, false, 0..1, &mut Budget::unlimited()).is_err());
    }
}
