//! Properties of every drawing.

use hansang_core::Name;
use hansang_core::kind::Lifecycle;

use super::{
    Bars, Chart, Days, Donut, Series, areas, at, bars, days, donut, lifecycle, line, shorten, sparkline,
    text_width, treemap,
};

const STYLE: &str = include_str!("svg.css");

/// A lifecycle from `a* b` and `a>b`; a star marks initial states.
pub(super) fn life(states: &str, moves: &str) -> Lifecycle {
    let name = |text: &str| Name::from(text.trim_end_matches('*'));
    Lifecycle {
        states: states.split_whitespace().map(name).collect(),
        initial: states.split_whitespace().filter(|state| state.ends_with('*')).map(name).collect(),
        moves: moves
            .split_whitespace()
            .filter_map(|text| text.split_once('>'))
            .map(|(from, to)| (name(from), name(to)))
            .collect(),
    }
}

/// Checks that a drawing is well-formed XML with plain attributes, and that the content security policy allows all of
/// it.
pub(super) fn well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        let end = rest[start..].find('>').expect("every tag is closed") + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{svg}");
            continue;
        }
        let (inner, alone) = tag.strip_suffix('/').map_or((tag, false), |inner| (inner, true));
        let (name, attributes) = inner.split_once(' ').unwrap_or((inner, ""));
        assert!(name.chars().all(|letter| letter.is_ascii_alphabetic()), "{tag}");
        check_attributes(attributes);
        if !alone {
            open.push(name);
        }
    }
    assert_eq!((open.len(), rest), (0, ""), "{svg}");
}

fn check_attributes(mut attributes: &str) {
    let mut seen = Vec::new();
    while !attributes.is_empty() {
        let (name, rest) = attributes.split_once("=\"").expect("an attribute has a value");
        let (value, rest) = rest.split_once('"').expect("a value ends");
        assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-'), "{name}");
        assert!(!seen.contains(&name), "{name} twice");
        assert!(name != "style" && !name.starts_with("on"), "{name} is refused by the policy");
        assert!(name != "href" || value.starts_with('/'), "a link leads to another server: {value}");
        check_text(value);
        if !["aria-label", "class", "id"].contains(&name) {
            assert!(!value.contains("NaN") && !value.contains("inf"), "{name}={value}");
        }
        seen.push(name);
        attributes = rest.strip_prefix(' ').unwrap_or(rest);
    }
}

fn check_text(text: &str) {
    assert!(!text.contains(['<', '>']), "{text}");
    for entity in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(known.iter().any(|name| entity.starts_with(name)), "&{entity}");
    }
}

/// Deterministic pseudorandom numbers (splitmix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, limit: u64) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit) as usize
    }

    fn value(&mut self) -> f64 {
        let odd =
            [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 1e-9];
        match self.below(3) {
            0 => odd[self.below(odd.len() as u64)],
            1 => self.below(1000) as f64,
            _ => (self.below(2_000_000) as f64 - 1e6) * 10_f64.powi(self.below(40) as i32 - 20),
        }
    }

    fn values(&mut self) -> Vec<f64> {
        (0..self.below(20)).map(|_| self.value()).collect()
    }

    fn text(&mut self) -> String {
        let letters = ['a', 'W', '한', '<', '>', '&', '"', '\'', ' ', '_', '%', '\n', '😀'];
        (0..self.below(30)).map(|_| letters[self.below(letters.len() as u64)]).collect()
    }
}

#[test]
fn any_figures_give_a_drawing() {
    let mut dice = Dice(1);
    for _ in 0..200 {
        let (title, summary, unit) = (dice.text(), dice.text(), dice.text());
        let labels = (0..dice.below(40)).map(|_| dice.text()).collect();
        let series = (0..dice.below(9))
            .map(|_| {
                let name = dice.text();
                Series::new(&name, dice.values())
            })
            .collect();
        let chart = Chart { title: &title, summary: &summary, labels, series, unit: &unit, empty: "-" };
        well_formed(&bars(&chart, Bars::Grouped));
        well_formed(&bars(&chart, Bars::Stacked));
        well_formed(&line(&chart));
        well_formed(&areas(&chart));
        well_formed(&sparkline(&dice.values(), &[dice.text()], &summary));
        let shares: Vec<(String, f64)> = (0..dice.below(12)).map(|_| (dice.text(), dice.value())).collect();
        let (unit, other) = (dice.text(), dice.text());
        let data = Donut {
            title: &title,
            summary: &summary,
            shares: &shares,
            unit: &unit,
            other: &other,
            empty: "-",
            links: &[],
        };
        well_formed(&donut(&data));
        well_formed(&treemap(&data));
        let first = jiff::civil::date(2026, 1, 1);
        well_formed(&days(&Days { summary: &summary, first, values: &dice.values(), unit: &unit }));
    }
}

