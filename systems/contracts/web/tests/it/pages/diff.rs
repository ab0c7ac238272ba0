//! Two versions side by side.

use super::{LIST, Registers as _, change_set};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::{has, in_order, lacks};

#[tokio::test]
async fn two_versions_are_compared_and_judged() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.registered("CHANGESET", "c", "1.0.0", "ACTIVE", &change_set(1)).await;
    editor.registered("CHANGESET", "c", "1.0.1", "ACTIVE", &change_set(2)).await;
    let other = change_set(2).replace("#{id}", "#{id}#<b>");
    editor.registered("CHANGESET", "c", "1.1.0", "ACTIVE", &other).await;
    let base = format!("{LIST}/diff?kind=CHANGESET&id=c");

    let small = editor.get(&format!("{base}&from=1.0.0&to=1.0.1")).await;
    in_order(&small, &["<option selected>1.0.0</option>", "<option selected>1.0.1</option>"]);
    has(&small, &["1.0.1 is a valid version after 1.0.0."]);
    in_order(&small, &["Required bump", "patch", "Version bump", "patch", "Compatible"]);
    let path = "/payload/externalizationPolicy/thresholdBytes";
    in_order(&small, &["Differences", path, "class=\"was\">1</pre>", "class=\"now\">2</pre>"]);

    // Defaults to the newest two versions; the older one always comes first.
    for address in [base.clone(), format!("{base}&from=1.1.0&to=1.0.1")] {
        let page = editor.get(&address).await;
        has(&page, &["The changes since 1.0.1 require a major version; 1.1.0 is not one."]);
        in_order(&page, &["tag bad\">Breaking", "<code>identity.entityKeyFormat</code> was changed"]);
        lacks(&page, &["<b>\""]);
    }
    let same = editor.get(&format!("{base}&from=1.0.0&to=1.0.0")).await;
    has(&same, &["No changes.", "No difference"]);

    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    let page = korean.get(&format!("{base}&from=1.0.1&to=1.1.0")).await;
    has(
        &page,
        &["호환 안 됨", "<code>identity.entityKeyFormat</code>: 바뀌었습니다", "메이저 버전이 필요하므로"],
    );

    let gone = editor.get(&format!("{base}&from=1.0.0&to=3.0.0")).await;
    assert_eq!(gone.status, 404);
    has(&gone, &["There is no contract CHANGESET:c:3.0.0", "<select id=\"from\""]);
    assert_eq!(editor.get(&format!("{base}&from=old")).await.status, 400);
}
