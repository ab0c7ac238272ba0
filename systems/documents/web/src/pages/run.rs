//! The run of a document: its steps with times and errors, what failed, and what to do.

use hansang_core::message::Phrase;
use hansang_core::{Message, message};
use hansang_documents::messages::{CANCELLED, EARLIER_FAILED};
use hansang_documents::{Document, Step, StepName, StepStatus, Workflow, WorkflowStatus};
use hansang_documents_adapters::messages::{
    NO_INDEX, NO_TESSERACT, NO_TEXT, OCR_INCOMPLETE, OCR_NOT_NEEDED, OCR_OFF,
};
use hansang_ui::frame::View;
use hansang_ui::time::Moment;

use super::words;

/// The reasons of the built-in processor, which steps store in English.
const SKIPPED: [&Phrase; 5] = [&NO_INDEX, &NO_TEXT, &NO_TESSERACT, &OCR_NOT_NEEDED, &OCR_OFF];

/// A run.
pub(super) struct Run {
    pub(super) percent: i64,
    pub(super) steps: Vec<ShownStep>,
    pub(super) started: Option<Moment>,
    /// How long it took.
    pub(super) took: String,
    pub(super) instructions: String,
    /// The pages that are processed again.
    pub(super) pages: String,
    pub(super) failure: Option<Failure>,
}

/// A step.
pub(super) struct ShownStep {
    pub(super) name: &'static str,
    pub(super) status: (&'static str, &'static str),
    /// The state for styles: `pending`, `in_progress` and so on.
    pub(super) state: &'static str,
    pub(super) icon: &'static str,
    pub(super) took: String,
    /// Pages done of all, what the processor is doing, why it was skipped, or why it failed.
    pub(super) details: Vec<String>,
    pub(super) percent: Option<i64>,
}

/// Why a run failed, and what to do.
pub(super) struct Failure {
    pub(super) title: String,
    pub(super) reason: String,
    pub(super) advice: String,
}

/// The id of the user who cancelled a run.
pub(super) fn cancelled_by(workflow: &Workflow) -> Option<&str> {
    let before = message!(CANCELLED, "").to_string();
    workflow.error.as_deref()?.strip_prefix(&*before).filter(|_| workflow.status == WorkflowStatus::Failed)
}

/// The run of a document for its page; `by` is the name of the user who cancelled it.
pub(super) fn run(
    view: &View,
    document: &Document,
    workflow: &Workflow,
    steps: &[Step],
    by: Option<String>,
) -> Run {
    let numbers: Vec<String> = workflow.pages.iter().flatten().map(|index| (index + 1).to_string()).collect();
    let ended = workflow.ended_at.or(view.reader.now);
    let took = workflow.started_at.zip(ended).map(|(from, to)| words::duration(view, from, to));
    Run {
        percent: percent(document, steps),
        steps: steps.iter().map(|step| shown(view, workflow, step)).collect(),
        started: workflow.started_at.map(|at| view.time(at)),
        took: took.unwrap_or_default(),
        instructions: workflow.instructions.clone().unwrap_or_default(),
        pages: numbers.join(", "),
        failure: match by {
            Some(by) => Some(cancelled(view, &by)),
            None => failure(view, workflow, steps),
        },
    }
}

fn percent(document: &Document, steps: &[Step]) -> i64 {
    if document.status.has_ended() || steps.is_empty() {
        return 100;
    }
    let all = i64::try_from(steps.len()).unwrap_or(1);
    (steps.iter().map(Step::percent).sum::<i64>() / all).min(99)
}

