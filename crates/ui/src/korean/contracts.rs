//! What a registry of contracts says: why a version is not given out, what is wrong with a spec, and what a
//! change of one means.

use super::Phrase;

/// What is wrong with a member of a spec, or became of it. English ends a sentence that begins with the
/// member's place.
pub(super) const FIELDS: &[Phrase] = &[
    // Names of contracts.
    (
        "must be capitals, digits and `_`, such as CHANGESET, and at most 64 of them",
        "CHANGESET처럼 영문 대문자, 숫자, `_`를 64자 이하로 입력하세요",
    ),
    ("must have 1 to 128 letters", "1~128자로 입력하세요"),
    ("must not contain `#`, which separates the parts of a key", "`#`은 키를 나누는 문자라서 쓸 수 없습니다"),
    ("must not contain control characters", "제어 문자는 쓸 수 없습니다"),
    ("must be a version such as 1.4.0", "1.4.0 같은 버전을 입력하세요"),
    (
        "must be a version such as 1.4.0, or a range such as ^1.2",
        "1.4.0 같은 버전이나 ^1.2 같은 범위를 입력하세요",
    ),
    ("must be DRAFT, ACTIVE or DEPRECATED", "DRAFT, ACTIVE, DEPRECATED 중 하나여야 합니다"),
    ("must name somebody, with 1 to 128 letters", "누구인지 1~128자로 입력하세요"),
    (
        "is registered with another spec: give this one a new version",
        "다른 스펙으로 이미 등록되어 있습니다. 새 버전 번호를 쓰세요",
    ),
    // Specs.
    ("is not JSON or YAML: {}", "JSON이나 YAML이 아닙니다: {0}"),
    ("must be a map", "맵으로 입력하세요"),
    ("must be a list", "목록으로 입력하세요"),
    ("must have a `name` or a `type`", "`name`이나 `type`이 있어야 합니다"),
    ("must name `{}` once", "`{0}` 이름은 한 번만 쓸 수 있습니다"),
    (
        "must be the name of a policy, or a map that says what it is",
        "정책의 이름이나 정책을 설명하는 맵이어야 합니다",
    ),
    ("must name a contract of the kind {}", "{0} 종류의 계약을 참조해야 합니다"),
    (
        "must name a contract: as KIND:id:version, as id@version, or by its `id` and `version`",
        "KIND:id:version, id@version, 또는 `id`와 `version`으로 계약을 지정하세요",
    ),
    (
        "must name the kind of the contract too, as KIND:id:version or by a `kind`",
        "계약의 종류도 KIND:id:version 형식이나 `kind`로 지정하세요",
    ),
    (
        "names {}, of which there are only drafts: promote it first",
        "참조하는 {0} 계약이 초안뿐입니다. 먼저 승격하세요",
    ),
    ("names {}, which does not exist: register it first", "참조하는 {0} 계약이 없습니다. 먼저 등록하세요"),
    // What changed from one version to another.
    ("was added", "추가되었습니다"),
    ("was added and is required", "필수 항목으로 추가되었습니다"),
    ("was removed", "없어졌습니다"),
    ("was changed", "바뀌었습니다"),
    ("is {} instead of {}", "{1}에서 {0}(으)로 바뀌었습니다"),
    ("was optional and is required now", "선택이었지만 이제 필수입니다"),
    ("was required and is optional now", "필수였지만 이제 선택입니다"),
    ("is in another order", "순서가 바뀌었습니다"),
    ("names {} instead of {}", "참조가 {1}에서 {0}(으)로 바뀌었습니다"),
    ("names the version {} instead of {}", "참조하는 버전이 {1}에서 {0}(으)로 바뀌었습니다"),
    ("lists `{}` too", "`{0}` 항목이 추가되었습니다"),
    ("lists `{}`, which was not required before", "전에는 필수가 아니던 `{0}` 항목이 추가되었습니다"),
    ("does not list `{}` any more", "`{0}` 항목이 빠졌습니다"),
    ("does not list `{}`, which {}", "`{0}` 항목이 빠졌습니다. {1:ko}"),
    ("does not list `{}`, which is not in the view any more", "`{0}` 항목이 빠졌습니다. 이제 뷰에 없습니다"),
    ("is optional now", "이제 선택입니다"),
    ("is not in the view any more", "이제 뷰에 없습니다"),
    ("was lowered from {} to {}", "{0}에서 {1}(으)로 낮아졌습니다"),
    ("was raised from {} to {}", "{0}에서 {1}(으)로 높아졌습니다"),
    ("was not limited and is limited to {} now", "제한이 없었지만 이제 {0}(으)로 제한됩니다"),
    ("is not limited any more", "더 이상 제한되지 않습니다"),
    ("was switched off", "꺼졌습니다"),
    ("was switched on", "켜졌습니다"),
];

