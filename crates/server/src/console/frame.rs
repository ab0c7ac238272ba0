//! What surrounds every page: who looks at it, in which language and colours, and where they can go.

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};

use super::assets;
use super::form::Sent;
use super::language::Language;
use crate::app::Asking;
use crate::guard::cookie;
use crate::problem::Problem;
use crate::{Identity, Role, Via};

/// The cookie with the chosen colours.
pub(crate) const THEME_COOKIE: &str = "hansang_theme";

/// Somebody looking at a page.
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) language: Language,
    /// `light` or `dark` if they chose, otherwise what their device says.
    pub(crate) theme: Option<&'static str>,
    /// The page, as an address on this server.
    pub(crate) here: String,
    pub(crate) identity: Option<Identity>,
}

impl View {
    /// The view of a request, as far as its head tells.
    pub(crate) fn of(uri: &Uri, headers: &HeaderMap) -> Self {
        let theme = match cookie(headers, THEME_COOKIE) {
            Some("light") => Some("light"),
            Some("dark") => Some("dark"),
            _ => None,
        };
        let here = uri.path_and_query().map_or("/console", |here| here.as_str()).to_owned();
        Self { language: Language::of(headers), theme, here, identity: None }
    }

    /// The one of two texts that is in the language of the page.
    pub(crate) fn say<'t>(&self, english: &'t str, korean: &'t str) -> &'t str {
        self.language.say(english, korean)
    }

    pub(crate) fn is_korean(&self) -> bool {
        self.language == Language::Korean
    }

    /// What a form must send along.
    pub(crate) fn csrf(&self) -> &str {
        match self.identity.as_ref().map(|identity| &identity.via) {
            Some(Via::Session { csrf, .. }) => csrf,
            _ => "",
        }
    }

    /// What the address asks for behind its `?`, as a form that was sent.
    pub(crate) fn asked(&self) -> Sent {
        Sent::parse(self.here.split_once('?').map_or("", |(_, query)| query).as_bytes())
    }

    /// The role in a system.
    pub(crate) fn role_in(&self, system: &str) -> Option<Role> {
        self.identity.as_ref()?.grants.role_in(system)
    }
}

impl<S: Sync> FromRequestParts<S> for View {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let identity = parts.extensions.get::<Asking>().and_then(|asking| asking.identity.clone());
        Ok(Self { identity, ..Self::of(&parts.uri, &parts.headers) })
    }
}

/// What a page can say that has just been done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Created,
    Saved,
    Deleted,
    PasswordChanged,
    PasswordSet,
    Disabled,
    Enabled,
    Revoked,
    SignedOut,
    SignedOutEverywhere,
    SetUp,
    Registered,
    SameAgain,
    Promoted,
    Deprecated,
    Restored,
    Forgotten,
    EnteredBefore,
    Paused,
    Resumed,
    Closed,
    Announced,
    Drawn,
    SentAgain,
}

impl Done {
    const ALL: [(Self, &'static str); 24] = [
        (Self::Created, "created"),
        (Self::Saved, "saved"),
        (Self::Deleted, "deleted"),
        (Self::PasswordChanged, "password-changed"),
        (Self::PasswordSet, "password-set"),
        (Self::Disabled, "disabled"),
        (Self::Enabled, "enabled"),
        (Self::Revoked, "revoked"),
        (Self::SignedOut, "signed-out"),
        (Self::SignedOutEverywhere, "signed-out-everywhere"),
        (Self::SetUp, "set-up"),
        (Self::Registered, "registered"),
        (Self::SameAgain, "same-again"),
        (Self::Promoted, "promoted"),
        (Self::Deprecated, "deprecated"),
        (Self::Restored, "restored"),
        (Self::Forgotten, "forgotten"),
        (Self::EnteredBefore, "entered-before"),
        (Self::Paused, "paused"),
        (Self::Resumed, "resumed"),
        (Self::Closed, "closed"),
        (Self::Announced, "announced"),
        (Self::Drawn, "drawn"),
        (Self::SentAgain, "sent-again"),
    ];

    fn named(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == code).map(|(done, _)| done)
    }

