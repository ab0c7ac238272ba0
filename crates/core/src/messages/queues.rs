//! Queues and their messages.

use crate::phrases;

phrases! {
    EMPTY = "a message must not be empty", "메시지는 비어 있을 수 없습니다";
    TOO_LARGE = "a message must have at most {0} bytes, not {1}",
        "메시지는 {0}바이트 이하여야 하는데 {1}바이트입니다";
    TOO_LATE = "a message can be delayed by at most {0} seconds", "메시지는 {0}초까지만 늦출 수 있습니다";
    CHARACTER = "a message must not contain the character U+{0}: encode it",
        "메시지에 U+{0} 문자를 쓸 수 없습니다. 인코딩하세요";
    TOO_MANY = "at most {0} messages can be handled at once, not {1}",
        "메시지는 한 번에 {0}개까지 다룰 수 있는데 {1}개입니다";
    TIME_TOO_LONG = "a message can be hidden or awaited for at most {0} seconds",
        "메시지는 {0}초까지만 숨기거나 기다릴 수 있습니다";
    NAME = "the name of a queue must be 1 to {0} letters, digits, `-` and `_`, not `{1}`",
        "큐 이름은 영문자, 숫자, `-`, `_`를 1~{0}자로 쓰세요. `{1}`은 쓸 수 없습니다";
    THROTTLED = "the queue is overloaded: try again later",
        "큐에 요청이 너무 많습니다. 나중에 다시 시도하세요";
    UNAVAILABLE = "the queue is unavailable: try again", "지금은 큐가 응답하지 않습니다. 다시 시도하세요";
}
