//! The phrases of entry in every language.

use hansang_core::phrases;

phrases! {
    // Entering.
    EVENT_UNKNOWN = "there is no event `{0}`", "`{0}` 이벤트가 없습니다";
    EVENT_NOT_OPEN = "the event `{0}` is not open yet: it opens at {1}",
        "`{0}` 이벤트는 {1}에 시작합니다. 그때 다시 방문하세요";
    EVENT_PAUSED = "the event `{0}` is paused: try again when it is resumed",
        "`{0}` 이벤트는 일시 중지되었습니다. 다시 진행되면 응모하세요";
    EVENT_CLOSED = "the event `{0}` accepts no more entries", "`{0}` 이벤트는 더 이상 응모를 받지 않습니다";
    TOKEN_INVALID = "this entry token is not valid for you, or has expired: get a new one",
        "내 응모 토큰이 아니거나 시간이 지났습니다. 새로 받으세요";
    TOKENS_OFF = "this server does not use entry tokens: enter without one",
        "이 서버에서는 응모 토큰이 필요하지 않습니다. 토큰 없이 응모하세요";
    ENTRY_UNKNOWN = "it is not known whether the entry was accepted: enter again",
        "응모가 접수되었는지 알 수 없습니다. 다시 응모해 주세요";
    QUEUED_LATE = "the store took too long to record that the entry is queued",
        "저장소가 순번을 제때 기록하지 못했습니다";
    REQUEST_UNKNOWN = "you have no such request", "내 응모 중에 해당하는 것이 없습니다";
    REQUEST_DAMAGED = "a request cannot be read: another program wrote it",
        "응모를 읽을 수 없습니다. 다른 프로그램이 썼습니다";

    // Creating and changing events.
    ALLOCATION_FIELDS =
        "a FIRST_COME event needs `capacityTotal` and a LOTTERY needs `winners` and `lotteryCutoffAt`, without the fields of the other",
        "FIRST_COME 이벤트에는 `capacityTotal`만, LOTTERY 이벤트에는 `winners`와 `lotteryCutoffAt`만 쓰세요";
    EVENT_TYPE_UNKNOWN = "an event is FIRST_COME or LOTTERY, not `{0}`",
        "이벤트 유형은 FIRST_COME 또는 LOTTERY이며 `{0}`은 없습니다";
    EVENT_STATUS_UNKNOWN = "an event is open, paused, closed or announced, not `{0}`",
        "이벤트 상태는 open, paused, closed, announced 중 하나이며 `{0}`은 없습니다";
    CLOSES_TOO_EARLY = "`closesAt` must be after `opensAt`", "마감 시각은 시작 시각보다 뒤여야 합니다";
    CLOSES_IN_THE_PAST = "`closesAt` must be in the future: close the event to end it now",
        "마감 시각은 현재보다 뒤여야 합니다. 지금 끝내려면 이벤트를 마감하세요";
    CLOSES_TOO_LATE = "`closesAt` must not be after {0}: later, those who entered first could enter twice",
        "마감 시각은 {0} 이후로 미룰 수 없습니다. 먼저 응모한 사람이 두 번 응모할 수 있게 됩니다";
    CAPACITY_TOO_SMALL = "`capacityTotal` must be at least 1", "정원은 1명 이상이어야 합니다";
    WINNERS_TOO_FEW = "`winners` must be at least 1", "당첨 인원은 1명 이상이어야 합니다";
    EVENT_FIXED = "fields of `{0}` that participants rely on cannot change any more",
        "`{0}` 이벤트에서 참여자에게 이미 공개한 조건은 바꿀 수 없습니다";
    FIELD_FIXED = "cannot change any more", "더 이상 바꿀 수 없습니다";
    EVENT_RUNNING = "`{0}` can be deleted before it opens, or shortly after it is closed",
        "`{0}` 이벤트는 시작 전이나 마감하고 잠시 뒤에 삭제할 수 있습니다";
    EVENT_HAS_ENTRIES = "`{0}` has entries and cannot be deleted: they expire by themselves",
        "`{0}` 이벤트에는 응모가 있어 삭제할 수 없습니다. 응모는 보관 기간이 지나면 자동으로 삭제됩니다";
    CUTOFF_OUTSIDE = "`lotteryCutoffAt` must be after `opensAt` and not after `closesAt`",
        "추첨 응모 마감은 시작 시각과 마감 시각 사이여야 합니다";
    EVENT_EXISTS = "the event `{0}` already exists: choose another id",
        "`{0}` 이벤트가 이미 있습니다. 다른 이름을 쓰세요";
    EVENT_DAMAGED = "an event cannot be read: another program wrote it",
        "이벤트를 읽을 수 없습니다. 다른 프로그램이 썼습니다";
    ALREADY_DRAWN = "`{0}` was already drawn: its winners are fixed",
        "`{0}` 이벤트는 이미 추첨해서 당첨자를 바꿀 수 없습니다";
    CAPACITY_BELOW_GIVEN = "`{0}` already has {1} winners: its capacity cannot be {2}",
        "`{0}` 이벤트에서 이미 {1}자리를 배정했습니다. 정원을 {2}(으)로 줄일 수 없습니다";
    CAPACITY_CONTENDED = "the capacity changes too fast: pause the event, or try again",
        "자리가 너무 빠르게 배정되고 있습니다. 이벤트를 일시 중지하거나 다시 시도하세요";
    CAPACITY_CHANGED = "the capacity of the event has changed: read it again",
        "그 사이에 이벤트의 정원이 바뀌었습니다. 다시 확인하세요";
    EVENT_NOT_CLOSED = "`{0}` is {1}: close it before you announce it",
        "`{0}` 이벤트는 마감한 뒤에 발표할 수 있습니다. 지금 상태: {1}";
    NOT_DECIDED = "`{0}` still has undecided entries: announce it when all are decided",
        "`{0}` 이벤트에 아직 결과가 없는 응모가 있습니다. 모두 정해지면 발표하세요";
    EVENT_WRONG_STATE = "`{0}` is {1} and cannot become {2}",
        "`{0}` 이벤트는 {1} 상태라서 {2} 상태로 바꿀 수 없습니다";
    EVENT_CHANGED = "the event has changed: read it again", "다른 사람이 이벤트를 바꿨습니다. 다시 확인하세요";

    // Deciding.
    LEASE_LOST = "another process decides this event now",
        "지금은 다른 프로세스가 이 이벤트를 처리하고 있습니다";
    SWEEP_LOST = "another process sends unqueued requests again now",
        "지금은 다른 프로세스가 접수되지 않은 응모를 다시 보내고 있습니다";
    GIVEN_BACK = "a request was given back while it was decided: it is decided again",
        "처리하는 사이에 응모가 대기열로 돌아갔습니다. 곧 다시 처리합니다";
    REQUEST_CHANGED = "the status of the request has changed: read it again",
        "그 사이에 응모 상태가 바뀌었습니다. 다시 확인하세요";
    STATUS_RECEIVED = "received", "접수";
    STATUS_QUEUED = "waiting", "대기 중";
    STATUS_PROCESSING = "being processed", "처리 중";
    STATUS_SUCCEEDED = "confirmed", "확정";
    STATUS_REJECTED = "not selected", "탈락";
    STATUS_FAILED = "failed", "실패";
    EVENT_OPEN = "open", "진행 중";
    EVENT_IS_PAUSED = "paused", "일시 중지";
    EVENT_IS_CLOSED = "closed", "마감";
    EVENT_ANNOUNCED = "announced", "결과 발표";
    REQUEST_NOT_FAILED = "this request is {0}: only failed requests can be sent again",
        "이 응모는 {0} 상태입니다. 실패한 응모만 다시 보낼 수 있습니다";
    STATUS_UNKNOWN = "a request is never `{0}`", "응모 상태에 `{0}`은 없습니다";

    // Drawing.
    NOT_A_LOTTERY = "`{0}` is not a lottery, but first come, first served",
        "`{0}` 이벤트는 추첨이 아니라 선착순입니다";
    NOT_ANNOUNCED = "the draw of `{0}` is public once its result is announced",
        "`{0}` 이벤트의 추첨 내역은 결과를 발표할 때 공개됩니다";
    DRAW_PAUSED = "the event `{0}` is paused: resume it first",
        "`{0}` 이벤트는 일시 중지되었습니다. 먼저 다시 진행하세요";
    DRAW_TOO_EARLY = "`{0}` cannot be drawn before {1}: close it to draw earlier",
        "`{0}` 이벤트는 {1}부터 추첨할 수 있습니다. 더 일찍 추첨하려면 먼저 마감하세요";
    DRAW_UNDER_WAY = "`{0}` is being drawn, or waits for entries that are not queued yet: try again in a moment",
        "`{0}` 이벤트는 추첨 중이거나 접수 중인 응모를 기다리고 있습니다. 잠시 뒤에 다시 확인하세요";
    DRAW_UNWRITTEN = "the draw was not written: try again", "추첨을 기록하지 못했습니다. 다시 시도하세요";
    WINNERS_CHANGED = "an operator changed the event: it is drawn in a moment",
        "운영자가 이벤트를 바꿨습니다. 곧 추첨합니다";
    SEED_MISSING = "the secret seed of `{0}` is missing: it cannot be drawn",
        "`{0}` 이벤트의 비밀 시드가 없어 추첨할 수 없습니다";
    DRAW_DAMAGED = "the entries of the draw of `{0}` are not the fixed ones",
        "`{0}` 이벤트의 추첨 명단이 확정한 명단과 다릅니다";

    // Verifying a draw.
    SEED_FORMAT = "the seed must be 64 hexadecimal digits", "시드가 16진수 64자리가 아닙니다";
    SEED_MISMATCH = "the seed does not match its published hash", "시드가 미리 공개한 해시와 맞지 않습니다";
    ENTRIES_ORDER = "the entries are not sorted, or one is listed twice",
        "응모 목록의 순서가 다르거나 같은 응모가 두 번 있습니다";
    ENTRIES_MISMATCH = "the entries do not match their published hash",
        "응모 목록이 공개한 해시와 맞지 않습니다";
    SEED_HASH_MISMATCH = "the published hash of the seed is not the given one",
        "공개한 시드 해시가 입력한 값과 다릅니다";
    ENTRIES_HASH_MISMATCH = "the published hash of the entries is not the given one",
        "공개한 응모 목록 해시가 입력한 값과 다릅니다";
    DID_NOT_TAKE_PART = "{0} did not take part: it is not in the list of entries of this draw",
        "{0} 응모는 추첨에 참여하지 않았습니다. 이 추첨의 응모 목록에 없습니다";
    WINNERS_MISMATCH = "repeating the draw gives other winners", "다시 추첨하면 당첨자가 다릅니다";

    // Reasons in logs and dead letters.
    REDRIVEN = "an operator sent it again", "운영자가 다시 보냈습니다";
    ENTERED_AGAIN = "the user entered again", "사용자가 다시 응모했습니다";
    NOT_QUEUED = "the queue did not accept the request: enter again",
        "대기열에 접수하지 못했습니다. 다시 응모하세요";
    AFTER_DRAW = "the entry was queued after the draw", "추첨이 끝난 뒤에 대기열에 도착했습니다";
    DAMAGED = "its item cannot be read: repair the item, then send the request again",
        "응모 데이터가 손상되었습니다. 데이터를 고친 뒤 다시 보내세요";
    UNDECIDED = "it could not be decided", "처리하지 못했습니다";
    WORKERS_STOPPED = "{0} workers stopped while they decided it",
        "워커 {0}개가 이 응모를 처리하다가 멈췄습니다";
    WORKER_STOPPED = "{0} stopped before it was decided", "{0} 워커가 결과를 정하기 전에 멈췄습니다";
    NOT_A_MESSAGE = "the message names no request", "응모에 대한 메시지가 아닙니다";
    NO_SUCH_REQUEST = "the event has no such request", "이 이벤트에 해당하는 응모가 없습니다";
    DELIVERED_TOO_OFTEN = "it was delivered too often without being acknowledged",
        "확인 없이 너무 여러 번 전달되었습니다";
}

#[cfg(test)]
mod tests {
    use hansang_core::message::check;

    #[test]
    fn the_phrases_are_well_formed() {
        assert_eq!(check(super::ALL), [] as [String; 0]);
    }
}
