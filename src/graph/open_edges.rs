//! The edges that Kruskal's algorithm by blocks (see [`super::board`]) cannot decide within one block, and how they are
//! sorted.

/// An edge that may be in the tree: no block alone can decide whether it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenEdge {
    /// `weight << 32 | id`: the order of the keys is the order of the weights, with ties broken by id.
    pub(super) key: u64,
    /// For each of the two components that the edge joins, the number of one of its rim tiles; the rim tiles are
    /// numbered across all blocks.
    pub(super) ends: [u32; 2],
}

/// The number of leading bits of a key by which a long list of open edges is cut into parts.
const PART_BITS: u32 = 8;

/// Sorts open edges by key. A long list is first cut into parts by the leading bits of the keys, in place: on a large
/// board a second list would take about as much memory as the tree itself. If the weights are spread evenly, the parts
/// are short enough for the caches.
pub(super) fn sort_open(open: &mut [OpenEdge]) {
    let mut sorted = Vec::new();
    if open.len() < 1 << 14 {
        sort_part(open, 0, &mut sorted);
        return;
    }
    let part = |edge: &OpenEdge| (edge.key >> (64 - PART_BITS)) as usize;
    // For each part, the index to which its next edge goes, and the index at which the part ends.
    let (mut next, mut ends) = ([0; 1 << PART_BITS], [0; 1 << PART_BITS]);
    for edge in open.iter() {
        ends[part(edge)] += 1;
    }
    let mut at = 0;
    for (next, end) in next.iter_mut().zip(&mut ends) {
        *next = at;
        at += *end;
        *end = at;
    }
    for home in 0..ends.len() {
        while next[home] < ends[home] {
            // The edge is exchanged with the one at the next place of its own part, until the exchange returns an edge
            // that belongs to part `home`. Each exchange moves one edge to its final part.
            let mut edge = open[next[home]];
            let mut to = part(&edge);
            while to != home {
                edge = std::mem::replace(&mut open[next[to]], edge);
                next[to] += 1;
                to = part(&edge);
            }
            open[next[home]] = edge;
            next[home] += 1;
        }
    }
    let mut start = 0;
    for end in ends {
        sort_part(&mut open[start..end], PART_BITS, &mut sorted);
        start = end;
    }
}

/// Sorts open edges whose keys agree in the first `equal` bits: one pass puts them into buckets by the bits that
/// follow, then each bucket is sorted. `sorted` is working memory.
fn sort_part(open: &mut [OpenEdge], equal: u32, sorted: &mut Vec<OpenEdge>) {
    // One bucket per two to four edges, but at least 4 and at most 2^18.
    let bits = (usize::BITS - open.len().leading_zeros()).clamp(4, 20) - 2;
    let bucket = |edge: &OpenEdge| (edge.key << equal >> (64 - bits)) as usize;
    let mut places = vec![0u32; 1 << bits];
    for edge in open.iter() {
        places[bucket(edge)] += 1;
    }
    // Each count becomes the index at which its bucket begins; placing the edges moves this index to the end of the
    // bucket.
    let mut at = 0;
    for place in &mut places {
        at += std::mem::replace(place, at);
    }
    sorted.resize(sorted.len().max(open.len()), OpenEdge::default());
    for edge in open.iter() {
        let place = &mut places[bucket(edge)];
        sorted[*place as usize] = *edge;
        *place += 1;
    }
    let mut start = 0;
    for end in places {
        sorted[start..end as usize].sort_unstable_by_key(|edge| edge.key);
        start = end as usize;
    }
    open.copy_from_slice(&sorted[..open.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_edges_are_sorted_in_place() {
        for (count, spread) in [(0, 1), (1, 1), (7, 1), (1000, 1), (50_000, 1), (5000, 1 << 20), (50_000, 1 << 20)] {
            let mut rng = crate::core::Rng::new(count);
            // A large `spread` makes the weights small, as a bias can, so that a few buckets hold all edges.
            let mut edge = |id| OpenEdge { key: (rng.bits() / spread) >> 32 << 32 | id, ends: [id as u32; 2] };
            let mut open: Vec<OpenEdge> = (0..count).map(&mut edge).collect();
            let mut expected: Vec<_> = open.iter().map(|edge| (edge.key, edge.ends)).collect();
            expected.sort_unstable();
            sort_open(&mut open);
            assert_eq!(open.iter().map(|edge| (edge.key, edge.ends)).collect::<Vec<_>>(), expected);
        }
    }
}
