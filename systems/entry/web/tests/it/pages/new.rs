//! New events.

use hansang_entry::{EventType, events};

use super::*;

const RIGHT: [(&str, &str); 8] = [
    ("title", "Spring <sale>"),
    ("eventId", "spring"),
    ("eventType", "FIRST_COME"),
    ("places", "1,000"),
    ("opensAt", "2026-11-17T09:00"),
    ("closesAt", "2026-11-17T18:00:30"),
    ("lotteryCutoffAt", ""),
    ("settleSeconds", "5"),
];

/// The form with other values in some fields.
fn with<'f>(changes: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let changed = |name: &str| changes.iter().find(|(changed, _)| *changed == name);
    RIGHT.iter().map(|(name, value)| *changed(name).unwrap_or(&(name, value))).collect()
}

#[tokio::test]
async fn events_of_both_kinds_are_made_by_the_form() {
    let server = Server::entry(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let form = editor.get(NEW).await;
    has(&form, &["New event", "type=\"datetime-local\"", "First come, first served", "Lottery"]);
    let made = editor.post(NEW, &RIGHT).await;
    assert_eq!(
        (made.status, made.header("location")),
        (303, "/console/entry/board/spring?done=created"),
        "{}",
        made.text
    );
    has(
        &editor.get(made.header("location")).await,
        &["Created.", "Spring &#60;sale&#62;", "1,000 places", "2026-11-17 18:00"],
    );
    let event = events::get(server.verbs(), "spring").await.unwrap();
    assert_eq!(
        (event.event_type, event.capacity, event.settle),
        (EventType::FirstCome, Some(1000), 5 * SECOND)
    );
    assert_eq!(event.opens_at.to_string(), "2026-11-17T09:00:00Z");

    // The id is generated if it is missing, the cut-off defaults to the closing time, and a zone is accepted.
    let lottery = [
        ("eventId", ""),
        ("eventType", "LOTTERY"),
        ("places", "3"),
        ("opensAt", "2026-11-17T18:00:00+09:00"),
    ];
    let made = editor.post(NEW, &with(&lottery)).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let id =
        made.header("location").strip_prefix("/console/entry/board/").unwrap().split('?').next().unwrap();
    let event = events::get(server.verbs(), id).await.unwrap();
    assert_eq!(
        (event.event_type, event.winners, event.cutoff_at),
        (EventType::Lottery, Some(3), Some(event.closes_at))
    );
    assert_eq!(event.opens_at.to_string(), "2026-11-17T09:00:00Z");
    has(&editor.get(EVENTS).await, &["Spring", "3 winners"]);
}

#[tokio::test]
async fn problems_are_shown_at_their_fields() {
    let server = Server::entry(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    assert_eq!(editor.post(NEW, &RIGHT).await.status, 303);
    let long = "x".repeat(201);
    let early = [("eventType", "LOTTERY"), ("lotteryCutoffAt", "2026-11-17T08:00"), ("eventId", "l")];
    let cutoff = [("lotteryCutoffAt", "2026-11-17T10:00"), ("eventId", "n")];
    for (changes, status, field, told) in [
        (&[("title", " "), ("eventId", "n")][..], 400, "title", "Is required"),
        (&[("title", &long), ("eventId", "n")], 400, "title", "200"),
        (&[("eventId", "a#b")], 400, "eventId", "#"),
        (&[("eventId", "spring")], 409, "eventId", "The event `spring` already exists: choose another id"),
        (&[("places", "lots"), ("eventId", "n")], 400, "places", "Must be a whole number of at least 1"),
        (&[("places", "0"), ("eventId", "n")], 400, "places", "Must be a whole number of at least 1"),
        (&cutoff, 400, "lotteryCutoffAt", "Only lotteries have a cut-off"),
        (&[("opensAt", "soon"), ("eventId", "n")], 400, "opensAt", "Must be a time such as"),
        (&[("closesAt", "2026-11-17T09:00"), ("eventId", "n")], 400, "closesAt", "Must be after it opens"),
        (&early, 400, "lotteryCutoffAt", "Must be between opening and closing"),
        (&[("settleSeconds", "3601"), ("eventId", "n")], 400, "settleSeconds", "3600"),
    ] {
        let refused = editor.post(NEW, &with(changes)).await;
        assert_eq!(refused.status, status, "{changes:?}: {}", refused.text);
        let (_, problem) = refused
            .text
            .split_once(&format!("id=\"f-{field}-problem\">"))
            .unwrap_or_else(|| panic!("{field}: {}", refused.text));
        let (problem, _) = problem.split_once("</span>").unwrap();
        let problem = problem.replace("<code>", "`").replace("</code>", "`");
        assert!(problem.contains(told), "{field}: {problem}");
    }
    // All problems at once, in Korean; the form keeps its values.
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    let refused = korean.post(NEW, &with(&[("title", ""), ("places", "x"), ("opensAt", "y")])).await;
    in_order(
        &refused,
        &[
            "필수 항목입니다",
            "value=\"x\"",
            "1 이상의 정수로 입력하세요",
            "value=\"y\"",
            "같은 시각으로 입력하세요",
        ],
    );
    assert_eq!(events::list(server.verbs()).await.unwrap().len(), 1);
}

/// After signing in again, the form is shown with its values, and no event is made.
#[tokio::test]
async fn a_form_is_shown_again_with_its_values() {
    let server = Server::entry(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let typed =
        [("title", "Kept <title>"), ("eventId", "kept"), ("opensAt", "2027-01-01T09:00"), ("places", "7")];
    let form = editor.post(&format!("{NEW}?.draft=1"), &typed).await;
    assert_eq!(form.status, 200);
    for part in [
        "Your input is still here",
        "value=\"Kept &#60;title&#62;\"",
        "value=\"2027-01-01T09:00\"",
        "value=\"7\"",
    ] {
        assert!(form.text.contains(part), "{part}: {}", form.text);
    }
    assert_eq!(editor.get("/console/entry/events/kept").await.status, 404);
}
