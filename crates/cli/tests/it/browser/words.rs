//! The words of all pages: in Korean, no text is in Latin script unless it is data or a name.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::console::{administrator, demo};
use super::{Browser, Visitor};
use crate::root;

/// Names of products, formats and methods, which every language writes alike.
const NAMES: &str = "API AWS CLI CSV CloudFormation Ctrl DELETE DOCX DynamoDB ETag English Excel GET GSI Get \
    HTML HTTP HWP HWPX Hansang ID JPG JSON K KB Lookup MB MD Markdown NoSQL OpenAPI PATCH PDF PK PNG POST PPTX \
    PUT PowerPoint Python Query SAM SHA SK Scan Schema SemVer TXT Terraform TypeScript ULID URL UTC UUID Word \
    Workbench XLSX YAML cURL documents-cache";
/// The pages that no other page links to.
const FIRST: [&str; 6] =
    ["/console", "/console/design", "/console/nowhere", "/api/docs", "/console/docs", "/console/search?q=a"];
/// The number of pages of one kind that are read: with the same path, or with other arguments.
const OF_A_KIND: usize = 2;

/// The text of all records and models, without the English texts of models.
fn data(browser: &Browser) -> String {
    let script = "const done = arguments[0];
        const systems = ['content', 'ledger', 'entry', 'documents', 'contracts'];
        const get = (path) => fetch(`/api/documents/${path}`).then((answer) => answer.json());
        const segments = async () => {
          const all = [];
          for (const project of (await get('projects')).items) {
            const list = () => get(`projects/${project.project_id}/documents`).then(({ items }) => items);
            let found = await list();
            // The examples are processed in the background.
            while (found.some(({ status }) => !['completed', 'failed'].includes(status))) {
              await new Promise((next) => setTimeout(next, 100));
              found = await list();
            }
            for (const { workflow_id } of found) {
              all.push(JSON.stringify(await get(`workflows/${workflow_id}/segments`)));
            }
          }
          return all.join(' ');
        };
        Promise.all([segments(), ...systems.map((system) => fetch(`/api/${system}/export`).then((answer) => answer.text()))])
          .then((all) => done(all.join(' ')));";
    let mut all = browser.run_async(script, &[]).as_str().unwrap().to_owned();
    for file in fs::read_dir(root().join("models")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        all.push_str(&without_english(&text));
    }
    // Exports are JSON, which escapes line breaks.
    all.replace("\\n", "\n").to_lowercase()
}

/// A model without the texts behind `en:`.
fn without_english(model: &str) -> String {
    let mut parts = model.split("en: ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = match part.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map(|end| end + 2),
            None => part.find([',', '}', '\n']),
        };
        out.push_str(&part[end.unwrap_or(part.len())..]);
    }
    out
}

/// The address without the values of its arguments.
fn kind_of(path: &str) -> String {
    let (page, query) = path.split_once('?').unwrap_or((path, ""));
    let mut names: Vec<&str> = query.split('&').filter_map(|pair| pair.split('=').next()).collect();
    names.sort_unstable();
    let is_id = |part: &str| {
        part.len() >= 20 && part.bytes().all(|one| one.is_ascii_digit() || one.is_ascii_uppercase())
    };
    let parts: Vec<&str> = page.split('/').map(|part| if is_id(part) { "*" } else { part }).collect();
    format!("{}?{}", parts.join("/"), names.join("&"))
}

/// Whether a link leads to a page: not to a file, a stream or another part of the server.
fn is_page(link: &str) -> bool {
    let files = ["download", "export", "format=", ".csv", "proof", "/live"];
    (link.starts_with("/console") || link.starts_with("/api/docs"))
        && !files.iter().any(|one| link.contains(one))
}

/// The pages of `words.js`, each with its status, its findings and its links.
struct Looked {
    path: String,
    status: u64,
    found: Vec<String>,
    links: Vec<String>,
}

fn look(browser: &Browser, pages: &[Json], data: &str) -> Vec<Looked> {
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    let looked = browser.run_async(include_str!("words.js"), &[json!(pages), json!(data), json!(names)]);
    let texts = |list: &Json| -> Vec<String> { serde_json::from_value(list.clone()).unwrap() };
    let one = |page: &Json| Looked {
        path: page["path"].as_str().unwrap().to_owned(),
        status: page["status"].as_u64().unwrap(),
        found: texts(&page["found"]),
        links: texts(&page["links"]),
    };
    looked.as_array().unwrap().iter().map(one).collect()
}

