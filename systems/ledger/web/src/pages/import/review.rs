//! Every row of an uploaded file with its effect, before anything is written.

use std::collections::BTreeMap;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::{Error, ErrorKind};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::import::{
    Choice, Ignored, ImportView, NewImport, Preview, Row, RowStatus, Upload, apply, change_upload,
    discard_upload, import_of, stage, upload_of, uploaded,
};
use hansang_server::Caller;
use hansang_ui::address;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;

use super::super::one_line::choices;
use super::super::past::line_text;
use super::super::words::{Money, subject_key, subject_name, subject_of, won};
use super::super::{Pages, START, by};
use super::{at, kept, result, steps};
use crate::notices;

/// The number of rows of a page.
const PAGE_SIZE: usize = 50;
/// The choice of a merchant that is never imported, among the entries.
const NEVER: &str = "never";
/// The transactions that the request of a person makes itself; the worker makes the rest.
const MAX_AT_ONCE: usize = 15;

#[derive(Template)]
#[template(path = "ledger/import_review.html")]
struct Review {
    frame: Frame,
    steps: [&'static str; 3],
    upload: Upload,
    /// The chosen filter and page, which a form keeps.
    effect: String,
    page: usize,
    effects: Vec<EffectLink>,
    rows: Vec<ShownRow>,
    choices: Vec<(String, String)>,
    pages: Pager,
    /// The number of rows that would be imported.
    count: usize,
    refused_count: usize,
    refused: Option<String>,
}

/// A filter by effect: its name, the number of rows, its address, and whether it is chosen.
type EffectLink = (&'static str, usize, String, bool);

/// A row of the page.
struct ShownRow {
    number: usize,
    date: String,
    text: String,
    amount: Option<Money>,
    /// The chosen entry, and the one that the form was shown with.
    entry: String,
    was: String,
    entry_name: String,
    effect: &'static str,
    class: &'static str,
    reason: String,
    /// Whether a person can decide about it.
    open: bool,
    included: bool,
    /// `duplicate` (also of a line that was entered by hand) or `ignored` if it is left out unless a person says otherwise; empty for others.
    left: &'static str,
    /// Whether a row that changes a line becomes a line of its own, for such rows.
    as_new: Option<bool>,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let id = key.text("id");
        match upload_of(&shows.ledger, &id).await {
            Ok(upload) => {
                let asked = view.asked();
                show(&shows, view, upload, &asked, StatusCode::OK, None).await
            }
            Err(error) if error.kind == ErrorKind::NotFound => {
                result::show(&shows, view, import_of(&shows.ledger, &id).await?)
            }
            Err(error) => Err(error.into()),
        }
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        take(&takes, &caller, view, &key.text("id"), &sent).await
    });
    Route::page(&format!("{START}/import/{{id}}"), pages.needs(Role::Editor), handler)
}

/// The effect of a row as filters name it.
fn effect_of(status: &RowStatus) -> &'static str {
    match status {
        RowStatus::New => "new",
        RowStatus::Changed(_) => "changed",
        RowStatus::Duplicate => "duplicate",
        RowStatus::Entered(_) => "entered",
        RowStatus::Ignored(_) => "ignored",
        RowStatus::Refused(_) => "refused",
    }
}

/// The name of an effect and the class of its tag.
fn effect_name(view: &View, effect: &str) -> (&'static str, &'static str) {
    match effect {
        "new" => (view.say("New", "새 내역"), "good"),
        "changed" => (view.say("Changed", "금액 변경"), "info"),
        "duplicate" => (view.say("Duplicate", "중복"), ""),
        "entered" => (view.say("Entered before", "이미 입력함"), ""),
        "ignored" => (view.say("Ignored", "제외"), ""),
        "refused" => (view.say("Problem", "오류"), "bad"),
        _ => (view.say("All", "전체"), ""),
    }
}

