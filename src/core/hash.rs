//! A fast hasher for the tables of the engines, such as the visited states of a search.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::rng::mix;

/// A hash map whose keys are hashed by [`Mixer`].
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Hashes integers with one step of SplitMix64 per 64-bit word. The hash is not resistant to keys chosen by an
/// attacker; it is meant for keys that the engines build themselves, such as packed states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        // Each word is combined with the mixed words before it, so the hash depends on their order. The initial 0 stays
        // 0 when it is rotated, so a single word hashes to `mix(word)`.
        self.0 = mix(self.0.rotate_left(5) ^ word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_hash_like_their_bytes_and_their_order_matters() {
        let hash = |feed: &dyn Fn(&mut Mixer)| {
            let mut mixer = Mixer::default();
            feed(&mut mixer);
            mixer.finish()
        };
        assert_eq!(hash(&|m| m.write_u64(7)), mix(7));
        assert_eq!(hash(&|m| m.write(&7u64.to_le_bytes())), mix(7));
        assert_ne!(hash(&|m| (m.write_u64(1), m.write_u64(2)).0), hash(&|m| (m.write_u64(2), m.write_u64(1)).0));
    }
}
