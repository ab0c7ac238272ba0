//! Posts as editors list them, and the repair of lists.

use hansang_core::db::Ask;
use hansang_core::{Error, Item, name};
use jiff::Timestamp;

use crate::edit::all;
use crate::live::{Live, changed, relist, time};
use crate::post::{Post, Standing, of_id, strong};
use crate::posts::{Plan, change, set, touch};
use crate::slugs::claim;
use crate::{Content, ContentCode, PostText, find_post};

/// A choice of posts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostFilter {
    /// Only those of this category.
    pub category_id: Option<String>,
    /// Only those that visitors see so now.
    pub standing: Option<Standing>,
}

/// A post in a list of editors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedPost {
    /// The post.
    pub post: Post,
    /// What visitors see of it now.
    pub standing: Standing,
    /// Whether a published post has edits that are not published.
    pub has_draft: bool,
}

/// A page of posts for editors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedPage {
    /// The posts, newest first by creation; those of a category newest first by id. A page may hold fewer than its limit
    /// while more follow.
    pub posts: Vec<EditedPost>,
    /// The number of stored posts of the page that cannot be read.
    pub unreadable: usize,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// The posts of a choice in every state, for editors.
///
/// # Errors
/// An invalid cursor or limit.
pub async fn posts(content: &Content, filter: &PostFilter, ask: Ask) -> Result<EditedPage, Error> {
    let (pattern, arguments) = match &filter.category_id {
        Some(id) => ("postsInCategory", Item::from([(name!("categoryId"), id.as_str().into())])),
        None => ("posts", Item::new()),
    };
    let ask = Ask { descending: ask.descending.or(Some(true)), ..ask };
    let page = content.db.query(pattern, arguments, ask).await?;
    let now = content.now();
    let found: Vec<Post> = page.records.iter().filter_map(|record| Post::of(record).ok()).collect();
    let unreadable = page.records.len() - found.len();
    let chosen = found.into_iter().map(|post| (post.standing(now), post));
    let chosen: Vec<(Standing, Post)> =
        chosen.filter(|(standing, _)| filter.standing.is_none_or(|wanted| wanted == *standing)).collect();
    let keys: Vec<Item> = chosen.iter().map(|(_, post)| of_id(&post.id)).collect();
    let drafts = content.db.batch_get("Draft", &keys, &strong()).await?;
    let posts = chosen.into_iter().zip(drafts).map(|((standing, post), draft)| EditedPost {
        has_draft: post.is_published() && draft.is_some(),
        standing,
        post,
    });
    Ok(EditedPage { posts: posts.collect(), unreadable, next: page.next })
}

/// Lists a published post that another program wrote: gives it a time of publishing, an address and its positions in the
/// lists. A post that is listed is only listed again.
///
/// # Errors
/// `post_unknown`.
pub async fn relist_post(content: &Content, id: &str) -> Result<Post, Error> {
    let post = find_post(content, id).await?;
    if !post.is_published() {
        return Ok(post);
    }
    let (slug, reserve) = match claim(content, &post, &post.text).await {
        // The address belongs to another post: this one gets a new one.
        Err(error) if error.code == ContentCode::SlugTaken => {
            let text = PostText { slug: None, ..post.text.clone() };
            claim(content, &post, &text).await?
        }
        other => other?,
    };
    let changed = change(content, id, None, |now, _| {
        if !now.post.is_published() {
            return Ok(Plan::default());
        }
        let publish_at = now.post.published_at();
        let changes = vec![set(name!("publishAt"), time(publish_at)), set(name!("slug"), slug.as_str())];
        let ends_at = now.post.expires_at.and_then(|second| Timestamp::from_second(second).ok());
        let live = Live { id, category_id: &now.post.category_id, publish_at, ends_at };
        let mut operations = vec![touch(now, changes), changed(content, id)];
        operations.extend(relist(content, None, Some(&live))?);
        operations.extend(reserve.clone());
        Ok(Plan { operations, texts: None })
    });
    Ok(changed.await?.post)
}

/// Lists every published post that has no time of publishing. Returns their number.
///
/// # Errors
/// When the store fails. The next call does the rest.
pub async fn relist_all(content: &Content) -> Result<usize, Error> {
    let mut listed = 0;
    for record in all(content, "posts", Item::new()).await? {
        let Ok(post) = Post::of(&record) else { continue };
        if post.is_published() && post.publish_at.is_none() {
            relist_post(content, &post.id).await?;
            listed += 1;
        }
    }
    Ok(listed)
}
