//! Components of tiles in the solver of boards with the wire ends of a tree, and the changes that it rolls back.

/// The most tiles of a component that is scanned tile by tile; larger ones are judged by their counts alone, which
/// keeps each conclusion cheap and loses only conclusions that a larger search finds too.
pub(super) const MAX_SCANNED: u32 = 128;

/// The most edges that one conclusion forces: each of the up to 6 edges of a tile joins two components, all of whose
/// tiles, with up to 6 edges each, are scanned.
pub(super) const MAX_FORCED: usize = 6 * 2 * 6 * MAX_SCANNED as usize;

/// A change that is rolled back when a trial ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo {
    /// A tile had these turns left.
    Turns { tile: u32, old: u8 },
    /// The edge on a side of a tile was settled as off; `a` and `b` represent the components on its two sides.
    Off { tile: u32, side: u8, a: u32, b: u32 },
    /// The edge on a side of a tile was settled as on, and component `low` was joined to `top`.
    On { tile: u32, side: u8, low: u32, top: u32 },
}

/// A component of tiles joined by edges that are on, kept at its representative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Component {
    /// The number of its tiles.
    pub(super) size: u32,
    /// Wire ends of its tiles that no settled edge uses.
    pub(super) ends: u32,
    /// Sides of its tiles whose edges are not settled: an edge inside the component counts twice.
    pub(super) open: u32,
    /// The xor of the numbers of those edges: the two sides of an edge inside the component cancel out.
    pub(super) xor: u32,
}

impl Component {
    /// Returns `true` if the counts lead to a conclusion, see `Net::check`: each open edge is needed, or is the last.
    #[inline]
    pub(super) fn is_tight(&self) -> bool {
        self.open <= self.ends.max(1) || self.ends == 0
    }
}
