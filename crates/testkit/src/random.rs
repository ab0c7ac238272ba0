//! Repeatable random numbers: splitmix64.

/// A pseudo-random sequence from a seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in [0, 1).
    pub(crate) fn fraction(&mut self) -> f64 {
        fraction(self.next())
    }
}

/// Converts to a fraction in [0, 1).
pub(crate) fn fraction(number: u64) -> f64 {
    // A float has 53 bits.
    (number >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First numbers of the published algorithm for seed 0.
    #[test]
    fn is_splitmix64() {
        let mut random = Random::new(0);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }
}
