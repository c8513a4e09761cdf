//! The two rule sets, and what they say of a play against another.

use std::fmt;

/// A play: row and column of the tail, row and column of the head. It may lie off the board.
pub type Ends = [i32; 4];

/// The largest coordinate of a play that is read, of either sign: sums of two then fit 31 bits, products of vectors 63.
pub const FAR: i32 = (1 << 30) - 1;

/// What makes a play illegal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The two sentences of the source document, made sound: against the last `K` legal plays, no equal midpoint and no
    /// right angle; a line has a length.
    #[default]
    Standard,
    /// The author's finished program to the letter: the last `K` plays count, legal or not; equal tails and equal heads are
    /// refused too; a play of no length is at a right angle to everything.
    Uccs2023,
}

impl Rules {
    /// Both with the names that texts and Python use.
    pub const ALL: [(&'static str, Self); 2] = [("standard", Self::Standard), ("uccs2023", Self::Uccs2023)];

    /// Finds a rule set by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, rules)| rules)
    }

    /// The name that texts and Python use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Uccs2023 => "uccs2023",
        }
    }
}

/// What the rules say of a play; where several rules refuse it, the first of this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Verdict {
    /// It colours its cells.
    #[default]
    Legal = 0,
    /// An end lies off the board.
    OutOfBoard = 1,
    /// One of the plays looked back at has the same midpoint.
    SameMidpoint = 2,
    /// One of the plays looked back at is at a right angle to it.
    Perpendicular = 3,
    /// One of the plays looked back at has the same tail.
    SameTail = 4,
    /// One of the plays looked back at has the same head.
    SameHead = 5,
    /// Its tail is its head.
    ZeroLength = 6,
}

impl Verdict {
    /// All of them with the names that Python shows.
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

/// Twice the midpoint of a play.
#[inline(always)]
pub(super) fn midpoint(p: Ends) -> [i32; 2] {
    [p[0] + p[2], p[1] + p[3]]
}

/// From the tail to the head of a play.
#[inline(always)]
pub(super) fn vector(p: Ends) -> [i32; 2] {
    [p[2] - p[0], p[3] - p[1]]
}

/// Whether a play has no length.
#[inline(always)]
pub(super) fn is_point(p: Ends) -> bool {
    p[0] == p[2] && p[1] == p[3]
}

#[inline(always)]
fn at_right_angle(p: Ends, q: Ends) -> bool {
    let ([a, b], [c, d]) = (vector(p), vector(q));
    // Each product is below 2^62 in size, so that a sum of 0 in 64 bits is a sum of 0.
    i64::from(a) * i64::from(c) + i64::from(b) * i64::from(d) == 0
}

/// Whether a play may not follow an earlier one that is looked back at.
#[inline(always)]
pub(super) fn clashes(rules: Rules, p: Ends, earlier: Ends) -> bool {
    midpoint(p) == midpoint(earlier)
        || at_right_angle(p, earlier)
        || rules == Rules::Uccs2023 && (p[..2] == earlier[..2] || p[2..] == earlier[2..])
}

/// The first rule that a play breaks against an earlier one.
#[inline]
pub(super) fn clash(rules: Rules, p: Ends, earlier: Ends) -> Verdict {
    if midpoint(p) == midpoint(earlier) {
        Verdict::SameMidpoint
    } else if at_right_angle(p, earlier) {
        Verdict::Perpendicular
    } else if rules == Rules::Uccs2023 && p[..2] == earlier[..2] {
        Verdict::SameTail
    } else if rules == Rules::Uccs2023 && p[2..] == earlier[2..] {
        Verdict::SameHead
    } else {
        Verdict::Legal
    }
}

/// Why a play is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule.
    pub verdict: Verdict,
    /// The play that it clashes with, the latest of them: its index and its ends.
    pub clash: Option<(u32, Ends)>,
    /// How many plays are looked back at.
    pub lookback: u32,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (found, wanted) = match self.verdict {
            Verdict::Legal => ("nothing against it", "a play that is refused"),
            Verdict::OutOfBoard => return f.write_str("an end off the board, wanted both on it"),
            Verdict::ZeroLength => return f.write_str("a line of no length, wanted a head other than the tail"),
            Verdict::SameMidpoint => ("the same midpoint as", "another midpoint"),
            Verdict::Perpendicular => ("at a right angle to", "another angle"),
            Verdict::SameTail => ("the same tail as", "another tail"),
            Verdict::SameHead => ("the same head as", "another head"),
        };
        f.write_str(found)?;
        if let Some((index, [row, col, head_row, head_col])) = self.clash {
            write!(f, " play {index}, ({row}, {col}) to ({head_row}, {head_col})")?;
        }
        match self.lookback {
            1 => write!(f, ", wanted {wanted} than the last play"),
            n => write!(f, ", wanted {wanted} than the last {n} plays"),
        }
    }
}
