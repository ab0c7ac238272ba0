//! `models/content.yaml`.

use expect_test::expect;
use hansang_core::identify::read_item;
use hansang_core::model::Leg;
use hansang_core::unique::pointer_pk;
use hansang_core::{Model, Value};

use super::{accepts, describe, examples, fields, key};

fn model() -> Model {
    super::model("content")
}

/// C15, C26, C41
#[test]
fn table() {
    let model = model();
    assert_eq!(model.version, "1.0.0");
    expect![[r#"
        FMWebAppTable (PK, SK)
        Type_CreatedAt (Type, CreatedAt) All
        ttl expiresAt off
        streams off, recovery off
    "#]]
    .assert_eq(&describe::table(&model.table));
    for index in &model.table.indexes {
        assert_eq!(*index.name, format!("{}_{}", index.pk, index.sk.as_ref().unwrap()));
    }
    assert_eq!(model.table.name_in(None), "FMWebAppTable");
    assert_eq!(model.table.name_in(Some("dev")), "FMWebAppTable-dev");
}

/// C1, C6
#[test]
fn every_item_has_the_common_attributes() {
    let model = model();
    let names: Vec<&str> = model.entities.iter().map(|entity| &*entity.name).collect();
    for of_document in ["User", "Category", "Post", "Banner", "CorpInfo", "ContactInquiry"] {
        assert!(names.contains(&of_document), "{of_document}");
    }
    assert_eq!((&*model.table.pk, &*model.table.sk), ("PK", "SK"));
    // Notes about another item name that item instead.
    let notes = ["InquiryPurge", "MediaUse", "MigrationFindings"];
    for entity in &model.entities {
        for name in ["Type", "id", "CreatedAt", "UpdatedAt"] {
            let has = entity.attribute(name).is_some_and(|attribute| !attribute.optional);
            assert!(has || (name == "id" && notes.contains(&&*entity.name)), "{} has no {name}", entity.name);
        }
    }
}

/// C7, C8, C9
#[test]
fn users_categories_and_posts() {
    let text = describe::entities(&model(), &["User", "Category", "Post"]);
    expect![[r#"
        User = USER#{id} / METADATA
          in Type_CreatedAt = User / {CreatedAt}
          id: text, length 1 to 64, a new ULID
          displayName: text, length 1 to 80
          role: one of admin, editor, viewer
          desc?: text, length 0 to 500
          imgUri?: text, length 0 to 2000
          revision?: a whole number, at least 0
          Type: one of User, immutable, by the table (Type)
          CreatedAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          UpdatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        Category = CATEGORY#{id} / METADATA
          in Type_CreatedAt = Category / {CreatedAt}
          id: text, length 1 to 64, a new ULID
          title: text
          desc?: text
          legacy?: a map, each value any value
          slug?: text, length 1 to 80, immutable
          order?: a whole number, at least 0
          posts?: a whole number
          revision?: a whole number, at least 0
          Type: one of Category, immutable, by the table (Type)
          CreatedAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          UpdatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
          unique slug = slug
        Post = CATEGORY#{categoryId} / POST#{id}
          in Type_CreatedAt = Post / {CreatedAt}
          id: text, length 1 to 64, a new ULID
          categoryId: text, length 1 to 64
          authorId?: text, length 1 to 64
          legacy?: a map, each value any value
          title: text
          contents: Markdown text
          contentsFormat?: one of markdown, json, text
          thumbnailUrl?: text, length 0 to 2000
          state?: one of draft, published
          publishAt?: a time such as 2025-11-14T03:00:00Z
          expiresAt?: a whole number, at least 0
          slug?: text, length 1 to 80
          revision?: a whole number, at least 0
          textAt?: a time such as 2025-11-14T03:00:00Z
          Type: one of Post, immutable, by the table (Type)
          CreatedAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          UpdatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
          unique id = id
    "#]]
    .assert_eq(&text);
}

/// C10, C11, C12
#[test]
fn banners_the_company_and_inquiries() {
    let model = model();
    assert!(model.entity("CorpInfo").unwrap().is_singleton());
    let text = describe::entities(&model, &["Banner", "CorpInfo", "ContactInquiry"]);
    expect![[r#"
        Banner = BANNER#{id} / METADATA
          in Type_CreatedAt = Banner / {CreatedAt}
          id: text, length 1 to 64, a new ULID
          title: text, length 1 to 120
          desc?: text, length 0 to 500
          imgUri: text, length 0 to 2000
          btn1Text?: text, length 0 to 40
          btn1Url?: text, length 0 to 2000
          btn2Text?: text, length 0 to 40
          btn2Url?: text, length 0 to 2000
          order?: a whole number, at least 0
          publishAt?: a time such as 2025-11-14T03:00:00Z
          revision?: a whole number, at least 0
          expiresAt?: a whole number, at least 0
          Type: one of Banner, immutable, by the table (Type)
          CreatedAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          UpdatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        CorpInfo = CORP#INFO / METADATA
          in Type_CreatedAt = CorpInfo / {CreatedAt}
          id: one of corp-info, default "corp-info", immutable
          name?: text
          legacy?: a map, each value any value
          address?: text
          email?: an e-mail address such as name@example.com
          fax?: text, length 0 to 40
          corpNum?: text, length 0 to 40
          ceo?: text, length 0 to 80
          hp?: text, length 0 to 200
          revision?: a whole number, at least 0
          Type: one of CorpInfo, immutable, by the table (Type)
          CreatedAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          UpdatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        ContactInquiry = CONTACT#{id} / METADATA
          in Type_CreatedAt = ContactInquiry / {CreatedAt}
          id: text, length 1 to 64, a new ULID
          legacy?: a map, each value any value
          name?: text
          email?: text
          company?: text
          title?: text
          referral?: text
          subject?: text
          message?: text
          status: one of new, in_progress, done, default "new"
          notifiedEmail?: an e-mail address such as name@example.com
          firstReplyMessage?: text
          spam?: true or false
          spamSigns?: a list, each element text
          consentVersion?: text, length 1 to 40
          purgeAt?: a time such as 2025-11-14T03:00:00Z
          failedMails?: a whole number
          revision?: a whole number, at least 0
          Type: one of ContactInquiry, immutable, by the table (Type)
          CreatedAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          UpdatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
    "#]]
    .assert_eq(&text);
}

/// C18
#[test]
fn keys() {
    let model = model();
    for (entity, given, expected) in [
        ("User", &[("id", "u001")][..], "USER#u001 / METADATA"),
        ("Category", &[("id", "c001")], "CATEGORY#c001 / METADATA"),
        ("Post", &[("categoryId", "c001"), ("id", "p001")], "CATEGORY#c001 / POST#p001"),
        ("Banner", &[("id", "bn001")], "BANNER#bn001 / METADATA"),
        ("CorpInfo", &[], "CORP#INFO / METADATA"),
        ("ContactInquiry", &[("id", "inq001")], "CONTACT#inq001 / METADATA"),
    ] {
        assert_eq!(key(&model, entity, given), expected);
    }
}

/// C16, C17, C19, C20, C21, C22, C23, C24
#[test]
fn patterns() {
    expect![[r#"
        mailsOfInquiry(inquiryId): InquiryMail, consistent
          query CONTACT#{inquiryId} / MAIL#*
        outbox(): Outbox, consistent
          query OUTBOX / *
        inquiryPurges(): InquiryPurge, consistent
          query PURGES / {purgeAt from … to …}
        replyTemplates(): ReplyTemplate, consistent
          query REPLIES / *
        webhooks(): Webhook, consistent
          query WEBHOOKS / *
        webhookDeliveries(webhookId): WebhookDelivery, last first, consistent
          query WEBHOOK#{webhookId} / DELIVERY#*
        oldDeliveries(): WebhookDelivery
          query Type_CreatedAt WebhookDelivery / {CreatedAt from … to …}
        media(id): Media
          get MEDIA#{id} / METADATA
        allMedia(): Media, last first
          query Type_CreatedAt Media / *
        mediaUses(mediaId): MediaUse, consistent
          query MEDIA#{mediaId} / USE#*
        postEnds(): PostEnd, consistent
          query ENDS / {endsAt from … to …}
        postChanges(): PostChange, consistent
          query CHANGES / {at from … to …}
        previews(id): Preview, consistent
          query POST#{id} / PREVIEW#*
        postEditors(id): PostEditor, consistent
          query POST#{id} / EDITOR#*
        user(id): User
          get USER#{id} / METADATA
        users(): User, last first
          query Type_CreatedAt User / *
        category(id): Category
          get CATEGORY#{id} / METADATA
        categoryBySlug(slug): Category
          look up Category by unique slug
        categories(): Category, last first
          query Type_CreatedAt Category / *
        post(categoryId, id): Post
          get CATEGORY#{categoryId} / POST#{id}
        postById(id): Post
          look up Post by unique id
        postsInCategory(categoryId): Post
          query CATEGORY#{categoryId} / POST#*
        posts(): Post, last first
          query Type_CreatedAt Post / {CreatedAt from … to …}
        migrations(): Migration, last first, consistent
          query MIGRATION / *
        migrationFindings(migrationId): MigrationFindings, consistent
          query MIGRATION#{migrationId} / FINDINGS#*
        migratedItems(): MigratedItem
          query Type_CreatedAt MigratedItem / *
        draft(id): Draft, consistent
          get POST#{id} / DRAFT
        postVersions(id): PostVersion, last first, consistent
          query POST#{id} / VERSION#*
        livePosts(scope): LivePost, last first
          query LIVE#{scope} / {publishAt from … to …}
        postSlug(slug): PostSlug, consistent
          get SLUG#{slug} / POST
        banner(id): Banner
          get BANNER#{id} / METADATA
        banners(): Banner, last first
          query Type_CreatedAt Banner / *
        corpInfo(): CorpInfo
          get CORP#INFO / METADATA
        contactInquiry(id): ContactInquiry
          get CONTACT#{id} / METADATA
        contactInquiries(): ContactInquiry, last first
          query Type_CreatedAt ContactInquiry / {CreatedAt from … to …}
    "#]]
    .assert_eq(&describe::patterns(&model()));
}

#[test]
fn a_post_is_found_by_its_id_without_a_scan_or_a_second_index() {
    let model = model();
    assert_eq!(model.table.indexes.len(), 1);
    let pattern = model.pattern("postById").unwrap();
    let [Leg::Lookup { entity, unique }] = pattern.legs.as_slice() else { panic!("{:?}", pattern.legs) };
    let post = fields(&model, "Post", &[("id", "p001"), ("categoryId", "c001")]);
    assert_eq!(pointer_pk(entity, unique, '#', &post).as_deref(), Some("UNIQUE#Post#id#p001"));
}

/// Cs7
#[test]
fn a_slug_never_changes_and_has_an_item_of_its_own() {
    let model = model();
    let category = model.entity("Category").unwrap();
    assert!(category.attribute("slug").unwrap().immutable);
    let unique = category.unique("slug").unwrap();
    let with = fields(&model, "Category", &[("id", "c001"), ("slug", "news")]);
    assert_eq!(pointer_pk(category, unique, '#', &with).as_deref(), Some("UNIQUE#Category#slug#news"));
    let without = fields(&model, "Category", &[("id", "c001")]);
    assert_eq!(pointer_pk(category, unique, '#', &without), None);
    // Old slugs may be anything; the verbs check new ones.
    for (slug, good) in [("news", true), ("회사-소식", true), ("", false)] {
        assert_eq!(accepts(&model, "Category", "slug", slug), good, "{slug}");
    }
}

/// Cs8
#[test]
fn a_user_that_was_never_updated_was_updated_when_created() {
    let model = model();
    let user = examples::examples(&model).into_iter().find(|example| example.entity == "User").unwrap().item;
    assert!(!user.contains_key("UpdatedAt"));
    assert_eq!(examples::fields(&model, &user)["UpdatedAt"], user["CreatedAt"]);
}

/// An item whose `Type` does not match its key is rejected.
#[test]
fn the_type_is_the_entity() {
    let model = model();
    for example in examples::examples(&model) {
        assert_eq!(example.item["Type"], Value::from(example.entity.as_str()));
        for other in model.entities.iter().filter(|entity| *entity.name != *example.entity) {
            let mut item = example.item.clone();
            item.insert("Type".into(), Value::from(&*other.name));
            assert_eq!(read_item(&model, &item).unwrap_err()[0].attribute, "Type");
        }
    }
}

/// Cs12
#[test]
fn an_inquiry_is_worked_on_and_done() {
    expect![[r#"
        starts as new
        new → in_progress | done
        in_progress → done
        done → in_progress
    "#]]
    .assert_eq(&describe::lifecycle(&model(), "ContactInquiry", "status"));
}

/// Cs28
#[test]
fn a_post_is_a_draft_or_published() {
    let model = model();
    for (state, good) in [("draft", true), ("published", true), ("hidden", false)] {
        assert_eq!(accepts(&model, "Post", "state", state), good, "{state}");
    }
}
