//! The phrases of the AWS adapters in every language.

use hansang_core::phrases;

phrases! {
    // DynamoDB.
    UNKNOWN_TABLE = "the table or index is not there ({0}): run `hansang table create`",
        "테이블이나 인덱스가 없습니다({0}). `hansang table create`를 실행하세요";
    DOES_NOT_FIT = "the table `{0}` does not fit the model: {1}. Change the model, or give it another table",
        "`{0}` 테이블이 모델과 맞지 않습니다: {1}. 모델을 고치거나 다른 테이블을 쓰세요";
    NO_SUCH_PATH = "a path leads nowhere in the stored item: set what holds it first",
        "저장된 아이템에 그 경로가 없습니다. 상위 값을 먼저 저장하세요";
    WRONG_TYPE = "what is stored has another type, which the change does not fit",
        "저장된 값의 형식이 달라 이렇게 바꿀 수 없습니다";
    ITEM_TOO_LARGE = "the item would have more than 409600 bytes: store what is large elsewhere",
        "아이템이 409600바이트를 넘습니다. 큰 내용은 다른 곳에 저장하세요";
    NUMBER_OUT_OF_RANGE = "a number would be outside the range 1E-130 to 9.99E+125",
        "쓸 수 있는 숫자의 범위(1E-130~9.99E+125)를 벗어납니다";
    NUMBER_TOO_PRECISE = "a number would have more than 38 significant digits", "유효 숫자가 38자리를 넘습니다";
    WRONG_KEY_TYPE = "a key of an index would have another type than the index needs",
        "인덱스 키의 형식이 인덱스와 맞지 않습니다";
    EMPTY_KEY = "a key of an index would be empty: leave it out instead",
        "인덱스 키가 비었습니다. 비었으면 빼 주세요";
    KEY_TOO_LONG = "a key of an index would be too long", "인덱스 키가 너무 깁니다";
    TOO_DEEP = "the item would nest more than 32 levels deep", "아이템의 중첩이 32단계를 넘습니다";
    UNKNOWN_INDEX = "the table lacks an index of the model: run `hansang table create`, which adds it",
        "모델에 있는 인덱스가 테이블에 없습니다. `hansang table create`를 실행해 추가하세요";
    REFUSED = "DynamoDB refuses the request: {0}", "DynamoDB가 요청을 거부했습니다: {0}";

    // SQS.
    UNKNOWN_QUEUE = "there is no queue `{0}` here: make it first", "`{0}` 큐가 없습니다. 먼저 만드세요";
    QUEUE_IS_THERE = "there is a queue `{0}` with other attributes: try again",
        "속성이 다른 `{0}` 큐가 이미 있습니다. 다시 시도하세요";
    MESSAGE_REFUSED = "SQS refuses a message: {0}", "SQS가 메시지를 거부했습니다: {0}";
    SQS_REFUSED = "SQS refuses the request: {0}", "SQS가 요청을 거부했습니다: {0}";
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
