//! The messages of these pages.

use hansang_core::phrases;

phrases! {
    CHOOSE_ONE = "choose one of the list", "목록에서 하나를 고르세요";
    CHOOSE_FILE = "choose a file", "파일을 고르세요";
    PAGES_UNREADABLE = "write page numbers such as 1-3, 7", "쪽 번호를 1-3, 7처럼 쓰세요";
    NO_SUCH_PAGES = "the document does not have all of these pages", "문서에 없는 쪽이 있습니다";
    NEEDED_FOR_LIST = "needed for a list of a user", "사용자의 목록에 필요합니다";
    TYPE_QUESTION = "type a question", "질문을 입력하세요";
}

#[cfg(test)]
mod tests {
    #[test]
    fn phrases_are_sound() {
        let problems = hansang_core::message::check(super::ALL);
        assert!(problems.is_empty(), "{problems:#?}");
    }
}
