//! The phrases of content in every language.

use hansang_core::phrases;

phrases! {
    CATEGORY_UNKNOWN = "there is no category `{0}`", "카테고리 `{0}`이(가) 없습니다";
    CATEGORY_HAS_POSTS = "the category has posts: move or delete them first", "카테고리에 글이 있습니다. 먼저 글을 옮기거나 삭제하세요";
    POST_UNKNOWN = "there is no post `{0}`", "글 `{0}`이(가) 없습니다";
    POST_DAMAGED = "the post `{0}` cannot be read: repair its item", "글 `{0}`을(를) 읽을 수 없습니다. 항목을 복구하세요";
    POST_CHANGED = "the post was changed elsewhere: review the changes, then save again",
        "다른 곳에서 글이 수정되었습니다. 변경 내용을 확인한 뒤 다시 저장하세요";
    NO_DRAFT = "the post has no draft", "글에 초안이 없습니다";
    VERSION_UNKNOWN = "the post has no version {0}", "글에 버전 {0}이(가) 없습니다";
    EXPIRES_FIRST = "it expires before it is published: choose a later time", "게시 전에 만료됩니다. 더 늦은 시각을 선택하세요";
    NOT_A_SLUG = "use letters and digits, joined by `-`", "글자와 숫자를 `-`로 이어서 쓰세요";
    SLUG_TAKEN = "another post has this address: choose another one", "다른 글이 사용하는 주소입니다. 다른 주소를 선택하세요";
    TEXT_TOO_LONG = "at most {0} characters", "{0}자까지 쓸 수 있습니다";
    EMPTY = "enter a text", "내용을 입력하세요";
    INQUIRY_UNKNOWN = "there is no inquiry `{0}`", "문의 `{0}`이(가) 없습니다";
    NO_ADDRESS = "the inquiry has no valid email address: answer it in another way", "문의에 올바른 이메일 주소가 없습니다. 다른 방법으로 답변하세요";
    NOT_IN_QUARANTINE = "the inquiry is not in quarantine", "스팸으로 보관된 문의가 아닙니다";
    MAIL_TAKEN = "another worker sends this mail", "다른 작업자가 이 메일을 보내고 있습니다";
    TEXT_1_TO = "enter 1 to {0} characters", "1~{0}자로 입력하세요";
    ONE_LINE = "enter one line", "한 줄로 입력하세요";
    NOT_AN_ADDRESS = "enter an email address such as name@example.com", "name@example.com처럼 이메일 주소를 입력하세요";
    CONSENT = "agree to the processing of your data to send the message", "문의를 보내려면 개인정보 처리에 동의하세요";
    BUSY = "too many changes at once: try again", "변경이 많습니다. 다시 시도하세요";
}
