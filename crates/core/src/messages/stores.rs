//! Stores that cannot do their work now.

use crate::phrases;

phrases! {
    CONTENDED = "others are writing the same item: try again in a moment",
        "같은 아이템에 쓰기가 몰리고 있습니다. 잠시 후 다시 시도하세요";
    THROTTLED = "the store is overloaded: try again later",
        "저장소에 요청이 몰리고 있습니다. 나중에 다시 시도하세요";
    OUTCOME_UNKNOWN = "the store did not confirm the write: read the item before you try again",
        "저장되었는지 확인하지 못했습니다. 다시 시도하기 전에 먼저 조회해 보세요";
    UNAVAILABLE = "the store is unavailable and nothing was written: try again later",
        "지금은 저장소에 연결할 수 없어 저장하지 못했습니다. 나중에 다시 시도하세요";
    RESULT_UNREAD = "the write succeeded, but its result could not be read: read the item again",
        "저장했지만 결과를 읽지 못했습니다. 아이템을 다시 조회하세요";
    UNEXPLAINED = "a condition of the write failed without a reason, and nothing was written",
        "쓰기 조건이 맞지 않아 저장하지 않았습니다. 이유는 알 수 없습니다";
    READS_AGAIN = "planning asked for the same item twice", "같은 아이템을 두 번 읽으려 했습니다";
    SENDER_KNOWS = "the sender of this plan knows the reason of its conditions",
        "이 계획을 보낸 쪽이 조건의 뜻을 압니다";
}
