//! The frame of every page: the visitor, the language, the colours and the navigation.

use std::fmt::Display;
use std::sync::Arc;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use hansang_core::Message;
use hansang_core::language::Filled;
use hansang_core::message::Language;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::UiCode;
use crate::assets::{self, Asset};
use crate::form::{Field, Form, Input};
use crate::language;
use crate::lists::Lists;
use crate::notice::{self, COMMON, Notice};
use crate::time::{self, Moment, Reader, ZONE_COOKIE};
use hansang_access::{Identity, Role, Via};
use hansang_http::guard::Caller;
use hansang_http::guard::cookie;
use hansang_http::kept::Draft;
use hansang_http::problem::Problem;

/// The cookie with the chosen colours.
pub const THEME_COOKIE: &str = "hansang_theme";

/// Returns the systems in the navigation of a visitor.
type Links = Arc<dyn Fn(&View) -> Vec<SystemLink> + Send + Sync>;

/// The parts that all pages of a server share.
pub struct Shell {
    /// The style sheet of all pages.
    pub style: Asset,
    notices: Vec<Notice>,
    now: Option<Arc<dyn Fn() -> Timestamp + Send + Sync>>,
    zone: Option<TimeZone>,
    systems: Option<Links>,
}

impl Shell {
    /// A shell with the style sheets and the notices of these systems, beside the common ones.
    #[must_use]
    pub fn new<'s>(
        styles: impl IntoIterator<Item = &'s str>,
        notices: impl IntoIterator<Item = &'static [Notice]>,
    ) -> Self {
        let notices = [COMMON].into_iter().chain(notices).flatten().copied().collect();
        Self { style: assets::style(styles), notices, now: None, zone: None, systems: None }
    }

    /// The same shell with a clock, for the distance of times from now.
    #[must_use]
    pub fn with_clock(self, now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { now: Some(Arc::new(now)), ..self }
    }

    /// The same shell with the time zone of readers who chose none.
    #[must_use]
    pub fn with_zone(self, zone: Option<TimeZone>) -> Self {
        Self { zone, ..self }
    }

    /// The same shell with the systems in the navigation of error pages.
    #[must_use]
    pub fn with_systems(self, systems: impl Fn(&View) -> Vec<SystemLink> + Send + Sync + 'static) -> Self {
        Self { systems: Some(Arc::new(systems)), ..self }
    }

    /// The systems that a visitor can open.
    pub(crate) fn systems(&self, view: &View) -> Vec<SystemLink> {
        self.systems.as_ref().map(|systems| systems(view)).unwrap_or_default()
    }
}

/// The visitor of a page.
#[derive(Clone)]
pub struct View {
    /// The parts that all pages share.
    pub shell: Arc<Shell>,
    /// The language of the page.
    pub language: Language,
    /// `light` or `dark` if chosen, otherwise the setting of the device.
    pub theme: Option<&'static str>,
    /// The page, as an address on this server.
    pub here: String,
    /// The signed-in account.
    pub identity: Option<Identity>,
    /// The chosen columns of lists.
    pub lists: Lists,
    /// The reader of times: the zone of the account, of the server, or of the browser.
    pub reader: Reader,
    /// The values of a form that is shown again after signing in.
    pub draft: Form,
    /// The address that reverts the last change, with the code of its notice.
    undo: Option<(String, String)>,
}

impl View {
    /// The view of a request, from its head.
    pub fn of(shell: Arc<Shell>, uri: &Uri, headers: &HeaderMap) -> Self {
        let theme = match cookie(headers, THEME_COOKIE) {
            Some("light") => Some("light"),
            Some("dark") => Some("dark"),
            _ => None,
        };
        let here = uri.path_and_query().map_or("/console", |here| here.as_str()).to_owned();
        let language = language::of(headers);
        let browser = || cookie(headers, ZONE_COOKIE).and_then(|name| time::zone(&name.replace("%2F", "/")));
        let zone = shell.zone.clone().or_else(browser).unwrap_or(TimeZone::UTC);
        let reader = Reader { zone, now: shell.now.as_ref().map(|now| now()), language };
        let (lists, undo) = (Lists::of(headers), notice::undo(headers));
        let draft = Form::default();
        Self { shell, language, theme, here, identity: None, lists, reader, draft, undo }
    }

