//! Roles on a page: as marks where they are shown, as selects in forms.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::Error;

use crate::console::Console;
use hansang_access::{EVERYWHERE, Grants, Role};
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::View;
use hansang_ui::table::Cell;

/// The prefix of the names of the selects; the name of a system follows.
const PREFIX: &str = "role.";

/// A role that an account has.
pub(super) struct Mark {
    pub(super) text: String,
    /// The colour: stronger for roles with more permissions.
    pub(super) class: &'static str,
}

pub(super) fn marks(console: &Console, view: &View, grants: &Grants) -> Vec<Mark> {
    let mark = |(system, role): (&String, &Role)| Mark {
        text: format!("{}: {}", system_name(console, view, system), role_name(view, *role)),
        class: match role {
            Role::Viewer => "",
            Role::Editor => "info",
            Role::Admin => "warn",
        },
    };
    grants.0.iter().map(mark).collect()
}

/// Marks in a table.
pub(super) fn cell(view: &View, marks: &[Mark]) -> Cell {
    match marks {
        [] => Cell::text(view.say("None", "없음")),
        marks => Cell::Tags(marks.iter().map(|mark| (mark.text.clone(), mark.class)).collect()),
    }
}

/// A select for each system with a choice, up to the highest role that can be granted.
pub(super) fn fields(
    console: &Console,
    view: &View,
    systems: &BTreeSet<String>,
    given: &Grants,
    most: impl Fn(&str) -> Option<Role>,
) -> Vec<Field> {
    let all = std::iter::once(EVERYWHERE).chain(systems.iter().map(|system| &**system));
    let field = |system: &str| {
        let most = most(system)?;
        let none = (String::new(), view.say("No role", "권한 없음").to_owned());
        let roles = Role::ALL.into_iter().filter(|role| *role <= most);
        let named = roles.map(|role| (role.name().to_owned(), role_name(view, role).to_owned()));
        let hint = match system {
            EVERYWHERE => {
                view.say("Also in systems that come later", "나중에 추가되는 시스템에도 적용됩니다")
            }
            _ => "",
        };
        Some(Field {
            value: given.0.get(system).map_or("", |role| role.name()).to_owned(),
            hint: hint.to_owned(),
            required: false,
            input: Input::Choice(std::iter::once(none).chain(named).collect()),
            ..Field::text(&format!("{PREFIX}{system}"), &system_name(console, view, system))
        })
    };
    all.filter_map(field).collect()
}

/// The systems in which a role can be granted. A role in a system that is currently not served must be kept when other
/// roles change.
pub(super) fn systems(console: &Console, given: &Grants) -> BTreeSet<String> {
    let served = console.models().map(|model| model.name.to_string());
    let held = given.0.keys().filter(|system| *system != EVERYWHERE).cloned();
    served.chain(held).collect()
}

/// The roles that were chosen.
pub(super) fn chosen(sent: &Form) -> Result<Grants, Error> {
    let choices = sent.pairs().filter_map(|(name, role)| Some((name.strip_prefix(PREFIX)?, role)));
    let given = choices.filter(|(_, role)| !role.is_empty());
    let grants = given.map(|(system, role)| Ok((system.to_owned(), role.parse()?)));
    grants.collect::<Result<BTreeMap<_, _>, Error>>().map(Grants)
}

/// The label of a choice.
pub(super) fn word(view: &View, role: &str) -> &'static str {
    role.parse().map_or_else(|_| view.say("No role", "권한 없음"), |role| role_name(view, role))
}

fn role_name(view: &View, role: Role) -> &'static str {
    match role {
        Role::Viewer => view.say("Viewer", "뷰어"),
        Role::Editor => view.say("Editor", "편집자"),
        Role::Admin => view.say("Administrator", "관리자"),
    }
}

/// The title of a system, or the name of one that is currently not served.
fn system_name(console: &Console, view: &View, system: &str) -> String {
    match console.models().find(|model| &*model.name == system) {
        _ if system == EVERYWHERE => view.say("Every system", "모든 시스템").to_owned(),
        Some(model) => model.title_in(view.language).into_owned(),
        None => system.to_owned(),
    }
}
