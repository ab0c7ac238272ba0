//! Donut charts: shares of a whole.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use crate::escape::escape;

use super::figure::{figure, with_unit};
use super::{Anchor, COLOURS, TEXT, at, open, push_text, push_title, sane, series_class, text_width};

/// The data of a donut.
pub struct Donut<'a> {
    /// The heading in the drawing; empty if the page has one above it.
    pub title: &'a str,
    /// The text alternative, in one sentence.
    pub summary: &'a str,
    /// The parts; those that are not positive are left out.
    pub shares: &'a [(String, f64)],
    /// The unit of the parts; may be empty.
    pub unit: &'a str,
    /// The label of all small parts together.
    pub other: &'a str,
    /// The text that is shown without parts.
    pub empty: &'a str,
    /// The address of each part; empty if the drawing has no links.
    pub links: &'a [String],
}

/// The share below which parts are merged, because they are too small to see.
const SMALL: f64 = 0.02;

const OUTER: f64 = 76.0;
const INNER: f64 = 50.0;
const ROW: f64 = 24.0;
const WIDTH: f64 = 400.0;

/// A part of the input.
struct Part<'a> {
    place: usize,
    name: &'a str,
    value: f64,
}

/// A part of the drawing.
struct Slice<'a> {
    name: &'a str,
    value: f64,
    class: String,
    link: Option<&'a str>,
}

/// A ring of shares, largest first, beside a legend with percentages.
pub fn donut(donut: &Donut<'_>) -> String {
    let slices = slices(donut);
    let head = if donut.title.is_empty() { 0.0 } else { 28.0 };
    let height = head + (2.0 * OUTER + 8.0).max(slices.len() as f64 * ROW + 8.0);
    let centre = (OUTER + 4.0, head + (height - head) / 2.0);
    let mut out = open("chart chart-donut", (WIDTH, height), donut.title, donut.summary);
    if slices.iter().any(|slice| slice.link.is_some()) {
        // The parts of an image cannot be reached by a screen reader.
        out = out.replacen("role=\"img\"", "role=\"group\"", 1);
    }
    push_text(&mut out, "chart-title", Anchor::Start, (0.0, 15.0), donut.title, WIDTH);
    let total: f64 = slices.iter().map(|slice| slice.value).sum();
    if slices.is_empty() {
        let ring = format!(
            r#"<circle class="chart-ring" cx="{}" cy="{}" r="{}" stroke-width="{}"/>"#,
            at(centre.0),
            at(centre.1),
            at((OUTER + INNER) / 2.0),
            at(OUTER - INNER)
        );
        out.push_str(&ring);
        let x = 2.0 * OUTER + 32.0;
        push_text(&mut out, "chart-empty", Anchor::Start, (x, centre.1 + 4.5), donut.empty, WIDTH - x);
        return out + "</svg>";
    }
    let percents = percents(&slices, total);
    let (mut start, alone) = (0.0, slices.len() == 1);
    for (slice, percent) in slices.iter().zip(&percents) {
        let end = start + slice.value / total;
        let class = format!("{} {}", if alone { "chart-whole" } else { "chart-slice" }, slice.class);
        // The legend has the link that a keyboard reaches.
        push_link(&mut out, slice.link, " tabindex=\"-1\" aria-hidden=\"true\"");
        push_slice(&mut out, centre, &class, (start, end));
        push_title(&mut out, &format!("{}: {} ({percent})", slice.name, with_unit(slice.value, donut.unit)));
        out.push_str(if slice.link.is_some() { "</path></a>" } else { "</path>" });
        start = end;
    }
    let sum = figure(total);
    // A text that does not fit into the hole is only in the tooltips.
    if text_width(&sum, 22.0) < 2.0 * INNER - 8.0 {
        let lift = if donut.unit.is_empty() { 7.5 } else { 2.0 };
        let place = (centre.0, centre.1 + lift);
        push_text(&mut out, "chart-total", Anchor::Middle, place, &sum, WIDTH);
        let place = (centre.0, centre.1 + 20.0);
        push_text(&mut out, "chart-label", Anchor::Middle, place, donut.unit, 2.0 * INNER - 24.0);
    }
    push_legend(&mut out, centre.1, &slices, &percents);
    out + "</svg>"
}