fn shown(view: &View, workflow: &Workflow, step: &Step) -> ShownStep {
    let running = step.status == StepStatus::InProgress;
    let ended = step.ended_at.or_else(|| view.reader.now.filter(|_| running));
    let took = step.started_at.zip(ended).map(|(from, to)| words::duration(view, from, to));
    let mut details = Vec::new();
    if let Some((done, total)) = step.done.zip(step.total).filter(|(_, total)| *total > 1) {
        details.push(view.fill("{0} of {1}", "{1} 중 {0}").with(done).with(total).to_string());
    }
    details.extend(step.note.as_deref().map(|note| noted(view, note)));
    details.extend(step.reason.as_deref().and_then(|reason| why_skipped(view, workflow, reason)));
    details.extend(step.error.clone());
    if running && step.tries > 1 {
        details.push(view.plural(step.tries, "{0} attempt", "{0} attempts", "{0}번째 시도").to_string());
    }
    ShownStep {
        name: words::step(view, step.name),
        status: words::step_status(view, step.status),
        state: step.status.name(),
        icon: match step.status {
            StepStatus::Pending => "clock",
            StepStatus::InProgress => "refresh",
            StepStatus::Completed => "check",
            StepStatus::Failed => "x",
            StepStatus::Skipped => "minus",
        },
        took: took.filter(|_| step.status != StepStatus::Skipped).unwrap_or_default(),
        details,
        percent: running.then(|| step.percent()),
    }
}

/// A note of a step. That of the built-in processor is stored in English.
fn noted(view: &View, note: &str) -> String {
    let (before, after) = OCR_INCOMPLETE.english.split_once("{0}").unwrap_or_default();
    match note.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)) {
        Some(pages) => view.sentence(message!(OCR_INCOMPLETE, pages.to_owned())),
        None => note.to_owned(),
    }
}

/// Why a step was skipped. What the whole run tells already is not repeated.
fn why_skipped(view: &View, workflow: &Workflow, reason: &str) -> Option<String> {
    if workflow.error.as_deref() == Some(reason) {
        return None;
    }
    let earlier = |name: &StepName| *reason == *message!(EARLIER_FAILED, name.name()).to_string();
    Some(match StepName::ALL.into_iter().find(earlier) {
        Some(name) => {
            view.fill("Needs “{0}”", "‘{0}’ 단계가 필요합니다").with(words::step(view, name)).to_string()
        }
        None => SKIPPED
            .iter()
            .find(|phrase| phrase.english == reason)
            .map_or_else(|| reason.to_owned(), |phrase| view.sentence(Message::new(phrase, Vec::new()))),
    })
}

fn cancelled(view: &View, by: &str) -> Failure {
    Failure {
        title: view.say("Processing was cancelled", "처리를 취소했습니다").to_owned(),
        reason: view.fill("Cancelled by {0}.", "취소한 사람: {0}").with(by).to_string(),
        advice: view.say("Reanalyse it to process it after all.", "처리하려면 다시 분석하세요.").to_owned(),
    }
}

fn failure(view: &View, workflow: &Workflow, steps: &[Step]) -> Option<Failure> {
    if workflow.status != WorkflowStatus::Failed {
        return None;
    }
    let failed = steps.iter().find(|step| step.status == StepStatus::Failed);
    let reason = workflow.error.clone().or_else(|| failed.and_then(|step| step.error.clone()));
    let advice = match failed.map(|step| step.name) {
        Some(StepName::Prepare | StepName::Parse) => view.say(
            "Open the file to see whether it is complete and not locked by a password. Upload a corrected version, or reanalyse it.",
            "파일이 온전하고 암호로 잠겨 있지 않은지 열어서 확인하세요. 고친 파일을 새 버전으로 올리거나 다시 분석하세요.",
        ),
        Some(StepName::Ocr) => view.say(
            "Reanalyse it, or switch off text recognition in the project settings.",
            "다시 분석하거나 프로젝트 설정에서 문자 인식을 끄세요.",
        ),
        _ => view.say("Reanalyse it. If it fails again, tell an administrator.", "다시 분석해 보고, 또 실패하면 관리자에게 알리세요."),
    };
    Some(Failure {
        title: match failed {
            Some(step) => view
                .fill("Processing failed: {0}", "처리하지 못했습니다: {0}")
                .with(words::step(view, step.name))
                .to_string(),
            None => view.say("Processing failed", "처리하지 못했습니다").to_owned(),
        },
        reason: reason
            .unwrap_or_else(|| view.say("No reason was given.", "이유가 기록되지 않았습니다.").to_owned()),
        advice: advice.to_owned(),
    })
}
