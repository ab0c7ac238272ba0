//! The phrases of the pages and the API of the ledger.

use hansang_core::phrases;

phrases! {
    AMOUNT = "enter whole won, such as 12000 or 12000+3500", "12000 또는 12000+3500처럼 원 단위로 입력하세요";
    CHOOSE_ENTRY = "choose a category", "항목을 선택하세요";
    CHOOSE_FILE = "choose a file", "파일을 선택하세요";
    CHOOSE_COLUMNS = "choose the row with the titles, a date and an amount", "제목 행과 날짜, 금액 열을 고르세요";
    CONFIRM_RESTORE = "confirm that the file is to be restored", "복원하려면 확인란에 표시하세요";
    RESTORE_INVALID = "this is not an export of a ledger: choose the JSON file that was downloaded here",
        "가계부를 내보낸 파일이 아닙니다. 여기에서 내려받은 JSON 파일을 선택하세요";
    NO_SUCH_PAGE = "there is no such page", "없는 페이지입니다";

    // Reads.
    GET_CODES = "Get all lists of codes and the accounts", "코드 목록과 계좌 조회";
    THE_CODES = "The codes.", "코드 목록.";
    LIST_MONTHS = "List the months that have figures", "집계가 있는 달 목록";
    THE_MONTHS = "The months, in order.", "시간 순서의 달 목록.";
    GET_MONTH = "Get the totals, balances and entries of a month, all of one state",
        "한 시점의 월 합계, 잔액, 항목 조회";
    THE_MONTH = "The month.", "해당 월.";
    MONTH_LINES = "List the lines of a month by date", "월 내역 목록, 날짜순";
    A_PAGE = "A page.", "한 페이지.";
    GET_ENTRY = "Get an entry and its lines", "항목과 내역 조회";
    THE_ENTRY = "The entry.", "항목.";
    GET_LINE = "Get a line", "내역 조회";
    THE_LINE = "The line.", "내역.";
    CALENDAR = "Get the sums of each day of a month", "월의 일별 합계 조회";
    THE_DAYS = "The days that have lines.", "내역이 있는 날짜.";
    PEOPLE = "Get what each person earned, spent and saved in a month", "월의 사람별 수입, 지출, 저축 조회";
    PERIOD_PEOPLE = "What each person earned, spent and saved in a period", "기간의 사람별 수입·지출·저축";
    SIGN_INS = "The people whose sign-ins are known", "로그인 계정별 이름";
    THE_SIGN_INS = "The names by the ids of sign-ins.", "로그인 계정 ID별 이름.";
    SIGN_IN = "The id of a sign-in, as `by` has it", "로그인 계정 ID(`by` 값)";
    NAME_SIGN_IN = "Say which person a sign-in is", "로그인 계정의 이름 정하기";
    FORGET_SIGN_IN = "Forget which person a sign-in is", "로그인 계정의 이름 지우기";
    LEARNED = "What imports have learned", "가져오기에서 배운 내용";
    THE_LEARNED = "The sources and merchants.", "출처와 가맹점.";
    FORGET_SOURCE = "Forget the columns of a source", "출처의 열 지정 지우기";
    FORGET_MERCHANT = "Forget the entry of a merchant", "가맹점의 항목 지우기";
    SOURCE = "The name of the source", "출처 이름";
    MERCHANT = "The merchant, as it was learned", "배운 가맹점 이름";
    THE_PEOPLE = "The people.", "사람별 합계.";
    SEARCH = "Search lines of a period, newest first", "기간의 내역 검색, 최신순";
    THE_LINES = "The lines that match.", "검색한 내역.";
    PERIOD = "Get every month of a period, all of one state", "한 시점의 기간 월별 조회";
    THE_PERIOD = "The figures of each month, in order.", "시간 순서의 월별 집계.";
    NET_WORTH = "Get the net worth at the end of each month of a period", "기간의 월말 순자산 조회";
    THE_NET_WORTH = "The net worth of each month, in order.", "시간 순서의 월말 순자산.";
    YEAR = "Get the entries of a year by month, with those of the year before",
        "연도의 항목별 월 금액과 전년 합계 조회";
    THE_YEAR = "The entries.", "항목별 금액.";
    GET_OPENING = "Get the balances before the first month", "첫 달 이전 잔액 조회";
    THE_OPENING = "The balances.", "잔액.";
    LIST_RULES = "List recurring entries", "반복 항목 목록";
    THE_RULES = "The rules.", "반복 규칙.";
    LIST_BUDGETS = "List every budget that was set", "설정한 예산 목록";
    THE_BUDGETS = "The budgets.", "예산.";
    MONTH_BUDGETS = "Get the budgets of a month with what is left", "월 예산과 남은 금액 조회";
    LIST_GOALS = "Get the goals with their progress", "목표와 진행 상태 조회";
    THE_GOALS = "The goals.", "목표.";
    HISTORY = "List changes, newest first", "변경 기록, 최신순";
    GET_CHANGE = "Get a change", "변경 조회";
    THE_CHANGE = "The change.", "변경.";
    LIST_IMPORTS = "List imports, newest first", "가져오기 목록, 최신순";
    THE_IMPORTS = "The imports.", "가져오기 목록.";
    GET_IMPORT = "Get an import", "가져오기 조회";
    THE_IMPORT = "The import.", "가져오기.";
    PREVIEW = "Read a file of a bank or card, and show the effect of every row without a write",
        "은행·카드 파일을 읽고 각 행의 결과를 저장 없이 조회";
    THE_PREVIEW = "The mapping and the rows.", "열 지정과 각 행.";
    EXPORT = "Export all lines", "전체 내역 내보내기";
    THE_EXPORT = "The file.", "파일.";

    // Changes.
    ADD_LINE = "Add a line. With an id it is added once", "내역 추가 (ID가 있으면 한 번만)";
    CHANGE_LINE = "Change a line, or move it to another entry or month", "내역 수정, 다른 항목이나 달로 이동";
    DELETE_LINE = "Delete a line", "내역 삭제";
    CREATE_ENTRY = "Create an entry that does not exist yet", "새 항목 만들기";
    REPLACE_ENTRY = "Set the amount of an entry by an adjustment line", "조정 내역으로 항목 금액 설정";
    ADD_TO_ENTRY = "Add an amount to an entry", "항목에 금액 더하기";
    DELETE_ENTRY = "Delete an entry and its lines", "항목과 내역 삭제";
    MOVE_ENTRY = "Move an entry to another month", "항목을 다른 달로 이동";
    COPY_MONTH = "Copy the entries of the last month that this one does not have", "지난달 항목 중 없는 것 복사";
    SET_OPENING = "Set the balances before the first month", "첫 달 이전 잔액 설정";
    REPLACE_CODES = "Replace a list of codes", "코드 목록 바꾸기";
    REPLACE_ACCOUNTS = "Replace the accounts of all groups", "전체 계좌 목록 바꾸기";
    ASSIGN = "Set which kind of entry accounts and groups hold", "계좌와 그룹의 구분 지정";
    SET_RULE = "Create or change a recurring entry", "반복 항목 만들기와 수정";
    CREATE_RULE = "Create a recurring entry", "반복 항목 만들기";
    CHANGE_RULE = "Change a recurring entry", "반복 항목 수정";
    DELETE_RULE = "Delete a recurring entry. Its lines stay", "반복 항목 삭제 (내역은 유지)";
    SET_BUDGET = "Set the budget of a category from a month on", "어느 달부터의 예산 설정";
    SET_GOAL = "Set the goal of a short-term account", "단기저축 계좌의 목표 설정";
    DELETE_GOAL = "Delete the goal of an account", "계좌의 목표 삭제";
    UNDO = "Undo a change, unless a later one depends on it", "변경 되돌리기 (이후 변경이 없을 때)";
    IMPORT = "Import a file. Rows that were imported before are skipped", "파일 가져오기 (이미 가져온 행은 제외)";
    UNDO_IMPORT = "Undo an import", "가져오기 되돌리기";
    RESTORE = "Restore an exported ledger into an empty one", "내보낸 가계부를 빈 가계부에 복원";
    RECALCULATE = "Recalculate months from their lines, or check them", "내역으로 다시 계산 또는 검사";
    CREATED = "Created.", "생성됨.";
    CHANGED = "Changed.", "변경됨.";
    DELETED = "Deleted.", "삭제됨.";
    DONE = "Done.", "완료됨.";

    // Parameters.
    MONTH = "The month, as 2025.01", "연월. 예: 2025.01";
    KIND = "The kind of entry", "항목 유형";
    NAME = "The person, expense type, category or account", "이름, 지출 유형, 분류 또는 계좌";
    DETAIL = "The income type or the transaction type; `-` for other kinds", "수입 유형 또는 거래 유형. 그 외에는 `-`";
    LINE_ID = "The id of the line", "내역 ID";
    LIST = "The list of codes", "코드 목록 이름";
    RULE_ID = "The id of the rule", "반복 규칙 ID";
    ACCOUNT = "The account", "계좌";
    SEQ = "The number of the change", "변경 번호";
    IMPORT_ID = "The id of the import", "가져오기 ID";
    YEAR_NUMBER = "The year", "연도";
    PAGE_SIZE = "The maximum number of entries in a page", "한 페이지의 최대 개수";
    FROM = "The first month", "첫 달";
    TO = "The last month", "마지막 달";
    WORDS = "Words that the text, name or detail contains", "내용, 이름, 세부 구분에 있는 단어";
    BY = "Who entered it", "입력한 사람";
    FILE_NAME = "The name of the file", "파일 이름";
    PROFILE = "The name of the source, whose mapping is remembered", "열 지정을 기억할 출처 이름";
    MAPPING = "The columns as JSON, as the preview shows them; guessed if it is left out",
        "미리보기에 나온 열 지정(JSON). 없으면 추정";
    CHOICES = "Decisions about rows as JSON: the number of a line, and `exclude`, `anyway` for a row that would be left out or change a line, `never` for its merchant, or `kind`, `name` and `detail`",
        "행 번호별 결정(JSON): `exclude`, 제외되거나 금액만 바뀔 행을 새로 넣는 `anyway`, 가맹점을 항상 제외하는 `never`, 또는 `kind`, `name`, `detail`";

    // Problems.
    NOT_A_TEXT = "is not text", "문자열이 아닙니다";
    NOT_A_LIST_OF_TEXTS = "is not a list of texts", "문자열 목록이 아닙니다";
    NOT_AN_OBJECT = "is not an object", "객체가 아닙니다";
    NOT_TRUE_OR_FALSE = "is neither true nor false", "true 또는 false가 아닙니다";
    UNKNOWN_MEMBER = "is not a member of this body", "없는 항목입니다";
    NOT_A_CURSOR = "this cursor does not belong to the list: start from the first page",
        "목록과 맞지 않는 커서입니다. 첫 페이지부터 조회하세요";
    NOT_A_NUMBER_FROM = "is not a whole number from {0} to {1}", "{0}부터 {1}까지의 정수가 아닙니다";
    NOT_AN_EXPORT = "line {0}, column {1} is not as an export has it: restore a file that was exported as JSON",
        "{0}행 {1}열이 내보낸 형식과 다릅니다. JSON으로 내보낸 파일을 복원하세요";
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
