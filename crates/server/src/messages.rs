//! The phrases of the server, in every language.

use hansang_core::phrases;

phrases! {
    OPERATION_FAILED = "operation {0} (counted from 0) failed, so nothing was written: {1}",
        "작업 [{0}](0부터 셈)을 할 수 없어 모두 취소했습니다: {1}";
}

#[cfg(test)]
mod tests {
    use hansang_core::message::check;

    use super::ALL;

    #[test]
    fn the_phrases_are_well_formed() {
        assert_eq!(check(ALL), [] as [String; 0]);
    }
}
