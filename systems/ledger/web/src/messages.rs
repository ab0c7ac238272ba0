//! The phrases of the pages and the API of the ledger.

use hansang_core::phrases;

phrases! {
    AMOUNT = "enter whole won, such as 12000 or 12000+3500", "12000 또는 12000+3500처럼 원 단위로 입력하세요";
    CHOOSE_ENTRY = "choose a category", "항목을 선택하세요";
    NO_SUCH_PAGE = "there is no such page", "없는 페이지입니다";
}
