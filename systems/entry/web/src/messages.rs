//! The phrases of the pages and the API of events, in every language.

use hansang_core::phrases;

phrases! {
    // Operations of everyone who is signed in.
    LIST_EVENTS = "List events", "이벤트 목록";
    EVENTS = "The events, latest opening first.", "시작이 늦은 순서의 이벤트.";
    GET_EVENT = "Get an event", "이벤트 조회";
    THE_EVENT = "The event.", "이벤트.";
    PROOF = "Get the proof of an announced draw", "발표한 추첨의 증명 조회";
    THE_PROOF = "The proof.", "추첨 증명.";
    ENTER = "Enter an event", "이벤트에 응모";
    ENTERED = "The entry is accepted. Its result follows.", "응모가 접수됨. 결과는 나중에 정해짐.";
    ENTRY_TOKEN = "The entry token, if the server requires one", "서버가 요구하는 경우의 응모 토큰";
    ISSUE_TOKEN = "Issue an entry token, valid for a minute", "1분 동안 유효한 응모 토큰 발급";
    TOKEN_ISSUED = "Send it as `Entry-Token`.", "`Entry-Token` 헤더로 보내세요.";
    MINE = "List your requests, newest first", "내 응모 목록, 최신순";
    PAGE_OF_MINE = "A page. A request is listed once it is queued.", "한 페이지. 대기열에 들어간 응모부터 나옴.";
    GET_REQUEST = "Get one of your requests", "내 응모 조회";
    THE_REQUEST = "The request.", "응모.";
    FOLLOW = "Stream one of your requests until it has a result", "내 응모를 결과가 나올 때까지 스트리밍";
    STATUS_STREAM = "A `status` event with the request, now and at each change.",
        "현재와 변경될 때마다 응모를 담은 `status` 이벤트.";

    // Operations of operators.
    BOARD = "Get the figures of an event", "이벤트 현황 조회";
    THE_BOARD = "The figures of the event.", "이벤트 현황.";
    LIVE_BOARD = "Stream the figures of an event, every second", "이벤트 현황을 매초 스트리밍";
    BOARD_STREAM = "A `board` event with the response of `event.board`.",
        "`event.board` 응답을 담은 `board` 이벤트.";
    REQUESTS = "List the requests of an event in queue order", "이벤트 응모 목록, 접수 순서";
    A_PAGE = "A page.", "한 페이지.";
    WATCH = "Get a request of any user with its log", "임의 사용자의 응모와 처리 기록 조회";
    QUEUED_AGAIN = "The request waits for its result again.", "응모가 다시 대기함.";
    LETTERS = "List dead letters: messages that could not be processed", "처리 실패 메시지 목록";
    SOME_LETTERS = "Dead letters, in no particular order.", "처리 실패 메시지. 순서는 정해지지 않음.";
    MAX_LETTERS = "The maximum number of letters", "최대 개수";
    REDRIVEN = "The number of letters that were sent again.", "다시 보낸 메시지의 수.";
    MADE = "Created.", "생성됨.";
    CHANGED = "Changed.", "변경됨.";
    DELETED = "Deleted.", "삭제됨.";
    DRAWN = "Drawn.", "추첨함.";
    DONE = "Done.", "완료됨.";

    // Actions.
    CREATE = "Create an event", "이벤트 만들기";
    EDIT = "Edit an event, as far as it has not started", "이벤트 수정 (시작 후에는 일부만)";
    DELETE = "Delete an event without entries", "응모가 없는 이벤트 삭제";
    PAUSE = "Pause an event: it neither accepts nor decides entries", "이벤트 일시 중지 (접수와 처리 중단)";
    RESUME = "Resume a paused event", "일시 중지한 이벤트 재개";
    CLOSE = "Close an event: it accepts no more entries", "이벤트 마감 (접수 종료)";
    ANNOUNCE = "Announce the results, and publish the seed of a draw", "결과 발표와 추첨 시드 공개";
    SET_CAPACITY = "Change the capacity of an event, or the number of winners of a lottery",
        "이벤트의 정원 또는 추첨의 당첨 인원 변경";
    DRAW = "Draw a closed lottery now, without waiting for a worker", "마감한 추첨 이벤트를 지금 추첨";
    REDRIVE = "Process a failed request again", "실패한 응모 다시 처리";
    REDRIVE_LETTERS = "Send dead letters again", "처리 실패 메시지 다시 보내기";

    // Forms.
    NONE_CHOSEN = "select at least one message", "메시지를 하나 이상 선택하세요";
    NOT_A_TIME = "must be a time such as 2026-12-01T09:00", "2026-12-01T09:00 같은 시각으로 입력하세요";
    NOT_A_NUMBER = "must be a whole number of at least {0}", "{0} 이상의 정수로 입력하세요";
    ONLY_LOTTERIES = "only lotteries have a cut-off: leave it empty, or choose Lottery",
        "추첨 이벤트에만 쓰는 항목입니다. 비워 두거나 추첨을 선택하세요";
    CLOSES_TOO_EARLY = "must be after it opens", "시작 시각보다 뒤여야 합니다";
    CUTOFF_OUTSIDE = "must be between opening and closing", "시작과 마감 사이여야 합니다";

    // Parameters.
    EVENT = "The id of the event", "이벤트 ID";
    REQUEST = "The id of the request", "응모 ID";
    STATUS = "Only requests with this status", "이 상태의 응모만";
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
