//! Joins components and free fields: multiplies their polynomials, and computes the chances of the groups from the
//! product by a backward pass.
//!
//! In this file, the *fewest* and the *most* geese of a component are the bounds that the sweep found; there may be no
//! board that reaches them.

use super::super::known::Contradiction;
use super::groups::Group;
use super::sweep::{CHOOSE, Layer, Link, MAX_COUNTS};
use super::{CHANCES, Engine};
use crate::core::{Budget, Error, memory};

/// If the most and the fewest geese of all components together differ by more than this, polynomials are tilted (see
/// `Engine::join`): their counts may differ by more powers of ten than floating-point numbers can represent.
const WIDE: usize = 60;

/// With more free fields than this, polynomials are tilted even if they are short.
const MANY_FREE: usize = 10_000;

/// If a weight exceeds this value, all weights of its layer are divided by the largest.
const RESCALE: f64 = 1e100;

impl Engine {
    /// Multiplies the polynomials of the components, assigns the rest of the geese to the free fields, and goes back
    /// through each component to compute the chances of its groups.
    ///
    /// * `total`: whether the number of geese on the board is used
    /// * `ln_scale`: the natural logarithm of what the sweep divided the counts by
    /// * `budget`: counts states; 64 multiplications of counts cost one state
    pub(super) fn join(&mut self, total: bool, ln_scale: f64, budget: &mut Budget<'_>) -> Result<(), Error> {
        let components = &self.sweep.components;
        let (n, free) = (components.len(), self.groups.free);
        let least: usize = components.iter().map(|c| c.least).sum();
        // The geese that the free fields take if every component holds its fewest; below 0 if there are too few geese.
        let rest = self.known.geese - least as i64;
        let spread: usize = components.iter().map(|c| c.width - 1).sum();
        let counts = (n + 1).saturating_mul(spread + 1);
        if counts > MAX_COUNTS {
            return Err(Error::Limit(format!(
                "exact chances allow at most {MAX_COUNTS} counts, got {counts} for {n} components with {spread} geese \
                 between their fewest and their most: the view is too entangled"
            )));
        }
        // Together, the lists below hold at most three times `counts` entries, and `backward` holds two layers.
        memory::probe((3 * counts + 2 * self.sweep.largest_layer()) * size_of::<f64>(), CHANCES)?;
        let polynomials: Vec<&[f64]> = components.iter().map(|c| self.sweep.polynomial(c)).collect();
        // Tilting: m geese in a component or in the free fields get the weight lambda^m. Chances do not change, because
        // all boards have the same number of geese. If lambda makes the expected number of geese equal to the true
        // number, the terms that matter are the large ones, and none of them is lost to underflow.
        let wide = total && (spread > WIDE || free > MANY_FREE);
        let ln_lambda = if wide { balance(&polynomials, free, rest) } else { 0.0 };
        let mut ln_divided = ln_scale;
        let tilted: Vec<Vec<f64>> = polynomials
            .iter()
            .map(|p| {
                let mut tilted = p.to_vec();
                ln_divided += tilt(&mut tilted, ln_lambda);
                tilted
            })
            .collect();
        // free_weights[x]: the weight of the free fields if all components together hold x geese over their fewest.
        let free_weights =
            if total { free_weights(free, rest, spread, ln_lambda, &tilted) } else { vec![1.0; spread + 1] };
        // after[i][x]: the ways of components i and later, and of the free fields, if the components before i hold x
        // geese over their fewest. The list is built from the end.
        let mut after = vec![free_weights];
        // The most geese, over their fewest, of the components before the current one.
        let mut reach = spread;
        for p in tilted.iter().rev() {
            reach -= p.len() - 1;
            let later = &after[after.len() - 1];
            let mut sums = vec![0.0; reach + 1];
            for (x, sum) in sums.iter_mut().enumerate() {
                *sum = p.iter().zip(&later[x..]).map(|(ways, later)| ways * later).sum();
            }
            budget.spend((sums.len() * p.len() / 64) as u64 + 1)?;
            after.push(sums);
        }
        after.reverse();
        // The weight of all boards: 0 if none agrees with the view.
        let whole = after[0][0];
        if !whole.is_finite() {
            return Err(out_of_range());
        }
        if whole <= 0.0 {
            return Err(Contradiction.into());
        }
        self.group_chances.clear();
        self.group_chances.resize(self.groups.all.len(), 0.0);
        // before[x]: the ways of the components before i to hold x geese over their fewest.
        let mut before = vec![1.0];
        for (i, p) in tilted.iter().enumerate() {
            let later = &after[i + 1];
            let mut outside: Vec<f64> =
                (0..p.len()).map(|m| before.iter().zip(&later[m..]).map(|(ways, later)| ways * later).sum()).collect();
            // Numbers of geese that the component cannot hold are left out of the tilt, which divides by the largest
            // weight: if that were the weight of such a number, the weights of possible numbers could underflow.
            for (weight, &ways) in outside.iter_mut().zip(polynomials[i]) {
                *weight = if ways > 0.0 { *weight } else { 0.0 };
            }
            // The counts that the backward pass uses are not tilted, so the tilt of this component is applied to
            // `outside`.
            tilt(&mut outside, ln_lambda);
            budget.spend((before.len() * p.len() / 64) as u64 + 1)?;
            let (first, end) = self.sweep.components[i].layers;
            backward(
                &self.sweep.layers[first..end],
                &self.groups.all,
                &self.sweep.counts,
                &self.sweep.links,
                &outside,
                &mut self.scratch,
                &mut self.group_chances,
            );
            let mut sums = vec![0.0; before.len() + p.len() - 1];
            for (x, ways) in before.iter().enumerate() {
                for (sum, more) in sums[x..].iter_mut().zip(p) {
                    *sum += ways * more;
                }
            }
            before = sums;
        }
        self.free_chance = None;
        if total {
            // `before` now covers all components, and `after[n]` the free fields alone. Each board counts in `with`
            // once per free field with a goose, and in `without` once per free field without one.
            let (mut with, mut without) = (0.0, 0.0);
            for (x, (ways, weight)) in before.iter().zip(&after[n]).enumerate() {
                let put = rest - x as i64;
                with += ways * weight * put as f64;
                without += ways * weight * (free as i64 - put) as f64;
            }
            self.free_chance = (free > 0).then(|| share(with, without));
        }
        if self.group_chances.iter().chain(&self.free_chance).any(|chance| chance.is_nan()) {
            return Err(out_of_range());
        }
        self.joined = Joined { ways: before, free, rest, ln_lambda, ln_divided };
        Ok(())
    }
}

