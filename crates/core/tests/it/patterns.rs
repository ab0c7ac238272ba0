//! Every access pattern of the five systems and of access control, as the DynamoDB request it becomes.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use hansang_core::read::{self, ReadOptions};
use hansang_core::{Model, request};
use serde_json::{Value as Json, json};

use crate::{fields, file, model};

/// Plans every pattern of a model, each with its example arguments, and shows the requests.
fn check(name: &str, examples: &[(&str, Json)], expect: Expect) {
    let model = model(&file(&format!("models/{name}.yaml")));
    let shown: String =
        examples.iter().map(|(pattern, arguments)| show(&model, pattern, arguments)).collect();
    expect.assert_eq(&shown);
    let covered: Vec<&str> = examples.iter().map(|(pattern, _)| *pattern).collect();
    let missing: Vec<&str> =
        model.patterns.iter().map(|pattern| &*pattern.name).filter(|name| !covered.contains(name)).collect();
    assert!(missing.is_empty(), "add an example for {missing:?}");
}

fn show(model: &Model, name: &str, arguments: &Json) -> String {
    let pattern = model.pattern(name).unwrap_or_else(|| panic!("no pattern {name}"));
    let arguments = read::arguments(pattern, fields(arguments.clone())).unwrap();
    let plan = read::plan(model, pattern, &arguments, &ReadOptions::default()).unwrap();
    let mut text = format!("{name}\n");
    for step in &plan.steps {
        let request = request::of_step(&model.table, "T", step);
        let body = request.body.as_object().unwrap();
        let _ = write!(text, "  {}", request.operation);
        for (field, value) in body.iter().filter(|(field, _)| *field != "TableName") {
            let _ = write!(text, "  {field} {}", plain(value));
        }
        text.push('\n');
    }
    text
}

/// A value without its type and without quotes, so that a request fits on a line.
fn plain(json: &Json) -> String {
    match json {
        Json::Object(map) if map.len() == 1 && (map.contains_key("S") || map.contains_key("N")) => {
            map.values().map(plain).collect()
        }
        Json::Object(map) => {
            let members: Vec<String> =
                map.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
            format!("{{{}}}", members.join(" "))
        }
        Json::String(text) => text.replace('\u{10FFFF}', "<last>"),
        other => other.to_string(),
    }
}

