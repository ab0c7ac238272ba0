//! Mapping of old rows to items. Pure: the same row and the same lookups give the same item.

use hansang_core::kind::text::is_email;
use hansang_core::{Entity, Item, Model, Name, Value, name};
use jiff::Timestamp;

use super::legacy::Legacy;
use super::lookups::Lookups;
use super::{Finding, FindingKind, LegacyTable, format, sum};
use crate::edit::is_web_address;
use crate::live::{ALL, time};
use crate::{InquiryStatus, PostState};

/// The item that a row becomes.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    pub(super) table: LegacyTable,
    pub(super) id: String,
    /// The checksum of the row, and of the category that it names.
    pub(super) sum: String,
    pub(super) entity: &'static str,
    pub(super) fields: Item,
    pub(super) created: Timestamp,
    pub(super) updated: Timestamp,
    /// The status of an inquiry: new items of the model start as `new`.
    pub(super) status: Option<InquiryStatus>,
    /// The end of the retention period of an inquiry.
    pub(super) purge_at: Option<Timestamp>,
    /// The slug of the row.
    pub(super) slug: Option<String>,
    /// The text that a slug is made of.
    pub(super) title: String,
    /// The category of a post and its title, in case it has to be created.
    pub(super) category: Option<(String, String)>,
    /// The author of a post and the name, in case it has to be created.
    pub(super) author: Option<(String, String)>,
    pub(super) findings: Vec<Finding>,
    /// The attributes that no item has, whose values are in `legacy`.
    pub(super) unknown: Vec<String>,
}

/// The title of rows without one.
const NO_TITLE: &str = "(제목 없음)";
/// The category of posts without one.
const NO_CATEGORY: (&str, &str) = ("uncategorized", "미분류");
/// The maximum number of characters of an id.
const MAX_ID: usize = 64;

/// The attributes of an old post that name its category.
pub(super) const CATEGORY: [&str; 3] = ["category", "categorySlug", "categoryId"];

/// Maps a row with its checksum.
///
/// # Errors
/// The finding of a row that cannot be mapped.
pub(super) fn map(
    model: &Model,
    table: LegacyTable,
    location: &str,
    row: Item,
    row_sum: u128,
    lookups: &Lookups,
) -> Result<Mapped, Finding> {
    let row_sum = sum::hex(row_sum);
    let mut legacy = Legacy::new(table, row);
    let id = match table {
        LegacyTable::Categories => legacy.text(&["categoryId", "id"]),
        LegacyTable::Corp => Some(CORP.to_owned()),
        LegacyTable::Posts => legacy.text(&["postId", "id"]),
        LegacyTable::Inquiries => legacy.text(&["inquiryId", "contactId", "id"]),
    };
    let not = |id: &str, reason: &str| Finding::new(table, id, FindingKind::NotMapped).was(reason);
    let Some(id) = id else {
        let named = if location.is_empty() { &row_sum } else { location };
        return Err(not(named, "the row has no id"));
    };
    check_id(&id).map_err(|reason| not(&id, reason))?;
    if table == LegacyTable::Categories && id == ALL {
        return Err(not(&id, "the id is the name of the list of all posts"));
    }
    legacy.id.clone_from(&id);
    let mut mapped = match table {
        LegacyTable::Categories => category(&mut legacy),
        LegacyTable::Corp => corp(&mut legacy),
        LegacyTable::Posts => post(&mut legacy, lookups),
        LegacyTable::Inquiries => inquiry(&mut legacy, lookups),
    };
    let Some(entity) = model.entity(mapped.entity) else {
        return Err(not(&id, "the model has no such entity"));
    };
    let fitted = fit(entity, &mut mapped.fields, &mut legacy);
    fitted.map_err(|reason| not(&id, &reason))?;
    mapped.unknown = legacy.unknown();
    mapped.fields.extend(legacy.rest().map(|rest| (name!("legacy"), rest)));
    mapped.findings.append(&mut legacy.findings);
    // A post whose category is known by now has changed as well.
    let category = mapped.category.as_ref().map(|(category, _)| format!("-{}", sum::short(category)));
    let row_sum = row_sum + &category.unwrap_or_default();
    Ok(Mapped { id, sum: row_sum, ..mapped })
}

