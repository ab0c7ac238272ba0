//! The preview of an import: the lines of one effect, page by page, and all of them as a file.

use hansang_ui::form::Form;
use hansang_ui::frame::View;

use super::super::csv;
use super::check::{Effect, Line, word};

/// The number of lines on a page.
const PAGE_SIZE: usize = 100;

/// The effect of an import.
pub(super) struct Preview {
    /// The text of all lines, which the buttons send again.
    pub(super) text: String,
    /// Each effect with its number of lines, first all of them.
    pub(super) effects: Vec<Count>,
    /// The chosen effect; empty for all.
    pub(super) effect: String,
    /// The lines of the page.
    pub(super) lines: Vec<Shown>,
    /// The number of the page, from 1, and that of the last one.
    pub(super) page: usize,
    pub(super) last: usize,
    /// The numbers of lines to store and of refused ones.
    pub(super) stored: usize,
    pub(super) refused: usize,
}

/// The number of lines with an effect.
pub(super) struct Count {
    pub(super) effect: &'static str,
    pub(super) word: &'static str,
    pub(super) count: usize,
}

/// A line in words.
pub(super) struct Shown {
    pub(super) number: usize,
    pub(super) word: &'static str,
    pub(super) class: &'static str,
    pub(super) record: String,
    pub(super) reason: String,
}

impl Preview {
    /// The page that a form asks for. The buttons name an effect (`filter`), or another page of the one that is `shown`.
    pub(super) fn of(view: &View, text: String, tried: Vec<Line>, form: &Form) -> Self {
        let wanted = form.get("filter").unwrap_or(form.text("shown"));
        let effect = Effect::ALL.into_iter().find(|effect| *effect == wanted).unwrap_or_default();
        let count = |effect: &str| tried.iter().filter(|line| line.effect.name() == effect).count();
        let count_of = |effect: &'static str| Count {
            effect,
            word: word(view, effect).0,
            count: if effect.is_empty() { tried.len() } else { count(effect) },
        };
        let effects = [""].into_iter().chain(Effect::ALL).map(count_of).filter(|one| one.count > 0).collect();
        let stored = tried.iter().filter(|line| line.effect.is_stored()).count();
        let refused = count("refused");
        let matching: Vec<Line> =
            tried.into_iter().filter(|line| effect.is_empty() || line.effect.name() == effect).collect();
        let last = matching.len().div_ceil(PAGE_SIZE).max(1);
        let page: usize = form.text("page").parse().unwrap_or(1);
        let page = page.clamp(1, last);
        let lines = matching.iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE);
        let lines = lines.map(|line| Shown::of(view, line)).collect();
        Self { text, effects, effect: effect.to_owned(), lines, page, last, stored, refused }
    }
}

impl Shown {
    fn of(view: &View, line: &Line) -> Self {
        let (word, class) = word(view, line.effect.name());
        let record = format!("{} {}", line.entity, line.title).trim().to_owned();
        Self { number: line.number, word, class, record, reason: line.effect.reason().to_owned() }
    }
}

/// All lines with their effects as CSV.
pub(super) fn file(view: &View, tried: &[Line]) -> String {
    let mut out = String::new();
    let head = [
        view.say("Line", "줄"),
        view.say("Result", "결과"),
        view.say("Type", "종류"),
        view.say("Record", "항목"),
        view.say("Reason", "이유"),
    ];
    csv::push_line(&mut out, head.map(csv::Cell::Text));
    for line in tried {
        let number = line.number.to_string();
        let texts = [word(view, line.effect.name()).0, &line.entity, &line.title, line.effect.reason()];
        csv::push_line(&mut out, [csv::Cell::Exact(&number)].into_iter().chain(texts.map(csv::Cell::Text)));
    }
    out
}
