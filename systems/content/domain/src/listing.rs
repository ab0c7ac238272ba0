//! Posts as editors list them, and the repair of lists.

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::Get;
use hansang_core::write::refresh::pointers;
use hansang_core::{Error, ErrorKind, Item, name, write};
use jiff::{SignedDuration, Timestamp};

use crate::live::{ALL, Live, changed, relist, time};
use crate::post::{Post, Standing, busy, of_id, strong};
use crate::posts::{Plan, change, commit, set, touch};
use crate::read::listed;
use crate::slugs::{claim, owner};
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
    Ok(EditedPage { posts: with_drafts(content, chosen).await?, unreadable, next: page.next })
}

/// The posts that visitors will see, the next one first: at most `limit`, and the number of all of them.
///
/// # Errors
/// When the store fails.
pub async fn scheduled(content: &Content, limit: usize) -> Result<(Vec<EditedPost>, usize), Error> {
    let from = time(content.now() + SignedDuration::from_secs(1));
    let arguments = Item::from([(name!("scope"), ALL.into()), (name!("from"), from.into())]);
    let (mut first, mut count, mut cursor) = (Vec::new(), 0, None);
    loop {
        let ask = Ask { descending: Some(false), consistent: Some(true), cursor, ..Ask::default() };
        let page = content.db.query("livePosts", arguments.clone(), ask).await?;
        count += page.records.len();
        if first.len() < limit {
            first.extend(listed(content, &page.records).await?);
            first.truncate(limit);
        }
        cursor = page.next;
        if cursor.is_none() {
            let first = first.into_iter().map(|post| (Standing::Scheduled, post)).collect();
            return Ok((with_drafts(content, first).await?, count));
        }
    }
}

async fn with_drafts(content: &Content, posts: Vec<(Standing, Post)>) -> Result<Vec<EditedPost>, Error> {
    let keys: Vec<Item> = posts.iter().map(|(_, post)| of_id(&post.id)).collect();
    let drafts = content.db.batch_get("Draft", &keys, &strong()).await?;
    let with_draft = |((standing, post), draft): ((Standing, Post), Option<_>)| EditedPost {
        has_draft: post.is_published() && draft.is_some(),
        standing,
        post,
    };
    Ok(posts.into_iter().zip(drafts).map(with_draft).collect())
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

/// The result of a repair of lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relisted {
    /// The posts that were read.
    pub posts: usize,
    /// Those that are found by their id from now on.
    pub identified: usize,
    /// Those that are in the lists and have an address from now on.
    pub listed: usize,
    /// Those that cannot be read.
    pub unreadable: usize,
}

/// Completes posts that another program has put into the table: each is found by its id, and a published one has an address
/// and its positions in the lists. Complete posts stay as they are.
///
/// # Errors
/// When the store fails. The next call does the rest.
pub async fn relist_all(content: &Content) -> Result<Relisted, Error> {
    let (mut sum, mut cursor) = (Relisted::default(), None);
    loop {
        let page = content.db.query("posts", Item::new(), Ask { cursor, ..Ask::default() }).await?;
        for record in &page.records {
            sum.posts += 1;
            let Ok(post) = Post::of(record) else {
                sum.unreadable += 1;
                continue;
            };
            sum.identified += usize::from(identify(content, &post).await?);
            // A post that has ended leaves the lists with the next purge.
            let belongs = post.is_published() && post.standing(content.now()) != Standing::Expired;
            if belongs && !is_listed(content, &post).await? {
                relist_post(content, &post.id).await?;
                sum.listed += 1;
            }
        }
        cursor = page.next;
        if cursor.is_none() {
            return Ok(sum);
        }
    }
}

/// Whether a published post has all that this program writes with one.
async fn is_listed(content: &Content, post: &Post) -> Result<bool, Error> {
    let (Some(publish_at), Some(slug)) = (post.publish_at, &post.text.slug) else { return Ok(false) };
    if owner(content, slug).await?.as_deref() != Some(&*post.id) {
        return Ok(false);
    }
    for scope in [ALL, &*post.category_id] {
        let key = Item::from([
            (name!("scope"), scope.into()),
            (name!("publishAt"), time(publish_at).into()),
            (name!("id"), post.id.as_str().into()),
        ]);
        if content.db.get("LivePost", &key, &strong()).await?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes the pointer from the id of a post to its key, if it is missing. Whether it was.
async fn identify(content: &Content, post: &Post) -> Result<bool, Error> {
    match find_post(content, &post.id).await {
        Err(error) if error.code == ContentCode::PostUnknown => {}
        found => return found.map(|_| false),
    }
    let (db, entity) = (&content.db, content.db.entity("Post")?);
    let get = Get { key: write::key(entity, &post.key())?, consistent: true, fields: None };
    // None: it was deleted meanwhile.
    let found = db.store().get(db.table(), &get).await.map_err(|error| busy().caused_by(error))?;
    let Some(item) = found else { return Ok(false) };
    let mut identified = false;
    for pair in pointers(db.model(), &item, &db.clock().moment()) {
        match commit(content, pair.into_iter().map(Operation::Write).collect()).await {
            // The post was changed meanwhile, or another run was faster.
            Err(error) if error.kind == ErrorKind::Conflict || error.kind == ErrorKind::Precondition => {}
            other => {
                other?;
                identified = true;
            }
        }
    }
    Ok(identified)
}