/// Every text on every page that a visitor can reach, with the page it was found on, and the number of pages. A token
/// stands for its owner; an empty one for a visitor who is not signed in.
fn findings(
    browser: &Browser,
    data: &str,
    token: Option<&str>,
    of_a_kind: usize,
) -> (BTreeMap<String, String>, usize) {
    let mut open: VecDeque<String> = FIRST.into_iter().map(str::to_owned).collect();
    let mut seen: BTreeSet<String> = open.iter().cloned().collect();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let (mut found, mut pages) = (BTreeMap::new(), 0);
    while !open.is_empty() {
        let batch: Vec<String> = open.drain(..open.len().min(20)).collect();
        pages += batch.len();
        let batch: Vec<Json> = batch.iter().map(|path| json!({ "path": path, "token": token })).collect();
        for page in look(browser, &batch, data) {
            found.extend(page.found.into_iter().map(|text| (text, page.path.clone())));
            for link in page.links.into_iter().filter(|link| is_page(link)) {
                if seen.insert(link.clone()) {
                    let count = kinds.entry(kind_of(&link)).or_default();
                    *count += 1;
                    if *count <= of_a_kind {
                        open.push_back(link);
                    }
                }
            }
        }
    }
    (found, pages)
}

#[track_caller]
fn is_korean(found: &BTreeMap<String, String>, what: &str) {
    let lines: Vec<String> = found.iter().map(|(text, page)| format!("{page}: {text}")).collect();
    assert!(lines.is_empty(), "{} texts of {what}:\n{}", lines.len(), lines.join("\n"));
}

/// A token of the administrator with these roles only.
fn token(browser: &Browser, name: &str, grants: &Json) -> String {
    let script = "return fetch('/api/access/tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-csrf-token': document.querySelector('input[name=csrf]').value },
        body: JSON.stringify({
            name: arguments[0], grants: arguments[1], expires: new Date(Date.now() + 3600000).toISOString(),
        }),
    }).then((answer) => answer.json())";
    let made = browser.run(script, &[json!(name), grants.clone()]);
    made["secret"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
}

/// The pages with each notice.
fn notices() -> Vec<Json> {
    let systems = fs::read_dir(root().join("systems")).unwrap();
    let mut files: Vec<PathBuf> =
        systems.map(|system| system.unwrap().path().join("web/src/notices.rs")).collect();
    files.push(root().join("crates/ui/src/notice.rs"));
    let mut pages = Vec::new();
    for text in files.iter().filter_map(|file| fs::read_to_string(file).ok()) {
        let codes = text.split("code: \"").skip(1).filter_map(|rest| rest.split('"').next());
        pages.extend(codes.map(|code| json!({ "path": format!("/console/settings?done={code}") })));
    }
    pages
}

/// Forms that are refused, one of each kind of page.
const REFUSED: [(&str, &str); 8] = [
    ("/console/settings/accounts/new", "login=&name="),
    ("/console/settings/tokens", "name="),
    ("/console/settings", "do=password&old=&password="),
    ("/console/ledger/add", "amount=x&entry=&date="),
    ("/console/ledger/recurring", "amount=x"),
    ("/console/ledger/accounts", "do=add-group&group="),
    ("/console/entry/new", "title="),
    ("/console/contracts/register", "id="),
];

#[test]
fn korean_pages_have_no_english_sentences() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { language: "ko", ..Visitor::default() });
    let data = data(&browser);
    let (found, pages) = findings(&browser, &data, None, OF_A_KIND);
    assert!(pages > 300, "only {pages} pages were found: the search is broken");
    is_korean(&found, "an administrator");

    // The pages of people with fewer rights, without any, and of those who are not signed in.
    let systems = ["content", "ledger", "entry", "documents", "contracts"];
    let viewer = json!(systems.iter().map(|system| (*system, "viewer")).collect::<BTreeMap<_, _>>());
    for (who, token, least) in [
        ("a viewer", token(&browser, "viewer", &viewer), 100),
        ("a participant", token(&browser, "participant", &json!({})), 5),
        ("a visitor", String::new(), 5),
    ] {
        let (found, pages) = findings(&browser, &data, Some(&token), 1);
        assert!(pages >= least, "only {pages} pages of {who}");
        is_korean(&found, who);
    }

    let notices = notices();
    assert!(notices.len() > 30, "{notices:?}");
    let refused = REFUSED.map(|(path, form)| json!({ "path": path, "form": form }));
    for page in look(&browser, &[&notices[..], &refused[..]].concat(), &data) {
        let is_form = !page.path.contains("?done=");
        assert_eq!(page.status >= 400, is_form, "{}: {}", page.path, page.status);
        let found = page.found.into_iter().map(|text| (text, page.path.clone())).collect();
        is_korean(&found, "notices and refused forms");
    }

    // The open page of home, after a change that it was told of.
    browser.go("/console");
    let change = "const done = arguments[0];
        const wait = () => (document.body.classList.contains('live') ? add() : setTimeout(wait, 10));
        const date = new Date().toISOString().slice(0, 10);
        const csrf = document.querySelector('input[name=csrf]').value;
        const body = new URLSearchParams({ amount: '4500', entry: 'living#식비#', text: '커피', date, csrf });
        const add = () => fetch('/console/ledger/add', { method: 'POST', body, redirect: 'manual' }).then(() => done());
        wait();";
    browser.run_async(change, &[]);
    browser.sees("최근 변경: ");
    let home = look(&browser, &[json!({ "path": null })], &data).remove(0);
    is_korean(&home.found.into_iter().map(|text| (text, home.path.clone())).collect(), "the open home page");

    // The same search finds data and names if it is not told about them.
    let arguments = [json!([{ "path": "/console/entry" }]), json!(""), json!([])];
    let looked = browser.run_async(include_str!("words.js"), &arguments);
    let texts = looked[0]["found"].to_string();
    assert!(texts.contains("Concert tickets") && texts.contains("API"), "{texts}");
}

