//! The phrases of core, in every language.

use crate::phrases;

phrases! {
    FIELD = "`{0}` {1}", "`{0}`: {1}";
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::message::check;

    #[test]
    fn the_phrases_are_well_formed() {
        assert_eq!(check(ALL), [] as [String; 0]);
    }
}
