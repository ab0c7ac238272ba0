//! The company: one item.

use hansang_core::db::Operation;
use hansang_core::{Error, Item, message, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::edit::{Check, item, optional, same_revision};
use crate::inquiries::is_address;
use crate::outbox::hasten_notifications;
use crate::post::strong;
use crate::posts::commit;
use crate::{Content, messages};

/// The company. Every part may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CorpInfo {
    /// The name.
    pub name: Option<String>,
    /// The address.
    pub address: Option<String>,
    /// The e-mail address, which inquiries are sent to.
    pub email: Option<String>,
    /// The fax number.
    pub fax: Option<String>,
    /// The business registration number.
    pub corp_num: Option<String>,
    /// The representative.
    pub ceo: Option<String>,
    /// The home page.
    pub hp: Option<String>,
    /// The number of changes; 0 before the first one.
    #[serde(default)]
    pub revision: i64,
    /// The time it was last written.
    #[serde(rename = "UpdatedAt")]
    pub updated_at: Option<Timestamp>,
}

/// The company; empty before it is saved for the first time.
///
/// # Errors
/// When the store fails.
pub async fn corp_info(content: &Content) -> Result<CorpInfo, Error> {
    let found = content.db.get("CorpInfo", &Item::new(), &strong()).await?;
    found.map_or_else(|| Ok(CorpInfo::default()), |record| record.typed())
}

/// Saves the company, if it still has the revision in `info`.
///
/// # Errors
/// Every field that is wrong, or `changed` for an older revision.
pub async fn save_corp_info(content: &Content, info: &CorpInfo) -> Result<CorpInfo, Error> {
    let email = info.email.as_deref().map(str::trim).unwrap_or_default();
    let mut check = Check::default();
    check.optional("name", info.name.as_deref(), 120);
    check.optional("address", info.address.as_deref(), 300);
    if !is_address(email) {
        check.problem("email", message!(messages::NOT_AN_ADDRESS));
    }
    check.optional("fax", info.fax.as_deref(), 40);
    check.optional("corpNum", info.corp_num.as_deref(), 40);
    check.optional("ceo", info.ceo.as_deref(), 80);
    check.optional("hp", info.hp.as_deref(), 200);
    check.done()?;
    let fields = item(vec![
        (name!("name"), optional(info.name.as_deref())),
        (name!("address"), optional(info.address.as_deref())),
        (name!("email"), Some(email.into())),
        (name!("fax"), optional(info.fax.as_deref())),
        (name!("corpNum"), optional(info.corp_num.as_deref())),
        (name!("ceo"), optional(info.ceo.as_deref())),
        (name!("hp"), optional(info.hp.as_deref())),
        (name!("revision"), Some((info.revision + 1).into())),
    ]);
    let guards = vec![same_revision(info.revision)];
    let put = Operation::Put { entity: name!("CorpInfo"), fields, expected_version: None, guards };
    commit(content, vec![put]).await?;
    // Notifications that waited for an address can be sent now. The company is saved all the same if this fails: they are
    // tried again in a few minutes.
    if let Err(error) = hasten_notifications(content).await {
        tracing::warn!(%error, "notifications that wait for an address are sent later");
    }
    content.staged.notify_one();
    corp_info(content).await
}