    /// This address, and there what was done.
    pub(crate) fn at(self, address: &str) -> String {
        let code = Self::ALL.into_iter().find(|(done, _)| *done == self).map_or("", |(_, code)| code);
        let sign = if address.contains('?') { '&' } else { '?' };
        format!("{address}{sign}done={code}")
    }

    fn sentence(self, language: Language) -> &'static str {
        match self {
            Self::Created => language.say("Created.", "만들었습니다."),
            Self::Saved => language.say("Saved.", "저장했습니다."),
            Self::Deleted => language.say("Deleted.", "삭제했습니다."),
            Self::PasswordChanged => language.say(
                "The password is changed. All other sessions have ended.",
                "비밀번호를 바꿨습니다. 다른 세션은 모두 끝났습니다.",
            ),
            Self::PasswordSet => language.say(
                "The password is set. All sessions of the account have ended.",
                "새 비밀번호를 설정했습니다. 이 계정의 모든 세션을 끝냈습니다.",
            ),
            Self::Disabled => language.say("The account is disabled.", "계정 사용을 중지했습니다."),
            Self::Enabled => language.say("The account is enabled.", "계정을 다시 쓸 수 있습니다."),
            Self::Revoked => language.say("The token no longer works.", "이 토큰은 더 이상 쓸 수 없습니다."),
            Self::SignedOut => language.say("You are signed out.", "로그아웃했습니다."),
            Self::SignedOutEverywhere => {
                language.say("All sessions of the account have ended.", "이 계정의 모든 세션을 끝냈습니다.")
            }
            Self::SetUp => language.say(
                "Welcome. You are the administrator; the link no longer works.",
                "환영합니다. 이제 관리자입니다. 링크는 더 이상 쓸 수 없습니다.",
            ),
            Self::Registered => language.say("Registered.", "등록했습니다."),
            Self::SameAgain => language.say(
                "It was registered already, with this content.",
                "같은 내용으로 이미 등록되어 있었습니다.",
            ),
            Self::Promoted => {
                language.say("Promoted. It is served from now on.", "승격했습니다. 이제 제공됩니다.")
            }
            Self::Deprecated => language.say(
                "Deprecated. It is served with a warning.",
                "사용을 중단했습니다. 경고와 함께 제공됩니다.",
            ),
            Self::Restored => language.say("Restored.", "다시 활성화했습니다."),
            Self::Forgotten => language.say("Read anew.", "새로 읽었습니다."),
            Self::EnteredBefore => language.say(
                "You had entered already. This is your entry.",
                "이미 응모했습니다. 기존 응모를 보여 드립니다.",
            ),
            Self::Paused => language.say("The event is paused.", "이벤트를 멈췄습니다."),
            Self::Resumed => language.say("The event goes on.", "이벤트를 다시 진행합니다."),
            Self::Closed => language.say("The event is closed.", "이벤트를 마감했습니다."),
            Self::Announced => language.say("The result is public.", "결과를 발표했습니다."),
            Self::Drawn => language.say("Drawn.", "추첨했습니다."),
            Self::SentAgain => {
                language.say("Sent again. It will be decided anew.", "다시 보냈습니다. 새로 처리됩니다.")
            }
        }
    }
}

/// The part of the console that a page belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Home,
    System(String),
    Settings,
    /// What anybody can read.
    Reading,
    /// Outside: before somebody is signed in, or where something went wrong.
    Outside,
}

/// What a page's template needs beside its own content.
pub(crate) struct Frame {
    pub(crate) view: View,
    pub(crate) title: String,
    pub(crate) place: Place,
    /// The names of the systems that have pages for the visitor.
    pub(crate) systems: Vec<String>,
    /// Those whose records are written by their own pages alone.
    pub(crate) closed: Vec<Closed>,
}

/// A system with pages of its own.
pub(crate) struct Closed {
    pub(crate) system: String,
    /// What stands above them.
    pub(crate) tabs: fn(&Frame, &str) -> Vec<Tab>,
}