/// C16, C17, C19, C20, C21, C22, C23, C24, Cs1: document 000, 3.2 and 4.2.
#[test]
fn content() {
    check(
        "content",
        &[
            ("user", json!({"id": "u001"})),
            ("category", json!({"id": "c001"})),
            ("postsInCategory", json!({"categoryId": "c001"})),
            ("post", json!({"categoryId": "c001", "id": "p001"})),
            ("banners", json!({})),
            ("corpInfo", json!({})),
            ("users", json!({})),
            ("categories", json!({})),
            ("categoryBySlug", json!({"slug": "news"})),
            ("postById", json!({"id": "p001"})),
            ("posts", json!({"from": "2025-11-01T00:00:00Z"})),
            ("banner", json!({"id": "bn001"})),
            ("mailsOfInquiry", json!({"inquiryId": "inq001"})),
            ("outbox", json!({})),
            ("draft", json!({"id": "p001"})),
            ("postVersions", json!({"id": "p001"})),
            ("livePosts", json!({"scope": "ALL", "to": "2025-11-30T00:00:00Z"})),
            ("postSlug", json!({"slug": "회사-소식"})),
            ("contactInquiry", json!({"id": "inq001"})),
            ("contactInquiries", json!({"to": "2025-11-30T00:00:00Z"})),
            ("inquiryPurges", json!({"to": "2025-11-30T00:00:00Z"})),
            ("replyTemplates", json!({})),
            ("webhooks", json!({})),
            ("webhookDeliveries", json!({"webhookId": "w001"})),
            ("oldDeliveries", json!({"to": "2025-11-30T00:00:00Z"})),
            ("media", json!({"id": "m001"})),
            ("allMedia", json!({})),
            ("mediaUses", json!({"mediaId": "m001"})),
            ("postEnds", json!({"to": "2025-11-30T00:00:00Z"})),
            ("postChanges", json!({"from": "2025-11-30T00:00:00Z"})),
            ("previews", json!({"id": "p001"})),
            ("postEditors", json!({"id": "p001"})),
            ("migrations", json!({})),
            ("migrationFindings", json!({"migrationId": "01JD3Q0V8B5X9K2M4N6P7R8S9T"})),
            ("migratedItems", json!({})),
        ],
        expect![[r#"
            user
              GetItem  Key {PK=USER#u001 SK=METADATA}
            category
              GetItem  Key {PK=CATEGORY#c001 SK=METADATA}
            postsInCategory
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=CATEGORY#c001 :prefix=POST#}  ScanIndexForward true  Limit 50
            post
              GetItem  Key {PK=CATEGORY#c001 SK=POST#p001}
            banners
              Query  IndexName Type_CreatedAt  KeyConditionExpression #Type = :pk  ExpressionAttributeNames {#Type=Type}  ExpressionAttributeValues {:pk=Banner}  ScanIndexForward false  Limit 50
            corpInfo
              GetItem  Key {PK=CORP#INFO SK=METADATA}
            users
              Query  IndexName Type_CreatedAt  KeyConditionExpression #Type = :pk  ExpressionAttributeNames {#Type=Type}  ExpressionAttributeValues {:pk=User}  ScanIndexForward false  Limit 50
            categories
              Query  IndexName Type_CreatedAt  KeyConditionExpression #Type = :pk  ExpressionAttributeNames {#Type=Type}  ExpressionAttributeValues {:pk=Category}  ScanIndexForward false  Limit 50
            categoryBySlug
              GetItem  Key {PK=UNIQUE#Category#slug#news SK=UNIQUE}
            postById
              GetItem  Key {PK=UNIQUE#Post#id#p001 SK=UNIQUE}
            posts
              Query  IndexName Type_CreatedAt  KeyConditionExpression #Type = :pk AND #CreatedAt >= :from  ExpressionAttributeNames {#CreatedAt=CreatedAt #Type=Type}  ExpressionAttributeValues {:from=2025-11-01T00:00:00Z :pk=Post}  ScanIndexForward false  Limit 50
            banner
              GetItem  Key {PK=BANNER#bn001 SK=METADATA}
            mailsOfInquiry
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=CONTACT#inq001 :prefix=MAIL#}  ScanIndexForward true  Limit 100  ConsistentRead true
            outbox
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=OUTBOX}  ScanIndexForward true  Limit 100  ConsistentRead true
            draft
              GetItem  Key {PK=POST#p001 SK=DRAFT}  ConsistentRead true
            postVersions
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=POST#p001 :prefix=VERSION#}  ScanIndexForward false  Limit 50  ConsistentRead true
            livePosts
              Query  KeyConditionExpression #PK = :pk AND #SK <= :to  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=LIVE#ALL :to=2025-11-30T00:00:00Z#<last>}  ScanIndexForward false  Limit 50
            postSlug
              GetItem  Key {PK=SLUG#회사-소식 SK=POST}  ConsistentRead true
            contactInquiry
              GetItem  Key {PK=CONTACT#inq001 SK=METADATA}
            contactInquiries
              Query  IndexName Type_CreatedAt  KeyConditionExpression #Type = :pk AND #CreatedAt <= :to  ExpressionAttributeNames {#CreatedAt=CreatedAt #Type=Type}  ExpressionAttributeValues {:pk=ContactInquiry :to=2025-11-30T00:00:00Z}  ScanIndexForward false  Limit 50
            inquiryPurges
              Query  KeyConditionExpression #PK = :pk AND #SK <= :to  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=PURGES :to=2025-11-30T00:00:00Z#<last>}  ScanIndexForward true  Limit 100  ConsistentRead true
            replyTemplates
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=REPLIES}  ScanIndexForward true  Limit 100  ConsistentRead true
            webhooks
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=WEBHOOKS}  ScanIndexForward true  Limit 100  ConsistentRead true
            webhookDeliveries
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=WEBHOOK#w001 :prefix=DELIVERY#}  ScanIndexForward false  Limit 50  ConsistentRead true
            oldDeliveries
              Query  IndexName Type_CreatedAt  KeyConditionExpression #Type = :pk AND #CreatedAt <= :to  ExpressionAttributeNames {#CreatedAt=CreatedAt #Type=Type}  ExpressionAttributeValues {:pk=WebhookDelivery :to=2025-11-30T00:00:00Z}  ScanIndexForward true  Limit 100
            media
              GetItem  Key {PK=MEDIA#m001 SK=METADATA}
            allMedia
              Query  IndexName Type_CreatedAt  KeyConditionExpression #Type = :pk  ExpressionAttributeNames {#Type=Type}  ExpressionAttributeValues {:pk=Media}  ScanIndexForward false  Limit 50
            mediaUses
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=MEDIA#m001 :prefix=USE#}  ScanIndexForward true  Limit 100  ConsistentRead true
            postEnds
              Query  KeyConditionExpression #PK = :pk AND #SK <= :to  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=ENDS :to=2025-11-30T00:00:00Z#<last>}  ScanIndexForward true  Limit 50  ConsistentRead true
            postChanges
              Query  KeyConditionExpression #PK = :pk AND #SK >= :from  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:from=2025-11-30T00:00:00Z :pk=CHANGES}  ScanIndexForward true  Limit 100  ConsistentRead true
            previews
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=POST#p001 :prefix=PREVIEW#}  ScanIndexForward true  Limit 100  ConsistentRead true
            postEditors
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=POST#p001 :prefix=EDITOR#}  ScanIndexForward true  Limit 100  ConsistentRead true
            migrations
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=MIGRATION}  ScanIndexForward false  Limit 50  ConsistentRead true
            migrationFindings
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=MIGRATION#01JD3Q0V8B5X9K2M4N6P7R8S9T :prefix=FINDINGS#}  ScanIndexForward true  Limit 100  ConsistentRead true
            migratedItems
              Query  IndexName Type_CreatedAt  KeyConditionExpression #Type = :pk  ExpressionAttributeNames {#Type=Type}  ExpressionAttributeValues {:pk=MigratedItem}  ScanIndexForward true  Limit 500
        "#]],
    );
}

/// L17, L18, L19, L20, L21, L22, L23, L29, Ls3: document 001, query patterns 1 to 6.
#[test]
fn ledger() {
    check(
        "ledger",
        &[
            ("codeList", json!({"codeType": "NAME"})),
            ("accountCodes", json!({})),
            ("monthIncome", json!({"yearMonth": "2025.01"})),
            ("monthExpenses", json!({"yearMonth": "2025.01"})),
            ("monthSavings", json!({"yearMonth": "2025.01"})),
            ("dashboard", json!({"yearMonth": "2025.01"})),
            ("period", json!({"from": "2025.01", "to": "2025.12"})),
            ("codeLists", json!({})),
            ("income", json!({"yearMonth": "2025.01", "name": "배우자1", "incomeType": "월급"})),
            ("fixedExpense", json!({"yearMonth": "2025.01", "expenseType": "대출"})),
            ("livingExpense", json!({"yearMonth": "2025.01", "category": "식비"})),
            ("savings", json!({"yearMonth": "2025.01", "accountName": "적금1"})),
            ("investment", json!({"yearMonth": "2025.01", "accountName": "주식"})),
            (
                "shortSavings",
                json!({"yearMonth": "2025.01", "accountName": "운동", "transactionType": "적립"}),
            ),
            ("monthShortSavings", json!({"yearMonth": "2025.01"})),
            ("monthEntries", json!({"yearMonth": "2025.01"})),
            ("monthlySummary", json!({"yearMonth": "2025.01"})),
            ("accumulatedAssets", json!({"yearMonth": "2025.01"})),
            ("periodSummaries", json!({"from": "2025.12", "to": "2026.01"})),
            ("periodBalances", json!({"from": "2025.12", "to": "2026.01"})),
            ("lines", json!({"month": "2025.01"})),
            (
                "linesOfEntry",
                json!({"month": "2025.01", "kind": "LIVING_EXPENSE", "name": "식비", "detail": "-"}),
            ),
            ("changes", json!({})),
            ("rules", json!({})),
            ("budgets", json!({})),
            ("goals", json!({})),
            ("imports", json!({})),
            ("stagedRows", json!({"importId": "01JGFJJZ000000000000000000"})),
            ("profiles", json!({})),
            ("merchants", json!({})),
            ("uploads", json!({})),
            ("stagings", json!({})),
        ],
        expect![[r#"
            codeList
              GetItem  Key {PK=CODE#NAME SK=METADATA}
            accountCodes
              GetItem  Key {PK=CODE#ACCOUNT_TYPE SK=METADATA}
            monthIncome
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=INCOME#2025.01}  ScanIndexForward true  Limit 50
            monthExpenses
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=FIXED_EXPENSE#2025.01}  ScanIndexForward true  Limit 50
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LIVING_EXPENSE#2025.01}  ScanIndexForward true  Limit 50
            monthSavings
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=SAVINGS#2025.01}  ScanIndexForward true  Limit 50
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=INVESTMENT#2025.01}  ScanIndexForward true  Limit 50
            dashboard
              GetItem  Key {PK=MONTHLY_SUMMARY#2025.01 SK=TOTALS}
              GetItem  Key {PK=ACCUMULATED_ASSETS#2025.01 SK=BALANCES}
            period
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.01}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.02}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.03}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.04}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.05}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.06}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.07}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.08}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.09}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.10}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.11}  ScanIndexForward true  Limit 50
              Query  IndexName yearMonth-PK-index  KeyConditionExpression #yearMonth = :pk  ExpressionAttributeNames {#yearMonth=yearMonth}  ExpressionAttributeValues {:pk=2025.12}  ScanIndexForward true  Limit 50
            codeLists
              GetItem  Key {PK=CODE#YEAR_MONTH SK=METADATA}
              GetItem  Key {PK=CODE#NAME SK=METADATA}
              GetItem  Key {PK=CODE#INCOME_TYPE SK=METADATA}
              GetItem  Key {PK=CODE#FIXED_EXPENSE_TYPE SK=METADATA}
              GetItem  Key {PK=CODE#LIVING_EXPENSE_CATEGORY SK=METADATA}
            income
              GetItem  Key {PK=INCOME#2025.01 SK=배우자1#월급}
            fixedExpense
              GetItem  Key {PK=FIXED_EXPENSE#2025.01 SK=대출}
            livingExpense
              GetItem  Key {PK=LIVING_EXPENSE#2025.01 SK=식비}
            savings
              GetItem  Key {PK=SAVINGS#2025.01 SK=적금1}
            investment
              GetItem  Key {PK=INVESTMENT#2025.01 SK=주식}
            shortSavings
              GetItem  Key {PK=SHORT_SAVINGS#2025.01 SK=운동#적립}
            monthShortSavings
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=SHORT_SAVINGS#2025.01}  ScanIndexForward true  Limit 50
            monthEntries
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=INCOME#2025.01}  ScanIndexForward true  Limit 50  ConsistentRead true
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=FIXED_EXPENSE#2025.01}  ScanIndexForward true  Limit 50  ConsistentRead true
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LIVING_EXPENSE#2025.01}  ScanIndexForward true  Limit 50  ConsistentRead true
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=SAVINGS#2025.01}  ScanIndexForward true  Limit 50  ConsistentRead true
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=INVESTMENT#2025.01}  ScanIndexForward true  Limit 50  ConsistentRead true
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=SHORT_SAVINGS#2025.01}  ScanIndexForward true  Limit 50  ConsistentRead true
            monthlySummary
              GetItem  Key {PK=MONTHLY_SUMMARY#2025.01 SK=TOTALS}
            accumulatedAssets
              GetItem  Key {PK=ACCUMULATED_ASSETS#2025.01 SK=BALANCES}
            periodSummaries
              GetItem  Key {PK=MONTHLY_SUMMARY#2025.12 SK=TOTALS}
              GetItem  Key {PK=MONTHLY_SUMMARY#2026.01 SK=TOTALS}
            periodBalances
              GetItem  Key {PK=ACCUMULATED_ASSETS#2025.12 SK=BALANCES}
              GetItem  Key {PK=ACCUMULATED_ASSETS#2026.01 SK=BALANCES}
            lines
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LINES#2025.01}  ScanIndexForward true  Limit 1000  ConsistentRead true
            linesOfEntry
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=LINES#2025.01 :prefix=LIVING_EXPENSE#식비#-#}  ScanIndexForward true  Limit 1000  ConsistentRead true
            changes
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#HISTORY}  ScanIndexForward false  Limit 50  ConsistentRead true
            rules
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#RULES}  ScanIndexForward true  Limit 1000  ConsistentRead true
            budgets
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#BUDGETS}  ScanIndexForward true  Limit 1000  ConsistentRead true
            goals
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#GOALS}  ScanIndexForward true  Limit 1000  ConsistentRead true
            imports
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#IMPORTS}  ScanIndexForward false  Limit 50  ConsistentRead true
            stagedRows
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#STAGED#01JGFJJZ000000000000000000}  ScanIndexForward true  Limit 10  ConsistentRead true
            profiles
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#PROFILES}  ScanIndexForward true  Limit 1000
            merchants
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#MERCHANTS}  ScanIndexForward true  Limit 1000
            uploads
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#UPLOADS}  ScanIndexForward true  Limit 1000  ConsistentRead true
            stagings
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=LEDGER#STAGINGS}  ScanIndexForward true  Limit 1000  ConsistentRead true
        "#]],
    );
}

/// E3, E12, E13, E14, E19, E24: document 002, 5 to 9.
#[test]
fn entry() {
    let request = "01JD3Q0V8B5X9K2M4N6P7R8S9T";
    check(
        "entry",
        &[
            ("request", json!({"requestId": request})),
            ("requestsOfUser", json!({"userId": "u1"})),
            ("requestsOfEvent", json!({"eventId": "e1"})),
            ("lock", json!({"eventId": "e1", "userId": "u1"})),
            ("capacity", json!({"eventId": "e1"})),
            ("requestLog", json!({"requestId": request})),
            ("requestWithLog", json!({"requestId": request})),
            ("event", json!({"eventId": "e1"})),
            ("lease", json!({"eventId": "e1"})),
            ("sweepLease", json!({})),
            ("events", json!({})),
            ("draw", json!({"eventId": "e1"})),
            ("drawEntries", json!({"eventId": "e1"})),
            ("drawSeed", json!({"eventId": "e1"})),
            ("unsent", json!({"shard": 7, "to": "2026-03-01T09:00:00.000Z"})),
        ],
        expect![[r#"
            request
              GetItem  Key {PK=REQ#01JD3Q0V8B5X9K2M4N6P7R8S9T SK=META}
            requestsOfUser
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk AND begins_with(#GSI1SK, :prefix)  ExpressionAttributeNames {#GSI1PK=GSI1PK #GSI1SK=GSI1SK}  ExpressionAttributeValues {:pk=USER#u1 :prefix=QAT#}  ScanIndexForward false  Limit 50
            requestsOfEvent
              Query  IndexName GSI2  KeyConditionExpression #GSI2PK = :pk AND begins_with(#GSI2SK, :prefix)  ExpressionAttributeNames {#GSI2PK=GSI2PK #GSI2SK=GSI2SK}  ExpressionAttributeValues {:pk=EVENT#e1 :prefix=QAT#}  ScanIndexForward true  Limit 50
            lock
              GetItem  Key {PK=IDEMP#e1#u1 SK=LOCK}
            capacity
              GetItem  Key {PK=EVENT#e1 SK=CAPACITY}
            requestLog
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=REQ#01JD3Q0V8B5X9K2M4N6P7R8S9T :prefix=LOG#}  ScanIndexForward true  Limit 50
            requestWithLog
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=REQ#01JD3Q0V8B5X9K2M4N6P7R8S9T}  ScanIndexForward false  Limit 50
            event
              GetItem  Key {PK=EVENT#e1 SK=CONFIG}
            lease
              GetItem  Key {PK=EVENT#e1 SK=LEASE}  ConsistentRead true
            sweepLease
              GetItem  Key {PK=SWEEP SK=LEASE}  ConsistentRead true
            events
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=EVENTS :prefix=EVENT#}  ScanIndexForward true  Limit 50
            draw
              GetItem  Key {PK=EVENT#e1 SK=DRAW}  ConsistentRead true
            drawEntries
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=EVENT#e1 :prefix=DRAW#}  ScanIndexForward true  Limit 50  ConsistentRead true
            drawSeed
              GetItem  Key {PK=EVENT#e1 SK=SEED}  ConsistentRead true
            unsent
              Query  KeyConditionExpression #PK = :pk AND #SK BETWEEN :from AND :to  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:from=AT# :pk=UNSENT#07 :to=AT#2026-03-01T09:00:00.000Z#<last>}  ScanIndexForward true  Limit 50  ConsistentRead true
        "#]],
    );
}

/// D3, D4, D6, D7, D9, D10, D12, D13, D15, D16, D17, Ds1, Ds2: document 003, query patterns.
#[test]
fn documents() {
    check(
        "documents",
        &[
            ("project", json!({"project_id": "p1"})),
            ("projects", json!({})),
            ("document", json!({"project_id": "p1", "document_id": "d1"})),
            ("documentsOfProject", json!({"project_id": "p1"})),
            ("workflow", json!({"document_id": "d1", "workflow_id": "w1"})),
            ("workflowsOfDocument", json!({"document_id": "d1"})),
            ("segment", json!({"workflow_id": "w1", "segment_index": 2})),
            ("segmentsOfWorkflow", json!({"workflow_id": "w1"})),
            ("artifact", json!({"artifact_id": "a1"})),
            ("artifactsOfUser", json!({"user_id": "u1"})),
            ("artifactsOfUserInProject", json!({"user_id": "u1", "project_id": "p1"})),
            ("session", json!({"user_id": "u1", "project_id": "p1", "session_id": "s1"})),
            ("sessionsOfUserInProject", json!({"user_id": "u1", "project_id": "p1"})),
            ("agent", json!({"user_id": "u1", "project_id": "p1", "agent_id": "g1"})),
            ("agentsOfUserInProject", json!({"user_id": "u1", "project_id": "p1"})),
            ("documentsById", json!({"project_id": "p1"})),
            ("documentsOfHash", json!({"project_id": "p1", "sha256": "0".repeat(64)})),
            ("fileVersion", json!({"document_id": "d1", "file_version": 2})),
            ("versionsOfDocument", json!({"document_id": "d1"})),
            ("uploads", json!({"to": "2026-01-01T00:00:00.000Z"})),
            ("step", json!({"workflow_id": "w1", "name": "ocr"})),
            ("stepsOfWorkflow", json!({"workflow_id": "w1"})),
            ("dueSteps", json!({"name": "ocr", "to": "2026-01-01T00:00:00.000Z"})),
            ("artifactsOfProject", json!({"project_id": "p1"})),
            ("artifactsOfDocument", json!({"document_id": "d1"})),
            ("messagesOfSession", json!({"session_id": "s1"})),
            ("membersOfProject", json!({"project_id": "p1"})),
            ("partsOfProject", json!({"project_id": "p1"})),
            ("partsOfDocument", json!({"document_id": "d1"})),
            ("partsOfWorkflow", json!({"workflow_id": "w1"})),
            ("partsOfUserInProject", json!({"user_id": "u1", "project_id": "p1"})),
            ("deletions", json!({"to": "2026-01-01T00:00:00.000Z"})),
        ],
        expect![[r#"
            project
              GetItem  Key {PK=PROJ#p1 SK=META}
            projects
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk  ExpressionAttributeNames {#GSI1PK=GSI1PK}  ExpressionAttributeValues {:pk=PROJECTS}  ScanIndexForward false  Limit 50
            document
              GetItem  Key {PK=PROJ#p1 SK=DOC#d1}
            documentsOfProject
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk  ExpressionAttributeNames {#GSI1PK=GSI1PK}  ExpressionAttributeValues {:pk=PROJ#p1#DOC}  ScanIndexForward false  Limit 50
            workflow
              GetItem  Key {PK=DOC#d1 SK=WF#w1}
            workflowsOfDocument
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=DOC#d1 :prefix=WF#}  ScanIndexForward false  Limit 50
            segment
              GetItem  Key {PK=WF#w1 SK=SEG#000002}
            segmentsOfWorkflow
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=WF#w1 :prefix=SEG#}  ScanIndexForward true  Limit 50
            artifact
              GetItem  Key {PK=ART#a1 SK=META}
            artifactsOfUser
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk  ExpressionAttributeNames {#GSI1PK=GSI1PK}  ExpressionAttributeValues {:pk=USR#u1#ART}  ScanIndexForward false  Limit 50
            artifactsOfUserInProject
              Query  IndexName GSI2  KeyConditionExpression #GSI2PK = :pk  ExpressionAttributeNames {#GSI2PK=GSI2PK}  ExpressionAttributeValues {:pk=USR#u1#PROJ#p1#ART}  ScanIndexForward false  Limit 50
            session
              GetItem  Key {PK=USR#u1#PROJ#p1 SK=SESS#s1}
            sessionsOfUserInProject
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=USR#u1#PROJ#p1 :prefix=SESS#}  ScanIndexForward false  Limit 50
            agent
              GetItem  Key {PK=USR#u1#PROJ#p1 SK=AGENT#g1}
            agentsOfUserInProject
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=USR#u1#PROJ#p1 :prefix=AGENT#}  ScanIndexForward false  Limit 50
            documentsById
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=PROJ#p1 :prefix=DOC#}  ScanIndexForward true  Limit 50  ConsistentRead true
            documentsOfHash
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=PROJ#p1 :prefix=HASH#0000000000000000000000000000000000000000000000000000000000000000#}  ScanIndexForward true  Limit 50  ConsistentRead true
            fileVersion
              GetItem  Key {PK=DOC#d1 SK=VER#000002}
            versionsOfDocument
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=DOC#d1 :prefix=VER#}  ScanIndexForward false  Limit 50  ConsistentRead true
            uploads
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk AND #GSI1SK <= :to  ExpressionAttributeNames {#GSI1PK=GSI1PK #GSI1SK=GSI1SK}  ExpressionAttributeValues {:pk=UPLOADS :to=2026-01-01T00:00:00.000Z#<last>}  ScanIndexForward true  Limit 50
            step
              GetItem  Key {PK=WF#w1 SK=STEP#ocr}
            stepsOfWorkflow
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=WF#w1 :prefix=STEP#}  ScanIndexForward true  Limit 50  ConsistentRead true
            dueSteps
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk AND #GSI1SK <= :to  ExpressionAttributeNames {#GSI1PK=GSI1PK #GSI1SK=GSI1SK}  ExpressionAttributeValues {:pk=STEPS#ocr :to=2026-01-01T00:00:00.000Z#<last>}  ScanIndexForward true  Limit 50
            artifactsOfProject
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=PROJ#p1 :prefix=ART#}  ScanIndexForward false  Limit 50  ConsistentRead true
            artifactsOfDocument
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=DOC#d1 :prefix=ART#}  ScanIndexForward false  Limit 50  ConsistentRead true
            messagesOfSession
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=SESS#s1 :prefix=MSG#}  ScanIndexForward true  Limit 50  ConsistentRead true
            membersOfProject
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=PROJ#p1 :prefix=MEMBER#}  ScanIndexForward true  Limit 50  ConsistentRead true
            partsOfProject
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=PROJ#p1}  ScanIndexForward true  Limit 50  ConsistentRead true
            partsOfDocument
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=DOC#d1}  ScanIndexForward true  Limit 50  ConsistentRead true
            partsOfWorkflow
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=WF#w1}  ScanIndexForward true  Limit 50  ConsistentRead true
            partsOfUserInProject
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=USR#u1#PROJ#p1}  ScanIndexForward true  Limit 50  ConsistentRead true
            deletions
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk AND #GSI1SK <= :to  ExpressionAttributeNames {#GSI1PK=GSI1PK #GSI1SK=GSI1SK}  ExpressionAttributeValues {:pk=DELETIONS :to=2026-01-01T00:00:00.000Z#<last>}  ScanIndexForward true  Limit 50
        "#]],
    );
}

/// R6, R8: document 004, 2-1 to 2-3.
#[test]
fn contracts() {
    check(
        "contracts",
        &[
            ("contract", json!({"kind": "CHANGESET", "id": "changeset.v1", "version": "1.0.0"})),
            ("versions", json!({"kind": "CHANGESET", "id": "changeset.v1"})),
            ("contractsOfKind", json!({"kind": "CHANGESET", "status": "ACTIVE"})),
            ("allOfKind", json!({"kind": "CHANGESET"})),
            ("kinds", json!({})),
            ("rulesOfContracts", json!({})),
            ("changes", json!({"ofKind": "CHANGESET", "ofId": "changeset.v1", "ofVersion": "1.0.0"})),
            ("referrers", json!({"toKind": "CHANGESET", "toId": "changeset.v1"})),
        ],
        expect![[r#"
            contract
              GetItem  Key {PK=CHANGESET#changeset.v1 SK=1.0.0}
            versions
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=CHANGESET#changeset.v1}  ScanIndexForward true  Limit 50
            contractsOfKind
              Query  IndexName kind-status-index  KeyConditionExpression #kind = :pk AND #status = :sk  ExpressionAttributeNames {#kind=kind #status=status}  ExpressionAttributeValues {:pk=CHANGESET :sk=ACTIVE}  ScanIndexForward true  Limit 50
            allOfKind
              Query  IndexName kind-status-index  KeyConditionExpression #kind = :pk  ExpressionAttributeNames {#kind=kind}  ExpressionAttributeValues {:pk=CHANGESET}  ScanIndexForward true  Limit 50
            kinds
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=KINDS}  ScanIndexForward true  Limit 50
            rulesOfContracts
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=RULES}  ScanIndexForward true  Limit 50
            changes
              Query  KeyConditionExpression #PK = :pk AND begins_with(#SK, :prefix)  ExpressionAttributeNames {#PK=PK #SK=SK}  ExpressionAttributeValues {:pk=CHANGES#CHANGESET#changeset.v1 :prefix=1.0.0#}  ScanIndexForward true  Limit 50
            referrers
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=REFERENCES#CHANGESET#changeset.v1}  ScanIndexForward true  Limit 50
        "#]],
    );
}

#[test]
fn access() {
    let id = "01MCC5RM009MENXXE4WJW16ANH";
    check(
        "access",
        &[
            ("administration", json!({})),
            ("cursorSecret", json!({})),
            ("setUp", json!({})),
            ("account", json!({"accountId": id})),
            ("accountByLogin", json!({"login": "kim"})),
            ("accounts", json!({})),
            ("session", json!({"secretHash": "h"})),
            ("sessionsOfAccount", json!({"accountId": id})),
            ("token", json!({"secretHash": "h"})),
            ("tokenById", json!({"tokenId": id})),
            ("tokensOfAccount", json!({"accountId": id})),
            ("auditOfDay", json!({"day": "2027-01-15"})),
            ("auditOfActor", json!({"actor": "anonymous"})),
            ("auditOfSystem", json!({"system": "ledger", "from": "2027-01-15T00:00:00.000Z"})),
        ],
        expect![[r#"
            administration
              GetItem  Key {PK=ACCESS SK=ADMINISTRATION}  ConsistentRead true
            cursorSecret
              GetItem  Key {PK=ACCESS SK=CURSOR_SECRET}  ConsistentRead true
            setUp
              GetItem  Key {PK=ACCESS SK=SET_UP}  ConsistentRead true
            account
              GetItem  Key {PK=ACCOUNT#01MCC5RM009MENXXE4WJW16ANH SK=ACCOUNT}  ConsistentRead true
            accountByLogin
              GetItem  Key {PK=UNIQUE#Account#login#kim SK=UNIQUE}
            accounts
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk  ExpressionAttributeNames {#GSI1PK=GSI1PK}  ExpressionAttributeValues {:pk=ACCOUNTS}  ScanIndexForward true  Limit 50
            session
              GetItem  Key {PK=SESSION#h SK=SESSION}  ConsistentRead true
            sessionsOfAccount
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk AND begins_with(#GSI1SK, :prefix)  ExpressionAttributeNames {#GSI1PK=GSI1PK #GSI1SK=GSI1SK}  ExpressionAttributeValues {:pk=ACCOUNT#01MCC5RM009MENXXE4WJW16ANH :prefix=SESSION#}  ScanIndexForward false  Limit 50
            token
              GetItem  Key {PK=TOKEN#h SK=TOKEN}  ConsistentRead true
            tokenById
              GetItem  Key {PK=UNIQUE#Token#tokenId#01MCC5RM009MENXXE4WJW16ANH SK=UNIQUE}
            tokensOfAccount
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk AND begins_with(#GSI1SK, :prefix)  ExpressionAttributeNames {#GSI1PK=GSI1PK #GSI1SK=GSI1SK}  ExpressionAttributeValues {:pk=ACCOUNT#01MCC5RM009MENXXE4WJW16ANH :prefix=TOKEN#}  ScanIndexForward false  Limit 50
            auditOfDay
              Query  KeyConditionExpression #PK = :pk  ExpressionAttributeNames {#PK=PK}  ExpressionAttributeValues {:pk=AUDIT#2027-01-15}  ScanIndexForward false  Limit 50
            auditOfActor
              Query  IndexName GSI1  KeyConditionExpression #GSI1PK = :pk  ExpressionAttributeNames {#GSI1PK=GSI1PK}  ExpressionAttributeValues {:pk=ACTOR#anonymous}  ScanIndexForward false  Limit 50
            auditOfSystem
              Query  IndexName GSI2  KeyConditionExpression #GSI2PK = :pk AND #GSI2SK >= :from  ExpressionAttributeNames {#GSI2PK=GSI2PK #GSI2SK=GSI2SK}  ExpressionAttributeValues {:from=2027-01-15T00:00:00.000Z :pk=SYSTEM#ledger}  ScanIndexForward false  Limit 50
        "#]],
    );
}