/// Returns the error for weights that differ by more powers of ten than floating-point numbers can represent.
#[cold]
fn out_of_range() -> Error {
    Error::Limit(
        "exact chances allow weights up to 10^308, got a view that needs larger ones: it is too entangled".into(),
    )
}

/// What the number of boards is computed from.
#[derive(Clone, Debug, Default)]
pub(super) struct Joined {
    /// Entry `x` is the tilted count of the ways of all components to hold `x` geese over their fewest.
    ways: Vec<f64>,
    /// The number of free fields.
    free: usize,
    /// The geese that the free fields hold if every component holds its fewest.
    rest: i64,
    /// The natural logarithm of the lambda by which the counts were tilted; 0 if they were not.
    ln_lambda: f64,
    /// The natural logarithm of what the counts were divided by.
    ln_divided: f64,
}

impl Joined {
    /// Returns the natural logarithm of the number of boards.
    pub(super) fn ln_boards(&self) -> f64 {
        let Self { ref ways, free, rest, ln_lambda, ln_divided } = *self;
        let terms: Vec<f64> = (0..ways.len())
            .filter(|&x| (0..=free as i64).contains(&(rest - x as i64)) && ways[x] > 0.0)
            .map(|x| ways[x].ln() - ln_lambda * x as f64 + ln_choose(free, (rest - x as i64) as usize))
            .collect();
        // The largest term is subtracted before `exp`, which might overflow otherwise.
        let largest = terms.iter().fold(f64::NEG_INFINITY, |largest, &term| largest.max(term));
        ln_divided + (largest + terms.iter().map(|term| (term - largest).exp()).sum::<f64>().ln())
    }
}

/// Returns the expected number of geese of a component over its fewest, with the counts of its tilted polynomial as
/// weights.
fn mean(polynomial: &[f64]) -> f64 {
    let weighted: f64 = polynomial.iter().enumerate().map(|(m, ways)| m as f64 * ways).sum();
    weighted / polynomial.iter().sum::<f64>()
}

