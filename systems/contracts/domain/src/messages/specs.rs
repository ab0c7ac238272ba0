//! Problems of names and specs. The English text ends a sentence that begins with the path; the Korean one stands
//! alone, below the field.

use hansang_core::phrases;

phrases! {
    INCOMPATIBLE = "the compatibility rule forbids the changes since {0}: choose a new major version",
        "호환성 규칙에 따라 {0} 이후의 변경은 허용되지 않습니다. 새 메이저 버전을 쓰세요";
    // Names.
    KIND = "must be a name such as CHANGESET or ChangeSetContract: a letter, then letters, digits, `_` and `-`, at most 64 in capitals or 32 otherwise",
        "CHANGESET이나 ChangeSetContract처럼 영문자로 시작해 영문자, 숫자, `_`, `-`를 대문자로는 64자, 그 밖에는 32자 이하로 입력하세요";
    ID_LENGTH = "must have 1 to 128 characters", "1~128자로 입력하세요";
    ID_DELIMITER = "must not contain `#`, which separates the parts of a key",
        "`#`은 키를 나누는 문자라서 쓸 수 없습니다";
    ID_CONTROL = "must not contain control characters", "제어 문자는 쓸 수 없습니다";
    VERSION = "must be a version such as 1.4.0", "1.4.0 같은 버전을 입력하세요";
    VERSION_OR_RANGE = "must be a version such as 1.4.0, or a range such as ^1.2",
        "1.4.0 같은 버전이나 ^1.2 같은 범위를 입력하세요";
    STATUS = "must be DRAFT, ACTIVE or DEPRECATED", "DRAFT, ACTIVE, DEPRECATED 중 하나여야 합니다";
    AUTHOR = "must be a name with 1 to 128 characters", "누구인지 1~128자로 입력하세요";
    REASON = "must be a reason with 1 to 256 characters", "사유를 1~256자로 입력하세요";
    VERSION_TAKEN = "is registered with another spec: give this one a new version",
        "다른 스펙으로 이미 등록되어 있습니다. 새 버전 번호를 쓰세요";

    // Members.
    NOT_JSON_OR_YAML = "is not JSON or YAML: {0}", "JSON이나 YAML이 아닙니다: {0}";
    MAP = "must be a map", "맵으로 입력하세요";
    LIST = "must be a list", "목록으로 입력하세요";
    PART_NAME = "must have a `name` or a `type`", "`name`이나 `type`이 있어야 합니다";
    FIELD_TWICE = "lists `{0}` twice", "`{0}` 이름은 한 번만 쓸 수 있습니다";
    NOT_A_POLICY = "must be {0} or {1}", "{0} 또는 {1}이어야 합니다";
    NO_SLICES = "must list at least one slice", "슬라이스를 하나 이상 쓰세요";
    SELECTOR = "must start with `$`, such as $.brandId", "$.brandId처럼 `$`로 시작해야 합니다";
    UNKNOWN_SLICE = "is not a slice type: use one of {0}, or declare it as `sliceTypes` of an entity schema and refer to that as `entitySchemaRef`",
        "슬라이스 종류가 아닙니다. 다음 중 하나를 쓰거나({0}), 엔티티 스키마의 `sliceTypes`에 적고 `entitySchemaRef`로 참조하세요";
    LACKING_SLICE = "lists {0}, which {1} does not have", "{1} 계약에 {0} 슬라이스가 없습니다";
    POLICY = "must be the name of a policy, or a map that defines it",
        "정책의 이름이나 정책을 설명하는 맵이어야 합니다";

    // References.
    OTHER_KIND = "must refer to a contract of the kind {0}", "{0} 종류의 계약을 참조해야 합니다";
    REFERENCE = "must refer to a contract: as KIND:id:version, as id@version, or by its `id` and `version`",
        "KIND:id:version, id@version, 또는 `id`와 `version`으로 계약을 지정하세요";
    REFERENCE_KIND = "must have the kind of the contract too, as KIND:id:version or as `kind`",
        "계약의 종류도 KIND:id:version 형식이나 `kind`로 지정하세요";
    ONLY_DRAFTS = "refers to {0}, which has only drafts: promote one first",
        "참조하는 {0} 계약이 초안뿐입니다. 먼저 승격하세요";
    MISSING = "refers to {0}, which does not exist: register it first",
        "참조하는 {0} 계약이 없습니다. 먼저 등록하세요";
    DEPRECATED = "refers to {0}, which is deprecated", "사용이 중단된 {0} 계약을 참조합니다";

    // Whole specs.
    NOT_JSON = "a spec must be JSON, which has neither bytes nor sets",
        "스펙은 JSON이라 바이너리와 집합을 쓸 수 없습니다";
    NUMBER = "JSON readers would change the number {0}: write it as text",
        "숫자 {0}은 JSON을 읽는 프로그램에서 값이 달라질 수 있습니다. 텍스트로 쓰세요";
    TOO_LARGE = "the spec has {0} bytes, and at most {1} fit into an item: split it",
        "스펙이 {0}바이트로 너무 큽니다. {1}바이트 이하로 나누세요";
    TOO_MANY_REFERENCES = "the spec refers to {0} contracts, and can refer to at most {1}: split it",
        "이 스펙은 계약 {0}개를 참조합니다. 최대 {1}개이니 나누세요";

    // Files.
    FILE_MAP = "a contract must be a map with `kind`, `id` and `version`",
        "계약은 `kind`, `id`, `version`이 있는 맵이어야 합니다";
    QUOTES = "must be text: put it in quotes", "텍스트여야 합니다. 따옴표로 묶으세요";
    TOGETHER = "and `{0}` must be given together", "`{0}` 값과 함께 쓰거나 둘 다 빼세요";
    HISTORY = "must be a list of changes, each with `to`, `at` and `by`",
        "각각 `to`, `at`, `by`가 있는 변경의 목록이어야 합니다";
    NOT_A_CHECKSUM = "is not a checksum", "올바른 체크섬이 아닙니다";
    FILE_CHECKSUM = "its checksum is {0}, but the file has {1}: one of them was changed",
        "체크섬이 {0}인데 파일에는 {1}(으)로 되어 있습니다. 둘 중 하나가 바뀌었습니다";
}
