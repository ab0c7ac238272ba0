//! The phrases of the ledger in every language.

use hansang_core::phrases;

phrases! {
    // Input.
    MONTH_INVALID = "`{0}` is not a month: write it as 2025.01", "`{0}`은(는) 올바른 연월이 아닙니다. 2025.01처럼 쓰세요";
    DATE_INVALID = "`{0}` is not a date: write it as 2025-01-31", "`{0}`은(는) 올바른 날짜가 아닙니다. 2025-01-31처럼 쓰세요";
    KIND_UNKNOWN = "`{0}` is not a kind of entry: use INCOME, FIXED_EXPENSE, LIVING_EXPENSE, SAVINGS, INVESTMENT or SHORT_SAVINGS",
        "`{0}`은(는) 없는 항목 유형입니다. INCOME, FIXED_EXPENSE, LIVING_EXPENSE, SAVINGS, INVESTMENT, SHORT_SAVINGS 중 하나를 쓰세요";
    NAME_INVALID = "`{0}` cannot be `{1}`: use 1 to 40 characters without `#` and without spaces at the ends",
        "`{0}` 값으로 `{1}`을(를) 쓸 수 없습니다. `#` 없이 1~40자로 쓰고 앞뒤 공백을 지우세요";
    DETAIL_MISSING = "an entry of {0} needs `{1}`", "{0} 항목에는 `{1}` 값이 필요합니다";
    DETAIL_UNWANTED = "an entry of {0} has no detail", "{0} 항목에는 세부 구분이 없습니다";
    TRANSACTION_UNKNOWN = "a short-term account has 적립 and 지출, not `{0}`", "단기저축 거래는 적립 또는 지출이며 `{0}`은(는) 없습니다";
    AMOUNT_TOO_LARGE = "an amount is at most {0} won", "금액은 {0}원을 넘을 수 없습니다";
    AMOUNT_INVALID = "`{0}` is not an amount in whole won", "`{0}`은(는) 원 단위 금액이 아닙니다";
    SUM_TOO_LARGE = "the sum is too large: check the amounts", "합계가 너무 큽니다. 금액을 확인하세요";
    TEXT_TOO_LONG = "a text has at most {0} characters", "내용은 {0}자까지 쓸 수 있습니다";
    PERIOD_INVALID = "a period has 1 to {0} months: choose a shorter one", "기간은 1~{0}개월입니다. 기간을 줄이세요";
    CODE_UNKNOWN = "`{1}` is not in the list {0}: add it to the codes first", "{0} 목록에 `{1}`이(가) 없습니다. 먼저 코드에 추가하세요";
    CODE_LIST_UNKNOWN = "there is no list `{0}`", "`{0}` 목록이 없습니다";
    CODE_REPEATED = "`{0}` is listed twice", "`{0}`이(가) 두 번 있습니다";
    CODES_CHANGED = "the list was changed in the meantime: look at it and change it again",
        "그사이 목록이 바뀌었습니다. 확인한 뒤 다시 바꾸세요";
    ACCOUNT_KIND = "an account holds SAVINGS, INVESTMENT or SHORT_SAVINGS, not {0}",
        "계좌 구분은 SAVINGS, INVESTMENT, SHORT_SAVINGS 중 하나이며 {0}은(는) 쓸 수 없습니다";
    ACCOUNT_WITHOUT_KIND = "the account `{0}` has no kind yet: assign it to savings, investments or short-term savings",
        "`{0}` 계좌의 구분이 없습니다. 저축, 투자, 단기저축 중 하나로 정하세요";
    GROUP_NOT_EMPTY = "the group `{0}` has accounts: remove them first", "`{0}` 그룹에 계좌가 있습니다. 먼저 계좌를 지우세요";
    SIGN_IN_INVALID = "the id of a sign-in has 1 to {0} characters", "로그인 계정 ID는 1~{0}자입니다";
    ACCOUNT_OF_OTHER_KIND = "the account `{0}` holds {1}: enter it there, or assign the account otherwise",
        "`{0}` 계정은 {1} 항목입니다. 그쪽에 입력하거나 계정 배정을 바꾸세요";

    // Entries and lines.
    ENTRY_EXISTS = "{0} already has the entry `{1}`: replace it or add to it",
        "{0}에 `{1}` 항목이 이미 있습니다. 값을 바꾸거나 더하세요";
    ENTRY_CHANGED = "the entry `{0}` was changed in the meantime: it is {1} won now",
        "그사이 `{0}` 항목이 바뀌었습니다. 현재 {1}원입니다";
    ENTRY_UNKNOWN = "{0} has no entry `{1}`", "{0}에 `{1}` 항목이 없습니다";
    LINE_UNKNOWN = "{0} has no such line", "{0}에 해당 내역이 없습니다";
    LINE_EXISTS = "a line with this id was added before, and it may have been changed or deleted since: send another line with a new id",
        "이 ID의 내역은 이미 추가되었고 그 뒤에 수정되거나 삭제되었을 수 있습니다. 다른 내역이면 새 ID로 보내세요";
    LINE_CHANGED = "the line was changed in the meantime: read it again", "그 사이 내역이 바뀌었습니다. 다시 읽으세요";
    LINE_DAMAGED = "a line cannot be read: another program wrote it", "내역을 읽을 수 없습니다. 다른 프로그램이 썼습니다";
    SAME_MONTH = "the entry is already in {0}", "이미 {0}에 있는 항목입니다";
    NOTHING_TO_COPY = "there is no earlier month to copy", "복사할 이전 달이 없습니다";

    // The head.
    HEAD_DAMAGED = "the head of the ledger cannot be read: another program wrote it",
        "가계부의 기준 정보를 읽을 수 없습니다. 다른 프로그램이 썼습니다";
    MOVED = "another change was faster: try again", "다른 변경이 먼저 저장되었습니다. 다시 시도하세요";
    BUSY = "too many changes at once: try again", "동시에 변경이 많습니다. 다시 시도하세요";
    OUTCOME_UNKNOWN = "it is not known whether the change was saved: look before you try again",
        "변경이 저장되었는지 알 수 없습니다. 확인한 뒤 다시 시도하세요";

    // History.
    CHANGE_UNKNOWN = "there is no change {0}", "{0}번 변경이 없습니다";
    UNDONE_ALREADY = "change {0} was undone already, by change {1}", "{0}번 변경은 {1}번에서 이미 되돌렸습니다";
    UNDO_BLOCKED = "change {0} cannot be undone: change {1} changed the same item later. Undo that one first",
        "{0}번 변경은 되돌릴 수 없습니다. 이후 {1}번에서 같은 내용을 바꿨습니다. 먼저 {1}번을 되돌리세요";
    UNDO_BLOCKED_ITEM = "change {0} cannot be undone: its items were changed later",
        "{0}번 변경은 되돌릴 수 없습니다. 이후에 같은 내용이 바뀌었습니다";
    UNDO_RULE_RAN = "change {0} cannot be undone: the recurring entry has entered lines since. Change or delete the recurring entry instead; its lines stay",
        "{0}번 변경은 되돌릴 수 없습니다. 반복 항목이 그 뒤로 내역을 입력했습니다. 반복 항목을 수정하거나 삭제하세요. 입력된 내역은 남습니다";
    UNDO_PART_OF_IMPORT = "change {0} is part of an import: undo the import", "{0}번 변경은 가져오기의 일부입니다. 가져오기를 되돌리세요";
    UNDO_NOTHING = "change {0} has nothing to undo", "{0}번 변경에는 되돌릴 내용이 없습니다";

    // Rules, goals.
    RULE_UNKNOWN = "there is no such rule", "해당 반복 규칙이 없습니다";
    RULE_INVALID = "a rule needs a day from 1 to 31, a month from 1 to 12 if it is yearly, and an end that is not before its start",
        "반복 규칙의 날짜는 1~31일, 매년 규칙의 달은 1~12월이며 종료월은 시작월보다 빠를 수 없습니다";
    GOAL_UNKNOWN = "`{0}` has no goal", "`{0}` 계정에는 목표가 없습니다";

    BUDGET_KIND = "a budget is for FIXED_EXPENSE or LIVING_EXPENSE", "예산은 FIXED_EXPENSE 또는 LIVING_EXPENSE에만 정할 수 있습니다";
    AMOUNT_NEGATIVE = "this amount cannot be negative, and a goal is at least 1 won", "이 금액은 음수일 수 없으며 목표는 1원 이상이어야 합니다";

    // Import.
    FILE_TOO_LARGE = "the file is too large: at most {0} MB and {1} rows", "파일이 너무 큽니다. {0}MB, {1}행까지 가져올 수 있습니다";
    FILE_ENCODING = "the text of the file cannot be read: save it as UTF-8 or CP949", "파일의 글자를 읽을 수 없습니다. UTF-8 또는 CP949로 저장하세요";
    FILE_DAMAGED = "the workbook is damaged or incomplete: download it again", "엑셀 파일이 손상되었거나 일부만 있습니다. 다시 내려받으세요";
    FILE_LINE = "line {0} cannot be read", "{0}행을 읽을 수 없습니다";
    FILE_CUT_OFF = "the file ends in the middle of line {0}: download it again", "파일이 {0}행 중간에서 끊겼습니다. 다시 내려받으세요";
    NO_HEADER = "no row has titles such as 날짜 and 금액: choose the columns", "날짜, 금액 같은 제목 행이 없습니다. 열을 직접 고르세요";
    MAPPING_INVALID = "the columns do not fit the file: choose a date and an amount", "열 지정이 파일과 맞지 않습니다. 날짜와 금액 열을 고르세요";
    ROW_DATE = "`{0}` is not a date with a year, a month and a day: correct the file, or exclude the row",
        "`{0}`은(는) 연·월·일이 있는 날짜가 아닙니다. 파일을 고치거나 이 행을 제외하세요";
    ROW_SHORT = "the row has no amount", "금액이 없는 행입니다";
    ROW_CURRENCY = "the amount is in {0}: exclude the row and enter it in won", "{0} 금액입니다. 이 행을 제외하고 원화로 입력하세요";
    ROW_CATEGORY = "no category fits: choose one", "맞는 분류가 없습니다. 직접 고르세요";
    ROW_REFUSED = "line {0}: {1}", "{0}행: {1}";
    IMPORT_REFUSED = "nothing was imported: correct or exclude these lines: {0}", "가져오지 않았습니다. 다음 행을 고치거나 제외하세요: {0}";
    TOO_MANY_CHOICES = "at most {0} rows can be decided one by one: correct the file or the columns",
        "행별로는 {0}건까지 정할 수 있습니다. 파일이나 열 지정을 고치세요";
    LEARNED_UNKNOWN = "nothing was learned about `{0}`", "`{0}`에 대해 배운 내용이 없습니다";
    IMPORT_UNKNOWN = "there is no such import", "해당 가져오기가 없습니다";
    IMPORT_WRONG_STATE = "the import is {0}: only one that is done can be undone", "가져오기 상태가 {0}입니다. 끝난 가져오기만 되돌릴 수 있습니다";

    SHEET_TOO_LARGE = "a sheet has at most {0} rows: export CSV or JSON", "시트에는 {0}행까지 담을 수 있습니다. CSV나 JSON으로 내보내세요";
    EXPORT_VERSION = "this export has version {0}, and version {1} is the newest that can be read: update the program",
        "내보내기 형식이 {0}판입니다. {1}판까지 읽을 수 있으니 프로그램을 업데이트하세요";
    NOT_EMPTY = "the ledger has other lines: restore into an empty one", "가계부에 다른 내역이 있습니다. 빈 가계부에 복원하세요";

    // Recalculation.
    ENTRY_DIFFERS = "{0} {1}: the entry is {2}, its lines add up to {3}", "{0} {1}: 항목은 {2}, 내역 합계는 {3}입니다";
    ENTRY_WITHOUT_LINES = "{0} {1}: the entry of {2} has no lines", "{0} {1}: {2} 항목에 내역이 없습니다";
    TOTALS_DIFFER = "{0}: the totals differ from the entries", "{0}: 합계가 항목과 다릅니다";
    BALANCES_DIFFER = "{0}: the balances differ from the month before and the entries", "{0}: 잔액이 이전 달과 항목으로 계산한 값과 다릅니다";
    MONTH_MISSING = "{0}: there are entries, but no totals and balances", "{0}: 항목은 있으나 합계와 잔액이 없습니다";
}
