//! The notices of these pages.

use hansang_ui::notice::Notice;

const fn notice(code: &'static str, english: &'static str, korean: &'static str) -> Notice {
    Notice { code, english, korean }
}

pub(crate) const PROJECT_CREATED: Notice = notice(
    "project-created",
    "Project created. Now drop files into it.",
    "프로젝트를 만들었습니다. 이제 파일을 올려 보세요.",
);
pub(crate) const PROJECT_ARCHIVED: Notice =
    notice("project-archived", "Project archived.", "프로젝트를 보관했습니다.");
pub(crate) const PROJECT_ACTIVE: Notice =
    notice("project-active", "The project is in use again.", "프로젝트를 다시 사용합니다.");
pub(crate) const UPLOADED: Notice =
    notice("uploaded", "Uploaded. Processing has started.", "파일을 올렸습니다. 처리를 시작했습니다.");
pub(crate) const UPLOADED_AGAIN: Notice = notice(
    "uploaded-again",
    "Uploaded. The project already had this file.",
    "파일을 올렸습니다. 이 프로젝트에 같은 파일이 이미 있습니다.",
);
pub(crate) const NOTHING_SELECTED: Notice =
    notice("no-documents-selected", "Select documents first.", "먼저 문서를 선택하세요.");
pub(crate) const DOCUMENTS_DELETED: Notice =
    notice("documents-deleted", "Documents deleted.", "문서를 삭제했습니다.");
pub(crate) const REANALYSING: Notice =
    notice("reanalysing", "Reanalysis has started.", "다시 분석하기 시작했습니다.");
pub(crate) const CANCELLED: Notice =
    notice("processing-cancelled", "Processing was cancelled.", "처리를 취소했습니다.");
pub(crate) const CACHE_CLEARED: Notice =
    notice("cache-cleared", "The list is read again next time.", "다음에 목록을 새로 읽습니다.");

pub(crate) const ALL: &[Notice] = &[
    PROJECT_CREATED,
    PROJECT_ARCHIVED,
    PROJECT_ACTIVE,
    UPLOADED,
    UPLOADED_AGAIN,
    NOTHING_SELECTED,
    DOCUMENTS_DELETED,
    REANALYSING,
    CANCELLED,
    CACHE_CLEARED,
];
