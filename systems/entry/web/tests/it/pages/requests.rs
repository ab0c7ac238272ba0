//! The requests of an event, for operators.

use super::*;

#[tokio::test]
async fn requests_are_in_queue_order_and_paged_both_ways() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(2)).await;
    let list = "/console/entry/board/e1/requests";
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    has(&viewer.get(list).await, &["No entries"]);
    for number in 10..37 {
        hansang_entry::submit(server.verbs(), "e1", &format!("user{number}")).await.unwrap();
    }
    let first = viewer.get(list).await;
    in_order(&first, &["user10", "Waiting", "user11", "user34", "rel=\"next\""]);
    lacks(&first, &["user35", "rel=\"prev\""]);
    let (_, rest) = first.text.split_once("rel=\"next\" href=\"").unwrap();
    let second = viewer.get(rest.split('"').next().unwrap()).await;
    in_order(&second, &["user35", "user36", "rel=\"prev\""]);
    server.decided("e1").await;
    in_order(&viewer.get(list).await, &["user10", "Confirmed", "user12", "Not selected", "No places left"]);
    assert_eq!(viewer.get("/console/entry/board/none/requests").await.status, 404);
}

#[tokio::test]
async fn a_request_shows_its_log_and_a_failed_one_is_redriven() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(2)).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let request = editor.enter("e1").await;
    let address = format!("/console/entry/operator/requests/{request}");
    let page = editor.get(&address).await;
    // Users are shown with the names of their accounts.
    in_order(
        &page,
        &[
            &request,
            "<dd>editor</dd>",
            "User ID",
            "History",
            "<strong>Received</strong>",
            "<strong>Received → Waiting</strong>",
        ],
    );
    lacks(&page, &["/redrive"]);
    let too_early = editor.post(&format!("{address}/redrive"), &[]).await;
    assert_eq!(too_early.status, 409);
    has(&too_early, &["This request is waiting: only failed requests can be sent again"]);
    server.failed(&request).await;
    let failed = editor.get(&address).await;
    has(
        &failed,
        &[
            "Processing failed.",
            "Processing failed",
            "NON_RETRYABLE",
            "It could not be decided",
            "Send again",
        ],
    );
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    let seen = viewer.get(&address).await;
    has(&seen, &["처리에 실패했습니다.", "접수 → 대기 중"]);
    lacks(&seen, &["/redrive"]);
    let sent = editor.post(&format!("{address}/redrive"), &[]).await;
    assert_eq!((sent.status, sent.header("location")), (303, &*format!("{address}?done=sent-again")));
    in_order(&editor.get(&address).await, &["Waiting", "Failed → Waiting", "An operator sent it again"]);
    let none = editor.get("/console/entry/operator/requests/01JCD0000000000000000000AB").await;
    assert_eq!(none.status, 404);
}

#[tokio::test]
async fn winners_are_filtered_and_downloaded() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(2)).await;
    for name in ["ann", "=cmd", "eve"] {
        hansang_entry::submit(server.verbs(), "e1", name).await.unwrap();
    }
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let list = "/console/entry/board/e1/requests";
    has(&viewer.get(&format!("{list}?status=SUCCEEDED")).await, &["Winners", "No entries"]);
    server.decided("e1").await;
    let winners = viewer.get(&format!("{list}?status=SUCCEEDED")).await;
    in_order(
        &winners,
        &["/e1/download?status=SUCCEEDED", "aria-current=\"true\">Confirmed</a>", "ann", "=cmd"],
    );
    lacks(&winners, &["eve"]);
    lacks(&viewer.get(&format!("{list}?status=REJECTED")).await, &["ann"]);
    let file = viewer.get("/console/entry/board/e1/download?status=SUCCEEDED").await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"e1-winners.csv\"");
    let lines: Vec<&str> = file.text.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].ends_with("requestId,user,userId,status,resultCode,requestedAt,queuedAt,finishedAt"));
    assert!(lines[1].contains(",ann,ann,SUCCEEDED,SUCCESS,2026-11-16T"), "{lines:?}");
    assert!(lines[2].contains(",'=cmd,'=cmd,"), "formulas are escaped: {lines:?}");
    let all = viewer.get("/console/entry/board/e1/download").await;
    assert_eq!(all.text.lines().count(), 4);
    assert_eq!(viewer.get("/console/entry/board/none/download").await.status, 404);
}
