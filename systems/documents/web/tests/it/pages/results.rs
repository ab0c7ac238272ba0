//! Files that were made from documents, and the cache.

use hansang_documents::{NewArtifact, artifact_key, create_artifact};
use hansang_testserver::{On, Visitor, has, lacks};

use super::{Desk, START, start};

hansang_testserver::on_each_store! {
    results_are_shown_to_their_owner,
    administrators_see_the_cache,
}

pub(super) async fn artifact(desk: &Desk, user_id: &str, project: &str, name: &str, text: &str) -> String {
    let project_id = project.rsplit('/').next().unwrap().to_owned();
    let artifact_id = desk.documents.new_id();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let key = artifact_key(&project_id, &artifact_id);
    desk.documents.files.put(&key, "text/plain", file.path()).await.unwrap();
    let new = NewArtifact {
        artifact_id: artifact_id.clone(),
        user_id: user_id.to_owned(),
        project_id,
        filename: name.to_owned(),
        content_type: "text/plain".to_owned(),
        file_size: i64::try_from(text.len()).unwrap(),
        ..NewArtifact::default()
    };
    create_artifact(&desk.documents, None, &new).await.unwrap();
    artifact_id
}

async fn id_of(desk: &Desk, login: &str) -> String {
    desk.server.access.account_by_login(login).await.unwrap().unwrap().id
}

/// D16, D17: one's own by project or all; those of others are only listed for administrators, with their owner.
async fn results_are_shown_to_their_owner(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let viewer = Visitor::sign_in(&desk.server, "viewer", "ko").await;
    let project = desk.project(&editor, "자료").await;
    let gallery = format!("{START}/artifacts");
    has(&editor.get(&gallery).await, &["아직 결과 파일이 없습니다"]);
    let own = artifact(&desk, &id_of(&desk, "editor").await, &project, "요약.txt", "요약 <내용>").await;
    let other = artifact(&desk, &id_of(&desk, "viewer").await, &project, "남의 것.txt", "비밀").await;
    let mine = editor.get(&gallery).await;
    has(&mine, &["요약.txt"]);
    lacks(&mine, &["남의 것.txt"]);
    let id = project.rsplit('/').next().unwrap();
    let everyone = format!("{gallery}?project={id}&whose=all");
    lacks(&editor.get(&format!("{gallery}?project={id}")).await, &["name=\"whose\"", "남의 것.txt"]);
    for refused in [editor.get(&everyone).await, viewer.get(&everyone).await] {
        assert_eq!(refused.status, 403);
        lacks(&refused, &["요약.txt", "남의 것.txt"]);
    }
    let admin = desk.visit("admin").await;
    let all = admin.get(&everyone).await;
    has(&all, &["name=\"whose\"", "요약.txt", "남의 것.txt"]);
    lacks(&all, &[&format!("artifacts/{other}\"")]);
    has(&editor.get(&format!("{gallery}/{own}")).await, &["요약 &#60;내용&#62;", "자료"]);
    assert_eq!(editor.get(&format!("{gallery}/{other}")).await.status, 403);
    assert_eq!(editor.post(&format!("{gallery}/{other}/delete"), &[]).await.status, 403);
    assert_eq!(viewer.get(&format!("{gallery}/{other}")).await.status, 200);
    assert_eq!(editor.post(&format!("{gallery}/{own}/delete"), &[]).await.status, 303);
    assert_eq!(editor.get(&format!("{gallery}/{own}")).await.status, 404);
}

/// D18, D23: the statistics count reads; dropping a list needs to name it.
async fn administrators_see_the_cache(on: On) {
    let desk = start(on).await;
    let admin = desk.visit("admin").await;
    let cache = format!("{START}/cache");
    has(&admin.get(&cache).await, &["서버를 시작한 뒤", "캐시에서 읽음"]);
    let wrong = admin.post(&cache, &[("list", "sessions"), ("user", "")]).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["f-user-problem", "f-project-problem"]);
    let dropped = admin.post(&cache, &[("list", "projects")]).await;
    assert_eq!(dropped.status, 303, "{}", dropped.text);
    has(&admin.get(dropped.header("location")).await, &["다음에 목록을 새로 읽습니다."]);
}
