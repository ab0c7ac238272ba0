//! Lifecycles: states and transitions.

use std::collections::HashSet;

use super::problems::Problems;
use super::reader::{self, Fields};
use super::suggest;
use crate::diagnostic::{Code, Span, short};
use crate::kind::Lifecycle;
use crate::value::{Name, known};
use crate::yaml::{Content, Key, Node};

const MAX_STATES: usize = 100;

/// The states and their transitions; items start in the first state unless `initial` is given.
pub(super) fn read(node: &Node, problems: &mut Problems) -> Option<Lifecycle> {
    let before = problems.list.len();
    let help = "write `{ lifecycle: { NEW: [DONE] } }`: each state with those that can follow it";
    let Content::Map(entries) = &node.content else {
        let message = "a lifecycle is a map from each state to those that can follow it";
        problems.report(Code::WrongShape, node.span, message, help);
        return None;
    };
    let Some((first, _)) = entries.first() else {
        problems.report(Code::BadLifecycle, node.span, "a lifecycle has at least one state", help);
        return None;
    };
    let initial = vec![known(first.text.as_str())];
    let mut life = Lifecycle { states: Vec::new(), initial, moves: Vec::new() };
    let mut seen: HashSet<&str> = HashSet::new();
    let mut named: Vec<(&str, Span)> = entries.iter().map(|(key, _)| (key.text.as_str(), key.span)).collect();
    for (key, targets) in entries.iter().take(MAX_STATES) {
        for (target, span) in reader::texts(targets, MAX_STATES, problems).unwrap_or_default() {
            named.push((target, span));
            life.moves.push((known(key.text.as_str()), known(target)));
        }
    }
    for (position, (state, span)) in named.into_iter().enumerate() {
        if !seen.insert(state) {
            continue;
        }
        if position >= entries.len() {
            report_slip(state, span, entries, &life, problems);
        }
        if seen.len() > MAX_STATES {
            let message =
                format!("a lifecycle may have {MAX_STATES} states, and `{}` is one more", short(state));
            problems.report(
                Code::TooMany,
                span,
                message,
                "keep values that vary freely in another attribute",
            );
            break;
        }
        life.states.push(known(state));
    }
    (problems.list.len() == before).then_some(life)
}

/// Reports a state that is only a target and differs from a listed state by one slip: it would be an
/// unintended final state.
fn report_slip(state: &str, span: Span, entries: &[(Key, Node)], life: &Lifecycle, problems: &mut Problems) {
    let reached = |listed: &&str| life.before(listed).next().is_some() || *life.initial[0] == **listed;
    let listed = entries.iter().take(MAX_STATES).map(|(key, _)| key.text.as_str()).filter(reached);
    if let Some(near) = suggest::one_slip(state, listed) {
        let message = format!("`{}` looks like a slip of `{near}`", short(state));
        let help = format!("write `{near}`, or list it too if it is meant: `{}: []`", short(state));
        problems.report(Code::BadLifecycle, span, message, help);
    }
}

/// Reads the initial states, and checks that all others can be reached from them.
pub(super) fn read_initial(fields: &Fields<'_>, life: &mut Lifecycle, problems: &mut Problems) {
    let immutable = fields.key("immutable").filter(|_| fields.flag("immutable", problems) == Some(true));
    if let (Some(key), false) = (immutable, life.moves.is_empty()) {
        let message = "an `immutable` attribute never changes, and a lifecycle is made of changes";
        problems.report(Code::BadLifecycle, key.span, message, "remove `immutable`, or write an `enum`");
    }
    if let Some(node) = fields.get("initial") {
        let before = problems.list.len();
        let given = reader::texts(node, MAX_STATES, problems).unwrap_or_default();
        for (state, span) in &given {
            if !life.states.iter().any(|known| **known == **state) {
                let known = || life.states.iter().map(|state| &**state);
                let help = suggest::did_you_mean(state, known(), || {
                    format!("the states are {}", suggest::some(known()))
                });
                problems.report(Code::BadLifecycle, *span, format!("there is no state `{state}`"), help);
            }
        }
        if given.is_empty() && problems.list.len() == before {
            let help = "name a state, or leave `initial` out: then it is the first of the lifecycle";
            problems.report(Code::BadLifecycle, node.span, "no item could ever be created", help);
        }
        // Reachability depends on the right initial states.
        if problems.list.len() > before {
            return;
        }
        life.initial = given.iter().map(|(state, _)| known(state)).collect();
    }
    let lost: Vec<Name> = unreachable(life);
    if let Some(first) = lost.first() {
        let message = format!("items never reach {}", suggest::list(&lost));
        let others = || life.states.iter().filter(|state| !lost.contains(state)).map(|state| &**state);
        let slip = lost.iter().find_map(|state| Some((suggest::one_slip(state, others())?, state)));
        let help = match slip {
            Some((near, state)) => format!("did you mean `{near}` instead of `{state}`?"),
            None => format!(
                "add a transition from another state, or an `initial` state: items start as {}",
                suggest::list(&life.initial)
            ),
        };
        let key = fields.get("lifecycle").and_then(|node| reader::key(node, first));
        problems.report(Code::BadLifecycle, key.map_or(fields.span, |key| key.span), message, help);
    }
}

/// The states that no transitions lead to from an initial one.
fn unreachable(life: &Lifecycle) -> Vec<Name> {
    let mut reached = life.initial.clone();
    let mut next = 0;
    while let Some(state) = reached.get(next).cloned() {
        let new: Vec<Name> = life.after(&state).filter(|to| !reached.contains(to)).cloned().collect();
        reached.extend(new);
        next += 1;
    }
    life.states.iter().filter(|state| !reached.contains(state)).cloned().collect()
}