/// Words that pages used before, in both languages, each of which has a better one.
const REPLACED: [&str; 44] = [
    "How it was read",
    "Look further",
    "On a page",
    "Left empty: a new one",
    "None of them is a Scan",
    "Keep it",
    "There is no way back",
    "decide anew",
    "The store answers",
    "Since the start",
    "To the start",
    "Make the administrator",
    "do not belong together",
    "For whoever forgot",
    "Works for how many days",
    "The compiler has no findings",
    "Kept by the pointer",
    "Usual size",
    "Nothing was done",
    "The event goes on",
    "Nothing to see yet",
    "Decided a second",
    "Seen since this server",
    "its numbers are about right",
    "Has a place",
    "As visitors see it",
    "Leave it as it is",
    "Settle seconds",
    "Where it stands",
    "It is decided in a moment",
    "checksum fits",
    "Named by",
    "Read it anew",
    "Promote for good",
    "Needed step",
    "포함하는 글",
    "읽은 방법",
    "순서와 한 화면의 개수",
    "바뀐 때",
    "만든 때",
    "처리 못 한 메시지",
    "없어졌습니다",
    "추적 번호",
    "아직 볼 것이 없습니다",
];

/// Words that were replaced where they are a whole text: elsewhere they may be parts of a sentence. `Lines` is not among
/// them, because a chart has lines.
const REPLACED_WHOLE: [&str; 11] = [
    "Found",
    "Given",
    "Before",
    "After",
    "Store {0}",
    "{0} cannot",
    "No place",
    "Forget",
    "자리 있음",
    "자리 없음",
    "준 자리",
];

#[test]
fn replaced_words_are_gone() {
    let mut files = Vec::new();
    for group in ["crates", "systems", "models"] {
        texts(&root().join(group), &mut files);
    }
    assert!(files.len() > 400, "only {} files were found: the search is broken", files.len());
    assert!(files.iter().any(|file| file.ends_with("models/entry.yaml")));
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with(['/', '#'])) {
            for word in REPLACED {
                assert!(!line.contains(word), "{}: {word}", file.display());
            }
            // A text of pages stands beside its translation.
            if line.chars().any(|letter| ('가'..='힣').contains(&letter)) {
                for word in REPLACED_WHOLE {
                    assert!(!is_whole(line, word), "{}: {word}", file.display());
                }
            }
        }
    }
}

/// Whether a line has this text between quotes, or as an unquoted text of a model.
fn is_whole(line: &str, word: &str) -> bool {
    let is_model = |language: &str| {
        let parts = line.split(language).skip(1);
        parts.into_iter().any(|rest| rest.split([',', '}']).next().is_some_and(|text| text.trim() == word))
    };
    line.contains(&format!("\"{word}\"")) || is_model("en: ") || is_model("ko: ")
}

#[test]
fn whole_texts_are_recognised() {
    for line in ["say(\"Ask\", \"조회\")", "title: { en: Ask, ko: 조회 }", "{ ko: 조회, en: Ask }"] {
        assert!(is_whole(line, "Ask"), "{line}");
    }
    assert!(!is_whole("say(\"Ask again\", \"다시\")", "Ask"));
}

/// The sources and templates of the product below a folder.
fn texts(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("tests") && !path.ends_with("target") {
            texts(&path, files);
        } else if path
            .extension()
            .is_some_and(|end| ["rs", "html", "js", "yaml"].iter().any(|one| end == *one))
        {
            files.push(path);
        }
    }
}
