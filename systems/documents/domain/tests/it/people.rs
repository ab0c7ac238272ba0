//! What users have in a project: artifacts, sessions with messages, agents.

use hansang_core::ErrorKind;
use hansang_core::db::Ask;
use hansang_documents::{
    AgentText, Artifact, Citation, DocumentsCode, ListAsk, NewArtifact, NewMessage, Role, SessionText,
    add_message, agents, artifact_key, artifacts_of_document, artifacts_of_project, artifacts_of_user,
    artifacts_of_user_in_project, change_agent, change_session, create_agent, create_artifact,
    create_session, delete_agent, delete_artifact, delete_session, find_agent, find_artifact, find_session,
    members, messages_of_session, sessions,
};

use crate::grounds::{Ground, naming, on_each_store};

pub(crate) fn artifact(ground: &Ground, user: &str, project: &str, document: Option<&str>) -> NewArtifact {
    let artifact_id = ground.documents.new_id();
    ground.files.store(&artifact_key(project, &artifact_id), "요약");
    NewArtifact {
        artifact_id,
        user_id: user.to_owned(),
        project_id: project.to_owned(),
        filename: "요약.md".to_owned(),
        content_type: "text/markdown".to_owned(),
        file_size: 6,
        document_id: document.map(str::to_owned),
        workflow_id: None,
    }
}

fn ids(listing: hansang_core::db::TypedListing<Artifact>) -> Vec<String> {
    listing.items.into_iter().map(|artifact| artifact.artifact_id).collect()
}

/// D14, D15, D16, D17, Ds19: an artifact is found by its user, by user and project, by its project and by its document.
async fn artifacts_are_found(ground: Ground) {
    let documents = &ground.documents;
    let (a, b) = (ground.project("a").await.project_id, ground.project("b").await.project_id);
    let document = ground.document(&a, "a.pdf").await.document_id;
    let mut made = Vec::new();
    for (user, project, of) in
        [("ann", &a, Some(&*document)), ("ann", &b, None), ("bob", &a, None), ("ann", &a, None)]
    {
        ground.pass(1);
        let new = artifact(&ground, user, project, of);
        let artifact = create_artifact(documents, None, &new).await.unwrap();
        assert_eq!(artifact.s3_key, artifact_key(project, &new.artifact_id));
        assert_eq!(create_artifact(documents, None, &new).await.unwrap(), artifact, "again is no error");
        made.push(new.artifact_id);
    }
    let pick = |numbers: &[usize]| numbers.iter().map(|number| made[*number].clone()).collect::<Vec<_>>();
    let ask = Ask::default;
    assert_eq!(ids(artifacts_of_user(documents, "ann", ask()).await.unwrap()), pick(&[3, 1, 0]));
    let oldest = Ask { descending: Some(false), ..ask() };
    assert_eq!(ids(artifacts_of_user(documents, "ann", oldest).await.unwrap()), pick(&[0, 1, 3]));
    assert_eq!(ids(artifacts_of_user_in_project(documents, "ann", &a, ask()).await.unwrap()), pick(&[3, 0]));
    assert_eq!(ids(artifacts_of_project(documents, &a, ask()).await.unwrap()), pick(&[3, 2, 0]));
    assert_eq!(ids(artifacts_of_document(documents, &document, ask()).await.unwrap()), pick(&[0]));
    let page = artifacts_of_user(documents, "ann", Ask { limit: Some(2), ..ask() }).await.unwrap();
    let next = Ask { limit: Some(2), cursor: page.next.clone(), ..ask() };
    assert_eq!(
        (page.items.len(), artifacts_of_user(documents, "ann", next).await.unwrap().items.len()),
        (2, 1)
    );
    assert_eq!(members(documents, &a, ask()).await.unwrap().items, ["ann", "bob"]);
    let other = NewArtifact { user_id: "eve".to_owned(), ..artifact(&ground, "x", &a, None) };
    let taken = NewArtifact { artifact_id: made[0].clone(), ..other.clone() };
    assert_eq!(create_artifact(documents, None, &taken).await.unwrap_err().kind, ErrorKind::Conflict);
    let unknown = NewArtifact { document_id: Some("none".to_owned()), ..other.clone() };
    let refused = create_artifact(documents, None, &unknown).await.unwrap_err();
    assert_eq!(refused.code, DocumentsCode::DocumentUnknown);
    let unknown = NewArtifact { project_id: "none".to_owned(), ..other };
    let refused = create_artifact(documents, None, &unknown).await.unwrap_err();
    assert_eq!(refused.code, DocumentsCode::ProjectUnknown);
}

/// A step that is done again stores the file of its artifact anew: the artifact says what the file is now.
async fn an_artifact_that_is_made_again_is_up_to_date(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let new = artifact(&ground, "ann", &project, None);
    create_artifact(documents, None, &new).await.unwrap();
    let again = NewArtifact { file_size: 9, filename: "새 요약.md".to_owned(), ..new.clone() };
    let made = create_artifact(documents, None, &again).await.unwrap();
    assert_eq!((made.file_size, &*made.filename), (9, "새 요약.md"));
    let listed = artifacts_of_project(documents, &project, Ask::default()).await.unwrap().items;
    assert_eq!((listed.len(), listed[0].file_size), (1, 9));
}

