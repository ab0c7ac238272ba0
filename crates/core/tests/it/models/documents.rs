//! `models/documents.yaml`.

use expect_test::expect;
use hansang_core::Model;
use hansang_core::kind::Kind;
use hansang_core::kind::time::Precision;

use super::{accepts, describe, index_key, key};

const CREATED_AT: &str = "2026-01-05T01:02:03.004Z";

fn model() -> Model {
    super::model("documents")
}

/// D1
#[test]
fn table() {
    let model = model();
    expect![[r#"
        IdpBackendTable (PK, SK)
        GSI1 (GSI1PK, GSI1SK) All
        GSI2 (GSI2PK, GSI2SK) All
        streams off, recovery off
    "#]]
    .assert_eq(&describe::table(&model.table));
    assert_eq!(model.table.name_in(None), "IdpBackendTable");
}

/// Ds15, Ds16
#[test]
fn projects_and_documents() {
    expect![[r#"
        Project = PROJ#{project_id} / META
          in GSI1 = PROJECTS / {created_at}
          project_id: text, length 1 to 64, a new ULID
          name: text, length 1 to 120
          description?: text, length 0 to 2000
          status: one of active, archived, default "active"
          created_by: text, length 1 to 64, immutable
          language?: text, length 2 to 35
          color?: text, like #[0-9A-Fa-f]{6}
          document_prompt?: text, length 0 to 20000
          ocr?: one of auto, never, always
          ocr_languages?: text, length 3 to 80, like [A-Za-z_]+([+][A-Za-z_]+)*
          revision?: a whole number, at least 1
          created_at: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updated_at: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
        Document = PROJ#{project_id} / DOC#{document_id}
          in GSI1 = PROJ#{project_id}#DOC / {created_at}
          project_id: text, length 1 to 64
          document_id: text, length 1 to 64, a new ULID
          name: text, length 1 to 255
          file_type: text, length 1 to 127
          file_size: a whole number, at least 0, at most 524288000
          status: one of uploading, pending, in_progress, completed, failed, reanalyzing, default "pending"
          s3_key?: text, length 1 to 1024
          content_ref?: text, length 1 to 2048
          sha256?: text, like [0-9a-f]{64}
          source_url?: an address that starts with https://, http:// or s3://, length 1 to 2048
          created_by?: text, length 1 to 64, immutable
          file_version?: a whole number, at least 1, at most 999999
          workflow_id?: text, length 1 to 64
          step?: one of prepare, parse, ocr, build, index, summarise
          steps_done?: a whole number, at least 0, at most 6
          text_workflow_id?: text, length 1 to 64
          text_revision?: a whole number, at least 1
          created_at: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updated_at: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
    "#]]
    .assert_eq(&describe::entities(&model(), &["Project", "Document"]));
}

/// Ds17, Ds18
#[test]
fn workflows_and_segments() {
    expect![[r#"
        Workflow = DOC#{document_id} / WF#{workflow_id}
          document_id: text, length 1 to 64
          workflow_id: text, length 1 to 64, a new ULID
          status: one of pending, in_progress, completed, failed, reanalyzing, default "pending"
          file_name: text, length 1 to 255
          language?: text, length 2 to 35
          summary?: text
          total_segments?: a whole number, at least 0, at most 1000000
          project_id?: text, length 1 to 64
          file_version?: a whole number, at least 1, at most 999999
          instructions?: text, length 0 to 20000
          pages?: a list, each element a whole number, length 1 to 1000
          error?: text, length 1 to 2000
          text_revision?: a whole number, at least 1
          started_by?: text, length 1 to 64
          started_at?: a time such as 2025-11-14T03:00:00.123Z
          ended_at?: a time such as 2025-11-14T03:00:00.123Z
          created_at: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updated_at: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
        Segment = WF#{workflow_id} / SEG#{segment_index:06}
          workflow_id: text, length 1 to 64
          segment_index: a whole number, at least 0, at most 999999
          s3_key?: text, length 1 to 1024
          image_uri?: an address that starts with https://, http:// or s3://
          content?: text
          segment_type?: one of PAGE, TEXT, CHAPTER, WEB
          title?: text, length 1 to 500
          image_key?: text, length 1 to 1024
          image_width?: a whole number, at least 1
          image_height?: a whole number, at least 1
          language?: text, length 2 to 35
          texts?: a map, each value text
          blocks?: a list, each element a map, each value any value
          keywords?: a list, each element text, length 0 to 100
          questions?: a list, each element a map, each value any value, length 0 to 100
          text_ref?: text, length 1 to 1024
          created_at: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updated_at: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
    "#]]
    .assert_eq(&describe::entities(&model(), &["Workflow", "Segment"]));
}

/// Ds5, Ds6, Ds19
#[test]
fn user_data() {
    expect![[r#"
        Artifact = ART#{artifact_id} / META
          in GSI1 = USR#{user_id}#ART / {created_at}
          in GSI2 = USR#{user_id}#PROJ#{project_id}#ART / {created_at}
          artifact_id: text, length 1 to 64, a new ULID
          user_id: text, length 1 to 64, immutable
          project_id: text, length 1 to 64, immutable
          filename: text, length 1 to 255
          content_type: text, length 1 to 127
          file_size: a whole number, at least 0
          s3_key: text, length 1 to 1024
          document_id?: text, length 1 to 64, immutable
          workflow_id?: text, length 1 to 64, immutable
          created_at: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updated_at: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
        Session = USR#{user_id}#PROJ#{project_id} / SESS#{session_id}
          user_id: text, length 1 to 64
          project_id: text, length 1 to 64
          session_id: text, length 1 to 64, a new ULID
          session_name: text, length 1 to 200
          session_type: text, length 1 to 40
          agent_id?: text, length 1 to 64
          revision?: a whole number, at least 1
          created_at: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updated_at: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
        Agent = USR#{user_id}#PROJ#{project_id} / AGENT#{agent_id}
          user_id: text, length 1 to 64
          project_id: text, length 1 to 64
          agent_id: text, length 1 to 64, a new ULID
          name: text, length 1 to 120
          content: text
          revision?: a whole number, at least 1
          created_at: a time such as 2025-11-14T03:00:00.123Z, immutable, by the table (Created)
          updated_at: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
    "#]]
    .assert_eq(&describe::entities(&model(), &["Artifact", "Session", "Agent"]));
}

/// D2, D5, D8, D11, D14, Ds5, Ds6
#[test]
fn keys() {
    let model = model();
    let (project, user) = (("project_id", "p1"), ("user_id", "u001"));
    for (entity, given, expected) in [
        ("Project", &[project][..], "PROJ#p1 / META"),
        ("Document", &[project, ("document_id", "d1")], "PROJ#p1 / DOC#d1"),
        ("Workflow", &[("document_id", "d1"), ("workflow_id", "w1")], "DOC#d1 / WF#w1"),
        ("Segment", &[("workflow_id", "w1"), ("segment_index", "10")], "WF#w1 / SEG#000010"),
        ("Artifact", &[("artifact_id", "a1")], "ART#a1 / META"),
        ("Session", &[user, project, ("session_id", "s1")], "USR#u001#PROJ#p1 / SESS#s1"),
        ("Agent", &[user, project, ("agent_id", "g1")], "USR#u001#PROJ#p1 / AGENT#g1"),
    ] {
        assert_eq!(key(&model, entity, given), expected);
    }
    let given = [project, user, ("created_at", CREATED_AT)];
    for (entity, index, given, partition) in [
        ("Project", "GSI1", &given[2..], Some("PROJECTS")),
        ("Document", "GSI1", &[given[0], given[2]], Some("PROJ#p1#DOC")),
        ("Artifact", "GSI1", &given[1..], Some("USR#u001#ART")),
        ("Artifact", "GSI2", &given, Some("USR#u001#PROJ#p1#ART")),
        ("Workflow", "GSI1", &[], None),
        ("Session", "GSI2", &[], None),
    ] {
        let expected = partition.map(|partition| format!("{partition} / {CREATED_AT}"));
        assert_eq!(index_key(&model, entity, index, given), expected, "{entity} in {index}");
    }
}

/// D3, D4, D6, D7, D9, D10, D12, D13, D15, D16, D17
#[test]
fn patterns() {
    expect![[r#"
        project(project_id): Project
          get PROJ#{project_id} / META
        projects(): Project, last first
          query GSI1 PROJECTS / {created_at from … to …}
        document(project_id, document_id): Document
          get PROJ#{project_id} / DOC#{document_id}
        documentsOfProject(project_id): Document, last first
          query GSI1 PROJ#{project_id}#DOC / {created_at from … to …}
        documentsById(project_id): Document, consistent
          query PROJ#{project_id} / DOC#*
        documentsOfHash(project_id, sha256): FileOfHash, consistent
          query PROJ#{project_id} / HASH#{sha256}#*
        fileVersion(document_id, file_version): FileVersion
          get DOC#{document_id} / VER#{file_version:06}
        versionsOfDocument(document_id): FileVersion, last first, consistent
          query DOC#{document_id} / VER#*
        uploads(): FileVersion
          query GSI1 UPLOADS / {upload_at from … to …}
        workflow(document_id, workflow_id): Workflow
          get DOC#{document_id} / WF#{workflow_id}
        workflowsOfDocument(document_id): Workflow, last first
          query DOC#{document_id} / WF#*
        step(workflow_id, name): Step
          get WF#{workflow_id} / STEP#{name}
        stepsOfWorkflow(workflow_id): Step, consistent
          query WF#{workflow_id} / STEP#*
        dueSteps(name): Step
          query GSI1 STEPS#{name} / {due_at from … to …}
        segment(workflow_id, segment_index): Segment
          get WF#{workflow_id} / SEG#{segment_index:06}
        segmentsOfWorkflow(workflow_id): Segment
          query WF#{workflow_id} / SEG#{segment_index from … to …}
        artifact(artifact_id): Artifact
          get ART#{artifact_id} / META
        artifactsOfUser(user_id): Artifact, last first
          query GSI1 USR#{user_id}#ART / {created_at from … to …}
        artifactsOfUserInProject(user_id, project_id): Artifact, last first
          query GSI2 USR#{user_id}#PROJ#{project_id}#ART / {created_at from … to …}
        artifactsOfProject(project_id): ArtifactOfProject, last first, consistent
          query PROJ#{project_id} / ART#*
        artifactsOfDocument(document_id): ArtifactOfDocument, last first, consistent
          query DOC#{document_id} / ART#*
        session(user_id, project_id, session_id): Session
          get USR#{user_id}#PROJ#{project_id} / SESS#{session_id}
        sessionsOfUserInProject(user_id, project_id): Session, last first
          query USR#{user_id}#PROJ#{project_id} / SESS#*
        messagesOfSession(session_id): Message, consistent
          query SESS#{session_id} / MSG#*
        agent(user_id, project_id, agent_id): Agent
          get USR#{user_id}#PROJ#{project_id} / AGENT#{agent_id}
        agentsOfUserInProject(user_id, project_id): Agent, last first
          query USR#{user_id}#PROJ#{project_id} / AGENT#*
        membersOfProject(project_id): Member, consistent
          query PROJ#{project_id} / MEMBER#*
        partsOfProject(project_id): Document + FileOfHash + ArtifactOfProject + Member, consistent
          query PROJ#{project_id} / *
          drops Project
        partsOfDocument(document_id): Workflow + FileVersion + ArtifactOfDocument, consistent
          query DOC#{document_id} / *
        partsOfWorkflow(workflow_id): Segment + Step, consistent
          query WF#{workflow_id} / *
        partsOfUserInProject(user_id, project_id): Session + Agent + UserLists, consistent
          query USR#{user_id}#PROJ#{project_id} / *
        deletions(): Deletion
          query GSI1 DELETIONS / {due_at from … to …}
    "#]]
    .assert_eq(&describe::patterns(&model()));
}

/// Ds1
#[test]
fn segments_sort_by_number() {
    let model = model();
    let segment = |index| key(&model, "Segment", &[("workflow_id", "w1"), ("segment_index", index)]);
    assert_eq!(segment("2"), "WF#w1 / SEG#000002");
    assert_eq!(segment("000002"), segment("2"));
    assert!(segment("2") < segment("10") && segment("10") < segment("999999"));
    for (index, good) in [("0", true), ("999999", true), ("1000000", false), ("-1", false), ("1.5", false)] {
        assert_eq!(accepts(&model, "Segment", "segment_index", index), good, "{index}");
    }
}

/// Ds3
#[test]
fn the_time_of_creation_has_a_fixed_width_and_never_changes() {
    for entity in model().entities {
        let created = entity.attribute("created_at").unwrap();
        assert_eq!(created.kind, Kind::Timestamp(Precision::Millis), "{}", entity.name);
        assert!(created.immutable, "{}", entity.name);
    }
}

/// Ds16: 500 MB at most.
#[test]
fn a_document_is_not_too_large() {
    let model = model();
    let limit = 500 * 1024 * 1024;
    assert!(accepts(&model, "Document", "file_size", &limit.to_string()));
    assert!(!accepts(&model, "Document", "file_size", &(limit + 1).to_string()));
}

/// Documents and workflows start again only from an end.
#[test]
fn statuses() {
    let model = model();
    expect![[r#"
        starts as pending
        pending → in_progress | failed
        in_progress → completed | failed
        completed → reanalyzing
        failed → reanalyzing
        reanalyzing → in_progress | completed | failed
    "#]]
    .assert_eq(&describe::lifecycle(&model, "Workflow", "status"));
    expect![[r#"
        starts as uploading | pending
        uploading → pending
        pending → in_progress | failed
        in_progress → completed | failed
        completed → reanalyzing
        failed → reanalyzing
        reanalyzing → in_progress | completed | failed
    "#]]
    .assert_eq(&describe::lifecycle(&model, "Document", "status"));
}
