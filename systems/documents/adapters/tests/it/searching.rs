//! The full text index.

use std::collections::HashMap;

use hansang_documents_adapters::{Hits, Matching, TextIndex, TextState};

fn state(workflow_id: &str, revision: i64) -> TextState {
    TextState { workflow_id: workflow_id.to_owned(), revision }
}

async fn add(index: &TextIndex, project: &str, document: &str, state: &TextState, texts: &[&str]) {
    let mut adding = index.add_workflow(project, document, state).await;
    for (number, text) in (0..).zip(texts) {
        adding.segment(number, text);
    }
    adding.commit().await.unwrap();
}

fn all(index: &TextIndex, project: &str, query: &str) -> Hits {
    index.search(project, query, Matching::All, (20, 0), 80).unwrap()
}

fn found(index: &TextIndex, query: &str) -> Vec<(String, i64)> {
    let mut found: Vec<(String, i64)> =
        all(index, "p1", query).hits.into_iter().map(|hit| (hit.document_id, hit.segment_index)).collect();
    found.sort();
    found
}

/// Parts of Korean words, beginnings of English ones, and all words of a query.
#[tokio::test]
async fn words_are_found_in_korean_and_english() {
    let folder = tempfile::tempdir().unwrap();
    let index = TextIndex::open(folder.path()).unwrap();
    let texts =
        ["한국은행이 기준금리를 발표했습니다.", "The Annual Budget of 2024", "예산안과 결산서 案件 ﬁnal"];
    add(&index, "p1", "a", &state("w1", 1), &texts).await;
    add(&index, "p2", "b", &state("w2", 1), &["한국은행"]).await;

    let one = |segment: i64| vec![("a".to_owned(), segment)];
    for query in ["한국", "은행", "한국은행", "기준금리", "금리", "발표", "한국은행 금리"]
    {
        assert_eq!(found(&index, query), one(0), "{query}");
    }
    for query in ["budget", "BUDG", "annual 2024", "ｂｕｄｇｅｔ", "202"] {
        assert_eq!(found(&index, query), one(1), "{query}");
    }
    // A single character, wherever it is in a word; characters of Chinese; a ligature.
    for query in ["안", "서", "결", "案", "件", "final", "예산 결산"] {
        assert_eq!(found(&index, query), one(2), "{query}");
    }
    for query in ["행이기", "한국 예산", "udget", "국한", "없음"] {
        assert_eq!(found(&index, query), [], "{query}");
    }
    let error = index.search("p1", " .,!", Matching::All, (20, 0), 80).unwrap_err();
    assert_eq!(error.code.as_str(), "query_empty");

    let hits = all(&index, "p1", "한국 금리");
    let hit = &hits.hits[0];
    assert_eq!((hits.total, hit.workflow_id.as_str(), hit.revision), (1, "w1", 1));
    let marked: Vec<&str> = hit.highlights.iter().map(|range| &hit.snippet[range.clone()]).collect();
    assert_eq!(
        (marked, hit.terms.as_slice()),
        (vec!["한국", "금리"], &["한국".to_owned(), "금리".to_owned()][..])
    );

    // A question finds what has some of its words, the best first.
    let hits = index.search("p1", "기준금리는 얼마입니까? 예산안은?", Matching::Any, (20, 0), 80).unwrap();
    let order: Vec<i64> = hits.hits.iter().map(|hit| hit.segment_index).collect();
    assert_eq!(order, [0, 2]);
}

#[tokio::test]
async fn a_newer_text_replaces_the_older_and_documents_can_be_removed() {
    let folder = tempfile::tempdir().unwrap();
    let index = TextIndex::open(folder.path()).unwrap();
    add(&index, "p1", "a", &state("w1", 1), &["old text", "old too"]).await;
    add(&index, "p1", "b", &state("w9", 4), &[]).await;
    add(&index, "p1", "a", &state("w2", 1), &["new text"]).await;
    assert_eq!(found(&index, "old"), []);
    assert_eq!(found(&index, "new"), [("a".to_owned(), 0)]);
    let held = index.held("p1").unwrap();
    assert_eq!(held, HashMap::from([("a".to_owned(), state("w2", 1)), ("b".to_owned(), state("w9", 4))]));

    // A text that is not complete changes nothing.
    let mut adding = index.add_workflow("p1", "a", &state("w3", 1)).await;
    adding.segment(0, "half");
    drop(adding);
    add(&index, "p2", "a", &state("w4", 1), &["other project"]).await;
    assert_eq!(found(&index, "half"), []);
    assert_eq!(found(&index, "new").len(), 1);

    index.remove_document("p1", "a").await.unwrap();
    assert_eq!(found(&index, "new"), []);
    assert_eq!(index.held("p1").unwrap().len(), 1);
    index.remove_project("p1").await.unwrap();
    assert!(index.held("p1").unwrap().is_empty());
    assert_eq!(all(&index, "p2", "other").total, 1);
}

