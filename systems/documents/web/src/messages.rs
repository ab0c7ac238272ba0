//! The phrases of the pages and the API of documents.

use hansang_core::phrases;

phrases! {
    // Changes.
    CREATE_PROJECT = "Create a project", "프로젝트 만들기";
    CHANGE_PROJECT = "Change the text and the options of a project", "프로젝트 내용과 옵션 변경";
    ARCHIVE_PROJECT = "Archive a project, or use it again", "프로젝트 보관 또는 다시 사용";
    DELETE_PROJECT = "Delete a project with everything of all users", "프로젝트와 모든 사용자의 자료 삭제";
    BEGIN_UPLOAD = "Begin to upload a document", "문서 올리기 시작";
    BEGIN_VERSION = "Begin to upload a new version of a document's file", "문서 파일의 새 버전 올리기 시작";
    SEND_CONTENT = "Send the file of an upload, whole or from where it stopped", "파일 내용 보내기. 전체 또는 멈춘 곳부터";
    FINISH_UPLOAD = "Finish an upload, and process the document", "올리기를 마치고 문서 처리 시작";
    ABORT_UPLOAD = "Give an upload up", "올리기 그만두기";
    SEND_FILE = "Upload a document in one request, and process it", "문서를 한 번에 올리고 처리 시작";
    DELETE_DOCUMENT = "Delete a document with its runs, segments and artifacts", "문서와 처리 작업, 조각, 결과 파일 삭제";
    REPROCESS = "Process a document again, all of it or some segments", "문서 전체 또는 일부 조각 다시 처리";
    CANCEL = "Cancel the processing of a document", "문서 처리 취소";
    CHANGE_TEXT = "Correct the text of a segment", "조각의 글 고치기";
    ADD_QUESTION = "Keep a question about a segment with its answer", "조각에 대한 질문과 답 남기기";
    CREATE_ARTIFACT = "Store an artifact", "결과 파일 저장";
    DELETE_ARTIFACT = "Delete an artifact of one's own", "자신의 결과 파일 삭제";
    CREATE_SESSION = "Begin a conversation", "대화 시작";
    CHANGE_SESSION = "Change a conversation", "대화 변경";
    DELETE_SESSION = "Delete a conversation with its messages", "대화와 메시지 삭제";
    ADD_MESSAGE = "Add a message to a conversation", "대화에 메시지 추가";
    CREATE_AGENT = "Create an agent", "에이전트 만들기";
    CHANGE_AGENT = "Change an agent", "에이전트 변경";
    DELETE_AGENT = "Delete an agent", "에이전트 삭제";
    INVALIDATE = "Drop a cached list", "캐시된 목록 비우기";

    // Processors.
    CLAIM = "Take a step that is due", "차례가 된 단계 맡기";
    CLAIMED = "The step, with its lease and what it is about.", "맡은 단계, 임대, 처리할 대상.";
    NOTHING_DUE = "No step is due.", "차례가 된 단계가 없음.";
    HEARTBEAT = "Keep a lease, and report progress", "임대 연장과 진행 상황 보고";
    THE_LEASE = "The time until which the lease holds.", "임대가 끝나는 시각.";
    WRITE_SEGMENTS = "Write segments, a JSON object per line", "조각 쓰기. 한 줄에 JSON 객체 하나";
    WRITTEN = "The number of segments.", "조각 수.";
    SEND_IMAGE = "Store the image of a page", "쪽 그림 저장";
    THE_IMAGE = "The key of the image for `image_key` of the segment.", "조각의 `image_key`에 쓸 그림 키.";
    COMPLETE = "Complete a step", "단계 완료";
    FAIL = "Fail a step", "단계 실패 처리";
    SKIP = "Skip a step", "단계 건너뛰기";
    RELEASE = "Give a step back", "단계 돌려주기";
    THE_STEP = "The step.", "단계.";

    // Reads.
    LIST_PROJECTS = "List projects, newest first", "프로젝트 목록, 최신순";
    THE_PROJECTS = "The projects.", "프로젝트 목록.";
    GET_PROJECT = "Get a project", "프로젝트 조회";
    THE_PROJECT = "The project.", "프로젝트.";
    LIST_MEMBERS = "List the users of a project", "프로젝트 사용자 목록";
    THE_MEMBERS = "The ids of the users.", "사용자 ID 목록.";
    GET_PROGRESS = "Get the progress of a whole project", "프로젝트 전체 진행 상황 조회";
    THE_PROGRESS = "The progress.", "진행 상황.";
    FOLLOW_PROGRESS = "Follow the progress of a project", "프로젝트 진행 상황 따라가기";
    PROGRESS_STREAM = "An event `progress` now and after each change.", "지금, 그리고 바뀔 때마다 `progress` 이벤트.";
    LIST_DOCUMENTS = "List the documents of a project, newest first", "프로젝트의 문서 목록, 최신순";
    THE_DOCUMENTS = "The documents.", "문서 목록.";
    LIST_DUPLICATES = "List the documents of a project with a checksum", "체크섬이 같은 프로젝트의 문서 목록";
    THE_DUPLICATES = "The ids of the documents.", "문서 ID 목록.";
    GET_DOCUMENT = "Get a document", "문서 조회";
    THE_DOCUMENT = "The document.", "문서.";
    LIST_VERSIONS = "List the versions of a document's file, newest first", "문서 파일의 버전 목록, 최신순";
    THE_VERSIONS = "The versions.", "버전 목록.";
    GET_FILE = "Download the file of a document", "문서 파일 내려받기";
    THE_FILE = "The file.", "파일.";
    A_PART = "The part of the file that was asked for.", "요청한 부분.";
    GET_CONTENT = "Get how much of an upload is there", "올린 양 조회";
    THE_CONTENT = "What is there.", "올라온 양.";
    THE_UPLOAD = "The upload.", "올리기.";
    FINISHED = "The document and its run.", "문서와 처리 작업.";
    LIST_WORKFLOWS = "List the runs of a document, newest first", "문서의 처리 작업 목록, 최신순";
    THE_WORKFLOWS = "The runs.", "처리 작업 목록.";
    GET_WORKFLOW = "Get a run of a document", "문서의 처리 작업 조회";
    THE_WORKFLOW = "The run.", "처리 작업.";
    LIST_STEPS = "List the steps of a run", "처리 작업의 단계 목록";
    THE_STEPS = "The steps.", "단계 목록.";
    LIST_SEGMENTS = "List the segments of a run in order", "처리 작업의 조각 목록, 순서대로";
    THE_SEGMENTS = "The segments. Of a text that is kept in a file, they have the beginning.",
        "조각 목록. 파일에 보관한 글은 앞부분만 있음.";
    GET_SEGMENT = "Get a segment with its whole text", "조각과 전체 글 조회";
    THE_SEGMENT = "The segment.", "조각.";
    GET_IMAGE = "Get the page image of a segment", "조각의 쪽 그림 조회";
    AN_IMAGE = "The image.", "그림.";
    LIST_ARTIFACTS = "List one's own artifacts, newest first", "자신의 결과 파일 목록, 최신순";
    LIST_OF_DOCUMENT = "List one's own artifacts of a document, newest first", "문서로 만든 자신의 결과 파일 목록, 최신순";
    LIST_ALL_ARTIFACTS = "List the artifacts of all users in a project, newest first", "프로젝트의 모든 사용자 결과 파일 목록, 최신순";
    THE_ARTIFACTS = "The artifacts.", "결과 파일 목록.";
    GET_ARTIFACT = "Get an artifact of one's own", "자신의 결과 파일 정보 조회";
    THE_ARTIFACT = "The artifact.", "결과 파일.";
    GET_ARTIFACT_FILE = "Download the file of an artifact of one's own", "자신의 결과 파일 내려받기";
    LIST_SESSIONS = "List one's own conversations in a project, newest first", "프로젝트에서 나눈 자신의 대화 목록, 최신순";
    THE_SESSIONS = "The conversations.", "대화 목록.";
    GET_SESSION = "Get a conversation", "대화 조회";
    THE_SESSION = "The conversation.", "대화.";
    LIST_MESSAGES = "List the messages of a conversation in order", "대화의 메시지 목록, 순서대로";
    THE_MESSAGES = "The messages.", "메시지 목록.";
    THE_MESSAGE = "The message.", "메시지.";
    LIST_AGENTS = "List one's own agents in a project, newest first", "프로젝트에 있는 자신의 에이전트 목록, 최신순";
    THE_AGENTS = "The agents.", "에이전트 목록.";
    GET_AGENT = "Get an agent", "에이전트 조회";
    THE_AGENT = "The agent.", "에이전트.";
    GET_CACHE = "Get the statistics of the cache of this server", "이 서버의 캐시 통계 조회";
    THE_CACHE = "The statistics since the server started.", "서버를 시작한 뒤의 통계.";
    DONE = "Done.", "완료.";

    // Search and questions.
    SEARCH = "Search the segments of a project, the best first", "프로젝트의 조각 검색, 관련도순";
    THE_HITS = "The segments that have all words.", "검색어가 모두 들어 있는 조각.";
    WORDS = "The words.", "검색어.";
    SKIP_HITS = "The number of hits to leave out.", "건너뛸 개수.";
    GET_MARKS = "Get where words are on the page image of a segment", "쪽 그림에서 단어의 위치 조회";
    THE_MARKS = "The places.", "위치 목록.";
    ASK = "Ask the documents of a project a question in a conversation", "대화에서 프로젝트의 문서에 질문";
    PASSAGES = "These passages fit best:", "가장 가까운 부분:";
    MODEL_FAILED = "The language model does not answer at the moment. Ask again later; these passages fit best:",
        "지금은 언어 모델이 답하지 않습니다. 나중에 다시 질문하세요. 가장 가까운 부분:";
    NOTHING_FITS = "Nothing in the documents fits this question.", "문서에서 이 질문과 관련된 부분을 찾지 못했습니다.";

    // Parts of requests.
    ID = "The ID.", "ID.";
    INDEX = "The number of the segment, with or without leading zeros.", "조각 번호. 앞의 0은 없어도 됨.";
    FILE_VERSION = "The number of the version.", "버전 번호.";
    STEP_NAME = "The kind of step.", "단계 종류.";
    FILE_NAME = "The name of the file.", "파일 이름.";
    LIMIT = "The maximum number of entries of a page.", "한 페이지의 최대 개수.";
    ORDER = "The order, if not that of the list.", "기본과 다른 순서.";
    FROM = "The number of the first segment.", "첫 조각 번호.";
    BY_STATUS = "Only those with this status.", "이 상태인 것만.";
    BY_SHA256 = "The checksum.", "체크섬.";
    VERSION_OF_FILE = "The version of the file; the processed one if it is left out.", "파일 버전. 생략하면 처리한 버전.";
    RANGE = "The part of the file, such as `bytes=0-1023`.", "내려받을 부분. 예: `bytes=0-1023`.";
    CONTENT_RANGE = "The part that is sent, such as `bytes 0-1023/4096`; all of it if it is left out.",
        "보내는 부분. 예: `bytes 0-1023/4096`. 생략하면 전체.";
    SOURCE_URL = "The address it was fetched from.", "파일을 가져온 주소.";
    SHA256 = "The checksum, if it is to be compared.", "비교할 체크섬.";
    PROCESSOR = "The name of the processor.", "처리기 이름.";
    ATTEMPT = "The number of the lease.", "임대 번호.";
    OF_DOCUMENT = "The document that it was made from.", "원본 문서.";
    OF_WORKFLOW = "The run that made it; needs `step`, `processor` and `attempt`.",
        "만든 처리 작업. `step`, `processor`, `attempt`가 필요.";
    OF_STEP = "The step that made it.", "만든 단계.";

    // Refusals.
    REVISION_REQUIRED = "send the revision that was edited in `If-Match`, as the `ETag` had it",
        "`ETag`에 있던 수정 번호를 `If-Match`로 보내세요";
    ARTIFACT_FOREIGN = "this artifact belongs to another user", "다른 사용자의 결과 파일입니다";
    BODY_INTERRUPTED = "the file did not arrive as a whole: ask how much is there and send the rest",
        "파일이 끝까지 도착하지 않았습니다. 올라온 양을 확인하고 나머지를 보내세요";
    CHECKSUM_DIFFERS = "the checksum of the file is {0}: send the file again", "파일의 체크섬이 {0}입니다. 파일을 다시 보내세요";
    FILE_MISSING = "the file of this item is missing", "이 항목의 파일이 없습니다";
    NO_IMAGE = "this segment has no image", "이 조각에는 그림이 없습니다";
    NOT_AN_IMAGE = "send a PNG, JPEG or WebP image", "PNG, JPEG, WebP 그림을 보내세요";
    LINE_INVALID = "line {0} is no segment: {1}", "{0}번째 줄은 조각이 아닙니다: {1}";
    LINE_TOO_LONG = "line {0} is longer than {1} bytes", "{0}번째 줄이 {1}바이트보다 깁니다";
    OFFSET_DIFFERS = "{0} bytes are there: send what follows from there on", "{0}바이트가 올라와 있습니다. 그다음부터 보내세요";
    RANGE_INVALID = "write the part as `bytes 0-1023/4096`, with the size of the whole file",
        "보내는 부분을 `bytes 0-1023/4096`처럼 전체 크기와 함께 쓰세요";
    SIZE_DIFFERS = "{0} of {1} bytes are there: send the rest", "{1}바이트 중 {0}바이트가 올라왔습니다. 나머지를 보내세요";
    TOO_MUCH = "the upload was announced with {0} bytes, and more were sent", "{0}바이트로 알린 파일보다 많이 보냈습니다";
    LARGER_THAN = "the file is larger than {0} bytes, which are the most that is accepted", "파일이 받을 수 있는 {0}바이트보다 큽니다";
    UPLOAD_BUSY = "another request sends this file now: wait for it", "다른 요청이 이 파일을 보내는 중입니다. 끝날 때까지 기다리세요";
    NOT_SATISFIABLE = "the file has {0} bytes, and none in this range", "파일 크기는 {0}바이트이며 이 범위에는 내용이 없습니다";
    STEP_UNKNOWN = "there is no kind of step `{0}`: use {1}", "`{0}` 단계는 없습니다. {1} 중 하나를 쓰세요";
    NAMES_MISSING = "name at least one kind of step", "단계 종류를 하나 이상 쓰세요";
    PROCESSOR_INVALID = "use 1 to 100 characters", "1자에서 100자까지 쓰세요";
    LEASE_INCOMPLETE = "send `workflow_id`, `step`, `processor` and `attempt` together, or none of them",
        "`workflow_id`, `step`, `processor`, `attempt`를 모두 보내거나 모두 빼세요";
    NOT_A_STATUS = "use one of {0}", "{0} 중 하나를 쓰세요";
    NOT_A_NUMBER = "enter a whole number", "정수를 입력하세요";
    NOT_A_PARAMETER = "leave it out: this operation does not have it", "이 작업에는 없는 매개변수입니다. 빼세요";
    NO_SUCH_KEY = "no list is cached under `{0}`", "`{0}`에 캐시되는 목록이 없습니다";
}

#[cfg(test)]
mod tests {
    #[test]
    fn phrases_are_sound() {
        let problems = hansang_core::message::check(super::ALL);
        assert!(problems.is_empty(), "{problems:#?}");
    }
}
