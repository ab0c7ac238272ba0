//! The effect of each line of an import, by the same check that storing does.

use hansang_core::db::GetOptions;
use hansang_core::model::Role as Written;
use hansang_core::{Db, Error, Item, Record, write};
use hansang_ui::frame::View;
use serde_json::Value as Json;

use super::super::trial::Trial;
use super::super::{System, titles};
use super::lines::Lines;
use crate::routes::{is_refusal, record_of};

/// A line with its effect.
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) entity: String,
    pub(super) title: String,
    pub(super) effect: Effect,
}

/// The effect of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    New,
    Replace,
    Unchanged,
    Refused(String),
}

impl Effect {
    /// The names of all effects in forms.
    pub(super) const ALL: [&str; 4] = ["new", "replace", "unchanged", "refused"];

    /// The name in forms.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::New => Self::ALL[0],
            Self::Replace => Self::ALL[1],
            Self::Unchanged => Self::ALL[2],
            Self::Refused(_) => Self::ALL[3],
        }
    }

    /// Whether the line is stored.
    pub(super) fn is_stored(&self) -> bool {
        matches!(self, Self::New | Self::Replace)
    }

    /// The reason of a refusal.
    pub(super) fn reason(&self) -> &str {
        match self {
            Self::Refused(reason) => reason,
            _ => "",
        }
    }
}

/// The word for an effect, and the class of its tag.
pub(super) fn word(view: &View, effect: &str) -> (&'static str, &'static str) {
    match effect {
        "new" => (view.say("New", "새 항목"), "good"),
        "replace" => (view.say("Replace", "교체"), "info"),
        "unchanged" => (view.say("Unchanged", "변경 없음"), ""),
        "refused" => (view.say("Refused", "거부"), "bad"),
        _ => (view.say("All", "전체"), ""),
    }
}

/// The effect of each line, one after another, as storing them would have it.
pub(super) async fn try_all(system: &System, file: &Lines, view: &View) -> Result<Vec<Line>, Error> {
    let db = system.db().by_way_of(Trial::new(system.db().store().clone()));
    let mut tried = Vec::with_capacity(file.lines.len());
    for line in &file.lines {
        let result = match line.record.clone() {
            Ok(json) => try_one(&db, json).await,
            Err(error) => Err(error),
        };
        let (entity, title, effect) = match result {
            Ok((record, effect)) => (
                record.entity.title_in(view.language).into_owned(),
                titles::record(&record.entity, &record.fields, &view.reader),
                effect,
            ),
            Err(error) if is_refusal(&error) => {
                (String::new(), String::new(), Effect::Refused(view.sentence(&error.message)))
            }
            Err(error) => return Err(error),
        };
        tried.push(Line { number: line.number, entity, title, effect });
    }
    Ok(tried)
}

async fn try_one(db: &Db, json: Json) -> Result<(Record, Effect), Error> {
    let (entity, fields) = record_of(db, json)?;
    let before = match write::key(&entity, &fields) {
        Ok(_) => {
            db.get(&entity.name, &fields, &GetOptions { consistent: true, ..GetOptions::default() }).await?
        }
        // A key that is generated is new.
        Err(_) => None,
    };
    let after = db.put(&entity.name, fields, None).await?;
    let given = |item: &Item| -> Item {
        let is_given =
            |name: &str| entity.attribute(name).is_some_and(|one| matches!(one.role, Written::Given));
        item.iter()
            .filter(|(name, _)| is_given(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    };
    let effect = match before {
        None => Effect::New,
        Some(before) if given(&before.fields) == given(&after.fields) => Effect::Unchanged,
        Some(_) => Effect::Replace,
    };
    Ok((after, effect))
}
