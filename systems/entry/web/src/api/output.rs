//! Events and entry requests as JSON. Times have milliseconds; absent values are left out.

use hansang_core::kind::time::Precision;
use hansang_core::queue::Depth;
use hansang_core::validate::Violation;
use hansang_entry::lottery::DrawFigures;
use hansang_entry::{
    Capacity, Damaged, Event, FailureClass, Letter, Line, Phase, Reason, Request, RequestPage, ResultCode,
    Status,
};
use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::pages::Glance;

/// An event, as participants see it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-entity" = "Event"))]
pub(super) struct ShownEvent {
    event_id: String,
    title: String,
    event_type: &'static str,
    status: &'static str,
    /// The status and the times together: what participants can do now.
    #[schemars(schema_with = "phases")]
    phase: &'static str,
    opens_at: String,
    closes_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_at: Option<String>,
    settle_seconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity_total: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winners: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lottery_cutoff_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    announced_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
}

/// An entry request, as its user sees it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-entity" = "Request"))]
pub(super) struct ShownRequest {
    request_id: String,
    event_id: String,
    event_type: &'static str,
    status: &'static str,
    requested_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    queued_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_message: Option<String>,
}

/// An entry request, as operators see it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-entity" = "Request"))]
pub(super) struct WatchedRequest {
    #[serde(flatten)]
    shown: ShownRequest,
    user_id: String,
    attempts: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lease_owner: Option<String>,
}

/// An entry request with its log, oldest line first.
#[derive(Serialize, JsonSchema)]
pub(super) struct RequestWithLog {
    #[serde(flatten)]
    request: WatchedRequest,
    log: Vec<ShownLine>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-entity" = "RequestStatusLog"))]
struct ShownLine {
    #[schemars(extend("format" = "date-time"))]
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'static str>,
    to: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// A page of a list.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownPage<T> {
    items: Vec<T>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<ShownDamaged>,
    next: Option<String>,
    previous: Option<String>,
}

/// A request that cannot be read, with the attributes of its item that are wrong.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownDamaged {
    request_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "statuses")]
    status: Option<&'static str>,
    problems: Vec<ShownProblem>,
}

#[derive(Serialize, JsonSchema)]
struct ShownProblem {
    field: String,
    message: String,
}

/// A complete list.
#[derive(Serialize, JsonSchema)]
pub(super) struct Items<T> {
    pub(super) items: Vec<T>,
}

/// The figures of an event.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownBoard {
    #[schemars(extend("format" = "date-time"))]
    at: String,
    event: ShownEvent,
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity: Option<ShownCapacity>,
    received: u64,
    queued: u64,
    processing: u64,
    /// Whether more requests wait than were counted as queued and processing.
    more: bool,
    /// Whether the results can be announced.
    announceable: bool,
    succeeded: u64,
    rejected: u64,
    failed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    oldest_queued_at: Option<String>,
    /// The number of decisions per second of late, as this server has seen it; 0 as long as it has seen none.
    #[schemars(extend("minimum" = 0))]
    decided_per_second: f64,
    queue: ShownDepth,
}

#[derive(Serialize, JsonSchema)]
struct ShownCapacity {
    #[schemars(extend("minimum" = 0))]
    total: i64,
    #[schemars(extend("minimum" = 0))]
    remaining: i64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownDepth {
    visible: u64,
    hidden: u64,
    dead: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    oldest_sent_at: Option<String>,
}

/// A dead letter.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownLetter {
    id: String,
    body: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<WatchedRequest>,
}

/// The figures of a draw.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-entity" = "Draw"))]
pub(super) struct ShownDraw {
    drawn_at: String,
    entries: u64,
    entries_hash: String,
    winners: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished_at: Option<String>,
}

/// A reason in English.
fn worded(reason: Reason) -> String {
    reason.message().to_string()
}

/// A time.
pub(super) fn time(at: Timestamp) -> String {
    Precision::Millis.format(at).into()
}

const PHASES: [Phase; 5] = [Phase::Before, Phase::Open, Phase::Paused, Phase::Closed, Phase::Announced];

fn statuses(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": Status::ALL.map(Status::name) })
}

fn phases(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": PHASES.map(phase) })
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Before => "before",
        Phase::Open => "open",
        Phase::Paused => "paused",
        Phase::Closed => "closed",
        Phase::Announced => "announced",
    }
}

