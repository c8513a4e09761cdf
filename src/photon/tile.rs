//! The tiles: their codes and names, and how light passes through each of them.

use std::fmt;

use crate::core::Dir;

/// A tile of the board. The discriminant of a variant is its code in the Python attribute `board`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Tile {
    /// An empty tile, through which light passes straight on.
    Empty = 0,
    /// A wall, which blocks all light.
    Wall = 1,
    /// The mirror `\`: eastward light turns south.
    MirrorDown = 2,
    /// The mirror `/`: eastward light turns north.
    MirrorUp = 3,
    /// The splitter `\`: it turns light as the mirror `\` does and also lets it pass straight on.
    SplitterDown = 4,
    /// The splitter `/`: it turns light as the mirror `/` does and also lets it pass straight on.
    SplitterUp = 5,
    /// A T-mirror whose point faces north.
    TmirrorN = 6,
    /// A T-mirror whose point faces east.
    TmirrorE = 7,
    /// A T-mirror whose point faces south.
    TmirrorS = 8,
    /// A T-mirror whose point faces west.
    TmirrorW = 9,
    /// A laser that shines north.
    LaserN = 10,
    /// A laser that shines east.
    LaserE = 11,
    /// A laser that shines south.
    LaserS = 12,
    /// A laser that shines west.
    LaserW = 13,
    /// A sensor that opens to the north.
    SensorN = 14,
    /// A sensor that opens to the east.
    SensorE = 15,
    /// A sensor that opens to the south.
    SensorS = 16,
    /// A sensor that opens to the west.
    SensorW = 17,
}

/// The bit that is set in the code of a sensor while the sensor is lit.
pub const LIT: u8 = 32;

/// The number of kinds of hardware, counting each orientation as a kind; their codes are [`FIRST_KIND`] to
/// `FIRST_KIND + KINDS - 1`.
pub const KINDS: usize = 8;

/// The smallest code of hardware.
pub const FIRST_KIND: u8 = 2;

impl Tile {
    /// All tiles in the order of their codes, with their names in Python.
    pub const ALL: [(&'static str, Self); 18] = [
        ("EMPTY", Self::Empty),
        ("WALL", Self::Wall),
        ("MIRROR_DOWN", Self::MirrorDown),
        ("MIRROR_UP", Self::MirrorUp),
        ("SPLITTER_DOWN", Self::SplitterDown),
        ("SPLITTER_UP", Self::SplitterUp),
        ("TMIRROR_N", Self::TmirrorN),
        ("TMIRROR_E", Self::TmirrorE),
        ("TMIRROR_S", Self::TmirrorS),
        ("TMIRROR_W", Self::TmirrorW),
        ("LASER_N", Self::LaserN),
        ("LASER_E", Self::LaserE),
        ("LASER_S", Self::LaserS),
        ("LASER_W", Self::LaserW),
        ("SENSOR_N", Self::SensorN),
        ("SENSOR_E", Self::SensorE),
        ("SENSOR_S", Self::SensorS),
        ("SENSOR_W", Self::SensorW),
    ];

    /// Returns the tile of a code, or `None` if the number is not a code. The code of a sensor may include [`LIT`].
    pub const fn from_code(code: u8) -> Option<Self> {
        if is_code(code) { Some(Self::ALL[(code & 31) as usize].1) } else { None }
    }

    /// Returns the code of the tile; for a sensor, the code while it is not lit.
    #[inline]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns `true` for hardware, which the player may move: mirrors, splitters and T-mirrors.
    #[inline]
    pub const fn is_hardware(self) -> bool {
        is_hardware(self as u8)
    }

    /// Returns the direction in which a laser shines, or `None` if the tile is not a laser.
    #[inline]
    pub const fn laser(self) -> Option<Dir> {
        laser(self as u8)
    }

    /// Returns the side to which a sensor opens, or `None` if the tile is not a sensor.
    #[inline]
    pub const fn sensor(self) -> Option<Dir> {
        sensor(self as u8)
    }

    /// Returns the headings with which light leaves the tile if it enters with `heading`, as bits N=1 E=2 S=4 W=8; 0 if
    /// the tile blocks the light or is a sensor.
    #[inline]
    pub const fn leaves(self, heading: Dir) -> u8 {
        leaves(self as u8, heading as u8)
    }

    /// Returns the name of the tile with its article and without its orientation, for use in a sentence; "nothing" for
    /// an empty tile.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Empty => "nothing",
            Self::Wall => "a wall",
            Self::MirrorDown | Self::MirrorUp => "a mirror",
            Self::SplitterDown | Self::SplitterUp => "a splitter",
            Self::TmirrorN | Self::TmirrorE | Self::TmirrorS | Self::TmirrorW => "a T-mirror",
            Self::LaserN | Self::LaserE | Self::LaserS | Self::LaserW => "a laser",
            Self::SensorN | Self::SensorE | Self::SensorS | Self::SensorW => "a sensor",
        }
    }

    /// Returns the letter of the tile in the notation.
    pub const fn letter(self) -> char {
        match self {
            Self::Empty => '.',
            Self::Wall => 'W',
            Self::MirrorDown | Self::MirrorUp => 'M',
            Self::SplitterDown | Self::SplitterUp => 'B',
            Self::TmirrorN | Self::TmirrorE | Self::TmirrorS | Self::TmirrorW => 'T',
            Self::LaserN | Self::LaserE | Self::LaserS | Self::LaserW => 'L',
            Self::SensorN | Self::SensorE | Self::SensorS | Self::SensorW => 'S',
        }
    }

    /// Returns the orientation character of the tile in the notation, or a space if the tile has none.
    pub const fn mark(self) -> char {
        let code = self as u8;
        match code {
            0 | 1 => ' ',
            2 | 4 => '\\',
            3 | 5 => '/',
            _ => ARROWS[((code - 6) % 4) as usize],
        }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter(), self.mark())
    }
}

