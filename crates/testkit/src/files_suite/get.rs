//! Reading files.

use super::{Trial, content, read};

/// A file that is not there is no error.
pub async fn finds_nothing(trial: &Trial) {
    assert!(trial.get("none", None).await.is_none());
    assert!(trial.get("none", Some(0..0)).await.is_none());
    assert!(trial.get("none", Some(5..9)).await.is_none());
    trial.put("a", b"a").await;
    assert!(trial.get("a/none", None).await.is_none(), "a file is no folder");
}

/// A folder is no file.
pub async fn finds_no_folder(trial: &Trial) {
    trial.put("folder/a", b"a").await;
    assert!(trial.get("folder", None).await.is_none());
}

/// A range is a part of the file.
pub async fn gives_ranges(trial: &Trial) {
    let whole = content(300_000);
    trial.put("a", &whole).await;
    for range in [0..1, 0..300_000, 5..9, 65_535..65_537, 100_000..250_001, 299_999..300_000] {
        let body = trial.get("a", Some(range.clone())).await.unwrap();
        assert_eq!((body.size, body.range.clone()), (300_000, range.clone()));
        let part = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
        assert!(read(body).await == whole[part], "{range:?}");
    }
}

/// Who asks for too much gets what there is.
pub async fn gives_ranges_that_end_with_the_file(trial: &Trial) {
    trial.put("a", b"0123456789").await;
    for (end, given) in [(11, 4..10), (u64::MAX, 4..10)] {
        let body = trial.get("a", Some(4..end)).await.unwrap();
        assert_eq!((body.size, body.range.clone()), (10, given));
        assert_eq!(read(body).await, b"456789");
    }
}

/// A range without bytes tells the size of the file.
pub async fn gives_empty_ranges(trial: &Trial) {
    trial.put("a", b"0123456789").await;
    for (range, given) in [(0..0, 0..0), (4..4, 4..4), (10..20, 10..10), (99..100, 10..10)] {
        let body = trial.get("a", Some(range.clone())).await.unwrap();
        assert_eq!((body.size, body.range.clone()), (10, given), "{range:?}");
        assert_eq!(read(body).await, b"");
    }
}

/// An empty file has empty ranges.
pub async fn gives_ranges_of_an_empty_file(trial: &Trial) {
    trial.put("a", b"").await;
    for range in [0..0, 0..10, 5..10] {
        let body = trial.get("a", Some(range)).await.unwrap();
        assert_eq!((body.size, body.range.clone()), (0, 0..0));
        assert_eq!(read(body).await, b"");
    }
}

/// A reader gets the file as it was when it began.
pub async fn reads_while_the_file_is_replaced(trial: &Trial) {
    let old = content(1 << 20);
    trial.put("a", &old).await;
    let body = trial.get("a", None).await.unwrap();
    trial.put("a", b"new").await;
    assert!(read(body).await == old);
    assert_eq!(trial.content("a").await.unwrap(), b"new");
}