#[test]
fn any_lifecycle_gives_a_drawing() {
    let mut dice = Dice(2);
    for _ in 0..300 {
        let count = dice.below(12) as u64;
        let states: Vec<Name> =
            (0..count).map(|number| Name::from(format!("{number}{}", dice.text()))).collect();
        let some = |dice: &mut Dice| states.get(dice.below(count.max(1))).cloned().unwrap_or_default();
        let initial = (0..dice.below(3)).map(|_| some(&mut dice)).collect();
        let moves = (0..dice.below(25)).map(|_| (some(&mut dice), some(&mut dice))).collect();
        let life = Lifecycle { states: states.clone(), initial, moves };
        well_formed(&lifecycle(&life, &dice.text(), &dice.text()));
    }
}

#[test]
fn names_are_escaped() {
    let name = r#"a<b>&"c""#;
    let escaped = "a&lt;b&gt;&amp;&quot;c&quot;";
    let series = vec![Series::new(name, [1.0]), Series::new("two", [2.0])];
    let chart =
        Chart { title: name, summary: name, labels: vec![name.to_owned()], series, unit: name, empty: name };
    let shares = [(name.to_owned(), 1.0)];
    let shown = Donut {
        title: name,
        summary: name,
        shares: &shares,
        unit: name,
        other: name,
        empty: name,
        links: &[],
    };
    let life = life(&format!("{}* b", name.replace(' ', "")), "");
    for drawn in [
        bars(&chart, Bars::Grouped),
        line(&chart),
        sparkline(&[1.0], &[name.to_owned()], name),
        donut(&shown),
        lifecycle(&life, name, name),
    ] {
        well_formed(&drawn);
        assert!(drawn.contains(escaped) && !drawn.contains(name), "{drawn}");
    }
}

#[test]
fn every_class_has_a_rule() {
    let series = (0..7).map(|number| Series::new(&format!("s{number}"), [1.0, -1.0])).collect();
    let labels = vec!["a".to_owned(), "b".to_owned()];
    let chart = Chart { title: "t", summary: "s", labels, series, unit: "u", empty: "e" };
    let shares: Vec<(String, f64)> = (1..9).map(|number| (format!("p{number}"), f64::from(number))).collect();
    let shown =
        Donut { title: "t", summary: "s", shares: &shares, unit: "u", other: "o", empty: "e", links: &[] };
    let drawn = [
        bars(&chart, Bars::Stacked),
        line(&chart),
        sparkline(&[1.0, 2.0], &["a".to_owned()], "s"),
        donut(&shown),
        areas(&chart),
        treemap(&shown),
        days(&Days {
            summary: "s",
            first: jiff::civil::date(2026, 1, 1),
            values: &[0.0, 1.0, 4.0],
            unit: "",
        }),
        donut(&Donut { shares: &shares[..1], ..shown }),
        donut(&Donut { shares: &[], ..shown }),
        lifecycle(&life("a* b c", "a>a a>b"), "p", "l"),
    ];
    for attribute in drawn.iter().flat_map(|svg| svg.split("class=\"").skip(1)) {
        for class in attribute.split('"').next().unwrap().split(' ') {
            assert!(
                STYLE.contains(&format!(".{class} ")) || STYLE.contains(&format!(".{class},")),
                "{class}"
            );
        }
    }
}

#[test]
fn korean_letters_are_wide() {
    assert_eq!(text_width("한국", 10.0), text_width("abcd", 10.0));
    assert_eq!(shorten("한국어로 된 긴 이름", 60.0, 10.0), "한국어로…");
    assert_eq!(shorten("short", 60.0, 10.0), "short");
    assert_eq!(
        (at(-0.001), at(1.005), at(f64::NAN), at(2.5)),
        ("0".into(), "1".into(), "0".into(), "2.5".into())
    );
}
