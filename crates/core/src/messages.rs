//! The phrases of core in every language, by topic.
//!
//! English messages start in lower case and end without a full stop, so that others can contain them:
//! the problem first, then `: ` and the next step.

pub mod fields;
pub mod files;
pub mod items;
pub mod keys;
pub mod kinds;
pub mod queues;
pub mod reads;
pub mod stores;
pub mod writes;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::check;

    #[test]
    fn the_phrases_are_well_formed() {
        let topics = [
            fields::ALL,
            files::ALL,
            items::ALL,
            keys::ALL,
            kinds::ALL,
            queues::ALL,
            reads::ALL,
            stores::ALL,
            writes::ALL,
        ];
        assert_eq!(check(&topics.concat()), [] as [String; 0]);
    }
}
