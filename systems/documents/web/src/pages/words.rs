//! Words for statuses, steps, sizes and file types.

use hansang_documents::{DocumentProgress, DocumentStatus, OcrMode, SegmentType, StepName, StepStatus};
use hansang_ui::frame::View;
use jiff::Timestamp;

/// The status of a document and the class of its badge.
pub(super) fn status(view: &View, status: DocumentStatus) -> (&'static str, &'static str) {
    match status {
        DocumentStatus::Uploading => (view.say("Uploading", "올리는 중"), ""),
        DocumentStatus::Pending => (view.say("Waiting", "대기 중"), "info"),
        DocumentStatus::InProgress => (view.say("Processing", "처리 중"), "info"),
        DocumentStatus::Completed => (view.say("Done", "완료"), "good"),
        DocumentStatus::Failed => (view.say("Failed", "실패"), "bad"),
        DocumentStatus::Reanalyzing => (view.say("Reanalysing", "다시 분석 중"), "info"),
    }
}

/// The status of a step and the class of its badge.
pub(super) fn step_status(view: &View, status: StepStatus) -> (&'static str, &'static str) {
    match status {
        StepStatus::Pending => (view.say("Waiting", "대기 중"), ""),
        StepStatus::InProgress => (view.say("Processing", "처리 중"), "info"),
        StepStatus::Completed => (view.say("Done", "완료"), "good"),
        StepStatus::Failed => (view.say("Failed", "실패"), "bad"),
        StepStatus::Skipped => (view.say("Skipped", "건너뜀"), "warn"),
    }
}

/// The name of a step.
pub(super) fn step(view: &View, step: StepName) -> &'static str {
    match step {
        StepName::Prepare => view.say("Check file", "파일 확인"),
        StepName::Parse => view.say("Read text", "글 읽기"),
        StepName::Ocr => view.say("Recognise text", "문자 인식"),
        StepName::Build => view.say("Put together", "내용 정리"),
        StepName::Index => view.say("Make searchable", "검색 준비"),
        StepName::Summarise => view.say("Summarise", "요약"),
    }
}

/// The pages whose text is recognised.
pub(super) fn ocr(view: &View, mode: OcrMode) -> &'static str {
    match mode {
        OcrMode::Auto => view.say("Pages without text", "글자가 없는 쪽만"),
        OcrMode::Never => view.say("Never", "안 함"),
        OcrMode::Always => view.say("All pages", "모든 쪽"),
    }
}

/// The step that a document is in, and how far it is.
pub(super) fn doing(view: &View, progress: &DocumentProgress) -> String {
    let Some(name) = progress.step else {
        return view.say("Waiting to start", "시작을 기다리는 중").to_owned();
    };
    let name = step(view, name);
    match progress.done.zip(progress.total).filter(|(_, total)| *total > 0) {
        Some((done, total)) => {
            view.fill("{0}, {1} of {2}", "{0}, {2} 중 {1}").with(name).with(done).with(total).to_string()
        }
        None => name.to_owned(),
    }
}

/// The name of a part of a document.
pub(super) fn part(view: &View, kind: Option<SegmentType>, index: i64) -> String {
    let number = index + 1;
    match kind {
        None | Some(SegmentType::Page) => view.fill("Page {0}", "{0}쪽").with(number),
        Some(SegmentType::Text) => view.fill("Part {0}", "{0}번째 부분").with(number),
        Some(SegmentType::Chapter) => view.fill("Chapter {0}", "{0}장").with(number),
        Some(SegmentType::Web) => view.fill("Section {0}", "{0}번째 구역").with(number),
    }
    .to_string()
}

/// A number of bytes for people.
pub(super) fn size(bytes: i64) -> String {
    let tenths = |unit: i64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        ..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KB", (bytes + 1023) / 1024),
        1_048_576..1_073_741_824 => format!("{} MB", tenths(1 << 20)),
        _ => format!("{} GB", tenths(1 << 30)),
    }
}

/// The time between two moments for people.
pub(super) fn duration(view: &View, from: Timestamp, to: Timestamp) -> String {
    let seconds = to.as_second().saturating_sub(from.as_second()).max(0);
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match seconds {
        0 => view.say("less than a second", "1초 미만").to_owned(),
        1..60 => view.plural(seconds, "{0} second", "{0} seconds", "{0}초").to_string(),
        60..3600 => view.fill("{0} min {1} s", "{0}분 {1}초").with(minutes).with(seconds % 60).to_string(),
        _ => view.fill("{0} h {1} min", "{0}시간 {1}분").with(hours).with(minutes % 60).to_string(),
    }
}

/// The format of a file in a few letters: by its media type, otherwise by its name.
pub(super) fn format(media: &str, name: &str) -> String {
    let known = match media.split(';').next().unwrap_or_default().trim() {
        "application/pdf" => "PDF",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "DOCX",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "XLSX",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => "PPTX",
        "application/x-hwp" | "application/haansofthwp" | "application/vnd.hancom.hwp" => "HWP",
        "application/hwp+zip" | "application/vnd.hancom.hwpx" => "HWPX",
        "text/html" => "HTML",
        "text/markdown" => "MD",
        "text/plain" => "TXT",
        "image/png" => "PNG",
        "image/jpeg" => "JPG",
        "image/tiff" => "TIFF",
        "image/webp" => "WEBP",
        "image/gif" => "GIF",
        "image/bmp" => "BMP",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending).filter(|ending| ending.len() <= 5);
    ending.filter(|ending| ending.chars().all(char::is_alphanumeric)).unwrap_or_default().to_uppercase()
}

/// The icon of a file.
pub(super) fn icon(media: &str) -> &'static str {
    if media.starts_with("image/") {
        "image"
    } else if media.contains("sheet") || media == "text/csv" {
        "table"
    } else {
        "document"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_formats_are_short() {
        let sizes = [0, 1023, 1024, 1_600_000, 500 << 20, 3 << 30].map(size);
        assert_eq!(sizes, ["0 B", "1023 B", "1 KB", "1.5 MB", "500.0 MB", "3.0 GB"]);
        assert_eq!(format("application/pdf", "a"), "PDF");
        assert_eq!(format("application/octet-stream", "보고서.hwp"), "HWP");
        assert_eq!(format("application/octet-stream", "a.b c"), "");
    }
}