/// Whether a file of a directory has some bytes.
fn on_disk(folder: &std::path::Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    files.into_iter().any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
}

/// Removed text is gone from the disk, and nothing else is.
#[tokio::test]
async fn removed_text_leaves_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let index = TextIndex::open(folder.path()).unwrap();
    add(&index, "p1", "a", &state("w1", 1), &["The password is xylophone"]).await;
    add(&index, "p2", "b", &state("w2", 1), &["The colour is turquoise"]).await;
    index.compact().await.unwrap();
    assert!(on_disk(folder.path(), "xylophone"));
    assert_eq!(index.projects().unwrap().into_iter().collect::<Vec<_>>(), ["p1", "p2"]);
    index.remove_project("p1").await.unwrap();
    assert_eq!(index.projects().unwrap().into_iter().collect::<Vec<_>>(), ["p2"]);
    index.compact().await.unwrap();
    assert!(!on_disk(folder.path(), "xylophone"));
    assert!(on_disk(folder.path(), "turquoise"));
    assert_eq!(all(&index, "p2", "turquoise").total, 1);
}

/// Processes that share a folder have an index each; deleting all of them waits for none.
#[tokio::test]
async fn each_process_has_an_index_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let one = TextIndex::open_own(folder.path()).unwrap();
    let two = TextIndex::open_own(folder.path()).unwrap();
    add(&one, "p1", "a", &state("w1", 1), &["some text"]).await;
    assert!(two.projects().unwrap().is_empty());
    assert_eq!(TextIndex::delete_all(folder.path()).unwrap_err().code.as_str(), "index_unavailable");
    drop((one, two));
    assert_eq!(found(&TextIndex::open_own(folder.path()).unwrap(), "some").len(), 1, "the first again");
    TextIndex::delete_all(folder.path()).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn hits_come_in_pages() {
    let folder = tempfile::tempdir().unwrap();
    let index = TextIndex::open(folder.path()).unwrap();
    let texts: Vec<String> = (0..25).map(|number| format!("공통 단어 {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    add(&index, "p1", "a", &state("w1", 1), &texts).await;
    let mut seen = Vec::new();
    for page in 0..3 {
        let hits = index.search("p1", "공통", Matching::All, (10, page * 10), 80).unwrap();
        assert_eq!(hits.total, 25);
        seen.extend(hits.hits.into_iter().map(|hit| hit.segment_index));
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..25).collect::<Vec<_>>());
}

/// The index is kept over a restart; a damaged one is begun again; one that another process has is not touched.
#[tokio::test]
async fn a_damaged_index_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let index = TextIndex::open(folder.path()).unwrap();
    add(&index, "p1", "a", &state("w1", 1), &["some text"]).await;
    let error = TextIndex::open(folder.path()).unwrap_err();
    assert_eq!(error.code.as_str(), "index_unavailable");
    drop(index);
    let index = TextIndex::open(folder.path()).unwrap();
    assert_eq!(found(&index, "some").len(), 1);
    drop(index);

    let damages: [fn(&std::path::Path); 3] = [
        |folder| std::fs::write(folder.join("meta.json"), "{").unwrap(),
        |folder| {
            for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
                if file.extension().is_some_and(|end| end == "store" || end == "idx") {
                    let mut bytes = std::fs::read(&file).unwrap();
                    bytes[0] ^= 0xff;
                    std::fs::write(&file, bytes).unwrap();
                }
            }
        },
        |folder| {
            for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
                if file.extension().is_some_and(|end| end == "term") {
                    std::fs::remove_file(file).unwrap();
                }
            }
        },
    ];
    for damage in damages {
        damage(folder.path());
        let index = TextIndex::open(folder.path()).unwrap();
        assert!(index.held("p1").unwrap().is_empty());
        add(&index, "p1", "a", &state("w1", 1), &["some text"]).await;
        assert_eq!(found(&index, "some").len(), 1);
        drop(index);
    }
}
