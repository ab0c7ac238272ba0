//! What a change of the past did, in words.

use std::collections::BTreeMap;

use hansang_core::{Item, Value};
use hansang_ledger::{Kind, Line, OtherItem, PastChange, Subject};
use hansang_ui::frame::View;

use super::words::{kind_name, subject_name, won};

/// Everything that a change did: its lines, then other items.
pub(super) fn details(view: &View, change: &PastChange) -> Vec<String> {
    let lines = change.lines.iter().map(|pair| line(view, pair));
    let others = change.others.iter().flat_map(|item| other(view, item));
    lines.chain(others).filter(|detail| !detail.is_empty()).collect()
}

/// A line before and after a change.
fn line(view: &View, (before, after): &(Option<Line>, Option<Line>)) -> String {
    step(before.as_ref().map(|line| line_text(view, line)), after.as_ref().map(|line| line_text(view, line)))
}

/// A line in one text.
pub(super) fn line_text(view: &View, line: &Line) -> String {
    let text = if line.text.is_empty() { String::new() } else { format!(" ({})", line.text) };
    format!("{} {}{text} {}", line.date, subject_name(view, &line.subject), won(view, line.amount))
}

/// A value before and after a change; empty if it is the same.
fn step(before: Option<String>, after: Option<String>) -> String {
    match (before, after) {
        (None, Some(after)) => format!("+ {after}"),
        (Some(before), None) => format!("− {before}"),
        (Some(before), Some(after)) if before != after => format!("{before} → {after}"),
        _ => String::new(),
    }
}

/// An item that is no line, before and after a change.
fn other(view: &View, item: &OtherItem) -> Vec<String> {
    let both = |word: &dyn Fn(&Item) -> String| {
        vec![step(item.before.as_ref().map(word), item.after.as_ref().map(word))]
    };
    match &*item.entity {
        "CodeList" | "AccountCodes" => lists(view, item),
        "Settings" => kinds(view, item),
        "Budget" => both(&|fields| {
            let from = view.fill("{0} from {1}", "{0} {1}부터");
            let from = from.with(text(fields, "category")).with(text(fields, "month")).to_string();
            format!("{from} {}", won(view, number(fields, "amount")))
        }),
        "Goal" => {
            both(&|fields| format!("{} {}", text(fields, "accountName"), won(view, number(fields, "amount"))))
        }
        "Rule" => both(&|fields| rule(view, fields)),
        "Opening" => opening(view, item),
        "SignIns" => people(view, item),
        _ => Vec::new(),
    }
}

fn rule(view: &View, fields: &Item) -> String {
    let kind: Option<Kind> = text(fields, "kind").parse().ok();
    let subject =
        kind.and_then(|kind| Subject::new(kind, text(fields, "name"), Some(text(fields, "detail"))).ok());
    let name = subject.map(|subject| subject_name(view, &subject)).unwrap_or_default();
    let day = view.fill("day {0}", "{0}일").with(number(fields, "day")).to_string();
    [&*name, text(fields, "text"), &day, &won(view, number(fields, "amount"))]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The names that came and went; otherwise only their order changed.
fn lists(view: &View, item: &OtherItem) -> Vec<String> {
    let (before, after) = (names(item.before.as_ref()), names(item.after.as_ref()));
    let new = after.iter().filter(|name| !before.contains(name)).map(|name| format!("+ {name}"));
    let gone = before.iter().filter(|name| !after.contains(name)).map(|name| format!("− {name}"));
    let found: Vec<String> = new.chain(gone).collect();
    if found.is_empty() { vec![view.say("Order changed", "순서 변경").to_owned()] } else { found }
}

/// The codes of a list, or the accounts of all groups with the groups.
fn names(fields: Option<&Item>) -> Vec<String> {
    let texts = |value: &Value| match value {
        Value::L(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    match fields.and_then(|fields| fields.get("codes")) {
        Some(Value::M(groups)) => groups
            .iter()
            .flat_map(|(group, list)| std::iter::once(group.to_string()).chain(texts(list)))
            .collect(),
        Some(list) => texts(list),
        None => Vec::new(),
    }
}

/// Accounts and groups whose kind changed.
fn kinds(view: &View, item: &OtherItem) -> Vec<String> {
    let all = |fields: &Option<Item>| -> BTreeMap<String, String> {
        let maps = ["groups", "accounts"].into_iter().filter_map(|name| fields.as_ref()?.get(name));
        let maps = maps.filter_map(|value| if let Value::M(map) = value { Some(map) } else { None });
        let one = |value: &Value| {
            let kind = value.as_str().unwrap_or_default();
            kind.parse().map_or(kind, |kind: Kind| kind_name(view, kind)).to_owned()
        };
        maps.flat_map(|map| map.iter().map(|(name, value)| (name.to_string(), one(value)))).collect()
    };
    let (before, after) = (all(&item.before), all(&item.after));
    let usual = || view.say("as the group", "그룹과 같음").to_owned();
    let of = |kinds: &BTreeMap<String, String>, name: &String| kinds.get(name).cloned().unwrap_or_else(usual);
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let changed = names.into_iter().filter(|name| of(&before, name) != of(&after, name));
    changed.map(|name| format!("{name}: {} → {}", of(&before, name), of(&after, name))).collect()
}

/// The people that sign-ins became.
fn people(view: &View, item: &OtherItem) -> Vec<String> {
    let all = |fields: &Option<Item>| -> BTreeMap<String, String> {
        let Some(Value::M(map)) = fields.as_ref().and_then(|fields| fields.get("names")) else {
            return BTreeMap::new();
        };
        map.iter().map(|(id, name)| (id.to_string(), name.as_str().unwrap_or_default().to_owned())).collect()
    };
    let (before, after) = (all(&item.before), all(&item.after));
    let unassigned = || view.say("not assigned", "정하지 않음").to_owned();
    let of =
        |names: &BTreeMap<String, String>, id: &String| names.get(id).cloned().unwrap_or_else(unassigned);
    let ids: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = ids.into_iter().filter(|id| before.get(*id) != after.get(*id));
    changed.map(|id| format!("{} → {}", of(&before, id), of(&after, id))).collect()
}

/// The opening balances that changed.
fn opening(view: &View, item: &OtherItem) -> Vec<String> {
    let all = |fields: &Option<Item>| -> BTreeMap<String, i64> {
        let Some(fields) = fields else { return BTreeMap::new() };
        let own = |name: &str| number(fields, name);
        let mut all = BTreeMap::from([
            (view.say("Savings", "저축").to_owned(), own("cashAccumulated")),
            (view.say("Investments", "투자").to_owned(), own("investmentAccumulated")),
        ]);
        if let Some(Value::M(map)) = fields.get("shortSavingsBalances") {
            all.extend(map.iter().map(|(name, _)| (name.to_string(), number(map, name))));
        }
        all
    };
    let (before, after) = (all(&item.before), all(&item.after));
    let of =
        |balances: &BTreeMap<String, i64>, name: &String| balances.get(name).copied().unwrap_or_default();
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let changed = names.into_iter().filter(|name| of(&before, name) != of(&after, name));
    changed
        .map(|name| format!("{name} {} → {}", won(view, of(&before, name)), won(view, of(&after, name))))
        .collect()
}

fn text<'f>(fields: &'f Item, name: &str) -> &'f str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn number(fields: &Item, name: &str) -> i64 {
    fields.get(name).and_then(Value::as_number).and_then(|number| number.to_i64()).unwrap_or_default()
}
