//! Files and their keys.

use crate::phrases;

phrases! {
    UNAVAILABLE = "files cannot be reached now: try again later",
        "지금은 파일에 접근할 수 없습니다. 잠시 후 다시 시도하세요";
    WRONG_KEY = "`{0}` is not the key of a file", "`{0}`은(는) 파일 키가 아닙니다";
}
