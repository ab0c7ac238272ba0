//! Sending the deliveries of webhooks.

use hansang_core::db::Operation;
use hansang_core::plan::{Change, Path};
use hansang_core::write::Update;
use hansang_core::{Error, name};

use super::{Attempt, MAX_CALLS, SEND_TIMEOUT, Waiting, done, record, retry_at, short};
use crate::hook::{Caller, HookAnswer, HookCall, sign};
use crate::inquiry::MailState;
use crate::live::time;
use crate::post::strong;
use crate::posts::{commit, path, set};
use crate::webhooks::{
    Event, Webhook, WebhookDelivery, count_failure, delivery_key, find_webhook, forget_failures,
};
use crate::{Content, ContentCode};

pub(super) async fn attempt(
    content: &Content,
    caller: &dyn Caller,
    taken: &Waiting,
    webhook_id: &str,
) -> Result<Attempt, Error> {
    let key = delivery_key(webhook_id, &taken.id);
    let stored = content.db.get("WebhookDelivery", &key, &strong()).await?;
    let stored = stored.map(|stored| stored.typed::<WebhookDelivery>()).transpose()?;
    let (Some(delivery), Some(webhook)) = (stored, load(content, webhook_id).await?) else {
        // The webhook was deleted.
        commit(content, vec![done(taken)]).await?;
        return Ok(Attempt::Nothing);
    };
    let delivery = &WebhookDelivery { attempts: delivery.attempts + 1, ..delivery };
    if !webhook.active && delivery.event != Event::Test {
        let changes = refused(delivery, &HookAnswer { status: None, error: "switched off".to_owned() }, true);
        let changes = || async { Ok(vec![delivery_update(delivery, changes.clone())]) };
        record(content, taken, None, changes).await?;
        return Ok(Attempt::Failed);
    }
    let call = HookCall {
        url: webhook.url.clone(),
        id: delivery.id.clone(),
        event: delivery.event.name().to_owned(),
        signature: sign(&webhook.secret, content.now().as_second(), &delivery.body),
        body: delivery.body.clone(),
    };
    let answer = tokio::time::timeout(SEND_TIMEOUT, caller.call(&call)).await;
    let slow = |_| HookAnswer { status: None, error: format!("no answer in {} s", SEND_TIMEOUT.as_secs()) };
    let answer = &answer.unwrap_or_else(slow);
    if answer.is_accepted() {
        let changes = accepted(content, delivery, answer);
        record(content, taken, None, || settle(content, delivery, changes.clone(), None)).await?;
        return Ok(Attempt::Sent);
    }
    // A test is tried once, because someone waits for its result.
    let ends = delivery.attempts >= MAX_CALLS || delivery.event == Event::Test;
    let due = (!ends).then(|| retry_at(content, delivery.attempts));
    let changes = refused(delivery, answer, ends);
    let why = short(&answer.error);
    record(content, taken, due, || settle(content, delivery, changes.clone(), Some(&why))).await?;
    Ok(if ends { Attempt::Failed } else { Attempt::Later })
}

/// The writes of a delivery and its webhook after an answer.
async fn settle(
    content: &Content,
    delivery: &WebhookDelivery,
    changes: Vec<(Path, Change)>,
    failure: Option<&str>,
) -> Result<Vec<Operation>, Error> {
    let mut operations = vec![delivery_update(delivery, changes)];
    if let Some(webhook) =
        load(content, &delivery.webhook_id).await?.filter(|_| delivery.event != Event::Test)
    {
        match failure {
            Some(why) => operations.push(count_failure(&webhook, why)),
            None if webhook.failures > 0 => operations.push(forget_failures(&webhook)),
            None => {}
        }
    }
    Ok(operations)
}

async fn load(content: &Content, id: &str) -> Result<Option<Webhook>, Error> {
    match find_webhook(content, id).await {
        Ok(webhook) => Ok(Some(webhook)),
        Err(error) if error.code == ContentCode::WebhookUnknown => Ok(None),
        Err(error) => Err(error),
    }
}

fn accepted(content: &Content, delivery: &WebhookDelivery, answer: &HookAnswer) -> Vec<(Path, Change)> {
    let mut changes = vec![
        set(name!("state"), MailState::Sent.name()),
        set(name!("sentAt"), time(content.now())),
        set(name!("attempts"), delivery.attempts),
        (path(name!("error")), Change::Remove),
    ];
    changes.extend(answer.status.map(|status| set(name!("status"), i64::from(status))));
    changes
}

fn refused(delivery: &WebhookDelivery, answer: &HookAnswer, ends: bool) -> Vec<(Path, Change)> {
    let mut changes =
        vec![set(name!("attempts"), delivery.attempts), set(name!("error"), short(&answer.error))];
    changes.push(match answer.status {
        Some(status) => set(name!("status"), i64::from(status)),
        None => (path(name!("status")), Change::Remove),
    });
    changes.extend(ends.then(|| set(name!("state"), MailState::Failed.name())));
    changes
}

fn delivery_update(delivery: &WebhookDelivery, changes: Vec<(Path, Change)>) -> Operation {
    let key = delivery_key(&delivery.webhook_id, &delivery.id);
    let update = Update { key, changes, expected_version: None };
    Operation::Update { entity: name!("WebhookDelivery"), update, guards: Vec::new() }
}
