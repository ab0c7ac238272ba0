//! Deleting files and folders.

use futures_util::future::join_all;

use super::Trial;

async fn delete(trial: &Trial, name: &str) {
    trial.files.delete(&trial.key(name)).await.unwrap();
}

async fn delete_all(trial: &Trial, folder: &str) {
    trial.files.delete_all(&trial.key(folder)).await.unwrap();
}

/// A deleted file is gone, and can be stored again.
pub async fn removes_a_file(trial: &Trial) {
    trial.put("a", b"a").await;
    delete(trial, "a").await;
    assert_eq!(trial.content("a").await, None);
    trial.put("a", b"again").await;
    assert_eq!(trial.content("a").await.unwrap(), b"again");
}

/// A file that is gone is no error.
pub async fn can_be_repeated(trial: &Trial) {
    delete(trial, "none").await;
    delete(trial, "none/none").await;
    trial.put("a", b"a").await;
    delete(trial, "a").await;
    delete(trial, "a").await;
}

/// Other files stay.
pub async fn keeps_its_neighbours(trial: &Trial) {
    trial.put("folder/a", b"a").await;
    trial.put("folder/ab", b"ab").await;
    delete(trial, "folder/a").await;
    assert_eq!(trial.content("folder/ab").await.unwrap(), b"ab");
}

/// A folder is deleted by its own method alone.
pub async fn removes_no_folder(trial: &Trial) {
    trial.put("folder/a", b"a").await;
    delete(trial, "folder").await;
    assert_eq!(trial.content("folder/a").await.unwrap(), b"a");
}

/// However deep they are.
pub async fn of_a_folder_removes_all_below(trial: &Trial) {
    for name in ["folder/a", "folder/b/c", "folder/b/d/e.webp"] {
        trial.put(name, b"x").await;
    }
    delete_all(trial, "folder").await;
    for name in ["folder/a", "folder/b/c", "folder/b/d/e.webp"] {
        assert_eq!(trial.content(name).await, None, "{name}");
    }
    trial.put("folder/a", b"again").await;
    assert_eq!(trial.content("folder/a").await.unwrap(), b"again");
}

/// A name that starts alike is another folder.
pub async fn of_a_folder_keeps_its_neighbours(trial: &Trial) {
    for name in ["folder/a", "folder-2/a", "folde", "other"] {
        trial.put(name, b"x").await;
    }
    delete_all(trial, "folder").await;
    for name in ["folder-2/a", "folde", "other"] {
        assert!(trial.content(name).await.is_some(), "{name}");
    }
}

/// A folder that is gone is no error.
pub async fn of_a_folder_can_be_repeated(trial: &Trial) {
    delete_all(trial, "none").await;
    trial.put("folder/a", b"a").await;
    delete_all(trial, "folder").await;
    delete_all(trial, "folder").await;
}

/// More than one page of a list.
pub async fn of_a_folder_takes_many_files(trial: &Trial) {
    let names: Vec<String> = (0..60).map(|number| format!("folder/{number}/a")).collect();
    join_all(names.iter().map(|name| trial.put(name, b"x"))).await;
    delete_all(trial, "folder").await;
    for name in &names {
        assert_eq!(trial.content(name).await, None, "{name}");
    }
}