/// The id of the company.
pub(super) const CORP: &str = "corp-info";

fn check_id(id: &str) -> Result<(), &'static str> {
    if id.chars().count() > MAX_ID {
        Err("the id is longer than 64 characters")
    } else if id.contains('#') || id.chars().any(char::is_control) {
        Err("the id contains `#` or a control character, which no key can hold")
    } else {
        Ok(())
    }
}

/// Moves optional values that the model refuses into the rest of the row.
fn fit(entity: &Entity, fields: &mut Item, legacy: &mut Legacy) -> Result<(), String> {
    let names: Vec<Name> = fields.keys().cloned().collect();
    for name in names {
        let Some(attribute) = entity.attribute(&name) else { continue };
        let Some(value) = fields.get(&name).cloned() else { continue };
        match hansang_core::validate::check_value(attribute, &value) {
            Ok(()) => {}
            Err(_) if attribute.optional => {
                fields.remove(&name);
                legacy.aside(name, value);
            }
            Err(problem) => return Err(format!("{name} {problem}")),
        }
    }
    Ok(())
}

fn begun(legacy: &mut Legacy, entity: &'static str, fields: Item) -> Mapped {
    let (created, updated) = legacy.times();
    Mapped {
        table: legacy.table,
        id: String::new(),
        sum: String::new(),
        entity,
        fields,
        created,
        updated,
        status: None,
        purge_at: None,
        slug: None,
        title: String::new(),
        category: None,
        author: None,
        findings: Vec::new(),
        unknown: Vec::new(),
    }
}

fn category(legacy: &mut Legacy) -> Mapped {
    let slug = legacy.text(&["slug"]);
    let title = legacy.text(&["name", "title"]).or_else(|| slug.clone());
    let title = title.unwrap_or_else(|| placeholder_title(legacy));
    let mut fields =
        Item::from([(name!("id"), legacy.id.as_str().into()), (name!("title"), title.as_str().into())]);
    put(&mut fields, name!("desc"), legacy.text(&["description", "desc"]));
    if let Some((name, value)) = legacy.take(&["order"]) {
        let whole = match &value {
            Value::S(text) => text.trim().parse::<i64>().ok().map(Value::from),
            Value::N(number) => number.to_i64().map(Value::from),
            _ => None,
        };
        match whole {
            Some(order) => drop(fields.insert(name!("order"), order)),
            None => legacy.aside(name, value),
        }
    }
    Mapped { slug, title, ..begun(legacy, "Category", fields) }
}

fn corp(legacy: &mut Legacy) -> Mapped {
    let mut fields = Item::new();
    for (name, texts) in [
        (name!("name"), &["name", "companyName"][..]),
        (name!("address"), &["address"]),
        (name!("email"), &["email"]),
        (name!("fax"), &["fax"]),
        (name!("corpNum"), &["corpNum"]),
        (name!("ceo"), &["ceo"]),
        (name!("hp"), &["hp"]),
    ] {
        put(&mut fields, name, legacy.text(texts));
    }
    begun(legacy, "CorpInfo", fields)
}

fn post(legacy: &mut Legacy, lookups: &Lookups) -> Mapped {
    let title = legacy.text(&["title"]).unwrap_or_else(|| placeholder_title(legacy));
    let contents = legacy.document(&["content", "contents"]).unwrap_or_default();
    let slug = legacy.text(&["slug"]);
    let category = match legacy.text(&CATEGORY) {
        Some(text) => lookups.category(&text),
        None => {
            let finding = legacy.finding(FindingKind::Placeholder).of("categoryId").now(NO_CATEGORY.0);
            legacy.findings.push(finding);
            (NO_CATEGORY.0.to_owned(), NO_CATEGORY.1.to_owned())
        }
    };
    let author = legacy.text(&["author", "authorId"]).map(|author| lookups.author(author.trim()));
    let state = state(legacy);
    let mut fields = Item::from([
        (name!("id"), legacy.id.as_str().into()),
        (name!("categoryId"), category.0.as_str().into()),
        (name!("title"), title.as_str().into()),
        (name!("contentsFormat"), format::detect(&contents).name().into()),
        (name!("contents"), contents.into()),
        (name!("state"), state.name().into()),
    ]);
    put(&mut fields, name!("authorId"), author.as_ref().map(|(id, _)| id.clone()));
    if let Some((name, value)) = legacy.take(&["thumbnailUrl", "thumbnail"]) {
        match value.as_str().filter(|text| is_picture(text)) {
            Some(text) => drop(fields.insert(name!("thumbnailUrl"), text.into())),
            None => legacy.aside(name, value),
        }
    }
    let mapped = begun(legacy, "Post", fields);
    let mut fields = mapped.fields;
    if state == PostState::Published {
        fields.insert(name!("publishAt"), time(mapped.created).into());
        fields.insert(name!("textAt"), time(mapped.updated).into());
    }
    Mapped { fields, slug, title, category: Some(category), author, ..mapped }
}