    /// The view of a signed-in account, in the time zone that it has chosen.
    #[must_use]
    pub fn signed_in(mut self, identity: Option<Identity>) -> Self {
        let chosen = identity.as_ref().and_then(|identity| time::zone(identity.zone.as_deref()?));
        if let Some(zone) = chosen {
            self.reader.zone = zone;
        }
        Self { identity, ..self }
    }

    /// A time in the zone of the reader, with its distance from now.
    pub fn time(&self, time: Timestamp) -> Moment {
        self.reader.time(time)
    }

    /// The one of two texts that is in the language of the page.
    pub fn say<'t>(&self, english: &'t str, korean: &'t str) -> &'t str {
        self.language.say(english, korean)
    }

    /// A text with numbered holes in the language of the page.
    pub fn fill<'t>(&self, english: &'t str, korean: &'t str) -> Filled<'t> {
        self.language.fill(english, korean)
    }

    /// A text about a number of things in the language of the page; its first hole is the number.
    pub fn plural<'t>(
        &self,
        count: impl Display,
        one: &'t str,
        many: &'t str,
        korean: &'t str,
    ) -> Filled<'t> {
        self.language.plural(count, one, many, korean)
    }

    /// A message as a sentence in the language of the page.
    pub fn sentence(&self, message: impl Into<Message>) -> String {
        language::sentence(self.language, message)
    }

    /// The CSRF secret for forms.
    pub fn csrf(&self) -> &str {
        match self.identity.as_ref().map(|identity| &identity.via) {
            Some(Via::Session { csrf, .. }) => csrf,
            _ => "",
        }
    }

    /// The query string of the address as a form.
    pub fn asked(&self) -> Form {
        Form::parse(self.here.split_once('?').map_or("", |(_, query)| query).as_bytes())
    }

    /// The role in a system.
    pub fn role_in(&self, system: &str) -> Option<Role> {
        self.identity.as_ref()?.grants.role_in(system)
    }
}

impl<S: Sync> FromRequestParts<S> for View {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let identity = parts.extensions.get::<Caller>().and_then(|caller| caller.identity.clone());
        let shell = parts.extensions.get::<Arc<Shell>>().cloned();
        let shell = shell.ok_or_else(|| Problem::internal(UiCode::NoShell))?;
        let mut view = Self::of(shell, &parts.uri, &parts.headers).signed_in(identity);
        if let Some(Draft(sent)) = parts.extensions.get::<Draft>() {
            view.draft = sent.clone();
        }
        Ok(view)
    }
}

/// The part of the console that a page belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// The home page.
    Home,
    /// The pages of a system.
    System(String),
    /// The settings.
    Settings,
    /// The API reference.
    Api,
    /// The documentation.
    Docs,
    /// Pages that need no account.
    Reading,
    /// Errors of a visitor who is signed in.
    Error,
    /// Pages without navigation: before signing in.
    Outside,
}

/// The data that every page's template needs beside its own content.
pub struct Frame {
    /// The visitor.
    pub view: View,
    /// The title of the page.
    pub title: String,
    /// The part of the console that the page belongs to.
    pub section: Section,
    /// The systems that have pages for the visitor.
    pub systems: Vec<SystemLink>,
}

/// A system in the navigation.
pub struct SystemLink {
    /// The name.
    pub name: String,
    /// The title in the language of the page.
    pub title: String,
    /// The name of its icon.
    pub icon: &'static str,
    /// The tabs of its own pages. The first one is its start page.
    pub tabs: Vec<Tab>,
    /// Whether its records may be written through the generic pages.
    pub generic_writes: bool,
}

