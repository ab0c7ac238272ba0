//! The table itself: its settings and its indexes.

use hansang_core::describe::{self, IndexUse};
use hansang_core::model::Projection;
use hansang_core::{Db, Model};

use super::words::{Word, code, coded, listed, said};
use hansang_ui::frame::View;

/// A setting of the table.
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) value: Vec<Word>,
}

/// An index in a table.
pub(super) struct IndexRow {
    pub(super) name: String,
    /// The partition key and the sort key, if there is one.
    pub(super) keys: Vec<Vec<Word>>,
    pub(super) projection: Vec<Word>,
    pub(super) entities: Vec<String>,
    pub(super) patterns: Vec<String>,
}

/// The settings of the table, in the order of the documentation.
pub(super) fn settings(db: &Db, view: &View) -> Vec<Setting> {
    let table = &db.model().table;
    let off = || vec![said(view.say("off", "꺼짐"))];
    let on = || vec![said(view.say("on", "켜짐"))];
    let mut all = Vec::new();
    let mut add = |english, korean, value| all.push(Setting { name: view.say(english, korean), value });
    add("Table", "테이블", vec![code(&*table.name)]);
    if db.table().name != table.name {
        add("Here", "이 서버에서", vec![code(&*db.table().name)]);
    }
    let on_demand = view.say("on demand ", "사용한 만큼 ");
    add("Billing", "요금", vec![said(on_demand), code("PAY_PER_REQUEST")]);
    add("Partition key", "파티션 키", key(&table.pk, false, view));
    add("Sort key", "정렬 키", key(&table.sk, false, view));
    add("Delimiter", "구분자", vec![code(table.delimiter.to_string())]);
    if let Some(name) = &table.type_attribute {
        add("Entity name in", "엔티티 이름 속성", vec![code(&**name)]);
    }
    let ttl = match &table.ttl {
        None => off(),
        Some(ttl) if ttl.enabled => {
            vec![code(&*ttl.attribute), said(view.say(", epoch seconds", ", 에포크 초"))]
        }
        Some(ttl) => {
            let reserved = view.fill("off; `{0}` is reserved for it", "꺼짐, 예약된 속성: `{0}`");
            coded(&reserved.with(&ttl.attribute).to_string())
        }
    };
    add("Time to live", "만료(TTL)", ttl);
    let streams = || vec![said(view.say("on ", "켜짐 ")), code("NEW_AND_OLD_IMAGES")];
    add("Streams", "변경 스트림", if table.streams { streams() } else { off() });
    add("Point-in-time recovery", "시점 복구", if table.recovery { on() } else { off() });
    if !table.tags.is_empty() {
        let mut tags = Vec::new();
        for (name, value) in &table.tags {
            if !tags.is_empty() {
                tags.push(said(" "));
            }
            tags.push(code(format!("{name} = {value}")));
        }
        add("Tags", "태그", tags);
    }
    all
}

/// The indexes, and the patterns that use each.
pub(super) fn indexes(model: &Model, view: &View) -> Vec<IndexRow> {
    let row = |used: IndexUse<'_>| {
        let index = used.index;
        let mut keys = vec![key(&index.pk, index.pk_numeric, view)];
        keys.extend(index.sk.as_ref().map(|sk| key(sk, index.sk_numeric, view)));
        let projection = match &index.projection {
            Projection::All => vec![said(view.say("all attributes", "모든 속성"))],
            Projection::Keys => vec![said(view.say("keys only", "키만"))],
            Projection::Include(names) => listed(view.say("keys and ", "키와 "), names),
        };
        IndexRow {
            name: index.name.to_string(),
            keys,
            projection,
            entities: used.entities.iter().map(ToString::to_string).collect(),
            patterns: used.patterns.iter().map(ToString::to_string).collect(),
        }
    };
    describe::indexes(model).into_iter().map(row).collect()
}

fn key(name: &str, numeric: bool, view: &View) -> Vec<Word> {
    let kind = if numeric { view.say(", number", ", 숫자") } else { view.say(", text", ", 텍스트") };
    vec![code(name), said(kind)]
}
