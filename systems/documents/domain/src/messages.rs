//! The phrases of documents in every language.

use hansang_core::phrases;

phrases! {
    PROJECT_UNKNOWN = "there is no project `{0}`", "프로젝트 `{0}`이(가) 없습니다";
    PROJECT_ARCHIVED = "the project is archived: make it active to add or process documents",
        "보관된 프로젝트입니다. 문서를 추가하거나 처리하려면 다시 사용 중으로 바꾸세요";
    DOCUMENT_UNKNOWN = "there is no document `{0}`", "문서 `{0}`이(가) 없습니다";
    DOCUMENT_BUSY = "the document is being processed: wait until it ends, or cancel it",
        "문서를 처리하고 있습니다. 끝날 때까지 기다리거나 취소하세요";
    NOT_UPLOADED = "the file of the document is not uploaded yet: finish the upload first", "문서의 파일을 아직 올리지 않았습니다. 먼저 올리기를 끝내세요";
    NOT_ACTIVE = "the document is not being processed", "처리 중인 문서가 아닙니다";
    UPLOAD_UNKNOWN = "there is no upload of this version: it ended, or was abandoned for a day", "이 버전의 올리기가 없습니다. 이미 끝났거나 하루 넘게 멈춰 있었습니다";
    FILE_TOO_LARGE = "the file has {0} bytes: at most {1} are accepted", "파일이 {0}바이트입니다. {1}바이트까지 받습니다";
    FILE_KEY_FOREIGN = "`{0}` is not a file of this document or artifact: store it under a key that was reserved for it",
        "`{0}`은(는) 이 문서나 결과 파일의 파일이 아닙니다. 예약한 키에 저장하세요";
    WORKFLOW_UNKNOWN = "there is no workflow `{0}`", "처리 작업 `{0}`이(가) 없습니다";
    PAGES_UNKNOWN = "the document has {0} segments: choose numbers below that", "문서의 조각은 {0}개입니다. 그보다 작은 번호를 고르세요";
    TOO_MANY_PAGES = "choose at most {0} segments, or process the whole document again", "조각은 {0}개까지 고르거나 문서 전체를 다시 처리하세요";
    LEASE_LOST = "the lease was lost: another processor has the step, or it has ended; stop and claim again",
        "임대가 끝났습니다. 다른 처리기가 단계를 맡았거나 단계가 끝났습니다. 멈추고 다시 맡으세요";
    SEGMENT_OUT_OF_RANGE = "`{0}` is not a segment number: use a whole number from 0 to {1}", "`{0}`은(는) 조각 번호가 아닙니다. 0부터 {1}까지의 정수를 쓰세요";
    SEGMENT_UNKNOWN = "there is no segment {0}", "조각 {0}이(가) 없습니다";
    SEGMENTS_MISSING = "segment {0} of {1} is missing: write all segments, then complete the step", "전체 {1}개 가운데 조각 {0}이(가) 없습니다. 모든 조각을 쓴 뒤 단계를 완료하세요";
    TOO_MANY_SEGMENTS = "at most {0} segments can be written in one call: send the rest in another one", "한 번에 조각을 {0}개까지 쓸 수 있습니다. 나머지는 다음 요청으로 보내세요";
    TEXT_DAMAGED = "the stored text of segment {0} cannot be read: process its page again", "조각 {0}의 저장된 글을 읽을 수 없습니다. 그 쪽을 다시 처리하세요";
    ARTIFACT_UNKNOWN = "there is no artifact `{0}`", "결과 파일 `{0}`이(가) 없습니다";
    NOT_OWNER = "only its owner can delete the artifact", "결과 파일은 소유자만 삭제할 수 있습니다";
    SESSION_UNKNOWN = "there is no conversation `{0}`", "대화 `{0}`이(가) 없습니다";
    AGENT_UNKNOWN = "there is no agent `{0}`", "에이전트 `{0}`이(가) 없습니다";
    CHANGED = "it was changed elsewhere: review the changes, then save again", "다른 곳에서 수정되었습니다. 변경 내용을 확인한 뒤 다시 저장하세요";
    MOVED = "it was changed at the same time: try again", "동시에 변경되었습니다. 다시 시도하세요";
    BUSY = "too many changes at once: try again", "변경이 많습니다. 다시 시도하세요";
    ID_INVALID = "use 1 to 64 characters other than `:`, `#` and white space", "`:`, `#`, 공백을 뺀 1~64자를 쓰세요";
    TEXT_1_TO = "enter 1 to {0} characters", "1~{0}자로 입력하세요";
    TEXT_TOO_LONG = "at most {0} characters", "{0}자까지 쓸 수 있습니다";
    NOT_SHA256 = "send the SHA-256 of the file as 64 lower-case hexadecimal digits", "파일의 SHA-256을 64자리 소문자 16진수로 보내세요";
    CANCELLED = "cancelled by {0}", "{0}이(가) 취소함";
    EARLIER_FAILED = "the step `{0}` failed", "`{0}` 단계 실패";
    GAVE_UP = "the step `{0}` was taken {1} times and did not end", "`{0}` 단계를 {1}번 맡았지만 끝나지 않았습니다";
    WRONG_CURSOR = "the cursor is not one of this list: start again without it", "이 목록의 커서가 아닙니다. 커서 없이 다시 시작하세요";
}

#[cfg(test)]
mod tests {
    #[test]
    fn phrases_are_sound() {
        let problems = hansang_core::message::check(super::ALL);
        assert!(problems.is_empty(), "{problems:#?}");
    }
}
