//! Notices: sentences on a page about the last change.
//!
//! A page redirects to `…?done=code` after a change. Only the codes of known notices are shown, so a link cannot inject
//! text into a page.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use hansang_core::message::Language;
use hansang_http::form::local;
use hansang_http::guard::cookie;

/// The cookie with the address that reverts the last change: a link cannot set it.
const UNDO_COOKIE: &str = "hansang_undo";

/// A sentence shown once above a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The code in the address of the page.
    pub code: &'static str,
    /// The sentence in English.
    pub english: &'static str,
    /// The sentence in Korean.
    pub korean: &'static str,
}

impl Notice {
    /// Adds the notice to the address of a page.
    #[must_use]
    pub fn at(self, address: &str) -> String {
        let sign = if address.contains('?') { '&' } else { '?' };
        format!("{address}{sign}done={}", self.code)
    }

    /// The redirect to a page with the notice and a button that reverts the change: it posts to `undo`, an address of the
    /// console. The button is offered for two minutes.
    #[must_use]
    pub fn redirect_with_undo(self, address: &str, undo: &str) -> Response {
        let mut response = Redirect::to(&self.at(address)).into_response();
        let cookie = format!(
            "{UNDO_COOKIE}={}:{}; Path=/console; Max-Age=120; HttpOnly; SameSite=Lax",
            self.code,
            local(undo)
        );
        if let Ok(cookie) = HeaderValue::try_from(cookie) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }

    /// The sentence in a language.
    #[must_use]
    pub fn sentence(self, language: Language) -> &'static str {
        language.say(self.english, self.korean)
    }
}

/// The code of a notice and the address that reverts its change.
pub(crate) fn undo(headers: &HeaderMap) -> Option<(String, String)> {
    let (code, address) = cookie(headers, UNDO_COOKIE)?.split_once(':')?;
    (local(address) == address).then(|| (code.to_owned(), address.to_owned()))
}

/// The notice `created`.
pub const CREATED: Notice = Notice { code: "created", english: "Created.", korean: "만들었습니다." };
/// The notice `saved`.
pub const SAVED: Notice = Notice { code: "saved", english: "Saved.", korean: "저장했습니다." };
/// The notice `deleted`.
pub const DELETED: Notice = Notice { code: "deleted", english: "Deleted.", korean: "삭제했습니다." };
/// The notice `none-selected`.
pub const NONE_SELECTED: Notice = Notice {
    code: "none-selected",
    english: "Select at least one row.",
    korean: "행을 하나 이상 선택하세요.",
};
/// The notice `restored`.
pub const RESTORED: Notice = Notice { code: "restored", english: "Restored.", korean: "되돌렸습니다." };
/// The notice `password-changed`.
pub const PASSWORD_CHANGED: Notice = Notice {
    code: "password-changed",
    english: "The password is changed. All other sessions have ended.",
    korean: "비밀번호를 바꿨습니다. 다른 세션은 모두 끝났습니다.",
};
/// The notice `password-set`.
pub const PASSWORD_SET: Notice = Notice {
    code: "password-set",
    english: "The password is set. All sessions of the account have ended.",
    korean: "새 비밀번호를 설정했습니다. 이 계정의 모든 세션을 끝냈습니다.",
};
/// The notice `disabled`.
pub const DISABLED: Notice =
    Notice {
        code: "disabled", english: "The account is disabled.", korean: "계정 사용을 중지했습니다."
    };
/// The notice `enabled`.
pub const ENABLED: Notice =
    Notice {
        code: "enabled", english: "The account is enabled.", korean: "계정을 다시 쓸 수 있습니다."
    };
/// The notice `revoked`.
pub const REVOKED: Notice = Notice {
    code: "revoked",
    english: "The token no longer works.",
    korean: "이 토큰은 더 이상 쓸 수 없습니다.",
};
/// The notice `signed-out`.
pub const SIGNED_OUT: Notice =
    Notice { code: "signed-out", english: "You are signed out.", korean: "로그아웃했습니다." };
/// The notice `signed-out-everywhere`.
pub const SIGNED_OUT_EVERYWHERE: Notice = Notice {
    code: "signed-out-everywhere",
    english: "All sessions of the account have ended.",
    korean: "이 계정의 모든 세션을 끝냈습니다.",
};
/// The notice `set-up`.
pub const SET_UP: Notice = Notice {
    code: "set-up",
    english: "Welcome! You are the administrator. The link has been used up.",
    korean: "환영합니다. 관리자 계정을 만들었습니다. 링크는 더 이상 쓸 수 없습니다.",
};

/// The notices of the pages that every server has.
pub const COMMON: &[Notice] = &[
    CREATED,
    SAVED,
    DELETED,
    NONE_SELECTED,
    RESTORED,
    PASSWORD_CHANGED,
    PASSWORD_SET,
    DISABLED,
    ENABLED,
    REVOKED,
    SIGNED_OUT,
    SIGNED_OUT_EVERYWHERE,
    SET_UP,
];
