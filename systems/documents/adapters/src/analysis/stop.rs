//! Words that say nothing about a text, and the endings of Korean words.

/// Whether an English word says nothing about a text.
pub(super) fn is_english(word: &str) -> bool {
    ENGLISH.binary_search(&word).is_ok()
}

/// A Korean word without its particle; nothing if it says nothing, or is a form of a verb.
pub(super) fn stem(word: &str) -> Option<String> {
    if VERBS.iter().any(|end| word.ends_with(end)) {
        return None;
    }
    let stem = PARTICLES
        .iter()
        .filter_map(|particle| word.strip_suffix(particle))
        .find(|stem| stem.chars().count() >= 2)
        .unwrap_or(word);
    (stem.chars().count() >= 2 && !KOREAN.contains(&stem)).then(|| stem.to_owned())
}

/// Particles, the longer before the shorter.
const PARTICLES: [&str; 46] = [
    "에서부터",
    "으로부터",
    "이라고는",
    "에게서는",
    "까지는",
    "에서는",
    "으로는",
    "에게는",
    "이라는",
    "이라고",
    "이라도",
    "으로써",
    "으로서",
    "로부터",
    "에게서",
    "에서",
    "으로",
    "에게",
    "까지",
    "부터",
    "처럼",
    "보다",
    "라는",
    "라고",
    "이나",
    "이며",
    "하고",
    "마다",
    "조차",
    "들은",
    "들이",
    "들을",
    "들의",
    "에는",
    "에도",
    "과",
    "와",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "의",
    "도",
];

/// Endings of verbs and adjectives.
const VERBS: [&str; 34] = [
    "습니다",
    "입니다",
    "됩니다",
    "합니다",
    "었다",
    "았다",
    "였다",
    "했다",
    "됐다",
    "한다",
    "된다",
    "있다",
    "없다",
    "이다",
    "하는",
    "되는",
    "있는",
    "없는",
    "하여",
    "되어",
    "하며",
    "되며",
    "하고",
    "되고",
    "하지",
    "하면",
    "되면",
    "하기",
    "했던",
    "지만",
    "어요",
    "아요",
    "해요",
    "세요",
];

const KOREAN: [&str; 44] = [
    "그리고",
    "그러나",
    "하지만",
    "또한",
    "또는",
    "및",
    "등",
    "것",
    "수",
    "때",
    "더",
    "이런",
    "그런",
    "저런",
    "이것",
    "그것",
    "저것",
    "여기",
    "거기",
    "우리",
    "저희",
    "여러",
    "모든",
    "다른",
    "같은",
    "위한",
    "위해",
    "대한",
    "대해",
    "통해",
    "따라",
    "따른",
    "관한",
    "관련",
    "경우",
    "그대로",
    "이번",
    "지난",
    "현재",
    "때문",
    "정도",
    "이상",
    "이하",
    "있도록",
];

/// In the order of their letters.
const ENGLISH: [&str; 109] = [
    "about", "above", "after", "again", "against", "all", "also", "and", "any", "are", "because", "been",
    "before", "being", "below", "between", "both", "but", "can", "could", "did", "does", "doing", "down",
    "during", "each", "few", "for", "from", "further", "had", "has", "have", "having", "her", "here", "hers",
    "him", "his", "how", "however", "into", "its", "itself", "just", "may", "more", "most", "must", "nor",
    "not", "now", "off", "once", "one", "only", "other", "our", "ours", "out", "over", "own", "per", "same",
    "shall", "she", "should", "some", "such", "than", "that", "the", "their", "theirs", "them", "then",
    "there", "these", "they", "this", "those", "through", "too", "two", "under", "until", "upon", "use",
    "used", "very", "via", "was", "were", "what", "when", "where", "which", "while", "who", "whom", "why",
    "will", "with", "within", "without", "would", "you", "your", "yours",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_order() {
        assert!(ENGLISH.is_sorted());
        assert!(PARTICLES.is_sorted_by_key(|particle| std::cmp::Reverse(particle.chars().count())));
    }

    #[test]
    fn particles_are_taken_off_and_verbs_left_out() {
        assert_eq!(stem("정부에서는").as_deref(), Some("정부"));
        assert_eq!(stem("회의").as_deref(), Some("회의"));
        assert_eq!(stem("예산을").as_deref(), Some("예산"));
        assert_eq!(stem("발표했습니다"), None);
        assert_eq!(stem("그리고"), None);
        assert_eq!(stem("것"), None);
    }
}