/// The state of a post. A row that says anything but published is not shown: a visitor never sees a draft.
fn state(legacy: &mut Legacy) -> PostState {
    if let Some((name, value)) = legacy.take(&["published", "isPublished", "visible"]) {
        match value {
            Value::Bool(true) => {}
            Value::Bool(false) => return PostState::Draft,
            other => legacy.aside(name, other),
        }
    }
    let Some(text) = legacy.text(&["state", "status"]) else { return PostState::Published };
    match text.trim().to_lowercase().as_str() {
        "published" | "public" | "게시" | "게시됨" | "공개" => PostState::Published,
        "draft" | "private" | "hidden" | "초안" | "임시저장" | "비공개" => PostState::Draft,
        _ => {
            let finding = legacy.finding(FindingKind::Placeholder).of("state").was(&text).now("draft");
            legacy.findings.push(finding);
            PostState::Draft
        }
    }
}

fn inquiry(legacy: &mut Legacy, lookups: &Lookups) -> Mapped {
    let mut fields = Item::from([(name!("id"), legacy.id.as_str().into())]);
    for part in ["name", "email", "company", "title", "referral", "subject", "firstReplyMessage"] {
        put(&mut fields, part.into(), legacy.text(&[part]));
    }
    put(&mut fields, name!("message"), legacy.document(&["message", "content"]));
    if let Some((name, value)) = legacy.take(&["notifiedEmail"]) {
        match value.as_str().filter(|text| is_email(text)) {
            Some(text) => drop(fields.insert(name, text.into())),
            None => legacy.aside(name, value),
        }
    }
    let text = legacy.text(&["status"]);
    let status = text.as_deref().map_or(Some(InquiryStatus::New), |text| {
        InquiryStatus::named(&text.trim().to_lowercase().replace(['-', ' '], "_"))
    });
    let status = status.unwrap_or_else(|| {
        let was = text.unwrap_or_default();
        let finding = legacy.finding(FindingKind::Placeholder).of("status").was(&was).now("new");
        legacy.findings.push(finding);
        InquiryStatus::New
    });
    fields.insert(name!("status"), InquiryStatus::New.name().into());
    let mut mapped = begun(legacy, "ContactInquiry", fields);
    if let Some((end, has_ended)) = lookups.purge_at(mapped.created) {
        mapped.fields.insert(name!("purgeAt"), time(end).into());
        mapped.purge_at = Some(end);
        if has_ended {
            let finding = legacy.finding(FindingKind::RetentionEnded).of("purgeAt").now(&time(end));
            legacy.findings.push(finding);
        }
    }
    Mapped { status: Some(status), ..mapped }
}

fn placeholder_title(legacy: &mut Legacy) -> String {
    let finding = legacy.finding(FindingKind::Placeholder).of("title").now(NO_TITLE);
    legacy.findings.push(finding);
    NO_TITLE.to_owned()
}

/// Whether a browser can load a picture from it: an address, or a path of the site.
fn is_picture(text: &str) -> bool {
    let is_path = !text.split('/').next().is_some_and(|first| first.contains(':'));
    is_web_address(text) || is_path && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

fn put(fields: &mut Item, name: Name, text: Option<String>) {
    fields.extend(text.map(|text| (name, Value::from(text))));
}