pub(super) const PHRASES: &[Phrase] = &[
    // Why a version is not given out.
    ("there is no contract {}", "{0} 계약이 없습니다"),
    ("the contract {} cannot be read: {}", "{0} 계약을 읽을 수 없습니다: {1:ko}"),
    ("the contract {} is not what was registered: {}", "{0} 계약이 등록한 내용과 다릅니다: {1:ko}"),
    (
        "the contract {} is a draft: promote it, or ask for drafts by name",
        "{0} 계약은 초안입니다. 승격하거나 초안을 지정해 요청하세요",
    ),
    ("{}:{} has no active version", "{0}:{1} 계약에 활성 버전이 없습니다"),
    ("{}:{} has no active version within {}", "{0}:{1} 계약에 {2} 범위의 활성 버전이 없습니다"),
    ("its checksum is {}, and {} was registered", "체크섬이 {0}인데 등록한 값은 {1}입니다"),
    ("it has no spec", "스펙이 없습니다"),
    ("it has no checksum", "체크섬이 없습니다"),
    ("it says that it is another contract", "다른 계약의 이름이 쓰여 있습니다"),
    ("nobody knows who made it and when", "누가 언제 만들었는지 알 수 없습니다"),
    ("it has no status", "상태가 없습니다"),
    ("a time in it is none", "시각이 올바르지 않습니다"),
    (
        "a contract in this list cannot be read: `hansang contracts verify` tells which",
        "이 목록에 읽을 수 없는 계약이 있습니다. `hansang contracts verify`로 확인하세요",
    ),
    (
        "a contract in this list cannot be read, in {}: `hansang contracts verify` tells what is wrong",
        "이 목록의 {0}에 읽을 수 없는 계약이 있습니다. `hansang contracts verify`로 확인하세요",
    ),
    (
        "{} is no contract: remove it, or restore the table from a backup",
        "{0} 항목은 계약이 아닙니다. 지우거나 백업에서 테이블을 복구하세요",
    ),
    (
        "the store cannot be reached at the moment: try again later",
        "지금은 저장소에 연결할 수 없습니다. 나중에 다시 시도하세요",
    ),
    (
        "this is not a cursor of this list: start again from its first page",
        "이 목록의 커서가 아닙니다. 첫 페이지부터 다시 보세요",
    ),
    (
        "a contract is named as KIND:ID:VERSION, such as CHANGESET:changeset.v1:1.0.0",
        "계약은 CHANGESET:changeset.v1:1.0.0처럼 KIND:ID:VERSION으로 지정하세요",
    ),
    // Registering and moving.
    (
        "{} is registered with another spec: give this one a new version",
        "{0} 버전은 다른 스펙으로 이미 등록되어 있습니다. 새 버전 번호를 쓰세요",
    ),
    ("`{}` names {}, which is deprecated", "`{0}`: 사용이 중단된 {1} 계약을 참조합니다"),
    (
        "`status` of this Contract can become {} only from {}",
        "이 계약은 {1} 상태일 때만 {0} 상태로 바꿀 수 있습니다",
    ),
    ("{} names this version", "{0} 계약이 이 버전을 참조합니다"),
    (
        "the spec has {} bytes; {} fit into an item: split it",
        "스펙이 {0}바이트로 너무 큽니다. {1}바이트 이하로 나누세요",
    ),
    ("`spec` nests more than {} levels deep", "`spec`: 중첩이 {0}단계를 넘습니다"),
    ("a spec is JSON, which has neither bytes nor sets", "스펙은 JSON이라 바이너리와 집합을 쓸 수 없습니다"),
    (
        "the number {} is not kept by programs that read JSON: write it as text",
        "숫자 {0}은 JSON을 읽는 프로그램에서 값이 달라질 수 있습니다. 텍스트로 쓰세요",
    ),
    (
        "this spec names {} contracts; it can name {}: split it",
        "이 스펙은 계약 {0}개를 참조합니다. 최대 {1}개이니 나누세요",
    ),
    ("the spec is written in another way and means the same", "쓴 방식만 다르고 뜻은 같습니다"),
    (
        "name nothing, a kind, or a kind with an id and a version: these can be forgotten",
        "캐시에서 지울 것을 지정하세요. 전부, 한 종류, 또는 종류와 ID와 버전을 쓸 수 있습니다",
    ),
    // Files and seeds.
    (
        "there is nothing to seed: paste contracts or choose a file",
        "시드할 내용이 없습니다. 계약을 붙여 넣거나 파일을 고르세요",
    ),
    ("this version is in several files: one must go", "같은 버전이 여러 번 있습니다. 하나만 남기세요"),
    (
        "its checksum is {}, and the file says {}: one of them was changed",
        "체크섬이 {0}인데 파일에는 {1}(으)로 되어 있습니다. 둘 중 하나가 바뀌었습니다",
    ),
    (
        "it is in a circle of names, so none can be first: {}",
        "서로 참조해서 먼저 등록할 수 있는 것이 없습니다: {0}",
    ),
    (
        "it is registered with another spec ({}, the file has {}): give the file a new version",
        "다른 스펙({0})으로 이미 등록되어 있습니다. 파일은 {1}입니다. 파일에 새 버전 번호를 쓰세요",
    ),
    (
        "its status is {}, and {} in the file: move it if that is not meant",
        "상태가 {0}인데 파일에는 {1}입니다. 의도한 것이 아니면 상태를 바꾸세요",
    ),
    (
        "a contract is a map with `kind`, `id` and `version`",
        "계약은 `kind`, `id`, `version`이 있는 맵이어야 합니다",
    ),
    ("`{}` is missing", "`{0}`: 값이 없습니다"),
    ("`{}` must be text: put it in quotes", "`{0}`: 텍스트여야 합니다. 따옴표로 묶으세요"),
    (
        "`{}` must be a time such as 2026-01-25T09:00:00Z",
        "`{0}`: 2026-01-25T09:00:00Z 같은 시각이어야 합니다",
    ),
    ("`checksum` is none", "`checksum`: 올바른 체크섬이 아닙니다"),
    ("`{}` and `{}` come together or not at all", "`{0}`, `{1}` 값은 둘 다 쓰거나 둘 다 빼세요"),
    (
        "a contract is JSON, which has neither bytes nor sets",
        "계약은 JSON이라 바이너리와 집합을 쓸 수 없습니다",
    ),
    (
        "{} is no directory: make it, or name another",
        "{0} 디렉터리가 없습니다. 만들거나 다른 곳을 지정하세요",
    ),
    (
        "{} is in the way: it holds something else, move it",
        "{0} 파일에 다른 내용이 있어 저장할 수 없습니다. 파일을 옮기세요",
    ),
    ("it may be in {}, which cannot be read: {}", "{0} 파일에 있을 수 있지만 읽을 수 없습니다: {1:ko}"),
    (
        "the directory of contracts cannot be written: see that it is there, is not full and may be written",
        "계약 디렉터리에 쓸 수 없습니다. 디렉터리가 있는지, 공간과 권한이 있는지 확인하세요",
    ),
    ("{} holds no contract that can be read: {}", "{0} 파일에서 계약을 읽을 수 없습니다: {1:ko}"),
    ("it is in several files, of which one must go: {}", "여러 파일에 있습니다. 하나만 남기세요: {0}"),
    (
        "{} cannot be read: see that it is a directory that may be read",
        "{0}을 읽을 수 없습니다. 읽을 수 있는 디렉터리인지 확인하세요",
    ),
    ("it cannot be read: {}", "읽을 수 없습니다: {0}"),
];
