//! Two versions side by side: their differences, and the effect on users of the contract.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{
    Bump, Compatibility, ContractRef, Difference, Header, SpecChange, compatibility, contract_version, diff,
};
use hansang_core::value::json::to_plain;
use hansang_core::{Error, Value};
use semver::Version;

use super::{Contracts, START, asked_contract, of_contract, of_version};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};

/// The maximum number of differences shown.
const MAX_SHOWN: usize = 300;
/// The maximum number of characters of a value.
const MAX_CHARACTERS: usize = 2_000;

#[derive(Template)]
#[template(path = "contracts/diff.html")]
struct Diff {
    frame: Frame,
    system: String,
    kind: String,
    id: String,
    of_kind: String,
    contract: String,
    /// Every version, newest first, and whether it is the old or the new one of the comparison.
    versions: Vec<(String, bool, bool)>,
    compared: Option<Compared>,
    message: Option<String>,
}

/// The result of a comparison.
struct Compared {
    verdict: Verdict,
    differences: Vec<Line>,
    /// The number of differences that are not shown.
    more: usize,
    old: (String, String),
    new: (String, String),
}

/// One difference.
struct Line {
    path: String,
    old: Option<String>,
    new: Option<String>,
}

/// The effect of a change on users of the contract.
pub(super) struct Verdict {
    pub(super) fits: bool,
    pub(super) class: &'static str,
    pub(super) sentence: String,
    pub(super) needs: &'static str,
    pub(super) announced: &'static str,
    pub(super) changes: Vec<Change>,
}

/// One change, judged by the rules of its kind.
pub(super) struct Change {
    pub(super) breaking: bool,
    pub(super) message: String,
}

pub(super) fn route(contracts: &Contracts) -> Route {
    let needs = contracts.needs(Role::Viewer);
    let contracts = contracts.clone();
    let handler = on(MethodFilter::GET, async move |view: View| show(&contracts, view).await);
    Route::page("/console/contracts/diff", needs, handler)
}

async fn show(contracts: &Contracts, view: View) -> Result<Response, Problem> {
    let asked = view.asked();
    let (kind, id) = asked_contract(&asked)?;
    let headers = contracts.versions(&kind, &id).await?;
    let (old, new) = chosen(&asked, &headers)?;
    let name =
        |version: &Version| ContractRef { kind: kind.clone(), id: id.clone(), version: version.clone() };
    let (mut compared, mut message, mut status) = (None, None, StatusCode::OK);
    match compare(contracts, &name(&old), &name(&new), &view).await {
        Ok(found) => compared = Some(found),
        Err(error) => {
            let problem = Problem::from(error);
            message = Some(view.sentence(&problem.message));
            status = problem.status;
        }
    }
    let title = view.say("Compare versions", "버전 비교").to_owned();
    let versions = headers.iter().rev().map(|header| &header.reference.version);
    let diff = Diff {
        system: contracts.name().to_owned(),
        of_kind: format!("{START}?kind={kind}"),
        contract: of_contract("contract", &kind, &id),
        versions: versions.map(|one| (one.to_string(), *one == old, *one == new)).collect(),
        compared,
        message,
        kind: kind.to_string(),
        id: id.to_string(),
        frame: contracts.frame(view, &title),
    };
    Ok(page(status, &diff))
}

/// The two compared versions, the older one first. Defaults to the newest and the one before it.
fn chosen(asked: &Form, headers: &[Header]) -> Result<(Version, Version), Error> {
    let nth = |behind: usize| headers.iter().rev().nth(behind).or(headers.first());
    let version = |name: &str, behind: usize| match asked.text(name) {
        "" => Ok(nth(behind).map_or(Version::new(0, 0, 0), |header| header.reference.version.clone())),
        text => contract_version(text),
    };
    let (one, other) = (version("from", 1)?, version("to", 0)?);
    Ok(if one <= other { (one, other) } else { (other, one) })
}

async fn compare(
    contracts: &Contracts,
    old: &ContractRef,
    new: &ContractRef,
    view: &View,
) -> Result<Compared, Error> {
    let before = contracts.read("fetch", contracts.registry.fetch(old)).await?;
    let after = contracts.read("fetch", contracts.registry.fetch(new)).await?;
    let found = compatibility(&old.kind, &before.spec, &after.spec);
    let differences = diff(&before.spec, &after.spec);
    let told = |reference: &ContractRef| (reference.version.to_string(), of_version("version", reference));
    Ok(Compared {
        verdict: verdict(view, &found, &old.version, &new.version),
        more: differences.len().saturating_sub(MAX_SHOWN),
        differences: differences.iter().take(MAX_SHOWN).map(line).collect(),
        old: told(old),
        new: told(new),
    })
}

fn line(difference: &Difference) -> Line {
    let text = |value: &Value| {
        let text = format!("{:#}", to_plain(value));
        match text.char_indices().nth(MAX_CHARACTERS) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    };
    Line {
        path: difference.path.clone(),
        old: difference.old.as_ref().map(text),
        new: difference.new.as_ref().map(text),
    }
}

/// Whether the version step is large enough for the changes.
pub(super) fn verdict(view: &View, found: &Compatibility, old: &Version, new: &Version) -> Verdict {
    let fits = found.fits(old, new);
    let needs = bump_name(view, found.needs);
    let sentence = match (found.needs, fits) {
        (Bump::None, _) => view.fill("No changes.", "변경 사항이 없습니다."),
        (_, true) => {
            view.fill("{1} is a valid version after {0}.", "{0} 다음 버전으로 {1} 번호가 알맞습니다.")
        }
        (_, false) => view.fill(
            "The changes since {0} require a {2} version; {1} is not one.",
            "{0} 이후의 변경에는 {2} 버전이 필요하므로 {1} 번호는 알맞지 않습니다.",
        ),
    };
    let sentence = sentence.with(old).with(new).with(needs).to_string();
    let change = |one: &SpecChange| Change { breaking: one.breaking, message: view.sentence(&one.message) };
    Verdict {
        fits,
        class: if fits { "good" } else { "bad" },
        sentence,
        needs,
        announced: bump_name(view, Bump::between(old, new)),
        changes: found.changes.iter().map(change).collect(),
    }
}

fn bump_name(view: &View, bump: Bump) -> &'static str {
    match bump {
        Bump::None => view.say("None", "없음"),
        Bump::Patch => view.say("patch", "패치"),
        Bump::Minor => view.say("minor", "마이너"),
        Bump::Major => view.say("major", "메이저"),
    }
}
