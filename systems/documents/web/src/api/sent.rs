//! The bodies of requests.

use std::collections::BTreeSet;

use hansang_documents::{
    AgentText, Citation, NewFile, NewMessage, OcrMode, Outcome, ProjectText, Reprocess, Role, SessionText,
    StepName, StepProgress,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// A project that is created or changed. Absent options are those of the server.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentProject {
    #[schemars(length(min = 1, max = 120))]
    name: String,
    #[schemars(length(max = 2000))]
    description: Option<String>,
    /// A language tag such as `ko`.
    #[schemars(length(min = 2, max = 35))]
    language: Option<String>,
    /// A colour such as `#8A3B12`.
    #[schemars(regex(pattern = "^#[0-9A-Fa-f]{6}$"))]
    color: Option<String>,
    /// What processors are told about every document.
    #[schemars(length(max = 20_000))]
    document_prompt: Option<String>,
    /// The pages whose text is recognised.
    #[schemars(with = "Option<String>", extend("enum" = ["auto", "never", "always", null]))]
    ocr: Option<OcrMode>,
    /// The languages to recognise, such as `kor+eng`.
    #[schemars(length(min = 3, max = 80), regex(pattern = "^[A-Za-z_]+([+][A-Za-z_]+)*$"))]
    ocr_languages: Option<String>,
}

impl SentProject {
    pub(super) fn text(self) -> ProjectText {
        ProjectText {
            name: self.name,
            description: self.description,
            language: self.language,
            color: self.color,
            document_prompt: self.document_prompt,
            ocr: self.ocr,
            ocr_languages: self.ocr_languages,
        }
    }
}

/// Whether a project is archived.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentArchive {
    pub(super) archived: bool,
}

/// A file that is about to be sent.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentFile {
    #[schemars(length(min = 1, max = 255))]
    name: String,
    /// The media type; what the content says counts in the end.
    #[schemars(length(min = 1, max = 127))]
    file_type: Option<String>,
    /// The number of bytes.
    #[schemars(range(min = 0, max = 524_288_000))]
    file_size: i64,
    /// The address it was fetched from.
    #[schemars(length(max = 2048))]
    source_url: Option<String>,
}

impl SentFile {
    pub(super) fn file(self) -> NewFile {
        NewFile {
            name: self.name,
            file_type: self.file_type.unwrap_or_else(|| "application/octet-stream".to_owned()),
            file_size: self.file_size,
            source_url: self.source_url,
        }
    }
}

/// The end of an upload.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentFinish {
    /// The checksum of the file as the sender has it, if it is to be compared.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub(super) sha256: Option<String>,
}

/// What is to be processed again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentReprocess {
    /// What processors are told.
    #[schemars(length(max = 20_000))]
    instructions: Option<String>,
    /// The numbers of segments; none for the whole document.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pages: BTreeSet<i64>,
}

impl SentReprocess {
    pub(super) fn reprocess(self) -> Reprocess {
        Reprocess { instructions: self.instructions, pages: self.pages.into_iter().collect() }
    }
}

/// The text of a segment.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentText {
    pub(super) content: String,
}

/// A question with its answer.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentQuestion {
    #[schemars(length(min = 1, max = 500))]
    pub(super) question: String,
    #[schemars(length(min = 1, max = 2000))]
    pub(super) answer: String,
}

/// A conversation.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentSession {
    #[schemars(length(min = 1, max = 200))]
    session_name: String,
    /// The kind; `chat` if it is left out.
    #[schemars(length(min = 1, max = 40))]
    session_type: Option<String>,
    /// The user's agent that answers.
    #[schemars(length(min = 1, max = 64))]
    agent_id: Option<String>,
}

impl SentSession {
    pub(super) fn text(self) -> SessionText {
        SessionText {
            session_name: self.session_name,
            session_type: self.session_type.unwrap_or_else(|| "chat".to_owned()),
            agent_id: self.agent_id,
        }
    }
}

/// A message.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentMessage {
    #[schemars(with = "String", extend("enum" = Role::ALL.map(Role::name)))]
    role: Role,
    #[schemars(length(min = 1, max = 50_000))]
    content: String,
    /// The passages that it rests on.
    #[serde(default)]
    #[schemars(length(max = 50))]
    citations: Vec<SentCitation>,
}

