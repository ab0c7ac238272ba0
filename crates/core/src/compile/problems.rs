//! The problems of a file, gathered and put in order.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, MAX_PROBLEMS, Span};

/// The problems found so far.
#[derive(Default)]
pub(crate) struct Problems {
    pub(crate) list: Vec<Diagnostic>,
    /// The number of compiled regular expressions, which is limited, because each costs milliseconds.
    pub(crate) expressions: usize,
}

impl Problems {
    pub(crate) fn report(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if self.list.len() < MAX_PROBLEMS {
            self.list.push(Diagnostic { code, span, message: message.into(), help: help.into() });
        }
    }

    /// Whether the problems found since `before` leave the fields of a key known, so that later checks can
    /// use them.
    pub(crate) fn keys_are_clear(&self, before: usize) -> bool {
        let clear = |code: Code| {
            matches!(
                code,
                Code::Unpadded
                    | Code::OptionalInKey
                    | Code::SemverOrder
                    | Code::DelimiterInValue
                    | Code::PaddingTooNarrow
                    | Code::BadTtl
            )
        };
        self.list[before..].iter().all(|problem| clear(problem.code))
    }

    /// The problems in the order of the file. An unknown name is one problem, however often it is used:
    /// the first location is shown and the lines of the others are listed.
    pub(crate) fn sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|problem| (problem.span, problem.code));
        self.list.dedup();
        let mut first: HashMap<String, usize> = HashMap::new();
        let mut sorted: Vec<Diagnostic> = Vec::new();
        let mut also: Vec<Vec<usize>> = Vec::new();
        for problem in self.list {
            let known = missing_name(&problem).map(|name| *first.entry(name).or_insert(sorted.len()));
            match known.and_then(|known| also.get_mut(known)) {
                Some(lines) => lines.push(problem.span.line),
                None => {
                    sorted.push(problem);
                    also.push(Vec::new());
                }
            }
        }
        for (problem, lines) in sorted.iter_mut().zip(also) {
            problem.help += &the_same_in(&lines);
        }
        sorted
    }
}

/// The unknown name of a problem, if it is about one. Attributes of several entities are the same if the
/// suggestions are.
fn missing_name(problem: &Diagnostic) -> Option<String> {
    let name = match problem.code {
        Code::UnknownEntity | Code::UnknownIndex | Code::UnknownField => &problem.message,
        Code::UnknownAttribute => problem.message.rsplit('`').nth(1)?,
        _ => return None,
    };
    Some(format!("{} {name} {}", problem.code, problem.help))
}

fn the_same_in(lines: &[usize]) -> String {
    const MAX_SHOWN: usize = 8;
    let shown: Vec<String> = lines.iter().take(MAX_SHOWN).map(ToString::to_string).collect();
    let more = if lines.len() > MAX_SHOWN { " and others" } else { "" };
    match shown.split_last() {
        None => String::new(),
        Some((only, [])) => format!(" (the same in line {only})"),
        Some((last, rest)) if more.is_empty() => {
            format!(" (the same in lines {} and {last})", rest.join(", "))
        }
        Some(_) => format!(" (the same in lines {}{more})", shown.join(", ")),
    }
}
