//! Components of tiles in the search state `Net`, and the changes that `Net` can roll back.

/// The largest number of tiles of a component that is scanned tile by tile. Larger components are judged by their
/// counts alone, so that each conclusion takes little time. Probing or the search finds what the counts miss.
pub(super) const MAX_SCANNED: u32 = 128;

/// An upper bound on the number of edges that one conclusion forces. A conclusion settles up to 6 edges of a tile. For
/// each of these edges, at most two components are scanned: the smaller of the two that the edge joins, and the
/// component that they form. Each of the scanned components has up to `MAX_SCANNED` tiles, and each tile up to 6 edges.
pub(super) const MAX_FORCED: usize = 6 * 2 * 6 * MAX_SCANNED as usize;

/// A change that can be rolled back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo {
    /// The set of turns that a tile has left was reduced; `old` is the set before.
    Turns { tile: u32, old: u8 },
    /// The edge on a side of a tile was settled as off; `a` and `b` represent the components of the edge's two tiles.
    Off { tile: u32, side: u8, a: u32, b: u32 },
    /// The edge on a side of a tile was settled as on, and component `low` was joined to `top`.
    On { tile: u32, side: u8, low: u32, top: u32 },
}

/// A component of tiles joined by edges that are on, kept at its representative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Component {
    /// The number of tiles in the component.
    pub(super) size: u32,
    /// The number of wire ends of the component's tiles that are not used by an edge that is on.
    pub(super) ends: u32,
    /// The number of sides of the component's tiles whose edges are not settled: an edge inside the component counts
    /// twice.
    pub(super) open: u32,
    /// The xor of the numbers of the edges on the sides counted in `open`: an edge inside the component cancels out.
    pub(super) xor: u32,
}

impl Component {
    /// Returns `true` if `Net::check` must look at the component: there are no more open sides than ends, at most one
    /// open side, or no ends.
    #[inline]
    pub(super) fn is_tight(&self) -> bool {
        self.open <= self.ends.max(1) || self.ends == 0
    }
}
