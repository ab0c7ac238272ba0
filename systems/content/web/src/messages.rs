//! The phrases of the pages, the site and the API of content.

use hansang_core::phrases;

phrases! {
    // Changes of posts.
    CREATE_POST = "Create a post that is not published", "게시하지 않은 글 만들기";
    SAVE_POST = "Save the text of a post; a published one keeps its published text", "글 저장. 게시된 글은 게시된 내용을 유지";
    PUBLISH_POST = "Publish the edited text, now or at a time", "고친 내용을 지금 또는 지정한 시각에 게시";
    UNPUBLISH_POST = "Take a post back", "글 게시 취소";
    DISCARD_DRAFT = "Discard the draft of a published post", "게시된 글의 초안 버리기";
    RESTORE_VERSION = "Make an older text the edited one", "이전 버전으로 복원";
    MOVE_POST = "Move a post to another category", "글을 다른 카테고리로 옮기기";
    DELETE_POST = "Delete a post; its versions stay", "글 삭제. 버전은 남음";
    CREATE_CATEGORY = "Create a category", "카테고리 만들기";
    DELETE_CATEGORY = "Delete a category without posts", "글이 없는 카테고리 삭제";

    // Inquiries.
    SUBMIT = "Send an inquiry", "문의 보내기";
    RECEIVED = "It is stored, and the company is notified.", "저장함. 회사에 알림.";
    REPLY = "Reply to an inquiry by mail", "문의에 메일로 답변";
    SET_STATUS = "Change the status of an inquiry", "문의 상태 변경";
    RELEASE = "Take an inquiry out of quarantine", "스팸으로 보관된 문의 되돌리기";
    RESEND = "Send a failed mail again", "발송 실패한 메일 다시 보내기";
    ERASE = "Erase an inquiry with its mails", "문의와 메일을 모두 파기";
    LIST_INQUIRIES = "List inquiries, newest first", "문의 목록, 최신순";
    THE_INQUIRIES = "The inquiries.", "문의 목록.";
    GET_INQUIRY = "Get an inquiry with its mails", "문의와 메일 조회";
    THE_INQUIRY = "The inquiry.", "문의.";
    GET_CONSENT = "Get the consent text of the contact form", "문의 양식의 동의 문구 조회";
    THE_CONSENT = "The text and its version.", "동의 문구와 버전.";

    // Reads.
    LIST_POSTS = "List published posts, newest first by publishing time", "게시된 글 목록, 게시 시각 최신순";
    THE_POSTS = "The posts.", "글 목록.";
    GET_POST = "Get a published post", "게시된 글 조회";
    POST_BY_SLUG = "Get the published post of an address", "주소 이름으로 게시된 글 조회";
    THE_POST = "The post.", "글.";
    MOVED = "The post has another slug now: see `Location`.", "글의 주소 이름이 바뀜: `Location` 참고.";
    LIST_CATEGORIES = "List categories in the order of the menu", "카테고리 목록, 메뉴 순서";
    THE_CATEGORIES = "The categories.", "카테고리 목록.";
    GET_CATEGORY = "Get a category by its id or slug", "ID나 주소 이름으로 카테고리 조회";
    THE_CATEGORY = "The category.", "카테고리.";
    LIST_ALL_POSTS = "List all posts with their state, newest first", "모든 글과 상태, 최신순";
    ALL_POSTS = "The posts. Drafts of published posts are not among them.", "글 목록. 게시된 글의 초안은 제외.";
    GET_EDITED = "Get a post as editors see it, with its draft", "편집자가 보는 글과 초안 조회";
    THE_EDITED = "The post.", "글.";
    LIST_VERSIONS = "List the saved texts of a post, newest first", "글의 버전 목록, 최신순";
    THE_VERSIONS = "The versions.", "버전 목록.";
    GET_VERSION = "Get a saved text of a post", "글의 버전 조회";
    THE_VERSION = "The version.", "버전.";

    // Parts of requests and responses.
    ID = "The ID.", "ID.";
    SLUG = "The name in addresses.", "주소 이름.";
    VERSION = "The revision of the version.", "버전의 수정 번호.";
    MAIL_ID = "The ID of the mail.", "메일 ID.";
    LIMIT = "The maximum number of entries of a page.", "한 페이지의 최대 개수.";
    BY_CATEGORY = "The ID or slug of a category.", "카테고리 ID나 주소 이름.";
    CHANGED = "The result.", "결과.";
    DELETED = "Done.", "완료.";
    NOT_MODIFIED = "It is as the caller has it.", "변경 없음.";
    REVISION_REQUIRED = "send the revision that was edited in `If-Match`, as the `ETag` of the post had it",
        "글의 `ETag`에 있던 수정 번호를 `If-Match`로 보내세요";
    TEMPLATE = "the theme of the site has a mistake: {0}", "사이트 테마에 오류가 있습니다: {0}";
    NO_CATEGORY = "there is no category `{0}`", "카테고리 `{0}`이(가) 없습니다";
}
