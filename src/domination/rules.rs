//! The three rule sets, and how they judge a play against an earlier one.

use std::fmt;

/// A play: row and column of the tail, row and column of the head. It may lie off the board.
pub type Ends = [i32; 4];

/// The largest absolute value of a coordinate of a play: a sum of two coordinates then fits in an `i32`, and the dot
/// product of two vectors in an `i64`.
pub const FAR: i32 = (1 << 30) - 1;

/// Which plays are illegal. Every rule set refuses a play off the board, and one that shares its midpoint with, or is
/// perpendicular to, a play of the window (the last `K` plays that the rule set counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The prose of the source document: illegal plays enter the window too, and a play of zero length is perpendicular
    /// to every play.
    Document,
    /// The document's rules made sound: the window holds legal plays only, a play of zero length is illegal, and a zero
    /// vector is perpendicular to nothing.
    #[default]
    Standard,
    /// The author's finished program: as [`Rules::Document`], but equal tails and equal heads are illegal too.
    Uccs2023,
}

impl Rules {
    /// All rule sets with the names that texts and Python use.
    pub const ALL: [(&'static str, Self); 3] =
        [("document", Self::Document), ("standard", Self::Standard), ("uccs2023", Self::Uccs2023)];

    /// Returns the rule set with the given name, or `None` if there is no such rule set.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, rules)| rules)
    }

    /// Returns the name that texts and Python use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Standard => "standard",
            Self::Uccs2023 => "uccs2023",
        }
    }

    /// Returns whether a play of zero length can be legal. If it can, it is perpendicular to every play, so no play is
    /// legal while the window holds one of zero length.
    #[inline(always)]
    pub(super) fn allows_zero_length(self) -> bool {
        self != Self::Standard
    }

    /// Returns whether illegal plays enter the window.
    #[inline(always)]
    pub(super) fn counts_illegal(self) -> bool {
        self != Self::Standard
    }

    /// Returns whether a play is illegal if it shares its tail or its head with a play of the window.
    #[inline(always)]
    pub(super) fn compares_ends(self) -> bool {
        self == Self::Uccs2023
    }
}

/// What the rules say about a play. If several rules refuse the play, the verdict that is listed first applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Verdict {
    /// The play colors its cells.
    #[default]
    Legal = 0,
    /// An end lies off the board.
    OutOfBoard = 1,
    /// A play of the window has the same midpoint.
    SameMidpoint = 2,
    /// A play of the window is perpendicular to the play.
    Perpendicular = 3,
    /// A play of the window has the same tail.
    SameTail = 4,
    /// A play of the window has the same head.
    SameHead = 5,
    /// The tail and the head are the same cell.
    ZeroLength = 6,
}

impl Verdict {
    /// All verdicts with the names that Python shows.
    pub const ALL: [(&'static str, Self); 7] = [
        ("LEGAL", Self::Legal),
        ("OUT_OF_BOARD", Self::OutOfBoard),
        ("SAME_MIDPOINT", Self::SameMidpoint),
        ("PERPENDICULAR", Self::Perpendicular),
        ("SAME_TAIL", Self::SameTail),
        ("SAME_HEAD", Self::SameHead),
        ("ZERO_LENGTH", Self::ZeroLength),
    ];
}

/// Returns twice the midpoint of a play, which always has integer coordinates.
#[inline(always)]
pub(super) fn midpoint(p: Ends) -> [i32; 2] {
    [p[0] + p[2], p[1] + p[3]]
}

/// Returns the vector from the tail to the head of a play.
#[inline(always)]
pub(super) fn vector(p: Ends) -> [i32; 2] {
    [p[2] - p[0], p[3] - p[1]]
}

/// Returns whether a play has zero length.
#[inline(always)]
pub(super) fn is_point(p: Ends) -> bool {
    p[0] == p[2] && p[1] == p[3]
}

/// Returns whether the vectors of two plays are perpendicular; a zero vector is perpendicular to every vector.
#[inline(always)]
fn perpendicular(p: Ends, q: Ends) -> bool {
    let ([a, b], [c, d]) = (vector(p), vector(q));
    // Each product is below 2^62 in absolute value, so the sum cannot overflow 64 bits.
    i64::from(a) * i64::from(c) + i64::from(b) * i64::from(d) == 0
}

/// Returns whether a play is illegal because of an earlier play of the window. Under [`Rules::Standard`], it also
/// returns true for any `p` of zero length, which is illegal whatever was played before.
#[inline(always)]
pub(super) fn clashes(rules: Rules, p: Ends, earlier: Ends) -> bool {
    midpoint(p) == midpoint(earlier)
        || perpendicular(p, earlier)
        || rules.compares_ends() && (p[..2] == earlier[..2] || p[2..] == earlier[2..])
}

/// Returns the first rule that a play breaks against an earlier play, or [`Verdict::Legal`] if it breaks none.
#[inline]
pub(super) fn clash(rules: Rules, p: Ends, earlier: Ends) -> Verdict {
    if midpoint(p) == midpoint(earlier) {
        Verdict::SameMidpoint
    } else if perpendicular(p, earlier) && (rules.allows_zero_length() || !is_point(p)) {
        Verdict::Perpendicular
    } else if rules.compares_ends() && p[..2] == earlier[..2] {
        Verdict::SameTail
    } else if rules.compares_ends() && p[2..] == earlier[2..] {
        Verdict::SameHead
    } else {
        Verdict::Legal
    }
}

/// Why a play is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The first rule that refuses the play.
    pub verdict: Verdict,
    /// The index and the ends of the latest play of the window with which the refused play clashes under the rule that
    /// the verdict names; `None` if the verdict does not depend on earlier plays.
    pub clash: Option<(u32, Ends)>,
    /// The number of plays that the rules look back at.
    pub lookback: u32,
    /// Whether illegal plays are among the plays that the rules look back at: `true` under all rule sets but
    /// [`Rules::Standard`].
    pub counts_illegal: bool,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Verdict::Legal => "the play is legal",
            Verdict::OutOfBoard => "an end is off the board",
            Verdict::ZeroLength => "tail and head are the same cell",
            Verdict::SameMidpoint => "same midpoint as",
            Verdict::Perpendicular => "perpendicular to",
            Verdict::SameTail => "same tail as",
            Verdict::SameHead => "same head as",
        })?;
        if let Some((index, [row, col, head_row, head_col])) = self.clash {
            write!(f, " play {index}, ({row}, {col}) to ({head_row}, {head_col})")?;
            match self.lookback {
                1 if self.counts_illegal => f.write_str(", the last play")?,
                1 => f.write_str(", the last legal play")?,
                n if self.counts_illegal => write!(f, ", which is among the last {n} plays")?,
                n => write!(f, ", which is among the last {n} legal plays")?,
            }
        }
        Ok(())
    }
}
