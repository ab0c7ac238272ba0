//! Dead letters.

use hansang_core::queue::Message;

use super::*;

impl Server {
    /// Buries a message, as a worker does.
    async fn buried(&self, body: &str, reason: &str) {
        let queue = &self.verbs().queue;
        queue.send(vec![Message::new(body)]).await.pop().unwrap().unwrap();
        let received = queue.receive(100, Duration::ZERO, MINUTE).await.unwrap();
        let delivery = received.iter().find(|one| one.body == body).unwrap();
        queue.bury(delivery, reason).await.unwrap();
    }
}

#[tokio::test]
async fn dead_letters_say_why_and_are_sent_again() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(1)).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    has(&editor.get(LETTERS).await, &["No dead letters", "All messages were processed."]);
    let request = editor.enter("e1").await;
    server.failed(&request).await;
    let note = format!("{{\"requestId\":\"{request}\",\"eventId\":\"e1\"}}");
    server.buried("<b>not JSON</b>", "it cannot be read").await;
    server.buried(&note, "undecided").await;
    let page = editor.get(LETTERS).await;
    in_order(
        &page,
        &[
            "It cannot be read",
            "&#60;b&#62;not JSON",
            "It could not be decided",
            "/console/entry/operator/requests/",
            "Failed",
        ],
    );
    let id = page.text.split("name=\"row\" value=\"").nth(2).unwrap().split('"').next().unwrap().to_owned();

    let none = editor.post("/console/entry/dead-letters/redrive", &[("do", "chosen"), ("shown", &id)]).await;
    assert_eq!(none.status, 400);
    has(&none, &["role=\"alert\"", "Select at least one message"]);
    let one = editor.post("/console/entry/dead-letters/redrive", &[("do", "chosen"), ("row", &id)]).await;
    assert_eq!(
        (one.status, one.header("location")),
        (303, "/console/entry/dead-letters?sent=1"),
        "{}",
        one.text
    );
    let left = editor.get(one.header("location")).await;
    has(&left, &["1 message sent again.", "It cannot be read"]);
    lacks(&left, &["It could not be decided"]);
    has(&editor.get(&format!("/console/entry/operator/requests/{request}")).await, &["Failed → Waiting"]);

    let rest = left.text.split("name=\"shown\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let all = editor.post("/console/entry/dead-letters/redrive", &[("do", "all"), ("shown", rest)]).await;
    assert_eq!(all.header("location"), "/console/entry/dead-letters?sent=1");
    has(&editor.get(LETTERS).await, &["No dead letters"]);
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    has(
        &korean.get(&format!("{LETTERS}?sent=2")).await,
        &["메시지 2개를 다시 보냈습니다.", "처리 실패 메시지가 없습니다"],
    );
}
