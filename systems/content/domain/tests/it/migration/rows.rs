//! Old rows with every kind of dirt, and sources that hold them.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use hansang_content::Content;
use hansang_content::migrate::{LegacyTable, Options, Row, Rows, Source};
use hansang_core::identify::check_item;
use hansang_core::plan::Scan;
use hansang_core::value::json::{item_from_plain, item_to_typed};
use hansang_core::{CoreCode, Error, Item, Message, Value};
use serde_json::{Value as Json, json};

/// A row in plain JSON.
pub(super) fn row(json: Json) -> Row {
    Row { location: String::new(), item: Ok(item_from_plain(&json).unwrap()) }
}

pub(super) fn options(dry_run: bool) -> Options {
    let pause = Arc::new(|_| {
        let pause: futures_util::future::BoxFuture<'static, ()> = Box::pin(tokio::task::yield_now());
        pause
    });
    Options { dry_run, retention: None, pause, progress: Arc::new(|_| {}) }
}

/// Tables in memory, in small pages.
#[derive(Clone)]
pub(super) struct Pages {
    pub(super) tables: BTreeMap<LegacyTable, Vec<Row>>,
    pub(super) page: usize,
    /// The number of reads until the source fails.
    pub(super) reads: usize,
}

impl Pages {
    pub(super) fn new(tables: BTreeMap<LegacyTable, Vec<Row>>) -> Self {
        Self { tables, page: 5, reads: usize::MAX }
    }

    pub(super) fn add(&mut self, table: LegacyTable, row: Row) {
        self.tables.entry(table).or_default().push(row);
    }

    /// Changes the first row with an id.
    pub(super) fn change(&mut self, table: LegacyTable, id: &str, change: Json) {
        let is_it = |item: &Item| item.values().any(|value| value.as_str() == Some(id));
        let rows = self.tables.get_mut(&table).unwrap();
        let item = rows.iter_mut().filter_map(|row| row.item.as_mut().ok()).find(|item| is_it(item)).unwrap();
        item.extend(item_from_plain(&change).unwrap());
    }
}

#[async_trait]
impl Source for Pages {
    fn name(&self) -> String {
        "pages".to_owned()
    }

    fn tables(&self) -> Vec<LegacyTable> {
        self.tables.keys().copied().collect()
    }

    async fn read(&mut self, table: LegacyTable, after: Option<&str>) -> Result<Rows, Error> {
        let left = self.reads.checked_sub(1);
        self.reads =
            left.ok_or_else(|| Error::unavailable(CoreCode::StoreUnavailable, Message::raw("cut off")))?;
        let from: usize = after.map_or(0, |after| after.parse().unwrap());
        let rows = &self.tables[&table];
        let to = rows.len().min(from + self.page);
        Ok(Rows { rows: rows[from..to].to_vec(), next: (to < rows.len()).then(|| to.to_string()) })
    }
}

/// A row of each kind of dirt that old tables have.
pub(super) fn dirty() -> BTreeMap<LegacyTable, Vec<Row>> {
    let document = json!({ "type": "doc", "content": [{ "type": "paragraph" }] });
    let categories = [
        json!({ "categoryId": "c1", "name": "공지", "slug": "notice_board", "description": "알림", "order": "3",
                "createdAt": "2025-01-01T00:00:00Z", "updatedAt": null }),
        json!({ "categoryId": "c2", "name": "공지 2", "slug": "notice_board", "createdAt": "2025-02-01T00:00:00" }),
        json!({ "categoryId": "c3", "name": "보도 자료", "slug": "", "createdAt": "2025-01-02T00:00:00.123456+00:00" }),
    ];
    let corp = [
        json!({ "corpMetaId": "m1", "ceo": "옛 대표", "updatedAt": "2024-01-01T00:00:00Z" }),
        json!({ "corpMetaId": "m2", "ceo": "새 대표", "email": "미정", "updatedAt": "2025-01-01T00:00:00.5+00:00" }),
    ];
    let posts = [
        json!({ "postId": "p1", "category": "notice_board", "title": "첫 글", "content": "# 안녕", "author": "김대연",
                "createdAt": "2025-11-12T05:00:00.123456+00:00", "updatedAt": "2025-11-12T06:00:00" }),
        json!({ "postId": "p2", "category": "공지", "title": "첫 글", "content": "한 줄\n두 줄", "author": "김대연",
                "thumbnailUrl": "/uploads/a.png", "createdAt": "2025-11-13T05:00:00Z" }),
        json!({ "postId": "p3", "category": "보도-자료", "title": "문서", "content": document.to_string(),
                "createdAt": "2025-11-14T05:00:00Z" }),
        json!({ "postId": "p4", "category": "c1", "title": "작성자 없음", "content": null, "author": null,
                "thumbnailUrl": null, "createdAt": "2025-11-15T05:00:00Z" }),
        json!({ "postId": "p5", "content": "제목도 분류도 없음", "createdAt": "2025-11-16T05:00:00Z" }),
        json!({ "postId": "p6", "category": "사라진 분류", "title": "분류가 없다", "content": document,
                "createdAt": 1_763_000_000 }),
        json!({ "postId": "p7", "category": "notice_board", "title": "시각이 이상함", "createdAt": "어제" }),
        json!({ "postId": "p8", "category": "notice_board", "title": "쓰는 중", "status": "draft" }),
        json!({ "postId": "p9", "category": "notice_board", "title": "긴 제목 ".repeat(60), "views": 7,
                "thumbnailUrl": "javascript:alert(1)", "slug": "Long Title", "createdAt": "2025-11-17T05:00:00Z" }),
        json!({ "postId": "p10", "category": "보도 자료", "title": "숫자", "content": 5, "status": "archived" }),
        json!({ "postId": "bad#id", "category": "공지", "title": "못 옮김" }),
        json!({ "postId": "p1", "category": "공지", "title": "같은 ID" }),
        json!({ "postId": "x".repeat(65), "title": "긴 ID" }),
    ];
    let inquiries = [
        json!({ "inquiryId": "i1", "name": "홍길동", "email": "user@example.com", "status": "IN-PROGRESS",
                "subject": "협업", "message": "문의합니다", "createdAt": "2025-11-15T09:00:00Z" }),
        json!({ "inquiryId": "i2", "email": "주소 아님", "status": "보류", "notifiedEmail": "", "phone": "010" }),
    ];
    let rows = |rows: &[Json]| rows.iter().cloned().map(row).collect::<Vec<_>>();
    let mut posts = rows(&posts);
    // A line that is no item, in the middle.
    let line = Row { location: "export.json:12".to_owned(), item: Err("is not JSON".to_owned()) };
    posts.insert(11, line);
    BTreeMap::from([
        (LegacyTable::Categories, rows(&categories)),
        (LegacyTable::Corp, rows(&corp)),
        (LegacyTable::Posts, posts),
        (LegacyTable::Inquiries, rows(&inquiries)),
    ])
}