fn push_legend(out: &mut String, middle: f64, slices: &[Slice<'_>], percents: &[String]) {
    let x = 2.0 * OUTER + 32.0;
    let first = middle - slices.len() as f64 * ROW / 2.0 + ROW / 2.0;
    let widest = percents.iter().map(|percent| text_width(percent, TEXT)).fold(0.0, f64::max);
    for (place, (slice, percent)) in slices.iter().zip(percents).enumerate() {
        let y = first + place as f64 * ROW;
        let (class, key) = (&slice.class, (at(x), at(y - 5.0)));
        let _ = write!(
            out,
            r#"<rect class="chart-key {class}" x="{}" y="{}" width="10" height="10" rx="3"/>"#,
            key.0, key.1
        );
        let room = WIDTH - x - 28.0 - widest;
        push_link(out, slice.link, "");
        push_text(out, "chart-name", Anchor::Start, (x + 18.0, y + 4.5), slice.name, room);
        if slice.link.is_some() {
            out.push_str("</a>");
        }
        push_text(out, "chart-label", Anchor::End, (WIDTH - 2.0, y + 4.5), percent, WIDTH);
    }
}

/// The opening tag of a link, if there is one.
fn push_link(out: &mut String, link: Option<&str>, attributes: &str) {
    if let Some(link) = link {
        let _ = write!(out, r#"<a href="{}"{attributes}>"#, escape(link));
    }
}

/// The parts with a colour each, then the merged rest.
fn slices<'a>(donut: &Donut<'a>) -> Vec<Slice<'a>> {
    let shares = donut.shares.iter().enumerate();
    let mut parts: Vec<Part<'_>> = shares
        .filter_map(|(place, (name, value))| {
            Some(Part { place, name, value: sane(*value).filter(|value| *value > 0.0)? })
        })
        .collect();
    parts.sort_by(|a, b| b.value.total_cmp(&a.value));
    let total: f64 = parts.iter().map(|part| part.value).sum();
    let big = parts.iter().filter(|part| part.value / total >= SMALL).count();
    let kept = if big > COLOURS { COLOURS - 1 } else { big };
    // A single small part keeps its name.
    let kept = if parts.len() == kept + 1 && kept < COLOURS { parts.len() } else { kept };
    let rest: f64 = parts[kept..].iter().map(|part| part.value).sum();
    // A part keeps its colour when the order changes, as long as there are colours for all.
    let keeps = donut.shares.len() <= COLOURS;
    let colour = |rank: usize, part: &Part<'_>| series_class(if keeps { part.place } else { rank });
    let ranked = parts[..kept].iter().enumerate();
    let mut slices: Vec<Slice<'_>> = ranked
        .map(|(rank, part)| Slice {
            name: part.name,
            value: part.value,
            class: colour(rank, part),
            link: donut.links.get(part.place).map(String::as_str),
        })
        .collect();
    if rest > 0.0 {
        slices.push(Slice { name: donut.other, value: rest, class: "series-other".to_owned(), link: None });
    }
    slices
}

