//! Suggestions for misspelt words, and lists of words in a sentence.

/// The keyword that `word` is most likely a misspelling of, or another name for.
pub(super) fn word<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    let meant = other_names(&word.to_lowercase());
    let known = candidates.iter().find(|candidate| meant.contains(candidate)).copied();
    known.or_else(|| name(word, candidates.iter().copied()))
}

/// The name that `word` is most likely a misspelling of.
#[must_use]
pub fn name<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let lower = word.to_lowercase();
    candidates
        .map(|candidate| {
            let other = candidate.to_lowercase();
            // Of two that are equally near, the first letter is the least likely slip.
            (distance(&lower, &other), lower.chars().next() != other.chars().next(), candidate)
        })
        .filter(|(distance, _, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
        .min()
        .map(|(_, _, candidate)| candidate)
}

/// The candidate that differs from `word` by one slip. Short and numbered words (`STEP1`, `STEP2`) are
/// often that similar on purpose.
pub(super) fn one_slip<'c>(word: &str, mut candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let letters = |word: &str| word.chars().filter(|c| !c.is_numeric()).collect::<String>();
    candidates.find(|candidate| {
        word.chars().count() >= 4 && letters(word) != letters(candidate) && distance(word, candidate) == 1
    })
}

/// "did you mean `x`?" if a candidate is similar, and `else_help` otherwise.
pub(super) fn did_you_mean<'c>(
    word: &str,
    candidates: impl Iterator<Item = &'c str>,
    else_help: impl FnOnce() -> String,
) -> String {
    name(word, candidates).map_or_else(else_help, |near| format!("did you mean `{near}`?"))
}

/// Names of the keywords in DynamoDB and other schema languages.
fn other_names(word: &str) -> &'static [&'static str] {
    match word {
        "values" | "choices" | "members" | "oneof" | "options" => &["enum"],
        "states" | "transitions" => &["lifecycle"],
        "nullable" => &["optional"],
        "readonly" => &["immutable"],
        "regex" | "regexp" | "format" => &["pattern"],
        "minlength" | "maxlength" | "size" => &["length"],
        "attrs" | "properties" | "columns" | "fields" => &["attributes"],
        "partitionkey" | "hashkey" | "hash" | "partition" => &["pk"],
        "sortkey" | "rangekey" | "range" => &["sk"],
        "gsi" | "gsis" | "globalsecondaryindexes" => &["indexes", "index"],
        "projection" => &["project"],
        "keys_only" => &["keys"],
        "pitr" | "pointintimerecovery" => &["recovery"],
        "expires" | "expiry" | "timetolive" => &["ttl"],
        "separator" => &["delimiter"],
        "description" | "comment" => &["doc"],
        "heading" | "caption" | "displayname" => &["title"],
        "references" | "foreignkey" | "relation" | "refers" => &["ref"],
        "limit" | "pagesize" => &["page"],
        "where" | "by" | "arguments" | "args" | "parameters" | "params" => &["given"],
        "direction" | "orderby" => &["order"],
        "sort" => &["order", "sk"],
        "between" => &["range"],
        "strong" | "consistentread" => &["consistent"],
        "asc" => &["ascending"],
        "desc" => &["descending"],
        "latest" | "last" => &["newest"],
        "earliest" | "first" => &["oldest"],
        "milliseconds" | "ms" => &["millis"],
        "int" | "long" => &["integer"],
        "float" | "double" | "decimal" => &["number"],
        "text" | "str" | "varchar" | "char" => &["string"],
        "date" | "datetime" | "time" | "instant" => &["timestamp"],
        "boolean" => &["bool"],
        "object" | "json" => &["map"],
        "array" => &["list"],
        "bytes" | "blob" => &["binary"],
        "uri" | "link" => &["url"],
        "guid" => &["uuid"],
        _ => &[],
    }
}

/// "`a`, `b` and `c`".
pub(super) fn list<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    match quoted.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// As [`list`], but of names from the file, of which there may be many.
pub(super) fn some<'c>(names: impl Iterator<Item = &'c str>) -> String {
    const MAX_NAMES: usize = 8;
    let mut names: Vec<&str> = names.take(MAX_NAMES + 1).collect();
    if names.len() <= MAX_NAMES {
        return list(&names);
    }
    names.truncate(MAX_NAMES);
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{} and others", quoted.join(", "))
}

/// The number of slips between two words: a letter too many, too few or wrong, or two swapped.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.chars().take(64).collect::<Vec<char>>());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
