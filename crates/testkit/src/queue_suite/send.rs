//! Sending messages.

use std::collections::BTreeMap;
use std::time::Duration;

use hansang_core::queue::{MAX_DELAY, MAX_MESSAGE_BYTES, MAX_MESSAGES, Message};

use super::{LONG, SECOND, Trial, refused};

/// A sent message is delivered once while it is hidden.
pub async fn is_received_once(trial: &Trial) {
    trial.send(&["hello"]).await;
    let delivery = trial.one(LONG).await;
    assert_eq!((delivery.body.as_str(), delivery.attempts), ("hello", 1));
    trial.nothing().await;
}

/// Spaces, line ends, quotes, XML control characters, and every script round-trip.
pub async fn keeps_any_text(trial: &Trial) {
    let text = " \t\r\n\"'\\&<>{}\u{7f}\u{85}\u{a0}ä한상\u{200b}\u{202e}e\u{301}\u{FFFD}% ";
    trial.send(&[text]).await;
    assert_eq!(trial.one(LONG).await.body, text);
}

/// Characters beyond the basic plane round-trip.
pub async fn keeps_text_beyond_the_basic_plane(trial: &Trial) {
    let text = "😀\u{10000}\u{10FFFF}𓀀";
    trial.send(&[text]).await;
    assert_eq!(trial.one(LONG).await.body, text);
}

/// The size limit is in bytes and inclusive.
pub async fn keeps_large_messages(trial: &Trial) {
    let text = "한".repeat(MAX_MESSAGE_BYTES / 3) + "x";
    assert_eq!(text.len(), MAX_MESSAGE_BYTES);
    trial.send(&[&text]).await;
    assert_eq!(trial.one(LONG).await.body, text);
}

/// Large messages together exceed the size of one request of some queues.
pub async fn takes_many_large_messages(trial: &Trial) {
    let texts: Vec<String> = ('a'..='l').map(|one| one.to_string().repeat(MAX_MESSAGE_BYTES)).collect();
    let bodies: Vec<&str> = texts.iter().map(String::as_str).collect();
    trial.send(&bodies).await;
    let expected: BTreeMap<String, usize> = texts.iter().map(|text| (text.clone(), 1)).collect();
    assert!(trial.everything().await == expected, "a large message is lost or changed");
}

/// More messages than some queues take per request.
pub async fn takes_more_than_ten(trial: &Trial) {
    trial.send(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]).await;
    let expected = ('a'..='k').map(|one| (one.to_string(), 1)).collect();
    assert_eq!(trial.everything().await, expected);
}

/// As many messages as the port allows.
pub async fn takes_as_many_as_are_allowed(trial: &Trial) {
    let bodies: Vec<String> = (0..MAX_MESSAGES).map(|number| number.to_string()).collect();
    trial.send(&bodies.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(trial.everything().await, bodies.into_iter().map(|body| (body, 1)).collect());
}

/// No messages have no results.
pub async fn takes_nothing(trial: &Trial) {
    assert!(trial.queue.send(Vec::new()).await.is_empty());
    trial.nothing().await;
}

/// Equal bodies are separate messages.
pub async fn keeps_equal_messages_apart(trial: &Trial) {
    trial.send(&["a", "a"]).await;
    let deliveries = trial.receive(10, LONG).await;
    assert_eq!(deliveries.len(), 2);
    assert_ne!(deliveries[0].id, deliveries[1].id);
    trial.acknowledge(&deliveries[0]).await;
    trial.hide(&deliveries[1], Duration::ZERO).await;
    assert_eq!(trial.one(LONG).await.id, deliveries[1].id);
}

/// Empty, too long or too delayed messages are refused and not sent.
pub async fn refuses_invalid_input(trial: &Trial) {
    let late = Message { body: "x".to_owned(), delay: MAX_DELAY + SECOND };
    for message in [Message::new(""), Message::new("x".repeat(MAX_MESSAGE_BYTES + 1)), late] {
        let answer = trial.queue.send(vec![message]).await.remove(0);
        refused(answer, "message_invalid");
    }
    trial.nothing().await;
}

/// Control characters and noncharacters are refused by every queue, because SQS refuses them.
pub async fn refuses_characters_that_some_queue_cannot_carry(trial: &Trial) {
    for body in ["a\0b", "\u{8}", "\u{1b}[0m", "x\u{FFFE}", "\u{FFFF}"] {
        let answer = trial.queue.send(vec![Message::new(body)]).await.remove(0);
        refused(answer, "message_invalid");
    }
    trial.nothing().await;
}

/// A refused message does not affect the others.
pub async fn reports_each_message_at_its_position(trial: &Trial) {
    let is_bad = |number: usize| number % 7 == 3;
    let message = |number: usize| {
        if is_bad(number) { Message::new("") } else { Message::new(number.to_string()) }
    };
    let answers = trial.queue.send((0..40).map(message).collect()).await;
    assert_eq!(answers.len(), 40);
    for (number, answer) in answers.into_iter().enumerate() {
        match is_bad(number) {
            true => refused(answer, "message_invalid"),
            false => answer.unwrap(),
        }
    }
    let sent = (0..40).filter(|number| !is_bad(*number)).map(|number| (number.to_string(), 1)).collect();
    assert_eq!(trial.everything().await, sent);
}

/// More messages than the port allows are all refused.
pub async fn refuses_too_many(trial: &Trial) {
    let answers = trial.queue.send(vec![Message::new("x"); MAX_MESSAGES + 1]).await;
    assert_eq!(answers.len(), MAX_MESSAGES + 1);
    for answer in answers {
        refused(answer, "too_many_messages");
    }
    trial.nothing().await;
}

/// A delayed message becomes visible later, with its first attempt.
pub async fn delays_a_message(trial: &Trial) {
    trial.send_later("later", SECOND).await;
    trial.nothing().await;
    trial.pass(SECOND).await;
    let delivery = trial.one(LONG).await;
    assert_eq!((delivery.body.as_str(), delivery.attempts), ("later", 1));
}

/// Each message has its own delay.
pub async fn delays_each_message_by_itself(trial: &Trial) {
    let message = |body: &str, delay| Message { body: body.to_owned(), delay };
    let messages = vec![message("last", MAX_DELAY), message("now", Duration::ZERO), message("then", SECOND)];
    assert!(trial.queue.send(messages).await.iter().all(Result::is_ok));
    assert_eq!(trial.one(LONG).await.body, "now");
    trial.pass(SECOND).await;
    assert_eq!(trial.one(LONG).await.body, "then");
}
