//! `models/access.yaml`.

use expect_test::expect;
use hansang_core::Model;

use super::{accepts, describe};

fn model() -> Model {
    super::model("access")
}

#[test]
fn table() {
    expect![[r#"
        HansangAccess (PK, SK)
        GSI1 (GSI1PK, GSI1SK) All
        GSI2 (GSI2PK, GSI2SK) All
        ttl ttl on
        streams off, recovery on
    "#]]
    .assert_eq(&describe::table(&model().table));
}

#[test]
fn accounts() {
    expect![[r#"
        Administration = ACCESS / ADMINISTRATION
          administrators: a whole number, at least 0
          createdAt: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
        SetUp = ACCESS / SET_UP
          secretHash: text, length 43 to 43
          ttl: a whole number, at least 0
          createdAt: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
        Account = ACCOUNT#{accountId} / ACCOUNT
          in GSI1 = ACCOUNTS / {login}
          accountId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, a new ULID
          login: text, like [a-z0-9][a-z0-9_.@+-]{0,127}, immutable
          name: text, length 1 to 80
          passwordHash: text, length 1 to 512
          grants: a map, each value one of viewer, editor, admin
          disabled: true or false, default false
          generation: a whole number, at least 0, default 0
          tokenGeneration?: a whole number, at least 0
          timeZone?: text, length 1 to 64
          createdAt: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
          version: a whole number, by the table (Version)
          unique login = login
    "#]]
    .assert_eq(&describe::entities(&model(), &["Administration", "SetUp", "Account"]));
}

#[test]
fn sessions_and_tokens() {
    expect![[r#"
        Session = SESSION#{secretHash} / SESSION
          in GSI1 = ACCOUNT#{accountId} / SESSION#{createdAt}#{sessionId}
          secretHash: text, length 43 to 43
          sessionId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, a new ULID
          accountId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, immutable
          generation: a whole number, at least 0
          csrf: text, length 43 to 43, immutable
          endsAt: a time such as 2025-11-14T03:00:00.123Z, immutable
          ttl: a whole number, at least 0
          createdAt: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
        Token = TOKEN#{secretHash} / TOKEN
          in GSI1 = ACCOUNT#{accountId} / TOKEN#{createdAt}#{tokenId}
          secretHash: text, length 43 to 43
          tokenId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, a new ULID
          accountId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, immutable
          generation?: a whole number, at least 0, immutable
          name: text, length 1 to 80
          grants: a map, each value one of viewer, editor, admin, immutable
          lastUsedOn?: text, like \d{4}-\d{2}-\d{2}
          ttl: a whole number, at least 0, immutable
          createdAt: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
          unique tokenId = tokenId
    "#]]
    .assert_eq(&describe::entities(&model(), &["Session", "Token"]));
}

#[test]
fn audit() {
    expect![[r#"
        AuditEntry = AUDIT#{day} / {at}#{entryId}
          in GSI1 = ACTOR#{actor} / {at}#{entryId}
          in GSI2 = SYSTEM#{system} / {at}#{entryId}
          day: text, like \d{4}-\d{2}-\d{2}
          at: a time such as 2025-11-14T03:00:00.123Z
          entryId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, a new ULID
          actor: text, length 1 to 1024, immutable
          actorName: text, length 1 to 256, immutable
          via: one of SESSION, TOKEN, OIDC, NOTHING, immutable
          viaId?: text, length 1 to 64, immutable
          system: text, like [a-z0-9][a-z0-9-]{0,63}, immutable
          operation: text, length 1 to 128, immutable
          subject?: text, length 1 to 1024, immutable
          keys?: a list, each element text, length 1 to 100
          detail?: text, length 1 to 1024
          address: text, length 1 to 64, immutable
          trace: text, length 1 to 128, immutable
          outcome: one of STARTED, DONE, REFUSED, FAILED, default "STARTED"
          code?: text, length 1 to 64
          endedAt?: a time such as 2025-11-14T03:00:00.123Z
          ttl: a whole number, at least 0, immutable
    "#]]
    .assert_eq(&describe::entities(&model(), &["AuditEntry"]));
}

/// No two logins may look alike, and each can be part of a key.
#[test]
fn logins() {
    let model = model();
    for good in ["k", "kim", "kim.minji+ops@example.com", "0_0", &"x".repeat(128)] {
        assert!(accepts(&model, "Account", "login", good), "{good}");
    }
    for bad in ["", "Kim", "김", "a b", "a#b", "-a", "@a", &"x".repeat(129)] {
        assert!(!accepts(&model, "Account", "login", bad), "{bad}");
    }
}
