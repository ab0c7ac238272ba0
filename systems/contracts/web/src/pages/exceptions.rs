//! The exceptions that administrators can make when a version becomes active.

use hansang_access::Role;
use hansang_contracts::{Allowed, ContractRef};
use hansang_core::{Error, ErrorKind};
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::View;

use super::Contracts;
use crate::api::Move;

/// The ways out of a refusal.
pub(super) enum Exceptions {
    /// No exception would help.
    None,
    /// An administrator can make one.
    AskAdmin,
    /// The fields to make one.
    Fields(Vec<Field>),
}

impl Exceptions {
    /// The exceptions that would allow a refused move.
    pub(super) async fn of(
        contracts: &Contracts,
        view: &View,
        one: Move,
        reference: &ContractRef,
        sent: &Form,
        problems: &Problems,
    ) -> Result<Self, Error> {
        // A deprecation is refused only for the status of the version.
        if one == Move::Deprecate {
            return Ok(Self::None);
        }
        // All exceptions that exist. A check does not record the reason.
        let all = Allowed { missing: true, incompatible: Some("check".to_owned()) };
        match contracts.verbs.preview_move(one, reference, &all).await {
            Err(error) if error.kind == ErrorKind::Unavailable => Err(error),
            Err(_) => Ok(Self::None),
            Ok(_) if view.role_in(contracts.name()) < Some(Role::Admin) => Ok(Self::AskAdmin),
            Ok(_) => Ok(Self::Fields(fields(view).map(|field| field.sent(sent, problems)).into())),
        }
    }

    pub(super) fn fields(&self) -> &[Field] {
        match self {
            Self::Fields(fields) => fields,
            _ => &[],
        }
    }

    pub(super) fn needs_admin(&self) -> bool {
        matches!(self, Self::AskAdmin)
    }
}

/// The exceptions in a form. A deprecation has none.
pub(super) fn asked(one: Move, sent: &Form) -> Allowed {
    if one == Move::Deprecate {
        return Allowed::default();
    }
    let reason = sent.text("override").trim();
    Allowed {
        missing: sent.text("allowMissing") == "true",
        incompatible: (!reason.is_empty()).then(|| reason.to_owned()),
    }
}

fn fields(view: &View) -> [Field; 2] {
    [
        Field {
            required: false,
            hint: view
                .say("Recorded in the history of the version", "버전의 변경 이력에 기록됩니다")
                .to_owned(),
            ..Field::text(
                "override",
                view.say("Reason to override the compatibility rule", "호환성 규칙을 무시하는 사유"),
            )
        },
        Field {
            required: false,
            input: Input::Check,
            ..Field::text(
                "allowMissing",
                view.say("Only warn of references that lead nowhere", "없는 계약을 참조해도 경고만 하기"),
            )
        },
    ]
}
