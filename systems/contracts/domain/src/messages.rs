//! The phrases of contracts in every language, by topic.

pub mod changes;
pub mod errors;
pub mod specs;

#[cfg(test)]
mod tests {
    use hansang_core::message::check;

    use super::*;

    #[test]
    fn the_phrases_are_well_formed() {
        assert_eq!(check(&[changes::ALL, errors::ALL, specs::ALL].concat()), [] as [String; 0]);
    }
}