/// Everything that is stored.
pub(super) async fn dump(content: &Content) -> Vec<Item> {
    let (mut all, mut start) = (Vec::new(), None);
    loop {
        let scan = Scan { index: None, limit: 500, start, consistent: true };
        let page = content.db.store().scan(content.db.table(), &scan).await.unwrap();
        all.extend(page.items);
        start = page.next;
        if start.is_none() {
            all.sort_by_key(|item| item_to_typed(item).to_string());
            return all;
        }
    }
}

/// The stored items that the model could not have written, as `hansang table verify` finds them. C6: each has its type and
/// its times.
pub(super) async fn problems(content: &Content) -> Vec<String> {
    let mut found = Vec::new();
    for item in dump(content).await {
        let wrong = check_item(content.db.model(), &item).err().unwrap_or_default();
        let key = item.get("PK").and_then(Value::as_str).unwrap_or_default();
        found.extend(wrong.iter().map(|problem| format!("{key}: {problem}")));
        let is_whole = ["Type", "CreatedAt", "UpdatedAt"].iter().all(|name| item.contains_key(name));
        found.extend(
            (!is_whole && !key.starts_with("UNIQUE#")).then(|| format!("{key} lacks its type or its times")),
        );
    }
    found
}

/// The old tables as an endpoint has them: their names, and their keys.
pub(super) const NAMES: [(LegacyTable, &str, &[&str]); 4] = [
    (LegacyTable::Categories, "CategoriesTable", &["categoryId"]),
    (LegacyTable::Corp, "CorpMetaTable", &["corpMetaId"]),
    (LegacyTable::Posts, "PostsTable", &["postId", "title"]),
    (LegacyTable::Inquiries, "ContactTable", &["inquiryId"]),
];

/// Makes the old tables with the dirty rows, and more posts.
pub(super) fn tables(database: &dynoxide::Database, more: usize) {
    let mut rows = dirty();
    for number in 0..more {
        let post = json!({ "postId": format!("m{number}"), "category": "공지", "title": format!("글 {}", number % 7),
                           "content": "본문", "createdAt": "2025-10-01T00:00:00Z" });
        rows.get_mut(&LegacyTable::Posts).unwrap().push(row(post));
    }
    for (table, name, key) in NAMES {
        let kinds = ["HASH", "RANGE"];
        let schema: Vec<Json> = key
            .iter()
            .zip(kinds)
            .map(|(name, kind)| json!({ "AttributeName": name, "KeyType": kind }))
            .collect();
        let types: Vec<Json> =
            key.iter().map(|name| json!({ "AttributeName": name, "AttributeType": "S" })).collect();
        let request = json!({ "TableName": name, "KeySchema": schema, "AttributeDefinitions": types,
                              "BillingMode": "PAY_PER_REQUEST" });
        database.create_table(serde_json::from_value(request).unwrap()).unwrap();
        for item in rows[&table].iter().filter_map(|row| row.item.as_ref().ok()) {
            let is_keyed = key.iter().all(|name| item.contains_key(name));
            if is_keyed {
                let request = json!({ "TableName": name, "Item": item_to_typed(item) });
                database.put_item(serde_json::from_value(request).unwrap()).unwrap();
            }
        }
    }
}

/// All rows of the old tables.
pub(super) fn all_rows(database: &dynoxide::Database) -> Vec<Json> {
    let all = NAMES.map(|(_, name, _)| {
        let request = serde_json::from_value(json!({ "TableName": name, "ConsistentRead": true })).unwrap();
        serde_json::to_value(database.scan(request).unwrap()).unwrap()["Items"].take()
    });
    all.into()
}