/// A passage.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentCitation {
    document_id: String,
    workflow_id: String,
    #[schemars(range(min = 0, max = 999_999))]
    segment_index: i64,
    #[schemars(length(min = 1, max = 1000))]
    quote: String,
}

impl SentMessage {
    pub(super) fn message(self) -> NewMessage {
        let citation = |sent: SentCitation| Citation {
            document_id: sent.document_id,
            workflow_id: sent.workflow_id,
            segment_index: sent.segment_index,
            quote: sent.quote,
        };
        let citations = self.citations.into_iter().map(citation).collect();
        NewMessage { role: self.role, content: self.content, citations }
    }
}

/// A question to the documents of a project.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentAsk {
    #[schemars(length(min = 1, max = 2000))]
    pub(super) question: String,
}

/// An agent.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentAgent {
    #[schemars(length(min = 1, max = 120))]
    name: String,
    /// The instructions.
    #[schemars(length(min = 1, max = 50_000))]
    content: String,
}

impl SentAgent {
    pub(super) fn text(self) -> AgentText {
        AgentText { name: self.name, content: self.content }
    }
}

/// The list that is dropped.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentKey {
    /// `query_projects`, `session_list:{user_id}:{project_id}` or `agent_list:{user_id}:{project_id}`.
    #[schemars(length(min = 1, max = 200))]
    pub(super) key: String,
}

/// A claim.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentClaim {
    /// The kinds of steps that the processor can do, the preferred one first.
    #[schemars(with = "Vec<String>", length(min = 1, max = 6))]
    #[schemars(extend("items" = serde_json::json!({ "enum": StepName::ALL.map(StepName::name) })))]
    pub(super) names: Vec<StepName>,
    /// The name of the processor. A lease belongs to this name and the account.
    #[schemars(length(min = 1, max = 100))]
    pub(super) processor: String,
}

/// A lease and what is reported under it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentHeartbeat {
    #[schemars(length(min = 1, max = 100))]
    pub(super) processor: String,
    /// The `attempt` of the lease.
    #[schemars(range(min = 0))]
    pub(super) attempt: i64,
    /// What is done of `total`.
    #[schemars(range(min = 0))]
    done: Option<i64>,
    #[schemars(range(min = 0))]
    total: Option<i64>,
    /// What the processor is doing.
    #[schemars(length(max = 500))]
    note: Option<String>,
}

impl SentHeartbeat {
    pub(super) fn progress(&self) -> StepProgress {
        StepProgress { done: self.done, total: self.total, note: self.note.clone() }
    }
}

/// A lease, and what the step found out.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentComplete {
    #[schemars(length(min = 1, max = 100))]
    pub(super) processor: String,
    /// The `attempt` of the lease.
    #[schemars(range(min = 0))]
    pub(super) attempt: i64,
    /// The number of segments, all of which must be written.
    #[schemars(range(min = 0, max = 1_000_000))]
    total_segments: Option<i64>,
    /// The language of the text.
    #[schemars(length(min = 2, max = 35))]
    language: Option<String>,
    summary: Option<String>,
    /// A note for people about a completed step.
    #[schemars(length(max = 500))]
    note: Option<String>,
}

impl SentComplete {
    pub(super) fn outcome(&self) -> Outcome {
        Outcome {
            total_segments: self.total_segments,
            language: self.language.clone(),
            summary: self.summary.clone(),
            note: self.note.clone(),
        }
    }
}

/// A lease, and why the step failed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentFail {
    #[schemars(length(min = 1, max = 100))]
    pub(super) processor: String,
    /// The `attempt` of the lease.
    #[schemars(range(min = 0))]
    pub(super) attempt: i64,
    #[schemars(length(min = 1, max = 2000))]
    pub(super) error: String,
    /// Whether another attempt may succeed.
    #[serde(default)]
    pub(super) retry: bool,
}

/// A lease, and why the step is skipped.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentSkip {
    #[schemars(length(min = 1, max = 100))]
    pub(super) processor: String,
    /// The `attempt` of the lease.
    #[schemars(range(min = 0))]
    pub(super) attempt: i64,
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// A lease.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentLease {
    #[schemars(length(min = 1, max = 100))]
    pub(super) processor: String,
    /// The `attempt` of the lease.
    #[schemars(range(min = 0))]
    pub(super) attempt: i64,
}