/// A tab above the pages of a system: its address, its label, and its name in templates.
pub type Tab = (&'static str, &'static str, &'static str);

impl Frame {
    /// A frame without navigation.
    pub fn outside(view: View, title: &str) -> Self {
        Self { view, title: title.to_owned(), section: Section::Outside, systems: Vec::new() }
    }

    /// The frame of an error: with navigation for visitors who are signed in.
    pub fn error(view: View, title: &str) -> Self {
        let section = if view.identity.is_some() { Section::Error } else { Section::Outside };
        Self { systems: view.shell.clone().systems(&view), view, title: title.to_owned(), section }
    }

    /// The one of two texts that is in the language of the page.
    pub fn say<'t>(&self, english: &'t str, korean: &'t str) -> &'t str {
        self.view.say(english, korean)
    }

    /// A text with numbered holes in the language of the page: `fill("{0} of {1}", "{1} 중 {0}").with(a).with(b)`.
    pub fn fill<'t>(&self, english: &'t str, korean: &'t str) -> Filled<'t> {
        self.view.fill(english, korean)
    }

    /// A text about a number of things in the language of the page; its first hole is the number.
    pub fn plural<'t>(
        &self,
        count: impl Display,
        one: &'t str,
        many: &'t str,
        korean: &'t str,
    ) -> Filled<'t> {
        self.view.plural(count, one, many, korean)
    }

    /// The languages that the visitor can switch to.
    pub fn other_languages(&self) -> Vec<Language> {
        Language::all().filter(|language| *language != self.view.language).collect()
    }

    /// Whether the page shows a form again with values that were not saved.
    pub fn has_draft(&self) -> bool {
        self.view.draft.pairs().next().is_some()
    }

    /// The value of a field: the one that was typed before signing in again, otherwise its own.
    pub fn value_of<'f>(&'f self, field: &'f Field) -> &'f str {
        let draft = &self.view.draft;
        match &field.input {
            Input::Password | Input::File { .. } => &field.value,
            _ if field.locked || !self.has_draft() => &field.value,
            // A box that is not ticked is not sent.
            Input::Check => draft.text(&field.name),
            _ => draft.get(&field.name).unwrap_or(&field.value),
        }
    }

    /// The code of the language.
    pub fn language(&self) -> &'static str {
        self.view.language.code()
    }

    /// Whether the page is in English, which is the language of the documentation.
    pub fn is_english(&self) -> bool {
        self.view.language == Language::English
    }

    /// The CSRF secret for forms.
    pub fn csrf(&self) -> &str {
        self.view.csrf()
    }

    /// The notice in the address of the page.
    pub fn toast(&self) -> Option<&'static str> {
        let form = self.view.asked();
        let known = self.view.shell.notices.iter().find(|notice| notice.code == form.text("done"));
        known.map(|notice| notice.sentence(self.view.language))
    }

    /// The address that reverts the change of the notice.
    pub fn undo(&self) -> Option<&str> {
        let (code, address) = self.view.undo.as_ref()?;
        (code == self.view.asked().text("done")).then_some(address)
    }

    /// The title of a system.
    pub fn system_title<'s>(&'s self, name: &'s str) -> &'s str {
        self.system(name).map_or(name, |system| &system.title)
    }

    /// Whether the page has no navigation.
    pub fn is_outside(&self) -> bool {
        self.section == Section::Outside
    }

    /// Whether the page is for reading only.
    pub fn is_reading(&self) -> bool {
        self.section == Section::Reading
    }

    /// Whether the page is the home page.
    pub fn is_home(&self) -> bool {
        self.section == Section::Home
    }

    /// Whether the page is part of the settings.
    pub fn is_settings(&self) -> bool {
        self.section == Section::Settings
    }

    /// Whether the page is part of the API reference.
    pub fn is_api(&self) -> bool {
        self.section == Section::Api
    }

    /// Whether the page is part of the documentation.
    pub fn is_docs(&self) -> bool {
        self.section == Section::Docs
    }

    /// Whether the page belongs to a system.
    pub fn is_system(&self, name: &str) -> bool {
        matches!(&self.section, Section::System(system) if system == name)
    }

    /// Whether the page has the title of this system.
    pub fn is_titled(&self, name: &str) -> bool {
        self.title == self.system_title(name)
    }

    /// Whether the visitor may write the records of a system through the generic pages.
    pub fn may_edit(&self, system: &str) -> bool {
        self.is_editor(system) && !self.is_closed(system)
    }

    /// Whether the visitor may change the data of a system through its own operations.
    pub fn is_editor(&self, system: &str) -> bool {
        self.view.role_in(system) >= Some(Role::Editor)
    }

    /// Whether the visitor may read the data of a system.
    pub fn is_viewer(&self, system: &str) -> bool {
        self.view.role_in(system).is_some()
    }

    /// Whether the tabs of a system lead to the pages about its data and its model. A system with pages of its own shows
    /// those pages to its administrators alone.
    pub fn sees_data(&self, system: &str) -> bool {
        let least = if self.own_tabs(system).is_empty() { Role::Viewer } else { Role::Admin };
        self.view.role_in(system) >= Some(least)
    }

    fn system(&self, name: &str) -> Option<&SystemLink> {
        self.systems.iter().find(|system| system.name == name)
    }

    /// Whether only its own operations write the records of a system.
    pub fn is_closed(&self, system: &str) -> bool {
        self.system(system).is_some_and(|system| !system.generic_writes)
    }

    /// The start page of a system: the first of its own pages, otherwise that of its data.
    pub fn start_of(&self, system: &str) -> String {
        let own = self.system(system).and_then(|system| system.tabs.first());
        own.map_or_else(|| format!("/console/systems/{system}"), |(address, ..)| (*address).to_owned())
    }

    /// The tabs that a system has beside those of its data and its model.
    pub fn own_tabs(&self, system: &str) -> &[Tab] {
        self.system(system).map(|system| &*system.tabs).unwrap_or_default()
    }

    /// Whether the visitor administers every system.
    pub fn is_administrator(&self) -> bool {
        self.view.role_in(hansang_access::EVERYWHERE) == Some(Role::Admin)
    }

    /// The name of the visitor.
    pub fn user(&self) -> &str {
        self.view.identity.as_ref().map_or("", |identity| &identity.name)
    }

    /// The theme that the switch selects.
    pub fn next_theme(&self) -> &'static str {
        match self.view.theme {
            None => "dark",
            Some("dark") => "light",
            _ => "auto",
        }
    }

    /// The icon of the theme switch.
    pub fn theme_icon(&self) -> &'static str {
        match self.view.theme {
            None => "auto-theme",
            Some("dark") => "moon",
            _ => "sun",
        }
    }

    /// The themes to choose from: value, icon and label.
    pub fn themes(&self) -> [(&'static str, &'static str, &'static str); 3] {
        [
            ("light", "sun", self.say("Light theme", "밝은 테마")),
            ("dark", "moon", self.say("Dark theme", "어두운 테마")),
            ("auto", "auto-theme", self.say("System theme", "시스템 테마")),
        ]
    }

    /// Whether the visitor has chosen this theme.
    pub fn is_theme(&self, value: &str) -> bool {
        self.view.theme.unwrap_or("auto") == value
    }

    /// The label of the theme switch.
    pub fn theme_name(&self) -> &'static str {
        match self.view.theme {
            None => self.say("Theme: automatic", "테마: 자동"),
            Some("dark") => self.say("Theme: dark", "테마: 어둡게"),
            _ => self.say("Theme: light", "테마: 밝게"),
        }
    }

    /// The address of the style sheet.
    pub fn style(&self) -> &str {
        self.view.shell.style.address()
    }

    /// The address of the script.
    pub fn script(&self) -> &'static str {
        assets::SCRIPT.address()
    }

    /// The address of the icon.
    pub fn icon(&self) -> &'static str {
        assets::ICON.address()
    }
}

/// A page as a response.
pub fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page cannot be written");
            Problem::internal(UiCode::PageUnwritable).into_response()
        }
    }
}
