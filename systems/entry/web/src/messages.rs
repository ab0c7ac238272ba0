//! The phrases of the pages and the API of events, in every language.

use hansang_core::phrases;

phrases! {
    // Operations of everyone who is signed in.
    LIST_EVENTS = "The events", "이벤트 목록";
    EVENTS = "The events, those that open last first.", "늦게 시작하는 순서의 이벤트.";
    GET_EVENT = "One event", "이벤트 하나";
    THE_EVENT = "The event.", "이벤트.";
    PROOF = "The data to repeat a draw, once the result is announced", "결과 발표 후 추첨을 재현하는 데 필요한 자료";
    THE_PROOF = "The proof.", "추첨 증명.";
    ENTER = "Enter an event", "이벤트에 응모";
    ENTERED = "The entry is accepted, and will be decided.", "응모가 접수됨. 결과는 나중에 정해짐.";
    ENTRY_TOKEN = "The token of the event, where entering needs one", "응모에 토큰이 필요한 이벤트의 토큰";
    ISSUE_TOKEN = "A token that lets the caller into the event for a minute", "1분 동안 응모할 수 있는 토큰";
    TOKEN_ISSUED = "Send it as `Entry-Token`.", "`Entry-Token` 헤더로 보내세요.";
    MINE = "The caller's requests, the last one first", "내 응모, 최신순";
    PAGE_OF_MINE = "A page. A request is listed once it is queued.", "한 페이지. 대기열에 들어간 응모부터 나옴.";
    GET_REQUEST = "One request of the caller's", "내 응모 하나";
    THE_REQUEST = "The request.", "응모.";
    FOLLOW = "Follow one request of the caller's until it has its result", "내 응모 하나를 결과가 나올 때까지 지켜보기";
    STATUS_STREAM = "A `status` with the request, now and at each change.", "지금과 바뀔 때마다 응모를 담은 `status`.";

    // Operations of operators.
    BOARD = "An event at a glance", "이벤트 현황";
    THE_BOARD = "The state of the event.", "현황.";
    LIVE_BOARD = "An event at a glance, every second", "매초 갱신하는 이벤트 현황";
    BOARD_STREAM = "A `board`, as the operation `event.board` gives it.", "`event.board` 작업과 같은 `board`.";
    REQUESTS = "An event's requests in the order in which they were queued", "대기열 순서의 이벤트 응모";
    A_PAGE = "A page.", "한 페이지.";
    WATCH = "One request of any user, with its log", "누구의 응모든 기록과 함께 보기";
    QUEUED_AGAIN = "It waits again.", "다시 대기함.";
    LETTERS = "Dead letters: messages that could not be processed", "처리하지 못한 메시지";
    SOME_LETTERS = "Some of them, in no particular order.", "그중 일부. 순서는 정해지지 않음.";
    MAX_LETTERS = "The maximum number of letters", "최대 개수";
    REDRIVEN = "The number of these that there were.", "그중 있던 메시지의 수.";
    MADE = "Made.", "만듦.";
    CHANGED = "Changed.", "변경됨.";
    DRAWN = "Drawn.", "추첨함.";
    DONE = "Done.", "완료됨.";

    // Actions.
    CREATE = "Make an event", "이벤트 만들기";
    PAUSE = "Take no entries and decide none for a while", "응모 접수와 처리를 잠시 중지";
    RESUME = "Resume a paused event", "일시 중지한 이벤트 다시 진행";
    CLOSE = "Take no more entries", "응모 마감";
    ANNOUNCE = "Make the results public, and with them the seed of the draw", "결과와 추첨 시드 공개";
    SET_CAPACITY = "Change the capacity of an event, or the number of winners of a lottery",
        "이벤트의 정원 또는 추첨의 당첨 인원 변경";
    DRAW = "Draw a lottery now, as a worker would by itself", "워커를 기다리지 않고 지금 추첨";
    REDRIVE = "Decide a failed request again", "실패한 응모를 다시 처리";
    REDRIVE_LETTERS = "Send dead letters again, and decide their requests again",
        "처리하지 못한 메시지를 다시 보내고 그 응모를 다시 처리";

    // Forms.
    NONE_CHOSEN = "choose at least one letter", "메시지를 하나 이상 고르세요";
    NOT_A_TIME = "must be a time such as 2026-12-01T09:00", "2026-12-01T09:00 같은 시각으로 입력하세요";
    NOT_A_NUMBER = "must be a whole number, and not below 0", "0 이상의 정수로 입력하세요";
    CLOSES_TOO_EARLY = "must be after it opens", "시작 시각보다 뒤여야 합니다";
    CUTOFF_OUTSIDE = "must be between opening and closing", "시작과 마감 사이여야 합니다";

    // Parameters.
    EVENT = "The event", "이벤트";
    REQUEST = "The request", "응모";
    PAGE_SIZE = "The maximum number of entries in a page", "한 페이지의 최대 개수";
}

#[cfg(test)]
mod tests {
    use hansang_core::message::check;

    use super::ALL;

    #[test]
    fn the_phrases_are_well_formed() {
        assert_eq!(check(ALL), [] as [String; 0]);
    }
}
