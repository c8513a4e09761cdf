//! The actions of a step.

use crate::core::game::{self, Point};

/// One action per game.
#[derive(Clone, Copy, Debug)]
pub enum Actions<'a> {
    /// The coordinates of each move, `n * RANK` numbers.
    Points(&'a [i64]),
    /// The row-major index of each move in the box of moves, `n` numbers.
    Flat(&'a [i64]),
}

impl<'a> Actions<'a> {
    /// Returns the numbers of all actions, one action after the other.
    pub(super) fn numbers(self) -> &'a [i64] {
        match self {
            Self::Points(numbers) | Self::Flat(numbers) => numbers,
        }
    }

    /// Returns how many numbers describe one action.
    pub(super) fn rank<P: Point>(self) -> usize {
        match self {
            Self::Points(_) => P::RANK,
            Self::Flat(_) => 1,
        }
    }

    /// Returns the actions of the games `from` to `from + n - 1`.
    pub(super) fn chunk<P: Point>(self, from: usize, n: usize) -> Self {
        let rank = self.rank::<P>();
        let part = |numbers: &'a [i64]| &numbers[from * rank..(from + n) * rank];
        match self {
            Self::Points(numbers) => Self::Points(part(numbers)),
            Self::Flat(numbers) => Self::Flat(part(numbers)),
        }
    }

    /// Returns the move of game `i`. The move must lie in the box.
    #[inline(always)]
    pub(super) fn at<P: Point>(self, bounds: P, i: usize) -> P {
        match self {
            Self::Points(numbers) => {
                let mut mv = P::ZERO;
                for (part, &number) in mv.coords_mut().iter_mut().zip(&numbers[i * P::RANK..(i + 1) * P::RANK]) {
                    *part = number as i32;
                }
                mv
            }
            Self::Flat(numbers) => game::unravel(bounds, numbers[i] as usize),
        }
    }
}
