//! Changes and transactions.

use crate::phrases;

phrases! {
    NOTHING_TO_CHANGE = "name at least one field to change", "바꿀 속성을 하나 이상 지정하세요";
    CHANGED_TWICE = "`{0}` is changed twice, or together with a part of it: change it once",
        "`{0}` 값을 두 번 바꾸거나 그 일부와 함께 바꿀 수 없습니다";
    CONTRADICTING_PATHS = "`{0}` and `{1}` contradict: one needs a list where the other needs a map",
        "`{0}`, `{1}` 중 하나는 같은 값을 목록으로, 다른 하나는 맵으로 봅니다";
    MEMBERS_NOT_A_SET = "`{0}`: the members must be a set", "`{0}`에는 집합을 넣으세요";
    NO_SUCH_PATH = "`{0}` does not exist in the stored item: set its parent first",
        "저장된 아이템에 `{0}` 경로가 없습니다. 상위 값을 먼저 저장하세요";
    WRONG_TYPE = "`{0}` is stored with another type and cannot be changed this way",
        "`{0}`에 저장된 값의 형식이 달라 이렇게 바꿀 수 없습니다";
    OUT_OF_RANGE = "`{0}` would become a number that {1}", "`{0}` 값을 이렇게 바꿀 수 없습니다. {1}";
    TOO_MANY_WRITES = "this needs {0} writes, and a transaction has at most {1}",
        "한 번에 {0}건을 써야 하는데 트랜잭션은 {1}건까지 가능합니다";
    TOO_MANY_BYTES = "the items have {0} bytes, and a transaction has at most {1}: write less at once",
        "아이템이 모두 합쳐 {0}바이트입니다. 트랜잭션은 최대 {1}바이트이니 나누어 쓰세요";
    ALONGSIDE_REFUSED = "nothing was written, because a write that belongs to it was refused: {0}",
        "함께 저장할 내용이 거부되어 아무것도 저장하지 않았습니다. {0}";
    ITEM_REPEATED = "the transaction writes `{0}` / `{1}` twice: write each item once",
        "한 트랜잭션에서 같은 아이템(`{0}` / `{1}`)을 두 번 쓸 수 없습니다";
}