/// The orientation characters of the four directions, in the order N E S W.
pub(super) const ARROWS: [char; 4] = ['^', '>', 'v', '<'];

/// The code of an empty tile.
pub(super) const EMPTY: u8 = Tile::Empty as u8;

/// The code of a wall.
pub(super) const WALL: u8 = Tile::Wall as u8;

/// Returns `true` if a number is the code of a tile: 0 to 17, or 46 to 49 for a lit sensor.
pub(super) const fn is_code(code: u8) -> bool {
    code < 18 || (code >= 14 + LIT && code < 18 + LIT)
}

/// Returns `true` for the code of a mirror, a splitter or a T-mirror.
#[inline]
pub(super) const fn is_hardware(code: u8) -> bool {
    // Codes below `FIRST_KIND` wrap to large numbers, so one comparison checks both bounds.
    code.wrapping_sub(FIRST_KIND) < KINDS as u8
}

/// Returns the direction in which a laser shines, or `None` if `code` is not the code of a laser.
#[inline]
pub(super) const fn laser(code: u8) -> Option<Dir> {
    let dir = code.wrapping_sub(Tile::LaserN as u8);
    if dir < 4 { Some(Dir::from_index(dir)) } else { None }
}

/// Returns the side to which a sensor, lit or not, opens, or `None` if `code` is not the code of a sensor.
#[inline]
pub(super) const fn sensor(code: u8) -> Option<Dir> {
    let dir = (code & !LIT).wrapping_sub(Tile::SensorN as u8);
    if dir < 4 { Some(Dir::from_index(dir)) } else { None }
}

/// Returns the headings with which light leaves a tile that it enters with `heading`, as bits, by the rules of the
/// game; 0 if `code` is not the code of an empty tile or hardware.
const fn rule(code: u8, heading: u8) -> u8 {
    // With N E S W = 0 to 3, the mirror `\` maps N <-> W and E <-> S; the mirror `/` maps N <-> E and S <-> W.
    let down = 1 << (3 - heading);
    let up = 1 << (heading ^ 1);
    let on = 1 << heading;
    match code {
        0 => on,
        2 => down,
        3 => up,
        4 => down | on,
        5 => up | on,
        6..=9 => {
            let point = code - 6;
            if heading == point {
                // The light meets the back.
                0
            } else if heading == point ^ 2 {
                // The light meets the point and splits to both sides: E and W for a point on the north-south axis.
                if point & 1 == 0 { 0b1010 } else { 0b0101 }
            } else {
                1 << point
            }
        }
        _ => 0,
    }
}

/// The entry of [`LIGHT`] for light that falls into the opening of a sensor. No set of headings has this bit.
pub(super) const ENTERS_SENSOR: u8 = 16;

/// By `code * 4 + heading`, for codes below 64: the headings with which light leaves, in bits 0 to 3, or
/// [`ENTERS_SENSOR`], or 0 if the tile blocks the light.
pub(super) const LIGHT: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < table.len() {
        let (code, heading) = ((i / 4) as u8, (i % 4) as u8);
        table[i] = rule(code, heading);
        if let Some(opening) = sensor(code)
            && opening as u8 == heading ^ 2
        {
            table[i] = ENTERS_SENSOR;
        }
        i += 1;
    }
    table
};

/// Returns the entry of [`LIGHT`] for a code, which must be below 64, and a heading, taken modulo 4.
#[inline]
pub(super) const fn light(code: u8, heading: u8) -> u8 {
    LIGHT[(code << 2 | (heading & 3)) as usize]
}

/// Returns the headings with which light leaves a tile that it enters with `heading`, as bits. `code` must be below 64.
#[inline]
pub(super) const fn leaves(code: u8, heading: u8) -> u8 {
    light(code, heading) & 15
}

