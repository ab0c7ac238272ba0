//! Runs the commands of the documentation, and compares their output.

use std::path::Path;
use std::process::Command;

use crate::serve::Server;
use crate::{hansang, root};

const PAGES: &[&str] = &[
    "README.md",
    "docs/model.md",
    "docs/stores.md",
    "docs/serve.md",
    "docs/console.md",
    "docs/contracts.md",
    "docs/entry.md",
    "docs/ledger.md",
    "docs/content.md",
];

/// The commands of a page's `console` fences, each with the output shown below it.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => {
                    output.push_str(line);
                    output.push('\n');
                }
                (None, None) => panic!("{line}: a console fence starts with a command"),
            },
        }
    }
    found
}

/// The environment of a page's commands: its directory `$D`, and the variables of a server if it needs one.
struct Surroundings {
    directory: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
    _server: Option<Server>,
}

impl Surroundings {
    fn of(page: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        if !page.contains("$SERVER") {
            return Self { directory, variables: Vec::new(), _server: None };
        }
        let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
        let (data, settings) = (path("data"), path("hansang.toml"));
        std::fs::write(&settings, "").unwrap();
        let store = ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url"];
        let endpoint = hansang_testkit::endpoints::dynoxide();
        let more = [&store[..], &[&endpoint, "--config", &settings]].concat();
        let server = Server::start(Path::new(&data), &more);
        let key = || "test".to_owned();
        let variables = vec![
            ("STORE", format!("{} {endpoint}", store.join(" "))),
            ("SERVER", server.address.clone()),
            ("TOKEN", server.token()),
            ("C", settings),
            ("DATA", data),
            ("AWS_ACCESS_KEY_ID", key()),
            ("AWS_SECRET_ACCESS_KEY", key()),
        ];
        Self { directory, variables, _server: Some(server) }
    }
}

/// The output of a command in a shell at the root of the repository, with `hansang` in its path. Each command has its
/// own shell, with the environment of the page.
fn run(command: &str, surroundings: &Surroundings) -> String {
    let command = command.replace("cargo run --release --", "hansang");
    let folder = Path::new(env!("CARGO_BIN_EXE_hansang")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(root()).env("PATH", path);
    shell.env("D", surroundings.directory.path()).envs(surroundings.variables.iter().cloned());
    let output = shell.env_remove("HANSANG_SERVER").env_remove("HANSANG_TOKEN").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// R26
#[test]
fn commands_print_what_the_pages_show() {
    for page in PAGES {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let surroundings = Surroundings::of(&text);
        for (command, shown) in commands(&text) {
            // The directory of the test is used instead.
            if command == "D=$(mktemp -d)" {
                continue;
            }
            assert_eq!(run(&command, &surroundings), shown, "{page}: {command}");
        }
    }
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(commands(&readme).len() >= 4, "README shows commands");
}

/// Links between pages have targets.
#[test]
fn links_between_pages_have_targets() {
    let pages = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/model.md",
        "docs/stores.md",
        "docs/contracts.md",
        "docs/requirements.md",
    ];
    for page in pages {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if file.is_empty() || file.contains("://") || file.contains(' ') {
                continue;
            }
            let target = root().join(page).parent().unwrap().join(file);
            assert!(target.exists(), "{page} links to {link}");
        }
    }
}

/// The model in README is complete.
#[test]
fn the_model_of_the_readme_compiles() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let model = readme.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blog.yaml");
    std::fs::write(&path, model).unwrap();
    assert_eq!(hansang(&["model", "check", path.to_str().unwrap()]), (0, String::new(), String::new()));
}