impl ShownEvent {
    pub(super) fn of(event: Event, now: Timestamp) -> Self {
        Self {
            phase: phase(event.phase(now)),
            event_id: event.id,
            title: event.title,
            event_type: event.event_type.name(),
            status: event.status.name(),
            opens_at: time(event.opens_at),
            closes_at: time(event.closes_at),
            closed_at: event.closed_at.map(time),
            settle_seconds: event.settle.as_secs(),
            capacity_total: event.capacity,
            winners: event.winners,
            lottery_cutoff_at: event.cutoff_at.map(time),
            announced_at: event.announced_at.map(time),
            seed_hash: event.seed_hash,
            entries_hash: event.entries_hash,
            seed: event.seed,
        }
    }
}

impl From<Request> for ShownRequest {
    fn from(request: Request) -> Self {
        Self {
            request_id: request.id,
            event_id: request.event_id,
            event_type: request.event_type.name(),
            status: request.status.name(),
            requested_at: time(request.requested_at),
            queued_at: request.queued_at.map(time),
            started_at: request.started_at.map(time),
            finished_at: request.finished_at.map(time),
            result_code: request.result.map(ResultCode::name),
            failure_class: request.failure_class.map(FailureClass::name),
            error_message: request.error.map(worded),
        }
    }
}

impl From<Request> for WatchedRequest {
    fn from(mut request: Request) -> Self {
        Self {
            user_id: std::mem::take(&mut request.user_id),
            attempts: request.attempts,
            lease_owner: request.lease_owner.take(),
            shown: request.into(),
        }
    }
}

impl RequestWithLog {
    pub(super) fn of(request: Request, log: Vec<Line>) -> Self {
        Self { request: request.into(), log: log.into_iter().map(ShownLine::from).collect() }
    }
}

impl From<Line> for ShownLine {
    fn from(line: Line) -> Self {
        let Line { at, from, to, reason } = line;
        Self { at: time(at), from: from.map(Status::name), to: to.name(), reason: reason.map(worded) }
    }
}

impl<T: From<Request>> From<RequestPage> for ShownPage<T> {
    fn from(page: RequestPage) -> Self {
        let RequestPage { requests, damaged, next, previous } = page;
        let damaged = damaged.into_iter().map(ShownDamaged::from).collect();
        Self { items: requests.into_iter().map(T::from).collect(), damaged, next, previous }
    }
}

impl From<Damaged> for ShownDamaged {
    fn from(damaged: Damaged) -> Self {
        let problem =
            |one: Violation| ShownProblem { field: one.attribute, message: one.problem.to_string() };
        Self {
            request_id: damaged.id,
            status: damaged.status.map(Status::name),
            problems: damaged.problems.into_iter().map(problem).collect(),
        }
    }
}

impl ShownBoard {
    pub(super) fn of(glance: &Glance) -> Self {
        let (board, now) = (glance.board.clone(), glance.at);
        let capacity = |Capacity { total, remaining }| ShownCapacity { total, remaining };
        let Depth { visible, hidden, dead, oldest } = board.depth;
        let oldest_queued = board.oldest();
        Self {
            at: time(now),
            event: ShownEvent::of(board.event, now),
            capacity: board.capacity.map(capacity),
            received: board.received,
            queued: board.queued,
            processing: board.processing,
            more: board.more,
            announceable: board.announceable,
            succeeded: board.succeeded,
            rejected: board.rejected,
            failed: board.failed,
            oldest_queued_at: oldest_queued.map(time),
            decided_per_second: glance.rate().unwrap_or_default(),
            queue: ShownDepth { visible, hidden, dead, oldest_sent_at: oldest.map(time) },
        }
    }
}

impl From<Letter> for ShownLetter {
    fn from(letter: Letter) -> Self {
        let Letter { id, body, reason, since, request } = letter;
        let request = request.map(WatchedRequest::from);
        Self { id, body, reason: reason.map(worded), since: since.map(time), request }
    }
}

impl From<DrawFigures> for ShownDraw {
    fn from(figures: DrawFigures) -> Self {
        Self {
            drawn_at: time(figures.drawn_at),
            entries: figures.entries,
            entries_hash: figures.entries_hash,
            winners: figures.winners,
            finished_at: figures.finished_at.map(time),
        }
    }
}