/// Ds21: an artifact is deleted with its file by its owner, and by nobody else.
async fn artifacts_are_deleted_by_their_owner(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let document = ground.document(&project, "a.pdf").await.document_id;
    let new = artifact(&ground, "ann", &project, Some(&document));
    let made = create_artifact(documents, None, &new).await.unwrap();
    let refused = delete_artifact(documents, "bob", &made.artifact_id).await.unwrap_err();
    assert_eq!((refused.kind, refused.code), (ErrorKind::Forbidden, DocumentsCode::NotOwner.into()));
    assert!(ground.files.keys().contains(&made.s3_key));
    delete_artifact(documents, "ann", &made.artifact_id).await.unwrap();
    assert!(!ground.files.keys().contains(&made.s3_key));
    assert_eq!(naming(&documents.db, &made.artifact_id).await, [""; 0]);
    let gone = delete_artifact(documents, "ann", &made.artifact_id).await.unwrap_err();
    assert_eq!(gone.code, DocumentsCode::ArtifactUnknown);
    assert_eq!(find_artifact(documents, &made.artifact_id).await.unwrap_err().kind, ErrorKind::NotFound);
}

/// Ds5: sessions with their messages.
async fn sessions_have_messages(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let text = |name: &str| SessionText {
        session_name: name.to_owned(),
        session_type: "chat".to_owned(),
        agent_id: Some("g1".to_owned()),
    };
    let made = create_session(documents, "ann", &project, &text("질문")).await.unwrap();
    let id = &made.session_id;
    let changed = change_session(documents, "ann", &project, id, &text("계약 질문"), 1).await.unwrap();
    assert_eq!((&*changed.session_name, changed.revision), ("계약 질문", 2));
    let stale = change_session(documents, "ann", &project, id, &text("x"), 1).await.unwrap_err();
    assert_eq!(stale.code, DocumentsCode::Changed);
    let citation = Citation {
        document_id: "d".to_owned(),
        workflow_id: "w".to_owned(),
        segment_index: 3,
        quote: "제10조".to_owned(),
    };
    for (role, content) in [(Role::User, "언제 해지?"), (Role::Assistant, "한 달 전입니다.")] {
        let citations = if role == Role::Assistant { vec![citation.clone()] } else { Vec::new() };
        let new = NewMessage { role, content: content.to_owned(), citations };
        add_message(documents, "ann", &project, id, &new).await.unwrap();
    }
    let all = messages_of_session(documents, "ann", &project, id, Ask::default()).await.unwrap().items;
    assert_eq!(
        all.iter().map(|message| &*message.content).collect::<Vec<_>>(),
        ["언제 해지?", "한 달 전입니다."]
    );
    assert_eq!(all[1].citations, [citation]);
    // A session belongs to its user.
    let other = messages_of_session(documents, "bob", &project, id, Ask::default()).await.unwrap_err();
    assert_eq!(other.code, DocumentsCode::SessionUnknown);
    let new = NewMessage { role: Role::User, content: "x".to_owned(), citations: Vec::new() };
    assert!(add_message(documents, "bob", &project, id, &new).await.is_err());
    delete_session(documents, "ann", &project, id).await.unwrap();
    assert_eq!(naming(&documents.db, id).await, [""; 0]);
    for gone in [
        delete_session(documents, "ann", &project, id).await,
        find_session(documents, "ann", &project, id).await.map(drop),
        add_message(documents, "ann", &project, id, &new).await.map(drop),
        change_session(documents, "ann", &project, id, &text("x"), 2).await.map(drop),
    ] {
        assert_eq!(gone.unwrap_err().code, DocumentsCode::SessionUnknown);
    }
    let unknown = create_session(documents, "ann", "none", &text("x")).await.unwrap_err();
    assert_eq!(unknown.code, DocumentsCode::ProjectUnknown);
    for bad in ["a:b", "a#b", "a b", ""] {
        let refused = create_session(documents, bad, &project, &text("x")).await.unwrap_err();
        assert_eq!(refused.code, DocumentsCode::IdInvalid, "{bad:?}");
        assert_eq!(
            sessions(documents, bad, &project, &ListAsk::default()).await.unwrap_err().code,
            DocumentsCode::IdInvalid
        );
    }
}

/// Ds6: agents.
async fn agents_are_edited(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let text = |name: &str| AgentText { name: name.to_owned(), content: "짧게 답한다.".to_owned() };
    let made = create_agent(documents, "ann", &project, &text("영양사")).await.unwrap();
    let id = &made.agent_id;
    let changed = change_agent(documents, "ann", &project, id, &text("조리사"), 1).await.unwrap();
    assert_eq!((&*changed.name, changed.revision), ("조리사", 2));
    assert_eq!(find_agent(documents, "ann", &project, id).await.unwrap(), changed);
    let listed = agents(documents, "ann", &project, &ListAsk::default()).await.unwrap();
    assert_eq!(listed.items, [changed]);
    assert_eq!(agents(documents, "bob", &project, &ListAsk::default()).await.unwrap().total, 0);
    let stale = change_agent(documents, "ann", &project, id, &text("x"), 1).await.unwrap_err();
    assert_eq!(stale.code, DocumentsCode::Changed);
    delete_agent(documents, "ann", &project, id).await.unwrap();
    for gone in [
        delete_agent(documents, "ann", &project, id).await,
        find_agent(documents, "ann", &project, id).await.map(drop),
        change_agent(documents, "ann", &project, id, &text("x"), 2).await.map(drop),
    ] {
        assert_eq!(gone.unwrap_err().code, DocumentsCode::AgentUnknown);
    }
    assert!(create_agent(documents, "ann", &project, &AgentText::default()).await.is_err());
}

on_each_store!(
    artifacts_are_found,
    an_artifact_that_is_made_again_is_up_to_date,
    artifacts_are_deleted_by_their_owner,
    sessions_have_messages,
    agents_are_edited,
);
