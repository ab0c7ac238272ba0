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

    PREVIEW = "Make a link that shows the edited text until a time", "정한 시각까지 편집 중인 글을 보여 주는 링크 만들기";
    THE_PREVIEW = "The link, which is shown once.", "한 번만 보여 주는 링크.";
    REVOKE_PREVIEWS = "Make every preview link of a post stop working", "글의 미리 보기 링크를 모두 끊기";
    LIST_EDITORS = "List the people who have a post open in an editor", "글을 편집기에서 열어 둔 사람 목록";
    THE_EDITORS = "The people.", "사람 목록.";

    // What managers keep.
    CHANGE_CATEGORY = "Change the title and the description of a category", "카테고리 제목과 설명 변경";
    ORDER_CATEGORIES = "Put categories in this order", "카테고리 순서 변경";
    LIST_BANNERS = "List the banners that are shown now, in order", "지금 보이는 배너 목록, 순서대로";
    LIST_ALL_BANNERS = "List all banners in order", "모든 배너 목록, 순서대로";
    THE_BANNERS = "The banners.", "배너 목록.";
    CREATE_BANNER = "Create a banner behind the others", "배너 만들기. 맨 뒤에 추가";
    CHANGE_BANNER = "Replace the text of a banner", "배너 내용 변경";
    DELETE_BANNER = "Delete a banner", "배너 삭제";
    ORDER_BANNERS = "Put banners in this order", "배너 순서 변경";
    GET_COMPANY = "Get the company", "회사 정보 조회";
    THE_COMPANY = "The company.", "회사 정보.";
    SAVE_COMPANY = "Save the company", "회사 정보 저장";
    LIST_USERS = "List the users of the site by name", "사이트 사용자 목록, 이름순";
    THE_USERS = "The users.", "사용자 목록.";
    CREATE_USER = "Create a user", "사용자 만들기";
    CHANGE_USER = "Replace the text of a user", "사용자 정보 변경";
    DELETE_USER = "Delete a user; posts keep the author", "사용자 삭제. 글의 작성자는 유지";
    LIST_WEBHOOKS = "List webhooks", "웹훅 목록";
    THE_WEBHOOKS = "The webhooks.", "웹훅 목록.";
    CREATE_WEBHOOK = "Create a webhook", "웹훅 만들기";
    CHANGE_WEBHOOK = "Change a webhook", "웹훅 변경";
    DELETE_WEBHOOK = "Delete a webhook", "웹훅 삭제";
    TEST_WEBHOOK = "Send a test event to a webhook", "웹훅으로 시험 이벤트 보내기";
    LIST_DELIVERIES = "List the deliveries of a webhook, newest first", "웹훅 발송 목록, 최신순";
    THE_DELIVERIES = "The deliveries.", "발송 목록.";
    REDELIVER = "Send a failed delivery again", "실패한 웹훅 다시 보내기";
    LIST_TEMPLATES = "List reply templates by title", "답변 서식 목록, 제목순";
    THE_TEMPLATES = "The templates.", "답변 서식 목록.";
    CREATE_TEMPLATE = "Create a reply template", "답변 서식 만들기";
    CHANGE_TEMPLATE = "Change a reply template", "답변 서식 변경";
    DELETE_TEMPLATE = "Delete a reply template", "답변 서식 삭제";
    ERASE_PERSON = "Erase every inquiry from an address, on request", "요청에 따라 한 주소의 문의를 모두 파기";

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
    CONSENT_CHANGED = "this text has changed since you opened the form: read it and agree again",
        "양식을 연 뒤에 동의 문구가 바뀌었습니다. 다시 읽고 동의해 주세요";
    GET_CONSENT = "Get the consent text of the contact form", "문의 양식의 동의 문구 조회";
    THE_CONSENT = "The text and its version.", "동의 문구와 버전.";

    NOT_A_TIME = "enter a time such as 2026-01-31 09:00", "2026-01-31 09:00처럼 시각을 입력하세요";

    // Reads.
    LIST_POSTS = "List published posts, newest first by publishing time", "게시된 글 목록, 게시 시각 최신순";
    THE_POSTS = "The posts.", "글 목록.";
    GET_POST = "Get a published post", "게시된 글 조회";
    POST_BY_SLUG = "Get the published post of an address", "주소 이름으로 게시된 글 조회";
    THE_POST = "The post.", "글.";
    MOVED = "The post has another slug now: see `Location`.", "글의 주소 이름이 바뀜: `Location` 참고.";
    SEARCH = "Search published posts, the best first", "게시된 글 검색, 관련도순";
    THE_RESULTS = "The results.", "검색 결과.";
    WORDS = "The words; each has to be found.", "검색어. 모두 들어 있는 글을 찾음.";
    SKIP = "The number of results to leave out.", "건너뛸 결과 수.";
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
    BY_STANDING = "Only posts that visitors see so now.", "방문자에게 지금 이렇게 보이는 글만.";
    BY_STATUS = "Only inquiries with this status.", "이 상태의 문의만.";
    BY_SPAM = "Only those in quarantine, or only the others.", "스팸으로 보관된 문의만, 또는 그 밖의 문의만.";
    DELIVERY_ID = "The ID of the delivery.", "발송 ID.";
    CHANGED = "The result.", "결과.";
    DELETED = "Done.", "완료.";
    NOT_MODIFIED = "It is as the caller has it.", "변경 없음.";
    REVISION_REQUIRED = "send the revision that was edited in `If-Match`, as the `ETag` of the post had it",
        "글의 `ETag`에 있던 수정 번호를 `If-Match`로 보내세요";
    TEMPLATE = "the theme of the site has a mistake: {0}", "사이트 테마에 오류가 있습니다: {0}";
    CHOOSE_FILE = "choose a file", "파일을 선택하세요";
    ENTER_EMAIL = "enter an email address", "이메일 주소를 입력하세요";
    PERCENT = "enter a number from 0 to 100", "0부터 100까지의 수를 입력하세요";
    // Media.
    UPLOAD_MEDIA = "Upload a picture or a document", "그림이나 문서 올리기";
    CHANGE_MEDIA = "Change the name, the alternative text and the focal point of a medium", "미디어의 이름, 대체 텍스트, 초점 변경";
    DELETE_MEDIA = "Delete a medium that nothing shows", "쓰이지 않는 미디어 삭제";
    LIST_MEDIA = "List media, newest first", "미디어 목록, 최신순";
    THE_MEDIA = "The media.", "미디어 목록.";
    GET_MEDIUM = "Get a medium and what shows it", "미디어와 쓰인 곳 조회";
    THE_MEDIUM = "The medium.", "미디어.";
    FILE_NAME = "The name of the file.", "파일 이름.";
    ALT = "What the picture shows, for people who do not see it.", "그림을 볼 수 없는 사람을 위한 설명.";
    NAME_FILE = "enter the name of the file", "파일 이름을 입력하세요";
    FILE_UNKNOWN = "there is no such file", "파일이 없습니다";
}
