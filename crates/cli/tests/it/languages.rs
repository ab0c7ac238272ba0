//! A third language that is given by a file alone: `examples/languages/fr.json`.

use std::path::Path;

use reqwest::blocking::{Client, Response};
use serde_json::{Value as Json, json};

use crate::browser::{Browser, Visitor};
use crate::serve::{Server, temporary_data};
use crate::{hansang, root};

const MODEL: &str = r#"
model: notes
version: 1.0.0
title: { en: Notes, ko: 메모, fr: Carnets }
table:
  name: Notes
  key: { pk: PK, sk: SK }
  created: createdAt
entities:
  Note:
    title: { en: Note, ko: 메모, fr: Carnet }
    key: { PK: NOTES, SK: "NOTE#{id}" }
    attributes:
      id: { type: ulid, generated: ulid }
      text: { type: string, title: { en: Text, ko: 내용, fr: Texte } }
patterns:
  notes: { entity: Note, title: { en: All notes, ko: 모든 메모, fr: Tous les carnets } }
"#;

fn get(server: &Server, path: &str, language: &str, token: Option<&str>) -> String {
    let request = Client::new().get(format!("{}{path}", server.address)).header("accept-language", language);
    let request = match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    request.header("accept", "text/html").send().and_then(Response::text).unwrap()
}

/// Sends a form from a French browser.
fn post(server: &Server, path: &str, form: &'static str) -> Response {
    let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let request = client.post(format!("{}{path}", server.address)).header("accept-language", "fr");
    request.header("content-type", "application/x-www-form-urlencoded").body(form).send().unwrap()
}

fn has(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "{text} is not in {page}");
    }
}

#[test]
fn a_file_is_all_that_a_third_language_needs() {
    let (directory, data) = temporary_data();
    let models = directory.path().join("models");
    std::fs::create_dir(&models).unwrap();
    std::fs::write(models.join("notes.yaml"), MODEL).unwrap();
    let languages = root().join("examples/languages");
    let settings = ["--languages", languages.to_str().unwrap(), "--models", models.to_str().unwrap()];
    let server = Server::start(&data, &settings);
    let token = server.token();
    let of = |path: &str, language: &str| get(&server, path, language, Some(&token));

    // The page, its language and the menu of the others; a region of the language is enough.
    let home = of("/console", "fr-CA,en;q=0.5");
    has(
        &home,
        &["<html lang=\"fr\"", "<title>Accueil · Hansang</title>", "Base de données en ligne", "Carnets"],
    );
    has(
        &home,
        &["value=\"en\" lang=\"en\"", "English</button>", "value=\"ko\" lang=\"ko\"", "한국어</button>"],
    );
    assert!(!home.contains("Français"), "the menu has the other languages only");
    has(&of("/console", "en"), &["value=\"fr\" lang=\"fr\"", "Français</button>", "<html lang=\"en\""]);
    has(
        &of("/console", "ko"),
        &["Français</button>", "English</button>", "<html lang=\"ko\"", "데이터베이스"],
    );

    // Texts of the model, times, sentences with values; a text that the file does not have is English.
    let body = json!({ "text": "Bonjour" });
    let made = Client::new()
        .post(format!("{}/api/notes/entities/Note", server.address))
        .bearer_auth(&token)
        .json(&body);
    let made = made.send().unwrap();
    assert_eq!(made.status(), 201, "{}", made.text().unwrap());
    let list = of("/console/systems/notes/patterns/notes", "fr");
    has(&list, &["Tous les carnets", "Texte", "Bonjour", "à l&#39;instant", "Résultats", "1 élément"]);
    has(&of("/console/systems/notes/entities/Note", "fr"), &["Créer : Carnet", "Aller au contenu"]);
    has(&of("/console/settings", "fr"), &["<html lang=\"fr\"", "Paramètres", "Time zone"]);
    has(&of("/console/docs/console", "fr"), &["Cette page n&#39;existe qu&#39;en anglais."]);

    // Errors: of a path, of a form, and the description of the API.
    has(
        &of("/console/nowhere", "fr"),
        &["<html lang=\"fr\"", "Introuvable", "Il n&#39;y a pas de page à cette adresse"],
    );
    has(&of("/api/docs/notes", "fr"), &["<html lang=\"fr\"", "Carnets"]);
    let outside = get(&server, "/console/sign-in", "fr", None);
    has(
        &outside,
        &[
            "Mot de passe",
            "<summary class=\"button bare\" aria-label=\"Langue: Français\">",
            "Français</span>",
        ],
    );
    let refused = post(&server, "/console/sign-in", "login=admin&password=wrong+password").text().unwrap();
    has(&refused, &["Identifiant ou mot de passe incorrect"]);

    // The choice of a visitor is kept in a cookie.
    let chosen = post(&server, "/console/language", ".language=fr&next=/console/sign-in");
    let cookie = chosen.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("hansang_language=fr;"), "{cookie}");

    // The API of programs stays English.
    let api = of("/api/nowhere", "fr");
    assert!(api.contains("there is nothing at this path"), "{api}");
}

#[test]
fn wrong_files_are_refused_at_the_start() {
    let (directory, data) = temporary_data();
    let languages = directory.path().join("languages");
    let start = |languages: &Path| {
        let (languages, data) = (languages.to_str().unwrap(), data.to_str().unwrap());
        hansang(&["serve", "--listen", "127.0.0.1:0", "--data", data, "--languages", languages])
    };
    let (code, _, said) = start(&languages);
    assert_eq!(code, 2);
    assert!(said.contains("languages: cannot read") && said.contains("languages"), "{said}");

    std::fs::create_dir(&languages).unwrap();
    for (name, text, problem) in [
        ("fr.json", "{", "it is not JSON"),
        ("english.json", "{}", "`english` is not a language code"),
        ("ko.json", "{}", "`ko` is built in"),
        (
            "de.json",
            r#"{ "name": "Deutsch", "texts": { "{0} searched": "durchsucht" } }"#,
            "the holes of \"durchsucht\" differ from those of \"{0} searched\"",
        ),
    ] {
        let file = languages.join(name);
        std::fs::write(&file, text).unwrap();
        let (code, _, said) = start(&languages);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(&format!("{name}: {problem}")), "{said}");
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn the_texts_are_printed_for_translators() {
    let (code, out, _) = hansang(&["texts"]);
    let template: Json = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &template["name"], &template["texts"]["{0} searched"]), (0, &json!(""), &json!("")));
    assert!(template["texts"].as_object().unwrap().len() > 1000);
}

/// The menu on a phone, before signing in and after.
#[test]
fn a_language_is_chosen_from_the_menu() {
    let (_directory, data) = temporary_data();
    let languages = root().join("examples/languages");
    let server = Server::start(&data, &["--languages", languages.to_str().unwrap()]);
    let browser = Browser::open(&server.address, Visitor { width: 360, height: 740, ..Visitor::default() });
    browser.go(&format!("/set-up?key={}", server.key.as_deref().unwrap()));
    browser.click("Language: English");
    browser.accessible();
    browser.click("Français");
    browser.sees("Configurer Hansang");
    browser.fill("Identifiant", "admin");
    browser.fill("Nom", "Kim");
    browser.fill("Mot de passe", "long enough pw");
    browser.click("Create administrator");
    browser.sees("Base de données en ligne");
    browser.click("Kim");
    browser.accessible();
    browser.click("한국어");
    browser.sees("데이터베이스 정상");
}
