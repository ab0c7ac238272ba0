//! Events become deliveries, one for each webhook that wants them.

use hansang_core::Error;
use jiff::Timestamp;
use serde_json::{Value as Json, json};

use super::{Waiting, done};
use crate::live::time;
use crate::posts::commit;
use crate::webhooks::{Event, delivery, envelope, webhooks};
use crate::{Content, ContentCode, find_inquiry, find_post};

/// Replaces an event in the outbox by its deliveries, in one transaction.
pub(super) async fn expand(content: &Content, taken: &Waiting, event: Event) -> Result<(), Error> {
    let subject_id = taken.subject_id.as_deref().unwrap_or_default();
    let mut operations = vec![done(taken)];
    let wanted =
        webhooks(content).await?.into_iter().filter(|hook| hook.active && hook.events.contains(&event));
    let wanted: Vec<_> = wanted.collect();
    if !wanted.is_empty()
        && let Some(data) = data(content, event, subject_id, taken.at).await?
    {
        for hook in wanted {
            let id = content.new_id();
            let body = envelope(&id, event, content.now(), data.clone());
            operations.extend(delivery(content, &hook.id, &id, event, &body));
        }
    }
    commit(content, operations).await?;
    content.staged.notify_one();
    Ok(())
}

/// What an event tells; `None` if it is no longer true: the post is not as the event says, or has another time by now, whose own
/// event tells it. An inquiry is told without personal data, which has to be read
/// with a permission.
async fn data(
    content: &Content,
    event: Event,
    id: &str,
    at: Option<Timestamp>,
) -> Result<Option<Json>, Error> {
    let now = content.now();
    let post = match event {
        Event::PostPublished | Event::PostUnpublished => match find_post(content, id).await {
            Ok(post) => Some(post),
            Err(error) if error.code == ContentCode::PostUnknown => None,
            Err(error) => return Err(error),
        },
        Event::InquiryCreated => {
            return match find_inquiry(content, id).await {
                Ok(_) => Ok(Some(json!({ "inquiryId": id }))),
                Err(error) if error.code == ContentCode::InquiryUnknown => Ok(None),
                Err(error) => Err(error),
            };
        }
        Event::Test => return Ok(None),
    };
    let visible = post.as_ref().filter(|post| post.is_visible(now));
    if event == Event::PostUnpublished {
        let ends = post.as_ref().filter(|post| post.is_published()).and_then(|post| post.expires_at);
        let is_due = at.is_none_or(|at| ends == Some(at.as_second()));
        return Ok((visible.is_none() && is_due).then(|| json!({ "postId": id })));
    }
    let visible = visible.filter(|post| at.is_none_or(|at| at == post.published_at()));
    Ok(visible.map(|post| {
        json!({
            "postId": id,
            "categoryId": post.category_id,
            "slug": post.text.slug,
            "title": post.text.title,
            "publishAt": time(post.published_at()),
        })
    }))
}
