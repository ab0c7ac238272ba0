//! The inverted index: the posts of each term.

use std::collections::HashMap;

use super::words::{Query, Term, terms};
use crate::{Post, render};

/// The maximum number of different terms of a post that are kept, those of its title first.
const MAX_TERMS: usize = 4000;
/// The weight of a term in a title.
const TITLE: u8 = 12;
/// The maximum weight of a term in a text.
const MAX_TEXT: u8 = 4;

/// The position of a post in the index. A post that changes gets a new one; the old one is empty until the index is packed.
type Slot = u32;

#[derive(Debug)]
struct Entry {
    id: Box<str>,
    revision: i64,
    publish_at: i64,
}

/// The terms of all published posts.
#[derive(Debug, Default)]
pub(super) struct Index {
    slots: Vec<Option<Entry>>,
    of_post: HashMap<Box<str>, Slot>,
    posts_of: HashMap<Term, Vec<(Slot, u8)>>,
}

impl Index {
    /// Puts a post into the index, or takes it out if it is not published.
    pub(super) fn put(&mut self, post: &Post) {
        let slot = self.of_post.get(&*post.id).and_then(|slot| self.slots.get(*slot as usize)?.as_ref());
        if post.is_published() && slot.is_some_and(|entry| entry.revision == post.revision) {
            return;
        }
        self.remove(&post.id);
        if !post.is_published() {
            return;
        }
        let Ok(slot) = Slot::try_from(self.slots.len()) else { return };
        for (term, weight) in weights(post) {
            self.posts_of.entry(term).or_default().push((slot, weight));
        }
        let publish_at = post.published_at().as_second();
        self.slots.push(Some(Entry { id: (*post.id).into(), revision: post.revision, publish_at }));
        self.of_post.insert((*post.id).into(), slot);
    }

    /// Takes a post out of the index.
    pub(super) fn remove(&mut self, id: &str) {
        let Some(slot) = self.of_post.remove(id) else { return };
        if let Some(entry) = self.slots.get_mut(slot as usize) {
            *entry = None;
        }
        if self.slots.len() > 1000 && self.slots.len() > 2 * self.of_post.len() {
            self.pack();
        }
    }

    /// The ids of posts that have every term, the best first: rare terms and titles count more, then the newest.
    pub(super) fn find(&self, query: &Query, most: usize) -> Vec<String> {
        let mut lists: Vec<&Vec<(Slot, u8)>> = Vec::new();
        for term in &query.terms {
            match self.posts_of.get(term) {
                Some(list) => lists.push(list),
                None => return Vec::new(),
            }
        }
        // The shortest list first, so that the others are only looked up for its posts. Lists are in the order of slots.
        lists.sort_by_key(|list| list.len());
        let Some((first, others)) = lists.split_first() else { return Vec::new() };
        let rarity = |list: &Vec<(Slot, u8)>| (1.0 + self.slots.len() as f64 / list.len() as f64).ln();
        let mut found: Vec<(f64, &Entry)> = Vec::new();
        for (slot, weight) in *first {
            let Some(Some(entry)) = self.slots.get(*slot as usize) else { continue };
            let mut score = f64::from(*weight) * rarity(first);
            let in_all = others.iter().all(|list| match list.binary_search_by_key(slot, |(slot, _)| *slot) {
                Ok(at) => {
                    score += f64::from(list[at].1) * rarity(list);
                    true
                }
                Err(_) => false,
            });
            if in_all {
                found.push((score, entry));
            }
        }
        found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(other.publish_at.cmp(&one.publish_at)));
        found.into_iter().take(most).map(|(_, entry)| entry.id.to_string()).collect()
    }

    /// Drops the empty positions.
    fn pack(&mut self) {
        let mut moved: Vec<Option<Slot>> = Vec::with_capacity(self.slots.len());
        let mut next = 0;
        for entry in &self.slots {
            moved.push(entry.is_some().then_some(next));
            next += Slot::from(entry.is_some());
        }
        self.slots.retain(Option::is_some);
        let to = |slot: Slot| moved.get(slot as usize).copied().flatten();
        self.of_post.retain(|_, slot| to(*slot).map(|new| *slot = new).is_some());
        for list in self.posts_of.values_mut() {
            list.retain_mut(|(slot, _)| to(*slot).map(|new| *slot = new).is_some());
            list.shrink_to_fit();
        }
        self.posts_of.retain(|_, list| !list.is_empty());
    }
}

fn weights(post: &Post) -> HashMap<Term, u8> {
    let mut weights = HashMap::new();
    for term in terms(&post.text.title) {
        if weights.len() < MAX_TERMS {
            weights.insert(term, TITLE);
        }
    }
    for term in terms(&render::text(&post.text.contents, post.text.format)) {
        let room = weights.len() < MAX_TERMS;
        match weights.get_mut(&term) {
            Some(weight) if *weight < MAX_TEXT || (TITLE..TITLE + MAX_TEXT).contains(weight) => *weight += 1,
            Some(_) => {}
            None if room => drop(weights.insert(term, 1)),
            None => {}
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PostState, PostText};

    fn post(id: &str, title: &str, contents: &str, revision: i64) -> Post {
        Post {
            id: id.to_owned(),
            category_id: "news".to_owned(),
            author_id: "ann".to_owned(),
            text: PostText { title: title.to_owned(), contents: contents.to_owned(), ..PostText::default() },
            state: Some(PostState::Published),
            publish_at: None,
            expires_at: None,
            revision,
            created_at: jiff::Timestamp::UNIX_EPOCH,
            updated_at: jiff::Timestamp::UNIX_EPOCH,
            text_at: None,
        }
    }

    #[test]
    fn titles_count_more_than_texts() {
        let mut index = Index::default();
        index.put(&post("a", "소식", "한상 한상 한상 한상 한상 한상", 1));
        index.put(&post("b", "한상", "소개", 1));
        assert_eq!(index.find(&Query::new("한상"), 10), ["b", "a"]);
        assert_eq!(index.find(&Query::new("한상 소개"), 10), ["b"]);
        index.put(&post("b", "다른 제목", "소개", 2));
        assert_eq!(index.find(&Query::new("한상"), 10), ["a"]);
        index.remove("a");
        assert!(index.find(&Query::new("한상"), 10).is_empty());
    }

    #[test]
    fn memory_does_not_grow_with_changes_or_long_texts() {
        let mut index = Index::default();
        for revision in 0..5000 {
            index.put(&post(&format!("p{}", revision % 100), &format!("제목 {revision}"), "본문", revision));
        }
        assert!(index.slots.len() <= 1001, "{}", index.slots.len());
        assert_eq!(index.find(&Query::new("본문"), 1000).len(), 100);
        let long: String = (0..100_000_u32).map(|number| format!("w{number} ")).collect();
        assert_eq!(weights(&post("long", "제목", &long, 1)).len(), MAX_TERMS);
    }
}
