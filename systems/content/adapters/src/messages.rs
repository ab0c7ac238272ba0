//! The phrases of adapters in every language.

use hansang_core::phrases;

phrases! {
    TOO_LARGE = "the file has more than {0} MB: choose a smaller one", "파일이 {0}MB보다 큽니다. 더 작은 파일을 선택하세요";
    CUT_OFF = "the upload was cut off: try again", "업로드가 끊겼습니다. 다시 시도하세요";
    WRONG_TYPE = "upload a JPEG, PNG, GIF, WebP or PDF file: the content of this one is something else",
        "JPEG, PNG, GIF, WebP, PDF 파일을 올리세요. 이 파일의 내용은 다른 형식입니다";
    TOO_MANY_PIXELS = "the picture has more than {0} megapixels: make it smaller first", "그림이 {0}메가픽셀보다 큽니다. 먼저 크기를 줄이세요";
    MAIL_KEPT = "the file of a mail cannot be deleted: check the directory of mails, then erase again",
        "메일 파일을 삭제할 수 없습니다. 메일 폴더를 확인한 뒤 다시 삭제하세요";
    DAMAGED = "the picture is damaged: save it again and upload it", "그림 파일이 손상되었습니다. 다시 저장한 뒤 올리세요";
}
