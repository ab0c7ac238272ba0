//! Lists of codes on a page: each code with its buttons, a field for a new one, and the whole list as text.

use hansang_core::ErrorKind;
use hansang_http::problem::Problem;
use hansang_ledger::{ListChange, ListName};
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::View;

use super::Pages;
use crate::actions::CHANGE_LIST;

/// A list on a page.
pub(super) struct List {
    /// The name in forms.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) codes: Vec<Code>,
    /// The list as text, as it is stored.
    pub(super) was: String,
    /// The list as text, as it was typed.
    pub(super) text: String,
    pub(super) rows: usize,
    /// The new code as it was typed.
    pub(super) new: String,
    /// The problem of what was typed.
    pub(super) problem: Option<String>,
}

/// A code of a list.
pub(super) struct Code {
    pub(super) name: String,
    pub(super) is_first: bool,
    pub(super) is_last: bool,
}

/// A form that was refused, and why.
pub(super) struct Refused<'f> {
    pub(super) sent: &'f Form,
    pub(super) problem: String,
}

impl List {
    /// A list with what was typed: in a form that was refused, or in one that is shown again after signing in.
    pub(super) fn new(
        name: String,
        title: String,
        codes: &[String],
        refused: Option<&Refused<'_>>,
        draft: &Form,
    ) -> Self {
        let refused = refused.filter(|refused| refused.sent.text("list") == name);
        let draft = Some(draft).filter(|draft| draft.text("list") == name);
        let sent = refused.map(|refused| refused.sent).or(draft);
        let typed =
            |field: &str| sent.and_then(|sent| sent.get(field)).map(|text| text.replace("\r\n", "\n"));
        // The list that the text was typed over, unless a refusal has shown a newer one.
        let kept = draft.and_then(|draft| draft.get("was")).map(|was| was.replace("\r\n", "\n"));
        let was = kept.unwrap_or_else(|| codes.join("\n"));
        let text = typed("codes").unwrap_or_else(|| was.clone());
        let code = |(index, code): (usize, &String)| Code {
            name: code.clone(),
            is_first: index == 0,
            is_last: index + 1 == codes.len(),
        };
        Self {
            codes: codes.iter().enumerate().map(code).collect(),
            rows: text.lines().count().max(3) + 1,
            new: typed("new").unwrap_or_default(),
            problem: refused.map(|refused| refused.problem.clone()),
            name,
            title,
            was,
            text,
        }
    }

    /// Whether the text was refused, so that it is shown open.
    pub(super) fn is_open(&self) -> bool {
        self.text != self.was
    }
}

/// Makes the change of a form. Returns the problem of what was typed, if there is one.
pub(super) async fn change(
    pages: &Pages,
    caller: &Caller,
    view: &View,
    list: ListName,
    sent: &Form,
) -> Result<Option<String>, Problem> {
    let code = || sent.text("code").to_owned();
    let change = match sent.text("do") {
        "up" => ListChange::Up(code()),
        "down" => ListChange::Down(code()),
        "remove" => ListChange::Remove(code()),
        "add" => ListChange::Add(sent.text("new").trim().to_owned()),
        _ => ListChange::Replace { was: names(sent.text("was")), now: names(sent.text("codes")) },
    };
    match pages.act(&CHANGE_LIST, caller, (list, change)).await {
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind, ErrorKind::Invalid | ErrorKind::Conflict) => {
            Ok(Some(view.sentence(&error.message)))
        }
        Err(error) => Err(error.into()),
    }
}

/// The names in a text, one a line.
fn names(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