async fn show(
    pages: &Pages,
    view: View,
    upload: Upload,
    asked: &Form,
    status: StatusCode,
    refused: Option<String>,
) -> Result<Response, Problem> {
    if upload.mapping.is_none() {
        return Ok(Redirect::to(&format!("{}/columns", at(&upload.upload_id))).into_response());
    }
    let preview = kept::preview(pages, &upload).await?;
    let choices = choices(pages, &view).await?;
    let wanted = asked.text("effect").to_owned();
    let number: usize = asked.text("page").parse().unwrap_or(1).max(1);
    let title = view.say("Review the file", "파일 내용 확인").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let here = address::with(&at(&upload.upload_id), &[("effect", &wanted)]);
    let matching: Vec<&Row> =
        preview.rows.iter().filter(|row| wanted.is_empty() || effect_of(&row.status) == wanted).collect();
    let counts = counts(&preview);
    let count_of = |effect: &str| counts.get(effect).copied().unwrap_or_default();
    let shown = matching.iter().skip((number - 1) * PAGE_SIZE).take(PAGE_SIZE);
    let page_at = |number: usize| address::with(&here, &[("page", &number.to_string())]);
    let pager = Pager {
        previous: (number > 1).then(|| page_at(number - 1)),
        next: (matching.len() > number * PAGE_SIZE).then(|| page_at(number + 1)),
    };
    let review = Review {
        steps: steps(view),
        effects: effects(view, &upload.upload_id, &wanted, preview.rows.len(), &counts),
        rows: shown.map(|row| ShownRow::of(view, row).typed(&view.draft)).collect(),
        choices,
        pages: pager,
        count: count_of("new") + count_of("changed"),
        refused_count: count_of("refused"),
        effect: wanted,
        page: number,
        refused,
        upload,
        frame,
    };
    Ok(page(status, &review))
}

fn counts(preview: &Preview) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for row in &preview.rows {
        *counts.entry(effect_of(&row.status)).or_default() += 1;
    }
    counts
}

fn effects(
    view: &View,
    id: &str,
    wanted: &str,
    all: usize,
    counts: &BTreeMap<&'static str, usize>,
) -> Vec<EffectLink> {
    let link = |effect: &str| {
        let count = if effect.is_empty() { Some(all) } else { counts.get(effect).copied() };
        let address = address::with(&at(id), &[("effect", effect)]);
        count.map(|count| (effect_name(view, effect).0, count, address, effect == wanted))
    };
    ["", "new", "changed", "entered", "duplicate", "ignored", "refused"]
        .into_iter()
        .filter_map(link)
        .collect()
}

impl ShownRow {
    fn of(view: &View, row: &Row) -> Self {
        let (effect, class) = effect_name(view, effect_of(&row.status));
        let reason = match (&row.status, row.usual.as_deref()) {
            (RowStatus::New, Some(usual)) => {
                view.fill("Added by you: {0}", "직접 추가함: {0}").with(reason(view, usual)).to_string()
            }
            (status, _) => reason(view, status),
        };
        let is_excluded = row.status == RowStatus::Ignored(Ignored::Excluded);
        let usual = row.usual.as_deref();
        let left = match usual.unwrap_or(&row.status) {
            RowStatus::Duplicate | RowStatus::Entered(_) => "duplicate",
            RowStatus::Ignored(_) if !is_excluded => "ignored",
            _ => "",
        };
        let is_never = row.status == RowStatus::Ignored(Ignored::Never);
        let entry = row.subject.as_ref().map(subject_key).unwrap_or_default();
        let entry = if is_never { NEVER.to_owned() } else { entry };
        let is_changed = matches!(usual.unwrap_or(&row.status), RowStatus::Changed(_));
        Self {
            number: row.number,
            date: row.date.map(|date| date.to_string()).unwrap_or_default(),
            text: row.text.clone(),
            amount: (row.amount != 0).then(|| Money::of(view, row.amount)),
            was: entry.clone(),
            entry,
            entry_name: row.subject.as_ref().map(|subject| subject_name(view, subject)).unwrap_or_default(),
            effect,
            class,
            reason,
            open: row.status != RowStatus::Ignored(Ignored::NoDate),
            included: !is_excluded && (left.is_empty() || usual.is_some()),
            left,
            as_new: is_changed.then_some(usual.is_some()),
        }
    }

    /// The row with what was chosen in a form that is shown again.
    fn typed(self, draft: &Form) -> Self {
        let number = self.number.to_string();
        if !draft.pairs().any(|(name, value)| name == "row" && value == number) {
            return self;
        }
        let sent = |part: &str| draft.get(&format!("{part}:{number}"));
        Self {
            entry: sent("entry").map_or(self.entry, str::to_owned),
            was: sent("was").map_or(self.was, str::to_owned),
            included: sent("include").is_some(),
            as_new: self.as_new.map(|_| sent("new").is_some()),
            ..self
        }
    }

    /// Whether an entry can be chosen: not for a row that is a line already.
    fn has_choice(&self) -> bool {
        self.open && (self.left != "duplicate" || self.included)
    }
}

/// What is to be said about a row.
fn reason(view: &View, status: &RowStatus) -> String {
    match status {
        RowStatus::New => String::new(),
        RowStatus::Duplicate => view.say("Already imported", "이미 가져온 내역").to_owned(),
        RowStatus::Changed(line) => format!("{} {}", view.say("Was", "기존"), won(view, line.amount)),
        RowStatus::Entered(line) => view
            .fill(
                "Same date and amount as a line that was entered: {0}",
                "입력된 내역과 날짜·금액이 같음: {0}",
            )
            .with(line_text(view, line))
            .to_string(),
        RowStatus::Ignored(why) => ignored(view, *why).to_owned(),
        RowStatus::Refused(message) => view.sentence(message),
    }
}

