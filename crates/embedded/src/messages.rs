//! The phrases of the embedded store in every language.

use hansang_core::phrases;

phrases! {
    UNKNOWN_TABLE = "there is no table `{0}` here: make it with `hansang table create`",
        "`{0}` 테이블이 없습니다. `hansang table create`로 만드세요";
    UNKNOWN_QUEUE = "there is no queue `{0}` here: make it first", "`{0}` 큐가 없습니다. 먼저 만드세요";
    TOO_MANY_INDEXES = "a table has at most 254 indexes", "테이블에는 인덱스를 254개까지 둘 수 있습니다";
    DOES_NOT_FIT = "the table `{0}` does not fit the model: {1}. Change the model, or export the items and import them into a new table",
        "`{0}` 테이블이 모델과 맞지 않습니다: {1}. 모델을 고치거나 아이템을 내보내 새 테이블로 가져오세요";
    OTHER_KEY = "its key is {0}, the model says {1}", "키가 {0}인데 모델에는 {1}입니다";
    OTHER_INDEX = "its index {0} is {1}, the model says {2}", "인덱스 {0}: {1}인데 모델에는 {2}입니다";
    OTHER_EXPIRY = "its items expire by `{0}`, the model says `{1}`",
        "만료 속성이 `{0}`인데 모델에는 `{1}`입니다";
    NOT_A_DATA_DIRECTORY = "{0} holds other files and is not a data directory of Hansang: name an empty one, or one that does not exist yet",
        "{0}에 다른 파일이 있어 Hansang의 데이터 디렉터리가 아닙니다. 비어 있거나 아직 없는 디렉터리를 지정하세요";
    NEWER_FORMAT = "{0} was written by a newer version of Hansang (format {1}, this one knows {2}): use that version",
        "{0}은 더 새로운 버전의 Hansang이 썼습니다(형식 {1}, 이 버전은 {2}). 그 버전을 쓰세요";
    DAMAGED_RECORD = "{0} holds a record that is damaged: restore a backup", "{0}에 손상된 레코드가 있습니다. 백업을 복원하세요";
    UNKNOWN_FORMAT = "{0} has the format {1}, which no version of Hansang wrote (this one knows 1 to {2}): restore a backup",
        "{0}의 형식 {1}은 Hansang의 어떤 버전도 쓴 적이 없습니다(이 버전은 1부터 {2}까지). 백업을 복원하세요";
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
