//! Numbers are exact in every notation.

use hansang_core::number::Number;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_number_with_one_form_or_refused(text in "[-+]?[0-9]{0,45}(\\.[0-9]{0,45})?([eE][-+]?[0-9]{0,12})?") {
        if let Ok(number) = text.parse::<Number>() {
            prop_assert_eq!(number.to_string().parse::<Number>(), Ok(number));
        }
    }

    #[test]
    fn whole_numbers_sort_and_add_as_they_do_elsewhere(a in any::<i64>(), b in any::<i64>()) {
        let (x, y) = (Number::from(a), Number::from(b));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.to_i64(), Some(a));
        let sum = i128::from(a) + i128::from(b);
        prop_assert_eq!(x.checked_add(y).map(|sum| sum.to_string()), Ok(sum.to_string()));
        let difference = i128::from(a) - i128::from(b);
        prop_assert_eq!(x.checked_sub(y).map(|one| one.to_string()), Ok(difference.to_string()));
    }

    #[test]
    fn decimals_sort_by_value(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000, places in 0_u32..30) {
        let text = |whole: i64| format!("{whole}e-{places}").parse::<Number>().unwrap();
        prop_assert_eq!(text(a).cmp(&text(b)), a.cmp(&b));
        prop_assert!(text(a).checked_sub(text(a)) == Ok(Number::ZERO));
    }
}

#[test]
fn zero_adds_nothing_at_any_size() {
    for text in ["9.99E+125", "1E-130", "-7E+100"] {
        let (zero, number): (Number, Number) = ("0".parse().unwrap(), text.parse().unwrap());
        assert_eq!(zero.checked_add(number), Ok(number));
        assert_eq!(number.checked_sub(zero), Ok(number));
    }
}