/// Why a row is left out.
fn ignored(view: &View, why: Ignored) -> &'static str {
    match why {
        Ignored::Excluded => view.say("Excluded by you", "직접 제외함"),
        Ignored::NoDate => view.say("No date, such as a subtotal", "날짜 없음(소계 등)"),
        Ignored::Cancelled => view.say("Cancelled payment", "취소된 결제"),
        Ignored::Transfer => view.say("Transfer between own accounts", "내 계좌 간 이체"),
        Ignored::CardBill => {
            view.say("Card bill: import the card's own file", "카드대금(카드 내역 파일로 가져오세요)")
        }
        Ignored::Never => view.say("Merchant that is never imported", "가져오지 않기로 한 가맹점"),
        Ignored::Zero => view.say("The amount is 0", "금액 0원"),
    }
}

async fn take(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    let mut upload = match upload_of(&pages.ledger, id).await {
        Ok(upload) => upload,
        // The button was pressed twice: the file is imported already.
        Err(error) if error.kind == ErrorKind::NotFound => {
            import_of(&pages.ledger, id).await?;
            return Ok(Redirect::to(&at(id)).into_response());
        }
        Err(error) => return Err(error.into()),
    };
    if sent.text("do") == "discard" {
        let discard = discard_upload(&pages.ledger, &upload);
        pages.change(caller, "import.discard", &upload.file, discard.boxed()).await?;
        return Ok(Redirect::to(&notices::DISCARDED.at(&format!("{START}/import"))).into_response());
    }
    decide(&mut upload, sent);
    match sent.text("do") {
        "exclude" => upload.exclude_refused = true,
        "include" => upload.exclude_refused = false,
        _ => {}
    }
    let done = match change_upload(&pages.ledger, &upload).await {
        Ok(()) if sent.text("do") == "apply" => import(pages, caller, &upload).await.map(|_| at(id)),
        Ok(()) => {
            let place = [("effect", sent.text("effect")), ("page", sent.text("page"))];
            Ok(notices::DECIDED.at(&address::with(&at(id), &place)))
        }
        Err(error) => Err(error),
    };
    match done {
        Ok(next) => Ok(Redirect::to(&next).into_response()),
        Err(error) if error.kind == ErrorKind::Invalid => {
            let refused = Some(view.sentence(&error.message));
            show(pages, view, upload, sent, Problem::from(error).status, refused).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Takes over the decisions about the rows of a page.
fn decide(upload: &mut Upload, sent: &Form) {
    let numbers = sent.pairs().filter(|(name, _)| *name == "row");
    for number in numbers.filter_map(|(_, number)| number.parse::<usize>().ok()) {
        let field = |name: &str| sent.get(&format!("{name}:{number}"));
        let mut choice = upload.choices.remove(&number).unwrap_or_default();
        let is_included = field("include").is_some();
        let entry = field("entry").unwrap_or_default();
        let is_chosen = field("entry").is_some() && Some(entry) != field("was");
        if is_chosen {
            choice.never = entry == NEVER;
            choice.subject = subject_of(entry);
        } else if is_included {
            choice.never = false;
        }
        match field("left").unwrap_or_default() {
            "" => {
                choice.exclude = !is_included && !choice.never;
                choice.anyway = field("new").is_some();
            }
            left => {
                choice.exclude = false;
                // A transfer with a chosen entry is imported.
                choice.anyway = is_included || left == "ignored" && choice.subject.is_some() && is_chosen;
                if !choice.anyway {
                    choice.subject = None;
                }
            }
        }
        if choice != Choice::default() {
            upload.choices.insert(number, choice);
        }
    }
}

/// Stages the file and begins to apply it.
async fn import(pages: &Pages, caller: &Caller, upload: &Upload) -> Result<ImportView, Error> {
    let ledger = &pages.ledger;
    let by = by(caller)?;
    let _turn = pages.reading().await;
    let work = async {
        let table = uploaded(ledger, upload).await?;
        let choices = upload.decisions(ledger, &table).await?;
        let mapping = upload.mapping.clone().unwrap_or_default();
        let new = NewImport {
            file: &upload.file,
            profile: &upload.profile,
            table: &table,
            mapping: &mapping,
            choices: &choices,
        };
        stage(ledger, &by, &upload.upload_id, new).await?;
        let import = apply(ledger, &upload.upload_id, MAX_AT_ONCE).await?;
        discard_upload(ledger, upload).await?;
        pages.reviewed.forget();
        Ok(import)
    };
    pages.change(caller, "import.apply", &upload.file, work.boxed()).await
}