/// Returns the natural logarithm of the lambda for which the expected number of geese in the components and in `free`
/// free fields, over the fewest of all components, is `geese`. The expected number rises with lambda, so bisection
/// finds that lambda.
fn balance(polynomials: &[&[f64]], free: usize, geese: i64) -> f64 {
    let expected = |ln_lambda: f64| {
        let in_components: f64 = polynomials
            .iter()
            .map(|p| {
                let mut tilted = p.to_vec();
                tilt(&mut tilted, ln_lambda);
                mean(&tilted)
            })
            .sum();
        // A free field holds a goose with weight lambda and no goose with weight 1.
        in_components + free as f64 / (1.0 + (-ln_lambda).exp())
    };
    let (mut low, mut high) = (-60.0, 60.0);
    // 40 halvings of an interval of 120 leave an error of about 10^-10.
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if expected(middle) < geese as f64 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Multiplies count `m` by lambda^m and divides all products by the largest; returns the natural logarithm of the
/// divisor.
fn tilt(counts: &mut [f64], ln_lambda: f64) -> f64 {
    if ln_lambda == 0.0 {
        let largest = counts.iter().fold(0.0f64, |largest, &count| largest.max(count));
        for count in counts.iter_mut() {
            *count /= largest;
        }
        return largest.ln();
    }
    let logarithm = |(m, count): (usize, &f64)| count.ln() + ln_lambda * m as f64;
    let largest = counts.iter().enumerate().map(logarithm).fold(f64::NEG_INFINITY, f64::max);
    for (m, count) in counts.iter_mut().enumerate() {
        *count = (logarithm((m, count)) - largest).exp();
    }
    largest
}

/// Returns, for x = 0 to `spread`, the tilted number of ways of `free` fields to hold `rest - x` geese, all scaled by
/// the same factor; 0 if there is no way. `tilted` lists the polynomials of the components.
fn free_weights(free: usize, rest: i64, spread: usize, ln_lambda: f64, tilted: &[Vec<f64>]) -> Vec<f64> {
    let mut weights = vec![0.0; spread + 1];
    let (first, last) = ((rest - free as i64).max(0), rest.min(spread as i64));
    if first > last {
        return weights;
    }
    // The recurrence starts where most of the weight is expected and proceeds outward, so that the weights that matter
    // are near 1.
    let middle = (tilted.iter().map(|p| mean(p)).sum::<f64>().round() as i64).clamp(first, last);
    let lambda = ln_lambda.exp();
    // One goose fewer in the free fields: C(f, j - 1) / C(f, j) = j / (f - j + 1), and one factor of lambda fewer.
    let ratio = |x: i64| {
        let put = (rest - x) as f64;
        put / ((free as f64 - put + 1.0) * lambda)
    };
    weights[middle as usize] = 1.0;
    for x in middle..last {
        weights[x as usize + 1] = weights[x as usize] * ratio(x);
    }
    for x in (first..middle).rev() {
        weights[x as usize] = weights[x as usize + 1] / ratio(x);
    }
    weights
}

/// Goes back through the layers of a component and writes the chances of its groups to `chances`. `outside[m]` is the
/// weight of all other components and the free fields if this component holds `m` geese over its fewest.
///
/// For each link, forward count * C(size, geese) * backward weight is the weight of all boards that pass through it, as
/// in the forward-backward algorithm; a group's chance is the share of geese in these weights.
fn backward(
    layers: &[Layer],
    groups: &[Group],
    counts: &[f64],
    links: &[Link],
    outside: &[f64],
    scratch: &mut Vec<f64>,
    chances: &mut [f64],
) {
    let mut here = std::mem::take(scratch);
    here.clear();
    here.extend_from_slice(outside);
    let mut earlier = Vec::new();
    // `here` holds the backward weights of the later layer of each pair; `earlier` gathers those of the earlier layer.
    for pair in layers.windows(2).rev() {
        let (before, after) = (&pair[0], &pair[1]);
        let size = groups[after.group as usize].size as usize;
        let fewest = after.least - before.least;
        let from_counts = &counts[before.counts..before.counts + before.rows * before.width];
        earlier.clear();
        earlier.resize(before.rows * before.width, 0.0);
        let (mut with, mut without) = (0.0, 0.0);
        let mut largest = 0.0f64;
        for link in &links[after.links.0..after.links.1] {
            // A row of a layer lists its counts from `least` geese of that layer on. A link that puts `geese` geese
            // into the group therefore leads from column `i` of the earlier row to column `i + geese - fewest` of the
            // later one.
            let geese = link.geese as usize;
            let row = link.from as usize * before.width..(link.from as usize + 1) * before.width;
            let to = &here[link.to as usize * after.width + geese - fewest..][..before.width];
            let ways = CHOOSE[size][geese];
            let mut product = 0.0;
            for ((earlier, count), to) in earlier[row.clone()].iter_mut().zip(&from_counts[row]).zip(to) {
                let weight = ways * to;
                *earlier += weight;
                product += count * weight;
                largest = largest.max(*earlier);
            }
            with += product * geese as f64;
            without += product * (size - geese) as f64;
        }
        chances[after.group as usize] = share(with, without);
        // Only the ratios of the weights within a layer matter, so the weights may be scaled before they overflow.
        if largest > RESCALE {
            for weight in &mut earlier {
                *weight /= largest;
            }
        }
        std::mem::swap(&mut here, &mut earlier);
    }
    *scratch = here;
}

/// Returns `with / (with + without)`, but 0 or 1 only if `with` or `without` is 0.
///
/// Without this limit, a chance very close to 0 or 1 could round to 0 or 1, and its field would count as certain.
fn share(with: f64, without: f64) -> f64 {
    let share = with / (with + without);
    if with == 0.0 || without == 0.0 { share } else { share.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0) }
}

/// Returns the natural logarithm of the binomial coefficient C(n, k), for `k <= n`.
fn ln_choose(n: usize, k: usize) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

/// Returns the natural logarithm of a factorial: from the product for `n < 16`, by Stirling's series from 16 on.
fn ln_factorial(n: usize) -> f64 {
    if n < 16 {
        return (1..=n).map(|i| i as f64).product::<f64>().ln();
    }
    let x = n as f64 + 1.0;
    let inverse = 1.0 / (x * x);
    let series = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}