/// Returns the headings with which light may enter a tile in order to leave it with `heading`, as bits. `code` must be
/// below 64.
///
/// Light is reversible: light that enters with d leaves with e iff light that enters with opposite(e) leaves with
/// opposite(d), so one table serves both directions.
#[inline]
pub(super) const fn comes(code: u8, heading: u8) -> u8 {
    turn(leaves(code, heading ^ 2))
}

/// Returns the opposites of a set of directions, given and returned as bits.
#[inline]
pub(super) const fn turn(sides: u8) -> u8 {
    (sides << 2 | sides >> 2) & 15
}

/// By code below 64 and set of headings of entering light: the headings with which light leaves, as bits.
pub(super) const ALL_LEAVES: [[u8; 16]; 64] = {
    let mut table = [[0; 16]; 64];
    let mut code = 0;
    while code < 64 {
        let mut heads = 0;
        while heads < 16 {
            let mut heading = 0;
            while heading < 4 {
                if heads >> heading & 1 == 1 {
                    table[code][heads] |= leaves(code as u8, heading);
                }
                heading += 1;
            }
            heads += 1;
        }
        code += 1;
    }
    table
};

/// By code below 64 and set of headings of entering light: the sides that have laserlets, as bits.
pub(super) const LASERLETS: [[u8; 16]; 64] = {
    let mut table = [[0; 16]; 64];
    let mut code = 0;
    while code < 64 {
        let mut heads = 0;
        while heads < 16 {
            let mut heading = 0;
            while heading < 4 {
                let light = light(code as u8, heading);
                if heads >> heading & 1 == 1 && light != 0 {
                    table[code][heads] |= 1 << (heading ^ 2) | light & 15;
                }
                heading += 1;
            }
            heads += 1;
        }
        code += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: [Dir; 4] = Dir::ALL;

    fn tile(code: u8) -> Tile {
        Tile::from_code(code).unwrap()
    }

    #[test]
    fn codes_are_indices_of_the_table() {
        for (code, (_, tile)) in Tile::ALL.into_iter().enumerate() {
            assert_eq!(tile as usize, code);
            assert_eq!(Tile::from_code(code as u8), Some(tile));
        }
        assert_eq!((0..=255).filter(|&code| Tile::from_code(code).is_some()).count(), 22);
        assert_eq!(Tile::from_code(46), Some(Tile::SensorN));
    }

    #[test]
    fn light_follows_the_rules() {
        use Dir::{E, N, S, W};
        let turns = |tile: Tile| ANY.map(|heading| tile.leaves(heading));
        let bits = |dirs: [Dir; 4]| dirs.map(Dir::bit);
        assert_eq!(turns(Tile::Empty), bits([N, E, S, W]));
        assert_eq!(turns(Tile::MirrorDown), bits([W, S, E, N]));
        assert_eq!(turns(Tile::MirrorUp), bits([E, N, W, S]));
        assert_eq!(turns(Tile::TmirrorS), [E.bit() | W.bit(), S.bit(), 0, S.bit()]);
        assert_eq!(turns(Tile::TmirrorE), [E.bit(), 0, E.bit(), N.bit() | S.bit()]);
        for heading in ANY {
            let straight = heading.bit();
            assert_eq!(Tile::SplitterDown.leaves(heading), Tile::MirrorDown.leaves(heading) | straight);
            assert_eq!(Tile::SplitterUp.leaves(heading), Tile::MirrorUp.leaves(heading) | straight);
            for code in [1].into_iter().chain(10..18) {
                assert_eq!(tile(code).leaves(heading), 0);
            }
        }
    }

    /// Light that enters with d leaves with e iff light that enters with opposite(e) leaves with opposite(d).
    #[test]
    fn light_is_reversible() {
        for code in 0..18 {
            for d in ANY {
                for e in ANY {
                    let forward = tile(code).leaves(d) & e.bit() != 0;
                    let backward = tile(code).leaves(e.opposite()) & d.opposite().bit() != 0;
                    assert_eq!(forward, backward, "{} {d:?} {e:?}", tile(code));
                    assert_eq!(comes(code, e as u8) & d.bit() != 0, forward);
                }
            }
        }
    }

    #[test]
    fn only_the_opening_of_a_sensor_lets_light_in() {
        for opening in ANY {
            let code = Tile::SensorN as u8 + opening as u8;
            for heading in ANY {
                let enters = heading == opening.opposite();
                for code in [code, code | LIT] {
                    assert_eq!(light(code, heading as u8) != 0, enters);
                    let laserlets = LASERLETS[code as usize][heading.bit() as usize];
                    assert_eq!(laserlets, if enters { opening.bit() } else { 0 });
                }
            }
        }
    }
}