/// A tab above the pages of a system: its address, what it is called, and what pages call it.
pub(crate) type Tab = (&'static str, &'static str, &'static str);

impl Frame {
    /// A frame without navigation.
    pub(crate) fn outside(view: View, title: &str) -> Self {
        Self { view, title: title.to_owned(), place: Place::Outside, systems: Vec::new(), closed: Vec::new() }
    }

    /// The one of two texts that is in the language of the page.
    pub(crate) fn say<'t>(&self, english: &'t str, korean: &'t str) -> &'t str {
        self.view.say(english, korean)
    }

    /// A number of things.
    pub(crate) fn counted(&self, count: &str, one: &str, many: &str, korean: &str) -> String {
        format!("{count} {}", self.say(if count == "1" { one } else { many }, korean))
    }

    pub(crate) fn language(&self) -> &'static str {
        self.view.language.code()
    }

    pub(crate) fn is_korean(&self) -> bool {
        self.view.language == Language::Korean
    }

    pub(crate) fn csrf(&self) -> &str {
        self.view.csrf()
    }

    pub(crate) fn toast(&self) -> Option<&'static str> {
        // The page that did it says so in the address.
        Done::named(self.view.asked().text("done")).map(|done| done.sentence(self.view.language))
    }

    pub(crate) fn is_outside(&self) -> bool {
        self.place == Place::Outside
    }

    pub(crate) fn is_reading(&self) -> bool {
        self.place == Place::Reading
    }

    pub(crate) fn is_home(&self) -> bool {
        self.place == Place::Home
    }

    pub(crate) fn is_settings(&self) -> bool {
        self.place == Place::Settings
    }

    pub(crate) fn is_system(&self, name: &str) -> bool {
        matches!(&self.place, Place::System(system) if system == name)
    }

    /// Whether the page is called this.
    pub(crate) fn is_titled(&self, name: &str) -> bool {
        self.title == name
    }

    /// Whether the visitor may write the records of a system, as those of any model.
    pub(crate) fn may_edit(&self, system: &str) -> bool {
        self.is_editor(system) && !self.is_closed(system)
    }

    /// Whether the visitor may change what a system has, by whatever it has for that.
    pub(crate) fn is_editor(&self, system: &str) -> bool {
        self.view.role_in(system) >= Some(Role::Editor)
    }

    /// Whether the visitor may look at the data of a system.
    pub(crate) fn is_viewer(&self, system: &str) -> bool {
        self.view.role_in(system).is_some()
    }

    /// Whether a system is written by its own pages alone.
    pub(crate) fn is_closed(&self, system: &str) -> bool {
        self.closed.iter().any(|closed| closed.system == system)
    }

    /// Where a system begins: at its own pages, if it has some, and otherwise at its data.
    pub(crate) fn start_of(&self, system: &str) -> String {
        if self.is_closed(system) {
            format!("/console/{system}")
        } else {
            format!("/console/systems/{system}")
        }
    }

    /// The tabs that a system has beside those of its data and its model.
    pub(crate) fn own_tabs(&self, system: &str) -> Vec<Tab> {
        let closed = self.closed.iter().find(|closed| closed.system == system);
        closed.map(|closed| (closed.tabs)(self, system)).unwrap_or_default()
    }

    pub(crate) fn is_administrator(&self) -> bool {
        self.view.role_in(crate::EVERYWHERE) == Some(Role::Admin)
    }

    pub(crate) fn user(&self) -> &str {
        self.view.identity.as_ref().map_or("", |identity| &identity.name)
    }

    /// The colours that the switch leads to, from those that are chosen.
    pub(crate) fn next_theme(&self) -> &'static str {
        match self.view.theme {
            None => "dark",
            Some("dark") => "light",
            _ => "auto",
        }
    }

    pub(crate) fn theme_sign(&self) -> &'static str {
        match self.view.theme {
            None => "◐",
            Some("dark") => "●",
            _ => "○",
        }
    }

    pub(crate) fn theme_name(&self) -> &'static str {
        match self.view.theme {
            None => self.say("Theme: automatic", "테마: 자동"),
            Some("dark") => self.say("Theme: dark", "테마: 어둡게"),
            _ => self.say("Theme: light", "테마: 밝게"),
        }
    }

    pub(crate) fn style(&self) -> &'static str {
        assets::STYLE.address()
    }

    pub(crate) fn script(&self) -> &'static str {
        assets::SCRIPT.address()
    }

    pub(crate) fn icon(&self) -> &'static str {
        assets::ICON.address()
    }
}

/// A page as a response.
pub(crate) fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page cannot be written");
            Problem::internal("page_unwritable").into_response()
        }
    }
}
