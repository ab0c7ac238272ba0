//! `docs/model.md`, the reference of the language, agrees with the compiler.

use hansang_core::compile;
use hansang_core::diagnostic::Code;
use hansang_core::diagnostic::render;
use hansang_core::model::{Leg, Sort};

const PAGE: &str = include_str!("../../../../docs/model.md");

/// A block of code on the page.
struct Fence<'p> {
    /// The text after the three backticks.
    info: &'p str,
    /// The line of the page on which the code starts.
    line: usize,
    text: String,
}

/// The fences of a part of the page that starts on `line`.
fn fences(part: &str, line: usize) -> Vec<Fence<'_>> {
    let mut fences: Vec<Fence<'_>> = Vec::new();
    let mut open = false;
    for (number, text) in part.lines().enumerate() {
        match text.strip_prefix("```") {
            Some("") if open => open = false,
            Some(info) => {
                assert!(!open, "a fence before line {} is not closed", line + number);
                fences.push(Fence { info, line: line + number + 1, text: String::new() });
                open = true;
            }
            None if open => {
                let fence = fences.last_mut().expect("an open fence");
                fence.text.push_str(text);
                fence.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "the last fence is not closed");
    fences
}

/// The sections of the diagnostics: the heading after `### `, the line, and the text.
fn sections() -> Vec<(&'static str, usize, &'static str)> {
    let start = PAGE.find("\n## Diagnostics\n").expect("a section on diagnostics");
    let mut sections = Vec::new();
    for (at, _) in PAGE[start..].match_indices("\n### ") {
        let at = start + at + 1;
        let (heading, rest) = PAGE[at..].split_once('\n').expect("a line");
        let text = rest.find("\n### ").map_or(rest, |end| &rest[..end]);
        let line = PAGE[..at].lines().count() + 2;
        sections.push((heading.trim_start_matches("### "), line, text));
    }
    sections
}

fn problems(fence: &Fence<'_>) -> (Vec<Code>, String) {
    let problems = compile(fence.text.as_bytes()).err().unwrap_or_default();
    let said = render(&format!("docs/model.md (from line {})", fence.line), &fence.text, &problems);
    (problems.iter().map(|problem| problem.code).collect(), said)
}

#[test]
fn every_code_has_its_section_in_order() {
    let headings: Vec<String> = sections().iter().map(|(heading, ..)| (*heading).to_owned()).collect();
    let codes: Vec<String> = Code::ALL.iter().map(|code| format!("{code} {}", code.title())).collect();
    assert_eq!(headings, codes);
}

#[test]
fn every_broken_model_has_that_problem_and_every_fixed_one_has_none() {
    for (code, (heading, line, text)) in Code::ALL.iter().zip(sections()) {
        let fences = fences(text, line);
        match fences.as_slice() {
            [] => assert!(text.contains("\n*Not shown: "), "{heading} shows nothing and does not say why"),
            [broken, fixed] => {
                assert_eq!((broken.info, fixed.info), ("yaml broken", "yaml fixed"), "{heading}");
                let (codes, said) = problems(broken);
                assert_eq!(codes, [*code], "{heading}\n{said}");
                let (codes, said) = problems(fixed);
                assert_eq!(codes, [], "{heading}\n{said}");
            }
            _ => panic!("{heading} has {} fences", fences.len()),
        }
    }
}

#[test]
fn every_whole_model_of_the_page_compiles() {
    let fences = fences(PAGE, 1);
    for fence in &fences {
        let known = ["yaml", "yaml model", "yaml broken", "yaml fixed"];
        assert!(known.contains(&fence.info), "line {}: `{}`", fence.line, fence.info);
    }
    let models: Vec<_> = fences.iter().filter(|fence| fence.info == "yaml model").collect();
    assert!(models.len() >= 5);
    for model in models {
        let (codes, said) = problems(model);
        assert_eq!(codes, [], "{said}");
    }
}

/// The reads of the page's examples.
#[test]
fn patterns_become_the_reads_that_the_page_says() {
    let mut reads = Vec::new();
    for fence in fences(PAGE, 1).iter().filter(|fence| fence.info == "yaml model") {
        let model = compile(fence.text.as_bytes()).unwrap();
        for pattern in model.patterns {
            let legs: Vec<&str> = pattern.legs.iter().map(read).collect();
            reads.push(format!("{} {}: {}", model.name, pattern.name, legs.join(", ")));
        }
    }
    let expected = [
        "shop customer: Get",
        "shop customerByEmail: lookup",
        "shop ordersOfCustomer: Query begins_with",
        "shop customerWithOrders: Query",
        "shop ordersByStatus: Query between",
        "blog postsOfAuthor: Query begins_with",
        "notes notes: Query",
        "notes bestNotes: Query between",
        "blog postById: lookup",
        "blog postBySlug: lookup",
        "ledger wage: Get",
        "ledger incomeOfPerson: Query begins_with",
        "ledger log: Query between",
        "ledger incomeAndLog: Query",
        "ledger monthEntries: Query, Query",
        "ledger period: Query",
    ];
    assert_eq!(reads, expected);
}

fn read(leg: &Leg) -> &'static str {
    match leg {
        Leg::Get { .. } => "Get",
        Leg::Lookup { .. } => "lookup",
        Leg::Query { sort: Sort::All, .. } => "Query",
        Leg::Query { sort: Sort::Exact(_), .. } => "Query =",
        Leg::Query { sort: Sort::Prefix { .. }, .. } => "Query begins_with",
        Leg::Query { sort: Sort::Range { .. }, .. } => "Query between",
    }
}

#[test]
fn every_word_of_the_language_is_explained() {
    let mut missing = Vec::new();
    for (of, words) in hansang_core::compile::words() {
        for word in words.iter().filter(|word| !PAGE.contains(&format!("`{word}`"))) {
            missing.push(format!("`{word}` of {of}"));
        }
    }
    assert_eq!(missing, [""; 0], "not on the page");
}

#[test]
fn links_within_the_page_lead_somewhere() {
    let anchor = |heading: &str| -> String {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    let headings: Vec<String> = PAGE
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect();
    for (at, _) in PAGE.match_indices("](#") {
        let target = PAGE[at + 3..].split(')').next().unwrap();
        assert!(headings.iter().any(|heading| heading == target), "#{target}");
    }
}
