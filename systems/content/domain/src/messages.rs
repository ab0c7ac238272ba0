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
    WOULD_HIDE = "visitors see the post and would not until then: leave the time as it is to publish the changes now, or \
                  unpublish the post first",
        "이미 공개한 글이 그때까지 보이지 않게 됩니다. 게시 일시를 그대로 두고 수정 내용을 지금 게시하거나, 먼저 게시를 취소하세요";
    EXPIRES_FIRST = "it expires before it is published: choose a later time", "게시 전에 만료됩니다. 더 늦은 시각을 선택하세요";
    NOT_A_SLUG = "use letters and digits, joined by `-`", "글자와 숫자를 `-`로 이어서 쓰세요";
    SLUG_TAKEN = "another post has this address: choose another one", "다른 글이 사용하는 주소입니다. 다른 주소를 선택하세요";
    TEXT_TOO_LONG = "at most {0} characters", "{0}자까지 쓸 수 있습니다";
    CONTENTS_TOO_LARGE = "at most {0} KB: shorten the text or split it into several posts",
        "{0}KB까지 쓸 수 있습니다. 내용을 줄이거나 여러 글로 나누세요";
    NOT_A_DOCUMENT = "not the JSON document of an editor: correct it, or choose another format",
        "편집기의 JSON 문서가 아닙니다. 내용을 고치거나 다른 형식을 선택하세요";
    EMPTY = "enter a text", "내용을 입력하세요";
    INQUIRY_UNKNOWN = "there is no inquiry `{0}`", "문의 `{0}`이(가) 없습니다";
    NO_ADDRESS = "the inquiry has no valid email address: answer it in another way", "문의에 올바른 이메일 주소가 없습니다. 다른 방법으로 답변하세요";
    NOT_IN_QUARANTINE = "the inquiry is not in quarantine", "스팸으로 보관된 문의가 아닙니다";
    MAIL_TAKEN = "another worker sends this mail", "다른 작업자가 이 메일을 보내고 있습니다";
    TEXT_1_TO = "enter 1 to {0} characters", "1~{0}자로 입력하세요";
    ONE_LINE = "enter one line", "한 줄로 입력하세요";
    NOT_AN_ADDRESS = "enter an email address such as name@example.com", "name@example.com처럼 이메일 주소를 입력하세요";
    FORM_ID = "send the 26 letters and digits of a ULID, or leave it out", "ULID인 글자와 숫자 26자를 보내거나 비워 두세요";
    CONSENT = "agree to the processing of your data to send the message", "문의를 보내려면 개인정보 처리에 동의하세요";
    MIGRATION_DAMAGED = "the record of the migration cannot be read: delete the item `MIGRATION` of the last run, and run it again",
        "이전 작업 기록을 읽을 수 없습니다. 마지막 작업의 `MIGRATION` 항목을 삭제하고 다시 실행하세요";
    MIGRATION_TAKEN = "another process runs this migration: let it end", "다른 프로세스가 이 이전 작업을 실행하고 있습니다. 끝날 때까지 기다리세요";
    SOURCE_UNAVAILABLE = "the store does not answer: run the command again, which goes on from here",
        "저장소가 응답하지 않습니다. 명령을 다시 실행하면 이어서 진행합니다";
    NOT_MAPPED = "not moved: {0}", "옮기지 않음: {0}";
    DUPLICATE = "not moved: another row has this id; give it another one", "옮기지 않음: 같은 ID를 쓰는 행이 있습니다. 다른 ID를 지정하세요";
    TAKEN_HERE = "not moved: an item with this id was here before; delete it to move this one", "옮기지 않음: 같은 ID의 항목이 이미 있습니다. 옮기려면 그 항목을 삭제하세요";
    EDITED_HERE = "edited here, so it was left as it is", "새 시스템에서 수정했으므로 그대로 두었습니다";
    DELETED_HERE = "deleted here, so it was not brought back", "새 시스템에서 삭제했으므로 다시 만들지 않았습니다";
    SUPERSEDED = "a newer row of the company counts", "더 최근의 회사 정보를 사용합니다";
    KEPT_ASIDE = "`{0}` does not fit and is kept in `legacy`: {1}", "`{0}` 값을 그대로 쓸 수 없어 `legacy`에 보관합니다: {1}";
    KEPT_ASIDE_UNSHOWN = "`{0}` does not fit and is kept in `legacy`", "`{0}` 값을 그대로 쓸 수 없어 `legacy`에 보관합니다";
    PLACEHOLDER_ALONE = "`{0}` had no usable value; it is now `{1}`", "`{0}`에 쓸 수 있는 값이 없어 `{1}`(으)로 정했습니다";
    PLACEHOLDER = "`{0}` is now `{1}`; it was `{2}`", "`{0}`을(를) `{1}`(으)로 바꿨습니다. 이전 값: `{2}`";
    SLUG_MADE = "it had no slug; it is now `{0}`", "주소 이름이 없어 `{0}`(으)로 정했습니다";
    SLUG_REPLACED = "the slug `{0}` could not be kept; it is now `{1}`", "주소 이름 `{0}`을(를) 쓸 수 없어 `{1}`(으)로 바꿨습니다";
    RETENTION_ENDED = "its retention period ended at {0}: it is moved, and deleted by the next purge",
        "보관 기간이 {0}에 끝났습니다. 옮긴 뒤 다음 정리 때 삭제합니다";
    INVENTED = "created, because `{0}` of posts names it: {1}", "글의 `{0}`에 있어 새로 만들었습니다: {1}";
    MISSING = "it is not here: run the migration again", "옮겨지지 않았습니다. 이전 작업을 다시 실행하세요";
    DIFFERS = "`{0}` is not as the row says: run the migration again", "`{0}` 값이 원본과 다릅니다. 이전 작업을 다시 실행하세요";
    GONE = "it is here, and its row is no longer in the source", "옮겨졌지만 원본에는 더 이상 없습니다";
    WRONG_COUNT = "the category counts {0} posts and has {1}", "카테고리에 기록된 글 수는 {0}이고 실제 글 수는 {1}입니다";
    BANNER_UNKNOWN = "there is no banner `{0}`", "배너 `{0}`이(가) 없습니다";
    USER_UNKNOWN = "there is no user `{0}`", "사용자 `{0}`이(가) 없습니다";
    TEMPLATE_UNKNOWN = "there is no reply template `{0}`", "답변 서식 `{0}`이(가) 없습니다";
    WEBHOOK_UNKNOWN = "there is no webhook `{0}`", "웹훅 `{0}`이(가) 없습니다";
    MEDIA_UNKNOWN = "there is no medium `{0}`", "미디어 `{0}`이(가) 없습니다";
    MEDIA_IN_USE = "the medium is in use: remove it from the posts and banners that show it first",
        "사용 중인 미디어입니다. 먼저 미디어를 쓰는 글과 배너에서 지우세요";
    PREVIEW_UNKNOWN = "the preview link is wrong or has expired: ask for a new one",
        "미리 보기 링크가 잘못되었거나 만료되었습니다. 새 링크를 요청하세요";
    CHANGED = "it was changed elsewhere: review the changes, then save again",
        "다른 곳에서 수정되었습니다. 변경 내용을 확인한 뒤 다시 저장하세요";
    IN_QUARANTINE = "the inquiry is kept aside as spam: release it first", "스팸으로 보관된 문의입니다. 먼저 보관을 해제하세요";
    ORDER_IDS = "list each ID once, at most {0}", "ID를 한 번씩만, {0}개까지 쓰세요";
    RESERVED_ID = "choose another ID than `{0}`", "`{0}` 말고 다른 ID를 쓰세요";
    NOT_A_LINK = "enter an address that starts with https://, mailto:, tel: or /", "https://, mailto:, tel:, /로 시작하는 주소를 입력하세요";
    NOT_A_PICTURE = "enter an address that starts with https:// or /", "https:// 또는 /로 시작하는 주소를 입력하세요";
    NOT_A_WEBHOOK = "enter an address that starts with https://", "https://로 시작하는 주소를 입력하세요";
    SECRET = "enter 16 to 200 characters", "16~200자로 입력하세요";
    CHOOSE_EVENTS = "choose at least one event", "이벤트를 하나 이상 선택하세요";
    TOO_MANY_WEBHOOKS = "there can be {0} webhooks: delete one first", "웹훅은 {0}개까지 만들 수 있습니다. 먼저 하나를 삭제하세요";
    TOO_MANY_PICTURES = "at most {0} pictures can be added or removed at once: save in between",
        "그림은 한 번에 {0}개까지 더하거나 뺄 수 있습니다. 중간에 저장하세요";
    FOCUS = "enter percentages from 0 to 100", "0~100 사이의 백분율을 입력하세요";
    BUSY = "too many changes at once: try again", "변경이 많습니다. 다시 시도하세요";
}
