//! The steps of reasoning: the rules, and what a step concludes.

/// A rule of reasoning, from easy to hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// No wire may point off the board.
    Border,
    /// All remaining orientations of a tile agree about a side.
    Agreed,
    /// A wire would close a loop.
    Loop,
    /// Tiles would be cut off.
    Island,
    /// An orientation leads to a contradiction by the easier rules.
    Trial,
    /// Only an exhaustive search decides.
    Search,
}

impl Rule {
    /// All rules with their names, from easy to hard.
    pub const ALL: [(&'static str, Self); 6] = [
        ("border", Self::Border),
        ("agreed", Self::Agreed),
        ("loop", Self::Loop),
        ("island", Self::Island),
        ("trial", Self::Trial),
        ("search", Self::Search),
    ];

    /// Returns the name of the rule.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// What a step concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// There are wires on both sides of an edge.
    On {
        /// The row-major index of one of the two tiles of the edge.
        tile: u32,
        /// The side of that tile, as the index of the bit of its wire in a mask.
        side: u8,
    },
    /// There is no wire on either side of an edge, or on a side of a tile that faces the border.
    Off {
        /// The row-major index of one of the tiles of the edge, or of the tile at the border.
        tile: u32,
        /// The side of that tile, as the index of the bit of its wire in a mask.
        side: u8,
    },
    /// No solution has the tile turned `turns` times from its mask on the board.
    Not {
        /// The row-major index of the tile.
        tile: u32,
        /// The number of clockwise turns, less than the number of sides.
        turns: u8,
    },
}

impl Conclusion {
    /// Returns the tile that the conclusion names.
    pub fn tile(self) -> u32 {
        let (Self::On { tile, .. } | Self::Off { tile, .. } | Self::Not { tile, .. }) = self;
        tile
    }
}

/// One step of reasoning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule that was used.
    pub rule: Rule,
    /// What the step concludes.
    pub conclusion: Conclusion,
    /// The tiles that justify the conclusion: for `border`, none; for `agreed`, the tile whose orientations agree; for
    /// `loop`, the tiles of the path that the wire would close into a loop; for `island`, the group that would be cut
    /// off, or the two groups that would be cut off together; for `trial`, the tiles that lead to the contradiction.
    pub because: Vec<u32>,
    /// The indices of the earlier steps from which the step follows.
    pub parents: Vec<u32>,
}
