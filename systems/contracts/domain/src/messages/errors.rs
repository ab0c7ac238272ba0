//! Errors, warnings and outcomes of registries.

use hansang_core::phrases;

phrases! {
    // Versions that cannot be returned.
    NOT_FOUND = "there is no contract {0}", "{0} 계약이 없습니다";
    CORRUPTED = "the contract {0} cannot be read: {1}", "{0} 계약을 읽을 수 없습니다: {1}";
    INTEGRITY = "the contract {0} is not what was registered: {1}", "{0} 계약이 등록한 내용과 다릅니다: {1}";
    DRAFT = "the contract {0} is a draft: promote it, or ask for drafts by name",
        "{0} 계약은 초안입니다. 승격하거나 초안을 지정해 요청하세요";
    NO_ACTIVE_VERSION = "{0}:{1} has no active version", "{0}:{1} 계약에 활성 버전이 없습니다";
    NO_ACTIVE_VERSION_WITHIN = "{0}:{1} has no active version within {2}",
        "{0}:{1} 계약에 {2} 범위의 활성 버전이 없습니다";
    OTHER_CHECKSUM = "its checksum is {0}, and {1} was registered", "체크섬이 {0}인데 등록한 값은 {1}입니다";
    NO_CHECKSUM = "it has no checksum", "체크섬이 없습니다";
    NO_SPEC = "it has no spec", "스펙이 없습니다";
    NO_STATUS = "it has no valid status", "상태가 없습니다";
    NO_AUTHOR = "its author or creation time is missing", "누가 언제 만들었는지 알 수 없습니다";
    BAD_HISTORY = "a change in its history is damaged: restore it from a backup",
        "상태 변경 기록이 손상되었습니다. 백업에서 복구하세요";
    BAD_TIME = "it has an invalid time", "시각이 올바르지 않습니다";
    OTHER_NAME = "it has the name of another contract", "다른 계약의 이름이 쓰여 있습니다";
    NOT_A_CONTRACT = "{0} is not a contract: remove it, or restore the table from a backup",
        "{0} 항목은 계약이 아닙니다. 지우거나 백업에서 테이블을 복구하세요";
    LIST_UNREADABLE = "a contract in this list cannot be read: run `hansang contracts verify`",
        "이 목록에 읽을 수 없는 계약이 있습니다. `hansang contracts verify`로 확인하세요";
    LIST_FILE_UNREADABLE = "a contract in this list cannot be read, in {0}: run `hansang contracts verify`",
        "이 목록의 {0}에 읽을 수 없는 계약이 있습니다. `hansang contracts verify`로 확인하세요";
    STORE_UNAVAILABLE = "the store is unavailable: try again later",
        "지금은 저장소에 연결할 수 없습니다. 나중에 다시 시도하세요";
    NAME_FORM = "a contract must be named as KIND:ID:VERSION, such as CHANGESET:changeset.v1:1.0.0",
        "계약은 CHANGESET:changeset.v1:1.0.0처럼 KIND:ID:VERSION으로 지정하세요";
    NOT_DECODED = "it was registered before its kind was known, and does not have its members: register a new version",
        "이 종류를 알기 전에 등록해서 필요한 항목이 없습니다. 새 버전을 등록하세요";

    // Registering and changing the status.
    VERSION_EXISTS = "{0} is registered with another spec: give this one a new version",
        "{0} 버전은 다른 스펙으로 이미 등록되어 있습니다. 새 버전 번호를 쓰세요";
    INCOMPATIBLE = "{0} is not compatible with {1}, as its rule {2} requires: {3}. Choose a new major version, or have an administrator override the rule with a reason",
        "{0} 버전은 호환성 규칙({2})에 따라 {1} 버전과 호환되어야 합니다: {3}. 새 메이저 버전을 쓰거나 관리자가 사유를 적어 예외로 처리하세요";
    OVERRIDDEN = "{0} is not compatible with {1}, as its rule {2} requires, and was allowed with a reason: {3}",
        "{0} 버전은 {1} 버전과 호환되지 않지만({2}) 사유를 적어 예외로 처리했습니다: {3}";
    MODE_UNKNOWN = "a compatibility rule is NONE, BACKWARD, FORWARD or FULL, not `{0}`",
        "호환성 규칙은 NONE, BACKWARD, FORWARD, FULL 중 하나이며 `{0}`은 없습니다";
    KIND_UNKNOWN = "there is no contract of the kind {0}: register one first",
        "{0} 종류의 계약이 없습니다. 먼저 계약을 등록하세요";
    NO_RULES = "a directory of files has no compatibility rules: use a store",
        "파일 디렉터리에는 호환성 규칙을 둘 수 없습니다. 저장소를 쓰세요";
    REFERRER = "{0} refers to this version", "{0} 계약이 이 버전을 참조합니다";
    DRY_RUN = "a dry run changes no status", "시험 실행은 상태를 바꾸지 않습니다";
    INVALIDATE = "give nothing, a kind, or a kind with an id and a version",
        "캐시에서 지울 것을 지정하세요. 전부, 한 종류, 또는 종류와 ID와 버전을 쓸 수 있습니다";

    // Seeding.
    NOTHING_TO_SEED = "there is nothing to seed: paste contracts or choose a file",
        "시드할 내용이 없습니다. 계약을 붙여 넣거나 파일을 고르세요";
    SEVERAL_FILES = "this version is in several files: keep one",
        "같은 버전이 여러 번 있습니다. 하나만 남기세요";
    CYCLE = "it is in a cycle of references: {0}", "서로 참조해서 먼저 등록할 수 있는 것이 없습니다: {0}";
    FILE_CONFLICT = "it is registered with another spec ({0}, the file has {1}): give the file a new version",
        "다른 스펙({0})으로 이미 등록되어 있습니다. 파일은 {1}입니다. 파일에 새 버전 번호를 쓰세요";
    FILE_STATUS = "its status is {0}, but {1} in the file: change it if that is not intended",
        "상태가 {0}인데 파일에는 {1}입니다. 의도한 것이 아니면 상태를 바꾸세요";

    // Files.
    NOT_A_DIRECTORY = "{0} is not a directory: create it, or give another",
        "{0} 디렉터리가 없습니다. 만들거나 다른 곳을 지정하세요";
    DIRECTORY_UNREADABLE = "{0} cannot be read: check that it is a readable directory",
        "{0}을 읽을 수 없습니다. 읽을 수 있는 디렉터리인지 확인하세요";
    DIRECTORY_UNWRITABLE =
        "the directory of contracts cannot be written: check that it exists, has space and is writable",
        "계약 디렉터리에 쓸 수 없습니다. 디렉터리가 있는지, 공간과 권한이 있는지 확인하세요";
    FILE_IN_THE_WAY = "{0} holds something else: move it",
        "{0} 파일에 다른 내용이 있어 저장할 수 없습니다. 파일을 옮기세요";
    MAY_BE_IN = "it may be in {0}, which cannot be read: {1}", "{0} 파일에 있을 수 있지만 읽을 수 없습니다: {1}";
    FILE_UNREADABLE = "{0} has no readable contract: {1}", "{0} 파일에서 계약을 읽을 수 없습니다: {1}";
    IN_SEVERAL_FILES = "it is in several files, keep one: {0}", "여러 파일에 있습니다. 하나만 남기세요: {0}";
    FILE_PROBLEM = "{0}: {1}", "{0}: {1}";
    READ_FAILED = "it cannot be read: {0}", "읽을 수 없습니다: {0}";
    NOT_WRITTEN = "this contract cannot be written as YAML that reads back: report this",
        "이 계약은 다시 읽을 수 있는 YAML로 쓸 수 없습니다. 알려 주세요";

    // Comparing two registries.
    ONLY_IN_FIRST = "only the first registry has it", "첫 번째 레지스트리에만 있습니다";
    ONLY_IN_SECOND = "only the second registry has it", "두 번째 레지스트리에만 있습니다";
    FIRST_UNREADABLE = "the first registry cannot read it: {0}", "첫 번째 레지스트리에서 읽을 수 없습니다: {0}";
    SECOND_UNREADABLE = "the second registry cannot read it: {0}", "두 번째 레지스트리에서 읽을 수 없습니다: {0}";
    DIFFERENT_OUTCOMES = "the first registry {0}; the second {1}", "첫 번째 레지스트리: {0}; 두 번째: {1}";
    HAS_IT = "has it", "있습니다";
    SAYS = "says: {0}", "{0}";
    DIFFERENT_HEADER = "its {0} is {1} in the first registry and {2} in the second",
        "{0} 값이 첫 번째 레지스트리에서는 {1}, 두 번째에서는 {2}입니다";

    // Servers of contracts.
    NO_CONTRACTS = "this server has no contracts: check --server, and whether it serves the model `contracts`",
        "이 서버에는 계약이 없습니다. --server 값과 서버의 `contracts` 모델을 확인하세요";
    NOT_AN_ADDRESS = "`{0}` cannot be part of a URL: use the store itself, without --server",
        "`{0}` 값은 주소에 쓸 수 없습니다. --server 없이 저장소를 직접 쓰세요";
    NO_VERSIONS = "there is no version of {0}:{1}", "{0}:{1} 계약에 버전이 없습니다";
}