/// Whole percentages that add up to 100: the remainders go to the parts that lost most by rounding down.
fn percents(slices: &[Slice<'_>], total: f64) -> Vec<String> {
    let exact: Vec<f64> = slices.iter().map(|slice| slice.value / total * 100.0).collect();
    let mut whole: Vec<f64> = exact.iter().map(|percent| percent.floor()).collect();
    let mut by_loss: Vec<usize> = (0..exact.len()).collect();
    by_loss.sort_by(|&a, &b| (exact[b] - whole[b]).total_cmp(&(exact[a] - whole[a])));
    let missing = (100.0 - whole.iter().sum::<f64>()).round().max(0.0) as usize;
    for &place in by_loss.iter().take(missing) {
        whole[place] += 1.0;
    }
    whole
        .iter()
        .map(|&percent| if percent < 1.0 { "<1%".to_owned() } else { format!("{percent}%") })
        .collect()
}

/// A part of the ring from one share of the circle to another, open for its tooltip. An arc cannot end where it starts,
/// so every part has two halves, and a whole ring needs no special case.
fn push_slice(out: &mut String, (x, y): (f64, f64), class: &str, (start, end): (f64, f64)) {
    let point = |share: f64, radius: f64| {
        let angle = share * TAU;
        format!("{} {}", at(x + radius * angle.sin()), at(y - radius * angle.cos()))
    };
    let middle = f64::midpoint(start, end);
    let _ = write!(
        out,
        r#"<path class="{class}" d="M{0}A{o} {o} 0 0 1 {1}A{o} {o} 0 0 1 {2}L{3}A{i} {i} 0 0 0 {4}A{i} {i} 0 0 0 {5}Z">"#,
        point(start, OUTER),
        point(middle, OUTER),
        point(end, OUTER),
        point(end, INNER),
        point(middle, INNER),
        point(start, INNER),
        o = OUTER,
        i = INNER,
    );
}

#[cfg(test)]
mod tests {
    use super::super::tests::well_formed;
    use super::{Donut, donut, percents, slices};

    fn check(shares: &[(&str, f64)], expected: &str) {
        let shares: Vec<(String, f64)> = shares.iter().map(|(name, v)| ((*name).to_owned(), *v)).collect();
        let given = Donut {
            title: "T",
            summary: "S",
            shares: &shares,
            unit: "건",
            other: "기타",
            empty: "nothing",
            links: &[],
        };
        let drawn = donut(&given);
        well_formed(&drawn);
        assert!(!drawn.contains("NaN"), "{drawn}");
        let slices = slices(&given);
        let percents = percents(&slices, slices.iter().map(|slice| slice.value).sum());
        let shown: Vec<String> =
            slices.iter().zip(percents).map(|(slice, percent)| format!("{} {percent}", slice.name)).collect();
        assert_eq!(shown.join(", "), expected);
    }

    #[test]
    fn shares_are_sorted_and_add_up() {
        check(&[("a", 1.0), ("b", 1.0), ("c", 1.0)], "a 34%, b 33%, c 33%");
        check(&[("a", 1.0), ("b", 3.0)], "b 75%, a 25%");
        check(&[("only", 5.0)], "only 100%");
    }

    /// A legend whose colours change on a live page is misread.
    #[test]
    fn a_part_keeps_its_colour_when_the_order_changes() {
        let colours = |given: f64| {
            let shares = [("Given".to_owned(), given), ("Left".to_owned(), 100.0 - given)];
            let donut =
                Donut { title: "", summary: "", shares: &shares, unit: "", other: "", empty: "", links: &[] };
            let mut all: Vec<_> =
                slices(&donut).into_iter().map(|one| (one.name.to_owned(), one.class)).collect();
            all.sort();
            all
        };
        assert_eq!(colours(49.0), colours(51.0));
    }

    #[test]
    fn small_shares_are_merged() {
        check(&[("a", 98.0), ("b", 1.0), ("c", 1.0)], "a 98%, 기타 2%");
        check(&[("a", 999.0), ("b", 1.0)], "a 100%, b <1%");
        let seven = [("a", 9.0), ("b", 8.0), ("c", 7.0), ("d", 6.0), ("e", 5.0), ("f", 4.0), ("g", 3.0)];
        check(&seven, "a 21%, b 19%, c 17%, d 14%, e 12%, 기타 17%");
        check(&seven[..6], "a 23%, b 21%, c 18%, d 15%, e 13%, f 10%");
    }

    #[test]
    fn parts_can_be_links() {
        let shares = [("Rent".to_owned(), 3.0), ("Food".to_owned(), 1.0)];
        let links = ["/a?b=1&c=2".to_owned(), "/d".to_owned()];
        let drawn = donut(&Donut {
            title: "",
            summary: "s",
            shares: &shares,
            unit: "",
            other: "",
            empty: "",
            links: &links,
        });
        well_formed(&drawn);
        assert!(drawn.contains(r#"role="group""#), "{drawn}");
        assert_eq!(drawn.matches(r#"<a href="/a?b=1&amp;c=2""#).count(), 2, "{drawn}");
    }

    #[test]
    fn parts_that_are_not_positive_are_left_out() {
        check(&[], "");
        check(&[("a", 0.0), ("b", -4.0), ("c", f64::NAN), ("d", f64::INFINITY)], "");
        check(&[("a", f64::NAN), ("b", 2.0)], "b 100%");
        check(&[("a", f64::MAX), ("b", f64::MAX)], "a 50%, b 50%");
    }
}
